"""Commands that show a player's explanations, and the range of hands that a seat may hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from cardwin.cards.card import cards_text
from cardwin.cli.app import Json, app
from cardwin.cli.output import console, note, print_detail, print_json
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.players.loki.ranges import Range

File = Annotated[Path, Argument(metavar="FILE", help="A hand history, .phh or .phhs.")]
Hand = Annotated[int, Option("--hand", min=1, help="Number of the hand in the file, from 1.")]
SHADES = ("grey50", "cyan", "green", "yellow", "dark_orange", "bold red")


@app.command()
def explain(
    file: File,
    seat: Annotated[int, Option(min=1, help="The seat whose decisions are explained.")],
    spec: Annotated[str, Option("--player", metavar="SPEC", help="The player that explains them.")],
    hand: Hand = 1,
    as_json: Json = False,
) -> None:
    """Show what a player would do in a seat of a recorded hand, with its explanation.

    The player has seen the earlier hands of the file with the same players.
    """
    from cardwin.analysis.hand_review import earlier_hands, read_hand, review_decisions
    from cardwin.players.registry import makers_of, player
    from cardwin.players.sandbox.launcher import BUILD_LIMIT
    from cardwin.players.specs import Untrusted, is_program

    explainer = makers_of([spec], Untrusted(BUILD_LIMIT))[0]() if is_program(spec) else player(spec)
    reviewed = review_decisions(read_hand(file, hand), seat - 1, explainer, earlier_hands(file, hand))
    decisions = [decision.as_dict() | {"board": cards_text(decision.view.board)} for decision in reviewed]
    if as_json:
        print_json({"player": spec, "seat": seat, "decisions": decisions})
        return
    if not reviewed:
        print(f"seat {seat} has no decision in this hand")
        return
    print(f"{spec} in seat {seat} with {cards_text(reviewed[0].view.hole)}")
    for decision in decisions:
        _print_decision(decision)


SITUATION_KEYS = ("street", "board", "to_call", "pot", "action", "played")


def _print_decision(decision: dict[str, Any]) -> None:
    """Print one decision: situation, action, and explanation (single values in one line, lists below).

    Lists of numbers, such as a network's inputs, are printed with --verbose.
    """
    from cardwin.players.base import explanation_line

    board = f" {decision['board']}" if decision["board"] else ""
    print(
        f"{decision['street']}{board}, pot {decision['pot']}, {decision['to_call']} to call: {decision['action']}"
        + ("" if decision["action"] == decision["played"] else f" (played: {decision['played']})")
    )
    explanation = {name: value for name, value in decision.items() if name not in SITUATION_KEYS}
    if not explanation:
        print("  no explanation: this player has no `explain` method")
        return
    if set(explanation) == {"answer"}:
        print(f"  the program answered {explanation['answer']!r}; other people's programs give no explanations")
        return
    print(f"  {explanation_line(explanation)}")
    for name, value in explanation.items():
        if isinstance(value, list) and all(isinstance(item, int | float) for item in value):
            print_detail(f"  {name}: {' '.join(f'{item:.4g}' for item in value)}")
        elif isinstance(value, list):
            for item in value:
                print(f"  {name}: {_item_text(item)}")


def _item_text(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{name} {_item_text(value)}" for name, value in item.items())
    if isinstance(item, list | tuple):
        return ", ".join(" ".join(map(str, part)) if isinstance(part, list | tuple) else str(part) for part in item)
    return str(item)


@app.command("range")
def show_range(
    file: File,
    of: Annotated[int, Option(metavar="SEAT", min=1, help="The seat whose range is estimated.")],
    for_seat: Annotated[
        int | None, Option("--for", metavar="SEAT", min=1, help="The seat that estimates; its cards are excluded.")
    ] = None,
    hand: Hand = 1,
    spec: Annotated[
        str, Option("--player", metavar="SPEC", help="The Loki whose opponent model is used.")
    ] = "loki:model=generic",
    picture: Annotated[Path | None, Option(help="Also draw the range, as PNG and SVG.")] = None,
    as_json: Json = False,
) -> None:
    """Show the range of a seat of a recorded hand after each of its actions, by Loki's opponent model."""
    from cardwin.analysis.hand_review import read_hand
    from cardwin.core.files import check_output
    from cardwin.players.loki.player import Loki
    from cardwin.players.loki.ranges import ranges_of
    from cardwin.players.registry import player

    if picture is not None:
        for ending in (".png", ".svg"):
            check_output(picture.with_suffix(ending), "--picture", ending, overwrite=True)
    loki = player(spec)
    if not isinstance(loki, Loki):
        raise InputError(f"expected a loki, such as loki:model=generic, got {spec!r}, which has no opponent model")
    ranges = ranges_of(read_hand(file, hand), of - 1, None if for_seat is None else for_seat - 1, loki.model)
    if picture is not None:
        from cardwin.reports.range_pictures import draw_ranges

        draw_ranges(picture, ranges)
        note(f"wrote {picture.with_suffix('.png')}")
    if as_json:
        print_json({"seat": of, "for": for_seat, "steps": [_range_answer(step) for step in ranges]})
        return
    for step in ranges:
        _print_range(step)


def _range_answer(step: "Range") -> dict[str, Any]:
    from cardwin.games.holdem.events import STREET_NAMES

    return {
        "street": STREET_NAMES[step.street],
        "board": cards_text(step.board),
        "action": step.action,
        "share": step.share,
        "hs": step.strength,
        "likely": step.likely,
        "grid": [[round(float(weight), 4) for weight in row] for row in step.grid],
    }


def _print_range(step: "Range") -> None:
    """Print the 13 x 13 grid in hundredths: pairs on the diagonal, suited above it, offsuit below."""
    from rich.text import Text

    from cardwin.cards.holdings import CLASS_NAMES
    from cardwin.reports.range_pictures import title_of

    screen = console()
    strength = "" if step.strength is None else f", hand strength against it {step.strength:.3f}"
    screen.print(f"{title_of(step)}: {step.share:.0%} of holdings remain{strength}")
    for row, weights in enumerate(step.grid):
        line = Text("  ")
        for column, weight in enumerate(weights):
            shade = SHADES[min(int(weight * len(SHADES)), len(SHADES) - 1)]
            line.append(f"{CLASS_NAMES[13 * row + column]:<4}{100 * weight:3.0f}  ", style=shade)
        screen.print(line)
    screen.print("  most likely: " + ", ".join(f"{name} {weight:g}" for name, weight in step.likely))


@app.command()
def income(
    players: Annotated[int, Option(min=2, max=10, help="Number of players dealt in.")] = 7,
    deals: Annotated[int | None, Option(min=2, help="Recompute them from this many deals each.")] = None,
    as_json: Json = False,
) -> None:
    """Show the income rates of all starting hands: 1/1000 of a bet won when everybody calls to the end."""
    from cardwin.cards.holdings import CLASS_NAMES
    from cardwin.cards.preflop import class_incomes, income_errors, simulated_incomes

    rates, errors = (
        (class_incomes(players), income_errors(players)) if deals is None else simulated_incomes(players, deals)
    )
    if as_json:
        classes = {name: round(float(rate), 3) for name, rate in zip(CLASS_NAMES, rates, strict=True)}
        print_json({"players": players, "error": float(errors.max()), "classes": classes})
        return
    print(f"income rates with {players} players, standard error at most {errors.max():.1f}")
    for row in range(13):
        names = range(13 * row, 13 * row + 13)
        print("  " + " ".join(f"{CLASS_NAMES[number]:<3}{rates[number]:6.0f}" for number in names))
