"""Betting games, which are solved to an exploitability: flop hold'em, parameter files, spots after the flop."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cardwin.cli.app import Json, Workers, app
from cardwin.cli.output import console, note, print_json
from cardwin.cli.progress import answer_of

KEYS = ("game", "value", "ci", "exploitability", "unit", "method", "iterations", "seconds", "information_sets")
SPOT_KEYS = ("board", "exploitability", "ev_oop", "ev_ip", "iterations", "seconds", "actions", "strategy")
SHOWN_CLASSES = 40


def solve_betting(
    game: str,
    method: str,
    until: float | None,
    iterations: int | None,
    workers: int,
    as_json: bool,
    folder: Path | None = None,
) -> None:
    """Solve a betting game, as a run if a folder is given, and print its value with certain bounds."""
    from cardwin.core.errors import InputError
    from cardwin.games.betting.game import betting_game
    from cardwin.solvers.public_tree.answers import solve

    if method == "lp":
        raise InputError(f"{game} is too large for the linear program: use --method dcfr, cfr+, linear or pcfr+")

    def report(done: int, seconds: float, ci: tuple[float, float]) -> None:
        gap = (ci[1] - ci[0]) / 2
        note(f"iteration {done:,}: exploitability {gap:.4g}, value {ci[0]:.6g} to {ci[1]:.6g} mbb/g, {seconds:.0f} s")

    if folder is not None:
        from cardwin.runs import launch
        from cardwin.runs.trainers.solve import settings

        values = settings(game, method, until, iterations)
        start = launch.Launch(folder, workers)
        show_solution(answer_of(lambda shown: launch.begin("solve", values, 0, shown), start), as_json)
        return
    found = solve(betting_game(game), method, until=until, iterations=iterations, workers=workers, report=report)
    show_solution({name: getattr(found, name) for name in KEYS}, as_json)


def resume_betting(folder: Path, workers: int, as_json: bool) -> None:
    """Go on with a run and print its answer."""
    from cardwin.runs import launch

    start = launch.Launch(workers=workers)
    show_solution(answer_of(lambda shown: launch.resume(folder, shown, command="solve"), start), as_json)


def show_solution(found: dict[str, Any], as_json: bool) -> None:
    """Print the value of a game with certain bounds."""
    if as_json:
        print_json(found)
        return
    (least, most), unit, out = found["ci"], found["unit"], console()
    out.print(f"[bold]{found['game']}[/bold]: value {found['value']:.5g} {unit} for seat 1")
    out.print(f"certainly between {least:.6g} and {most:.6g}: exact best responses to both strategies")
    out.print(
        f"exploitability {found['exploitability']:.4g} {unit}; {found['method']}, {found['iterations']:,} iterations, "
        f"{found['seconds']:.3g} s, {found['information_sets']:,} information sets up to suits"
    )
    if "run" in found:
        out.print(f"recorded in {found['run']}, digest {found['digest']}")


@app.command("solve-spot")
def solve_spot(
    board: Annotated[str, typer.Option(metavar="CARDS", help='Three to five cards, such as "Qs Jh 2h".')],
    pot: Annotated[int, typer.Option(metavar="CHIPS", help="The pot.")],
    stack: Annotated[int, typer.Option(metavar="CHIPS", help="What each player has left.")],
    range_oop: Annotated[str, typer.Option(metavar="RANGE", help="Who acts first, such as 'QQ+, ATs+, 40%(JTs)'.")],
    range_ip: Annotated[str, typer.Option(metavar="RANGE", help="Who acts last.")],
    sizes: Annotated[
        str, typer.Option(metavar="LIST", help="Bets in percent of the pot and all-in; / separates streets.")
    ] = "50,100,all-in",
    until: Annotated[float, typer.Option(metavar="PERCENT", help="Exploitability to reach, of the pot.")] = 0.5,
    iterations: Annotated[int, typer.Option(metavar="N", help="Most iterations.")] = 1000,
    lock: Annotated[
        Path | None, typer.Option(metavar="FILE", help='JSON: {"check": {"random": [.5, .5]}}, probabilities by line.')
    ] = None,
    lock_oop: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who acts first plays as this player, such as net:large-hof.")
    ] = None,
    lock_ip: Annotated[str | None, typer.Option(metavar="SPEC", help="Who acts last plays as this player.")] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Solve a spot after the flop: two ranges on a board, with a menu of bets."""
    from cardwin.core.errors import InputError
    from cardwin.solvers.public_tree import spot

    asked = spot.read_spot(board, pot, stack, range_oop, range_ip, sizes)

    def report(done: int, seconds: float, exploitability: float) -> None:
        note(f"iteration {done:,}: exploitability {exploitability:.3g}% of the pot, {seconds:.2g} s")

    if lock_oop is not None and lock_ip is not None:
        raise InputError("with both seats locked nothing is left to solve: leave out --lock-oop or --lock-ip")
    locks, prepare = None if lock is None else read_locks(lock), None
    if lock_oop is not None or lock_ip is not None:
        from cardwin.analysis.yardsticks.spot_lock import SeatLock

        prepare = SeatLock(asked, 0, lock_oop) if lock_oop is not None else SeatLock(asked, 1, str(lock_ip))
    found = spot.solve_spot(
        asked, until=until, iterations=iterations, workers=workers, locks=locks, prepare=prepare, report=report
    )
    if as_json:
        print_json({name: getattr(found, name) for name in SPOT_KEYS})
        return
    out = console()
    out.print(f"[bold]{found.board}[/bold]: OOP expects {found.ev_oop:.4g}, IP {found.ev_ip:.4g} of the pot of {pot}")
    out.print(
        f"exploitability {found.exploitability:.3g}% of the pot; {found.iterations:,} iterations, "
        f"{found.seconds:.3g} s\n"
    )
    out.print(f"OOP's first action, by class: {', '.join(found.actions)}")
    for name, chances in list(found.by_class().items())[:SHOWN_CLASSES]:
        out.print(f"{name:5}" + "".join(f"{chance:8.1%}" for chance in chances))


def read_locks(path: Path) -> dict[str, dict[str, list[float]]]:
    """The locked decisions of a file."""
    import json

    from cardwin.core.errors import InputError

    try:
        locks = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: --lock needs a JSON file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    if not isinstance(locks, dict) or not all(isinstance(one, dict) for one in locks.values()):
        raise InputError(f"{path} should map lines to ranges and these to probabilities")
    return locks
