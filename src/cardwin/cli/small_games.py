"""Commands with exact answers: the small games."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from cardwin.cli.app import Json, Resume, Workers, app, reject_changed_options, seed_option
from cardwin.cli.output import console, print_detail, print_json
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.solvers.policy import Policy

GameName = Annotated[
    str, Argument(metavar="GAME", help="A small game, such as kuhn, onecard:cards=6 or python:module:build.")
]
SEAT = Option(min=1, max=2, metavar="1|2", help="Seat 1 acts first.")
POLICY_HELP = "A model's name, uniform, equilibrium, genes:0,.5,1,…, a JSON file or a run's folder."
MARKS = "0 1 forced; 0* 1* forced if reached; ~ free; - never reached"


class Method(StrEnum):
    """The solution method."""

    LP = "lp"
    CFR_PLUS = "cfr+"
    CFR = "cfr"
    LINEAR = "linear"
    DCFR = "dcfr"
    PCFR_PLUS = "pcfr+"


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    from cardwin.games import SMALL_GAMES, game
    from cardwin.games.betting.game import BETTING_GAMES
    from cardwin.games.holdem.game import TITLES
    from cardwin.games.specs import installed_games
    from cardwin.players.small_games.kuhn_models import models

    rows = [{"name": name, "title": game(name).title, "models": list(models(game(name)))} for name in SMALL_GAMES]
    rows += [{"name": name, "title": game(name).title, "models": []} for name in installed_games()]
    rows += [{"name": f"holdem-{kind}", "title": title, "models": []} for kind, title in TITLES.items()]
    rows += [{"name": name, "title": entry.title, "models": []} for name, entry in BETTING_GAMES.items()]
    if as_json:
        print_json({"games": rows})
        return
    out = console()
    for row in rows:
        out.print(f"[bold]{row['name']:14}[/bold]{row['title']}")
        if row["models"]:
            out.print(f"{'':14}[bright_black]models: {', '.join(row['models'])}[/bright_black]")
    out.print("\nParameters follow a colon: kuhn:cards=5   kuhn-breadth:bets=1/2   onecard:cards=6,bets=0/3/9,ante=1")
    out.print("holdem-nl:stack=20000,blinds=50/100,ante=0   holdem-limit:bets=10/20   holdem-simple:blind=10,ante=5")


@app.command()
def solve(
    context: typer.Context,
    game: Annotated[
        str | None, Argument(metavar="GAME", help="A small game (kuhn, onecard:cards=6), flop-holdem or FILE.toml.")
    ] = None,
    method: Annotated[
        Method | None,
        Option(help="lp (small games, default), cfr+ and cfr; betting games: also dcfr (default), linear, pcfr+."),
    ] = None,
    until: Annotated[float | None, Option(metavar="MBB", help="Betting games: exploitability to reach.")] = None,
    iterations: Annotated[int | None, Option(metavar="N", help="Betting games: maximum number of iterations.")] = None,
    folder: Annotated[
        Path | None, Option("--out", metavar="DIR", help="Betting games: solve as a run in this folder.")
    ] = None,
    resume: Resume = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Find an equilibrium: the value of a game and a strategy that cannot be exploited.

    Betting games are flop-holdem and parameter files (FILE.toml); they are solved to an exploitability. With --out that
    is a run, which --resume DIR continues after an interruption.
    """
    import cardwin
    from cardwin.games.betting.game import is_betting_game

    if resume is not None:
        from cardwin.cli.betting import resume_betting

        reject_changed_options(context)
        resume_betting(resume, workers, as_json)
        return
    if game is None:
        raise InputError("expected a game, such as kuhn or flop-holdem, or a run's folder with --resume")
    if is_betting_game(game):
        from cardwin.cli.betting import solve_betting

        solve_betting(game, method.value if method else "dcfr", until, iterations, workers, as_json, folder)
        return
    if until is not None or iterations is not None or folder is not None:
        raise InputError(
            f"unexpected --until, --iterations or --out, which are for betting games: {game} is solved exactly"
        )
    method = method or Method.LP
    solution = cardwin.solve(game, method.value)
    if as_json:
        print_json({name: getattr(solution, name) for name in SOLUTION_KEYS})
        return
    out = console()
    shown = value_text(solution.value, solution.fraction)
    out.print(f"[bold]{solution.game}[/bold]: value {shown} chips per hand for seat 1")
    accuracy = (
        "exact: verified with fractions" if solution.fraction else f"exploitability {solution.exploitability:.2g}"
    )
    out.print(f"{accuracy}; {method.value}, {solution.iterations:,} iterations, {solution.seconds:.2g} s\n")
    rows = max(len(seqs.infosets) for seqs in solution.policy.tree.sequences)
    if rows <= MAX_ROWS or solution.policy.tree.game.gene_order:
        print_policy(solution.policy)
    else:
        print_policy(solution.policy, FIRST_ROWS)
        out.print(f"... and {rows - FIRST_ROWS:,} more per seat: cardwin show equilibrium --game {game}")


MAX_ROWS, FIRST_ROWS = 60, 12  # rows of the longest table that is printed whole; rows printed of a longer table
SOLUTION_KEYS = ("game", "value", "fraction", "exploitability", "method", "iterations", "seconds")


def value_text(value: object, fraction: str | None) -> str:
    """Return a value as a fraction and a number, or with many digits if its fraction is not known."""
    return f"{fraction} = {float(value):.6g}" if fraction else f"{float(value):.12g}"  # type: ignore[arg-type]


def print_policy(policy: "Policy", max_rows: int | None = None) -> None:
    """Print a policy's tables, each with at most `max_rows` rows, and its habits."""
    from cardwin.cli.policy_tables import genes_meaning, policy_tables
    from cardwin.players.small_games.policies import habits

    out = console()
    for table in policy_tables(policy, max_rows):
        out.print(table)
    if meaning := genes_meaning(policy.tree.game.gene_order):
        out.print(meaning)
    for seat in policy.seats:
        for habit in habits(policy, seat):
            out.print(f"seat {seat + 1} {habit}")


@app.command()
def value(
    game: GameName,
    first: Annotated[str, Argument(metavar="SPEC", help="The policy in seat 1. " + POLICY_HELP)],
    second: Annotated[str, Argument(metavar="SPEC", help="The policy in seat 2.")],
    as_json: Json = False,
) -> None:
    """Compute the exact expected value of one policy against another."""
    import cardwin
    from cardwin.solvers import exact

    rules = cardwin.game(game)
    policies = cardwin.policy(rules, champion_of(first)), cardwin.policy(rules, champion_of(second))
    chips = exact.value(policies[0].tree, policies[0].exact(0), policies[1].exact(1))
    fraction = exact.short_fraction(chips)
    if as_json:
        print_json({"value": float(chips), "fraction": fraction})
    else:
        print(f"{first} (seat 1) expects {value_text(chips, fraction)} chips per hand against {second}")


@app.command("best-response")
def best_response(
    game: GameName,
    against: Annotated[str, Option(metavar="SPEC", help="The opponent. " + POLICY_HELP)],
    seat: Annotated[int, SEAT],
    as_json: Json = False,
) -> None:
    """Find a best response: the most that a seat can win against an opponent, and which actions are forced."""
    import cardwin
    from cardwin.cli.policy_tables import genes_meaning, response_table
    from cardwin.solvers.exact import short_fraction

    rules = cardwin.game(game)
    policy = cardwin.policy(rules, champion_of(against))
    best = cardwin.best_response(rules, policy, seat)
    fraction = short_fraction(best.value)
    if as_json:
        genes = [float(gene) for gene in best.genes]
        print_json({"value": float(best.value), "fraction": fraction, "genes": genes, "forced": best.forced})
        return
    out = console()
    out.print(f"Seat {seat} can win {value_text(best.value, fraction)} chips per hand against {against} in {game}\n")
    out.print(response_table(policy.tree, seat - 1, best.genes, best.forced, "A best response"))
    if meaning := genes_meaning(policy.tree.game.gene_order):
        out.print(meaning)
    out.print(MARKS)


@app.command()
def exploitability(
    game: GameName,
    policy: Annotated[str, Option(metavar="SPEC", help=POLICY_HELP)],
    seat: Annotated[int | None, SEAT] = None,
    hands: Annotated[int, Option(metavar="N", help="Hold'em: hands of the lower bound.")] = 20_000,
    seed: Annotated[int | None, seed_option("Hold'em: its random numbers.")] = None,
    bets: Annotated[str, Option(metavar="LIST", help="Hold'em: its bets, shares of the pot and all-in.")] = "1,all-in",
    street: Annotated[
        str, Option("--from-street", metavar="STREET", help="Hold'em: before this street it checks and calls.")
    ] = "preflop",
    method: Annotated[
        str | None, Option(metavar="NAME", help="Hold'em: exact, or lbr, a lower bound by local best response.")
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Compute the exploitability of a policy; in hold'em, of a player, heads-up.

    In holdem-limit it is exact for players that do not use their cards. For other players a local best response gives
    a lower bound, and the situations in which they lose it.
    """
    import cardwin
    from cardwin.cli.yardsticks import print_exploitability, response_settings
    from cardwin.games import is_holdem
    from cardwin.solvers.equilibria import Exploitability

    rules = cardwin.game(game)
    if is_holdem(rules):
        settings = response_settings(hands, seed, bets, street, method)
        print_exploitability(rules, policy, seat, workers, settings, as_json)
        return
    result = cardwin.exploitability(rules, champion_of(policy), seat)
    if not isinstance(result, Exploitability):
        raise TypeError(f"expected a small game, got {game}")
    if as_json:
        print_json({"value": result.value, "exploitability": result.exploitability, "nash_conv": result.nash_conv})
    elif seat is None:
        nash_conv = f"NashConv {result.nash_conv:.6g}"
        print(f"{policy} in {game}: exploitability {result.exploitability:.6g} chips per hand ({nash_conv})")
        print_detail(f"against itself seat 1 expects {result.value:.6g} chips per hand")
    else:
        print(f"{policy} in seat {seat} of {game}: exploitability {result.exploitability:.6g} chips per hand")
        print(f"against a perfect opponent it expects {result.value:.6g} chips per hand")


class Format(StrEnum):
    """The export format."""

    CSV = "csv"
    OPENSPIEL = "openspiel"
    JSON = "json"


PolicySpec = Annotated[str, Argument(metavar="POLICY", help=POLICY_HELP)]
OfGame = Annotated[str | None, Option("--game", metavar="GAME", help="The game, unless the file names it.")]


def champion_of(spec: str) -> str:
    """Return the champion file of a finished run, if `spec` is a run's folder; otherwise `spec` itself."""
    if not Path(spec).is_dir():
        return spec
    from cardwin.runs.champions import first_champion

    return str(first_champion(Path(spec)))


def find_policy(spec: str, game: str | None) -> "Policy":
    """Return the policy of a file or run, which names its own game, or of a specification and a game."""
    import cardwin
    from cardwin.players.small_games.policies import load

    spec = champion_of(spec)
    if game is None:
        if not spec.endswith(".json"):
            raise InputError(f"expected --game, such as --game kuhn, with {spec!r}: only a policy file names its game")
        return load(Path(spec))
    return cardwin.policy(cardwin.game(game), spec)


@app.command()
def show(policy: PolicySpec, game: OfGame = None, as_json: Json = False) -> None:
    """Show a strategy as a table, with its bluffs and slow plays; or a network or blueprint, as net:NAME, cfr:NAME."""
    from cardwin.cli.policy_tables import print_blueprint, print_network
    from cardwin.players.small_games.policies import habits

    champion = policy if policy.startswith(("net:", "cfr:")) else champion_of(policy)
    for prefix, suffix, print_player in (("cfr:", ".cfr", print_blueprint), ("net:", ".safetensors", print_network)):
        if champion.startswith(prefix) or champion.endswith(suffix):
            print_player(champion if champion.startswith(prefix) else prefix + champion, as_json)
            return
    shown = find_policy(policy, game)
    if not as_json:
        print_policy(shown)
        return
    seats = {
        str(seat + 1): {
            "genes": dict(zip(shown.tree.sequences[seat].gene_names, map(float, shown.genes(seat)), strict=True)),
            "habits": [str(habit) for habit in habits(shown, seat)],
        }
        for seat in shown.seats
    }
    print_json({"game": shown.tree.game.name, "policy": shown.name, "seats": seats})


@app.command()
def export(
    policy: PolicySpec,
    to: Annotated[Format, Option(help="CSV, an OpenSpiel tabular policy, or our own JSON.")],
    game: OfGame = None,
) -> None:
    """Write a strategy to standard output in another format."""
    from cardwin.players.small_games.policies import as_csv, as_file, as_openspiel

    writers = {
        Format.CSV: as_csv,
        Format.OPENSPIEL: as_openspiel,
        Format.JSON: as_file,
    }
    print(writers[to](find_policy(policy, game)), end="")
