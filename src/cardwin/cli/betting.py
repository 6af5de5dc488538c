"""Betting games, which are solved to an exploitability: flop hold'em, parameter files, postflop spots."""

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from cardwin.cli.app import Json, Workers, app
from cardwin.cli.output import console, note, print_json, resume_run, start_run
from cardwin.core.errors import InputError

SOLUTION_KEYS = ("game", "value", "ci", "exploitability", "unit", "method", "iterations", "seconds", "information_sets")
SPOT_KEYS = ("board", "exploitability", "ev_oop", "ev_ip", "iterations", "seconds", "actions", "strategy")
MAX_CLASSES = 40  # printed


def solve_betting(
    game: str,
    method: str,
    until: float | None,
    iterations: int | None,
    workers: int,
    as_json: bool,
    folder: Path | None = None,
) -> None:
    """Solve a betting game, as a run if a folder is given, and print its value with exact bounds."""
    from cardwin.games.betting.game import betting_game
    from cardwin.solvers.public_tree.solve import solve

    if method == "lp":
        raise InputError(
            f"expected --method dcfr, cfr+, linear or pcfr+, got lp: {game} is too large for a linear program"
        )

    def report(done: int, seconds: float, ci: tuple[float, float]) -> None:
        gap = (ci[1] - ci[0]) / 2
        note(f"iteration {done:,}: exploitability {gap:.4g}, value {ci[0]:.6g} to {ci[1]:.6g} mbb/g, {seconds:.0f} s")

    if folder is not None:
        from cardwin.runs.launch import Launch
        from cardwin.runs.trainers.solve import settings

        values = settings(game, method, until, iterations)
        print_solution(start_run("solve", values, 0, Launch(folder, workers)), as_json)
        return
    solution = solve(betting_game(game), method, until=until, iterations=iterations, workers=workers, report=report)
    print_solution({name: getattr(solution, name) for name in SOLUTION_KEYS}, as_json)


def resume_betting(folder: Path, workers: int, as_json: bool) -> None:
    """Resume a run and print its answer."""
    from cardwin.runs.launch import Launch

    print_solution(resume_run(folder, "solve", Launch(workers=workers)), as_json)


def print_solution(answer: dict[str, Any], as_json: bool) -> None:
    """Print the value of a game with exact bounds."""
    if as_json:
        print_json(answer)
        return
    (low, high), unit, out = answer["ci"], answer["unit"], console()
    out.print(f"[bold]{answer['game']}[/bold]: value {answer['value']:.5g} {unit} for seat 1")
    out.print(f"bounds {low:.6g} to {high:.6g}, from exact best responses to both strategies")
    out.print(
        f"exploitability {answer['exploitability']:.4g} {unit}; {answer['method']}, {answer['iterations']:,} "
        f"iterations, {answer['seconds']:.3g} s, {answer['information_sets']:,} information sets (equal suits merged)"
    )
    if "run" in answer:
        out.print(f"recorded in {answer['run']}, digest {answer['digest']}")


@app.command("solve-spot")
def solve_spot(
    board: Annotated[str, Option(metavar="CARDS", help='Three to five cards, such as "Qs Jh 2h".')],
    pot: Annotated[int, Option(metavar="CHIPS", help="The pot.")],
    stack: Annotated[int, Option(metavar="CHIPS", help="Chips behind of each player.")],
    range_oop: Annotated[
        str, Option(metavar="RANGE", help="Range of the player who acts first, such as 'QQ+, ATs+, 40%(JTs)'.")
    ],
    range_ip: Annotated[str, Option(metavar="RANGE", help="Range of the player who acts last.")],
    sizes: Annotated[
        str, Option(metavar="LIST", help="Bets in percent of the pot and all-in; / separates streets.")
    ] = "50,100,all-in",
    until: Annotated[float, Option(metavar="PERCENT", help="Exploitability to reach, of the pot.")] = 0.5,
    iterations: Annotated[int, Option(metavar="N", help="Maximum number of iterations.")] = 1000,
    lock: Annotated[
        Path | None, Option(metavar="FILE", help='JSON: {"check": {"random": [.5, .5]}}, probabilities by line.')
    ] = None,
    lock_oop: Annotated[
        str | None, Option(metavar="SPEC", help="The first to act plays as this player, such as net:large-hof.")
    ] = None,
    lock_ip: Annotated[str | None, Option(metavar="SPEC", help="The last to act plays as this player.")] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Solve a postflop spot: two ranges on a board, with a menu of bets."""
    from cardwin.solvers.public_tree import spot

    question = spot.read_spot(board, pot, stack, range_oop, range_ip, sizes)

    def report(done: int, seconds: float, exploitability: float) -> None:
        note(f"iteration {done:,}: exploitability {exploitability:.3g}% of the pot, {seconds:.2g} s")

    if lock_oop is not None and lock_ip is not None:
        raise InputError("both seats are locked, so nothing is left to solve: leave out --lock-oop or --lock-ip")
    locks, prepare = None if lock is None else read_locks(lock), None
    if lock_oop is not None or lock_ip is not None:
        from cardwin.analysis.spot_lock import SeatLock

        prepare = SeatLock(question, 0, lock_oop) if lock_oop is not None else SeatLock(question, 1, str(lock_ip))
    solution = spot.solve_spot(
        question, until=until, iterations=iterations, workers=workers, locks=locks, prepare=prepare, report=report
    )
    if as_json:
        print_json({name: getattr(solution, name) for name in SPOT_KEYS})
        return
    out = console()
    out.print(
        f"[bold]{solution.board}[/bold]: OOP wins {solution.ev_oop:.4g}, IP {solution.ev_ip:.4g} of the pot of {pot}"
    )
    out.print(
        f"exploitability {solution.exploitability:.3g}% of the pot; {solution.iterations:,} iterations, "
        f"{solution.seconds:.3g} s\n"
    )
    out.print(f"OOP's first action, by class: {', '.join(solution.actions)}")
    for name, chances in list(solution.by_class().items())[:MAX_CLASSES]:
        out.print(f"{name:5}" + "".join(f"{chance:8.1%}" for chance in chances))


def read_locks(path: Path) -> dict[str, dict[str, list[float]]]:
    """Return the locked decisions of a JSON file: ranges by line, with probabilities."""
    import json

    try:
        locks = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: --lock expects a JSON file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected JSON in {path}: {error}") from None
    if not isinstance(locks, dict) or not all(isinstance(line, dict) for line in locks.values()):
        raise InputError(f"expected lines with ranges and their probabilities in {path}")
    return locks
