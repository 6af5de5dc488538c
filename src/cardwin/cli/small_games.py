"""Commands with exact answers: the small games."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import Json, Resume, Workers, app, as_it_was
from cardwin.cli.output import console, note, print_json

if TYPE_CHECKING:
    from cardwin.solvers.policy import Policy

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A small game, such as kuhn, onecard:cards=6 or python:module:build.")
]
SEAT = typer.Option(min=1, max=2, metavar="1|2", help="Seat 1 acts first.")
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
    rows += [{"name": name, "title": one.title, "models": []} for name, one in BETTING_GAMES.items()]
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
        str | None,
        typer.Argument(metavar="GAME", help="A small game (kuhn, onecard:cards=6), flop-holdem or FILE.toml."),
    ] = None,
    method: Annotated[
        Method | None,
        typer.Option(
            help="lp (small games, default), cfr+ and cfr; betting games: also dcfr (default), linear, pcfr+."
        ),
    ] = None,
    until: Annotated[float | None, typer.Option(metavar="MBB", help="Betting games: exploitability to reach.")] = None,
    iterations: Annotated[int | None, typer.Option(metavar="N", help="Betting games: most iterations.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Betting games: solve as a run in this folder.")
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
    from cardwin.core.errors import InputError
    from cardwin.games.betting.game import is_betting_game

    if resume is not None:
        from cardwin.cli.betting import resume_betting

        as_it_was(context)
        resume_betting(resume, workers, as_json)
        return
    if game is None:
        raise InputError("no game: name one, such as kuhn or flop-holdem, or give a run's folder with --resume")
    if is_betting_game(game):
        from cardwin.cli.betting import solve_betting

        solve_betting(game, method.value if method else "dcfr", until, iterations, workers, as_json, folder)
        return
    if until is not None or iterations is not None or folder is not None:
        raise InputError(f"{game} is solved exactly: --until, --iterations and --out are for betting games")
    method = method or Method.LP
    solution = cardwin.solve(game, method.value)
    if as_json:
        print_json({name: getattr(solution, name) for name in SOLUTION_KEYS})
        return
    out = console()
    shown = f"{solution.fraction} = {solution.value:.6g}" if solution.fraction else f"{solution.value:.12g}"
    out.print(f"[bold]{solution.game}[/bold]: value {shown} chips per hand for seat 1")
    how = "certified in exact arithmetic" if solution.fraction else f"exploitability {solution.exploitability:.2g}"
    out.print(f"{how}; {method.value}, {solution.iterations:,} iterations, {solution.seconds:.2g} s\n")
    rows = max(len(seqs.infosets) for seqs in solution.policy.tree.sequences)
    if rows <= MANY_ROWS or solution.policy.tree.game.gene_order:
        show_policy(solution.policy)
    else:
        show_policy(solution.policy, SOME_ROWS)
        out.print(f"... and {rows - SOME_ROWS:,} more per seat: cardwin show equilibrium --game {game}")


MANY_ROWS, SOME_ROWS = 60, 12  # longest table that is printed whole; rows printed of a longer one
SOLUTION_KEYS = ("game", "value", "fraction", "exploitability", "method", "iterations", "seconds")


def show_policy(policy: "Policy", most: int | None = None) -> None:
    """Print a policy's tables, with at most `most` rows, and its habits."""
    from cardwin.cli.policy_tables import genes_meaning, policy_tables
    from cardwin.players.small_games.policy_features import habits

    out = console()
    for table in policy_tables(policy, most):
        out.print(table)
    if meaning := genes_meaning(policy.tree.game.gene_order):
        out.print(meaning)
    for seat in policy.seats:
        for habit in habits(policy, seat):
            out.print(f"seat {seat + 1} {habit}")


@app.command()
def value(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="SPEC", help="The policy in seat 1. " + POLICY_HELP)],
    second: Annotated[str, typer.Argument(metavar="SPEC", help="The policy in seat 2.")],
    as_json: Json = False,
) -> None:
    """Compute the exact expected value of one policy against another."""
    import cardwin
    from cardwin.solvers import exact

    rules = cardwin.game(game)
    policies = cardwin.policy(rules, champion_of(first)), cardwin.policy(rules, champion_of(second))
    chips = exact.value(policies[0].tree, policies[0].exact(0), policies[1].exact(1))
    if as_json:
        print_json({"value": float(chips), "fraction": exact.recognised(chips)})
    else:
        fraction = exact.recognised(chips)
        shown = f"{fraction} = {float(chips):.6g}" if fraction else f"{float(chips):.12g}"
        print(f"{first} (seat 1) expects {shown} chips per hand against {second}")


@app.command("best-response")
def best_response(
    game: GameName,
    against: Annotated[str, typer.Option(metavar="SPEC", help="The opponent. " + POLICY_HELP)],
    seat: Annotated[int, SEAT],
    as_json: Json = False,
) -> None:
    """Find a best response: the most that a seat can win against an opponent, and which actions are forced."""
    import cardwin
    from cardwin.cli.policy_tables import genes_meaning, response_table
    from cardwin.solvers.exact import recognised

    rules = cardwin.game(game)
    policy = cardwin.policy(rules, champion_of(against))
    found = cardwin.best_response(rules, policy, seat)
    fraction = recognised(found.value)
    if as_json:
        genes = [float(gene) for gene in found.genes]
        print_json({"value": float(found.value), "fraction": fraction, "genes": genes, "forced": found.forced})
        return
    shown = f"{fraction} = {float(found.value):.6g}" if fraction else f"{float(found.value):.12g}"
    out = console()
    out.print(f"Seat {seat} can win {shown} chips per hand against {against} in {game}\n")
    out.print(response_table(policy.tree, seat - 1, found.genes, found.forced, "A best response"))
    if meaning := genes_meaning(policy.tree.game.gene_order):
        out.print(meaning)
    out.print(MARKS)


@app.command()
def exploitability(
    game: GameName,
    policy: Annotated[str, typer.Option(metavar="SPEC", help=POLICY_HELP)],
    seat: Annotated[int | None, SEAT] = None,
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="Hold'em: hands of the lower bound.")] = 20_000,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Hold'em: its random numbers.")] = None,
    bets: Annotated[
        str, typer.Option("--bets", metavar="LIST", help="Hold'em: its bets, parts of the pot and all-in.")
    ] = "1,all-in",
    street: Annotated[
        str, typer.Option("--from-street", metavar="STREET", help="Hold'em: before it, it checks and calls.")
    ] = "preflop",
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="NAME", help="Hold'em: exact, or lbr, a lower bound by local best response."),
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Compute the exploitability of a policy; in hold'em, of a player, heads-up.

    In holdem-limit it is exact for players that do not look at their cards. For others a local best response plays
    them: what it wins is a lower bound, with the situations in which they lose it.
    """
    import cardwin
    from cardwin.cli.holdem_exploitability import settings_of, show_exploitability
    from cardwin.games.holdem import HoldemGame
    from cardwin.solvers.answers import Exploitability

    rules = cardwin.game(game)
    if isinstance(rules, HoldemGame):
        settings = settings_of(hands, seed, bets, street, method)
        show_exploitability(rules, policy, seat, workers, settings, as_json)
        return
    found = cardwin.exploitability(rules, champion_of(policy), seat)
    if not isinstance(found, Exploitability):
        raise TypeError(f"{game} is no small game")
    if as_json:
        print_json({"value": found.value, "exploitability": found.exploitability, "nash_conv": found.nash_conv})
    elif seat is None:
        print(f"{policy} in {game}: exploitability {found.exploitability:.6g} (NashConv {found.nash_conv:.6g} / 2)")
        print(f"against itself seat 1 expects {found.value:.6g} chips per hand")
    else:
        print(f"{policy} in seat {seat} of {game} wins at least {found.value:.6g} chips per hand,")
        print(f"{found.exploitability:.6g} less than the value of the game for that seat")


class Format(StrEnum):
    """The export format."""

    CSV = "csv"
    OPENSPIEL = "openspiel"
    JSON = "json"


PolicySpec = Annotated[str, typer.Argument(metavar="POLICY", help=POLICY_HELP)]
OfGame = Annotated[str | None, typer.Option("--game", metavar="GAME", help="The game, unless the file names it.")]


def champion_of(spec: str) -> str:
    """The champion file of a finished run, if `spec` is a run's folder; otherwise `spec` itself."""
    from pathlib import Path

    if not Path(spec).is_dir():
        return spec
    from cardwin.runs.champions import first_champion

    return str(first_champion(Path(spec)))


def find_policy(spec: str, game: str | None) -> "Policy":
    """The policy of a file or run, which names its own game, or of a specification and a game."""
    from pathlib import Path

    import cardwin
    from cardwin.core.errors import InputError
    from cardwin.players.small_games.policies import load

    spec = champion_of(spec)
    if game is None:
        if not spec.endswith(".json"):
            raise InputError(f"{spec!r} needs a game, such as --game kuhn; only a policy file names its game")
        return load(Path(spec))
    return cardwin.policy(cardwin.game(game), spec)


@app.command()
def show(policy: PolicySpec, game: OfGame = None, as_json: Json = False) -> None:
    """Show a strategy as a table, with its bluffs and slow plays; or a network or blueprint, as net:NAME, cfr:NAME."""
    from cardwin.players.small_games.policy_features import habits

    handed = policy if policy.startswith(("net:", "cfr:")) else champion_of(policy)
    if handed.startswith("cfr:") or handed.endswith(".cfr"):
        from cardwin.cli.policy_tables import show_blueprint

        show_blueprint(handed if handed.startswith("cfr:") else f"cfr:{handed}", as_json)
        return
    if handed.startswith("net:") or handed.endswith(".safetensors"):
        from cardwin.cli.policy_tables import show_network

        show_network(handed if handed.startswith("net:") else f"net:{handed}", as_json)
        return
    found = find_policy(policy, game)
    if not as_json:
        show_policy(found)
        return
    seats = {
        str(seat + 1): {
            "genes": dict(zip(found.tree.sequences[seat].gene_names, map(float, found.genes(seat)), strict=True)),
            "habits": [str(habit) for habit in habits(found, seat)],
        }
        for seat in found.seats
    }
    print_json({"game": found.tree.game.name, "policy": found.name, "seats": seats})


@app.command()
def export(
    policy: PolicySpec,
    to: Annotated[Format, typer.Option(help="CSV, an OpenSpiel tabular policy, or our own JSON.")],
    game: OfGame = None,
) -> None:
    """Write a strategy to standard output in another format."""
    from cardwin.players.small_games import policy_files

    writers = {
        Format.CSV: policy_files.as_csv,
        Format.OPENSPIEL: policy_files.as_openspiel,
        Format.JSON: policy_files.as_file,
    }
    print(writers[to](find_policy(policy, game)), end="")


def meet_exactly(game: str, specs: Sequence[str], as_json: bool) -> None:
    """Print the exact cross table of policies of a small game, in place of a match or a leaderboard."""
    from rich.table import Table

    from cardwin.players.specs import expand_specs
    from cardwin.results.exact_table import exact_table
    from cardwin.stats.intransitivity import cycle_counts, cycle_sentence

    found = exact_table(game, [champion_of(spec) for spec in expand_specs(specs)])
    if as_json:
        print_json(found.answer())
        return
    note("small games are evaluated exactly, as the mean of both seats: no hands are dealt")
    table = Table(title=f"chips per hand in {found.game}, exact", title_justify="left", title_style="bold")
    for head in ("policy", "mean", *(found.specs[place] for place in found.order)):
        table.add_column(head, justify="left" if head == "policy" else "right")
    for place in found.order:
        cells = ("·" if place == other else f"{float(found.won[place][other]):+.4f}" for other in found.order)
        table.add_row(found.specs[place], f"{float(found.scores[place]):+.4f}", *cells)
    console().print(table)
    if len(found.specs) > 2:
        print(f"{cycle_counts(found.cycles)}; {cycle_sentence(found.cycles, found.specs)}")
