"""The command that solves post-flop spots."""

from pathlib import Path
from typing import Annotated

import typer

from cardwin.cli.app import Json, Workers, app
from cardwin.cli.output import console, note, print_json

KEYS = ("board", "exploitability", "ev_oop", "ev_ip", "iterations", "seconds", "actions", "strategy")
SHOWN_CLASSES = 40


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
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Solve a spot after the flop: two ranges on a board, with a menu of bets."""
    from cardwin.solvers.public_tree import spot

    asked = spot.read_spot(board, pot, stack, range_oop, range_ip, sizes)

    def report(done: int, seconds: float, exploitability: float) -> None:
        note(f"iteration {done:,}: exploitability {exploitability:.3g}% of the pot, {seconds:.2g} s")

    locks = None if lock is None else read_locks(lock)
    found = spot.solve_spot(asked, until=until, iterations=iterations, workers=workers, locks=locks, report=report)
    if as_json:
        print_json({name: getattr(found, name) for name in KEYS})
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
