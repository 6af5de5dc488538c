"""Commands about cards: hand ranks, equity, and the win-odds tables."""

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from cardwin.cli.app import Json, app
from cardwin.cli.output import console, is_quiet, note, print_json
from cardwin.core.errors import CorruptFileError, InputError

if TYPE_CHECKING:
    from cardwin.cards.equity import Equity

SHADES = ("blue", "cyan", "green", "yellow", "bright_red")

tables_app = typer.Typer(
    help="The win odds of every hand on every board, stored in the cache folder.", no_args_is_help=True
)
app.add_typer(tables_app, name="tables")


def _items(words: list[str]) -> list[str]:
    """Return the arguments, or the lines of standard input if the only argument is `-`."""
    if words == ["-"]:
        return [line.strip() for line in sys.stdin if line.strip()]
    return words


def _print_answers(words: list[str], rows: list[dict[str, Any]]) -> None:
    """Print a single answer as an object; several, or answers to standard input, as a list."""
    print_json(rows[0] if len(rows) == 1 and words != ["-"] else {"hands": rows})


@app.command()
def rank(
    hands: Annotated[list[str], Argument(metavar="HAND...", help="Five to seven cards each; - reads standard input.")],
    as_json: Json = False,
) -> None:
    """Rank a hand of five to seven cards: 1 is a royal flush, 7462 the worst high card."""
    from cardwin.cards.question import rank_hand

    ranked = [rank_hand(text) for text in _items(hands)]
    if as_json:
        _print_answers(hands, [vars(hand) for hand in ranked])
        return
    for hand in ranked:
        print(f"{hand.hand}: {hand.category}, {hand.best_five}, rank {hand.value:,} of 7,462")


@app.command()
def equity(
    hands: Annotated[
        list[str] | None, Argument(metavar="HAND...", help="Two cards, or a range such as AKs; - reads standard input.")
    ] = None,
    board: Annotated[str, Option(metavar="CARDS", help="The board cards.")] = "",
    opponents: Annotated[int | None, Option(metavar="N", help="Number of random opponents, 1 to 9.")] = None,
    against: Annotated[
        list[str] | None, Option(metavar="RANGE", help="An opponent's range; repeat for each opponent.")
    ] = None,
    dead: Annotated[str, Option(metavar="CARDS", help="Cards that no player can hold.")] = "",
    grid: Annotated[bool, Option("--grid", help="Show all 169 starting hands.")] = False,
    as_json: Json = False,
) -> None:
    """Compute a hand's equity: exact if all deals can be enumerated, otherwise simulated with a standard error."""
    from cardwin.cards.question import answer_question, parse_question

    if grid:
        if hands or board or against or dead:
            raise InputError(
                "unexpected arguments with --grid, which shows all hands before the flop: expected only --opponents N"
            )
        parse_question("AA", opponents=opponents)
        _grid(opponents or 1, as_json)
        return
    if not hands:
        raise InputError("no hand: give two cards such as AhKh, a class such as AKs, or --grid")
    texts = _items(hands)
    questions = [parse_question(text, board, opponents, against or (), dead) for text in texts]
    answers = [answer_question(question) for question in questions]
    if as_json:
        _print_answers(hands, [{"hand": text, **vars(result)} for text, result in zip(texts, answers, strict=True)])
        return
    for text, result in zip(texts, answers, strict=True):
        print(f"{text}: {_equity_text(result)}")


def _equity_text(result: "Equity") -> str:
    no_error = " in every simulated deal" if result.method == "simulation" else ", exact"
    error = f" ± {100 * result.error:.3f} (standard error)" if result.error else no_error
    parts = f"wins {100 * result.win:.4f}%, ties {100 * result.tie:.4f}%"
    return f"equity {100 * result.equity:.4f}%{error}; {parts} ({result.method})"


def _grid(opponents: int, as_json: bool) -> None:
    """Print the 13 x 13 grid: pairs on the diagonal, suited above it, offsuit below; warmer colours win more."""
    from rich.text import Text

    from cardwin.cards.holdings import CLASS_NAMES
    from cardwin.cards.preflop import preflop

    shares = preflop().equity[:, opponents - 1]
    if as_json:
        classes = dict(zip(CLASS_NAMES, map(float, shares), strict=True))
        print_json(
            {"opponents": opponents, "error": float(preflop().error[:, opponents - 1].max()), "classes": classes}
        )
        return
    levels = shares.argsort().argsort() * len(SHADES) // len(shares)
    screen = console()
    screen.print(f"percent of the pot won against {opponents} random hand{'s' if opponents > 1 else ''}")
    for row in range(13):
        line = Text()
        for number in range(13 * row, 13 * row + 13):
            line.append(f"{CLASS_NAMES[number]:<4}{100 * shares[number]:4.1f}  ", style=SHADES[levels[number]])
        screen.print(line)


@tables_app.command("build")
def build_tables(as_json: Json = False) -> None:
    """Build the win odds of every hand on every board: about a minute, 650 MB, once."""
    from rich.console import Console
    from rich.progress import Progress

    from cardwin.cards.tables import win_odds_store

    start = time.perf_counter()
    note(f"building into {win_odds_store.odds_folder()}")
    with Progress(console=Console(stderr=True), disable=is_quiet(), transient=True) as bars:
        bar_of: dict[str, Any] = {}

        def progress(stage: str, done: float) -> None:
            if stage not in bar_of:
                bar_of[stage] = bars.add_task(stage, total=1.0)
            bars.update(bar_of[stage], completed=done)

        built = win_odds_store.build(progress)
    seconds = round(time.perf_counter() - start, 1)
    if as_json:
        size = win_odds_store.table_file().stat().st_size
        print_json({"file": str(win_odds_store.table_file()), "built": built, "bytes": size, "seconds": seconds})
    elif built:
        print(f"built {', '.join(built)} in {seconds} s: {win_odds_store.table_file()}")
    else:
        print(f"already complete: {win_odds_store.table_file()}")


@tables_app.command("check")
def check_tables(as_json: Json = False) -> None:
    """Compare the tables with their checksums."""
    from cardwin.cards.tables import win_odds_store

    states = win_odds_store.check()
    damaged = [name for name, state in states.items() if state == "damaged"]
    if damaged:
        raise CorruptFileError(
            f"{win_odds_store.table_file()} is damaged in {', '.join(damaged)}: `cardwin tables build` rebuilds it"
        )
    if as_json:
        print_json({"file": str(win_odds_store.table_file()), "sections": states})
    elif "missing" in states.values():
        print(
            "not built yet, so odds are computed on demand; "
            f"`cardwin tables build` builds {win_odds_store.table_file()}"
        )
    else:
        print(f"good: {win_odds_store.table_file()}")


@tables_app.command("clean")
def clean_tables(as_json: Json = False) -> None:
    """Remove the tables from the cache."""
    from cardwin.cards.tables import win_odds_store

    freed = win_odds_store.clean()
    if as_json:
        print_json({"folder": str(win_odds_store.odds_folder()), "bytes": freed})
    else:
        print(f"freed {freed / 1e6:,.0f} MB in {win_odds_store.odds_folder()}")
