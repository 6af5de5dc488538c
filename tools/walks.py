"""Count the files of the package that one unit of each main job passes: `python tools/walks.py [JOB ...]`.

The compiler is off, and a profile notes every file of src/cardwin whose functions are entered within the unit:

- hand: one hand inside a match;
- generation: one `Run.step` of a co-evolution of Kuhn poker;
- tournament: one tournament of twelve players;
- network: one `Run.step` of an evolution of networks;
- move: at the page's table, from a person's message to the last frame that it causes.

Each is run once before, so that imports and caches do not count. The exit code is 1 if a job enters more files than
its limit.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import cardwin

PACKAGE = Path(cardwin.__file__).parent
LIMITS = {"hand": 7, "generation": 9, "tournament": 9, "network": 21, "move": 9}


class Walk:
    """The files that were entered, in order, and how often the walk went from one to another."""

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        self.changes = 0
        self._last = ""

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Count a call; this is a profile function."""
        if event != "call":
            return
        path = frame.f_code.co_filename
        if path.startswith(str(PACKAGE)) and frame.f_code.co_name != "<module>":
            name = path[len(str(PACKAGE)) + 1 :]
            self.files[name] = self.files.get(name, 0) + 1
            self.changes += name != self._last
            self._last = name


@contextmanager
def walking(walk: Walk) -> Iterator[None]:
    """Count every file that is entered."""
    sys.setprofile(walk.note)
    try:
        yield
    finally:
        sys.setprofile(None)


class _WalkedError(Exception):
    """The unit is over; the rest of its command, such as a report, is not needed."""


def during(owner: Any, name: str, walk: Walk, run: Callable[[], object], at: int = 1) -> None:
    """Run something until the at-th call of one of its functions is over, and count the files that the call enters."""
    original, count = getattr(owner, name), [0]

    def watched(*args: Any, **named: Any) -> Any:
        count[0] += 1
        if count[0] != at:
            return original(*args, **named)
        with walking(walk):
            original(*args, **named)
        raise _WalkedError

    setattr(owner, name, watched)
    try:
        run()
    except _WalkedError:
        return
    finally:
        setattr(owner, name, original)
    raise RuntimeError(f"{name} was not called {at} times")


def hand(walk: Walk) -> None:
    """Play one hand of six players: a match of one hand, from the kernel that plays it."""
    from cardwin.arena import independent_hands

    specs = ["call", "random", "raise", "fold", "random", "random"]
    cardwin.match(specs, hands=2, seed=1)
    during(independent_hands, "play_hands", walk, lambda: cardwin.match(specs, hands=1, seed=2))


def generation(walk: Walk) -> None:
    """Take a step of a co-evolution with a hall of fame, after some others."""
    from cardwin.runs.run import Run

    with tempfile.TemporaryDirectory() as folder:
        changes = ["population.size=20", "generations=8", "save_seconds=1000"]
        during(Run, "step", walk, lambda: cardwin.evolve("kuhn-coevolution", changes, 1, Path(folder) / "run"), at=5)


def tournament(walk: Walk) -> None:
    """Play the second tournament of a series of twelve players at two tables."""
    from cardwin.arena.referee import Referee
    from cardwin.arena.tournament import Structure, Tournaments
    from cardwin.games.holdem.game import holdem_game
    from cardwin.players.registry import makers_of

    specs = ["random"] * 12
    series = Tournaments(holdem_game("holdem-nl", {}), makers_of(specs), 1, Structure())
    during(Tournaments, "play", walk, lambda: [series.play(number, 1, Referee(specs)) for number in (0, 1)], at=2)


def network(walk: Walk) -> None:
    """Take a step of an evolution of networks with a hall of fame, after some others."""
    from cardwin.runs.run import Run

    sizes = ["population.size=4", "hall.capacity=2", "generations=6", "tournaments=1"]  # its hall is full
    changes = [*sizes, "network.odds=none", "network.hidden=1", "structure.every=1", "save_seconds=1000"]
    with tempfile.TemporaryDirectory() as folder:
        during(Run, "step", walk, lambda: cardwin.evolve("neuro-hof", changes, 1, Path(folder) / "run"), at=5)


def move(walk: Walk) -> None:
    """Make a person's call at a table of hold'em, answered by a frame."""
    from cardwin.web import tables
    from cardwin.web.settings import ServerSettings

    sent: list[str] = []

    class Socket:
        async def send_text(self, text: str) -> None:
            sent.append(text)

    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(home=Path(folder))
        new = tables.NewTable(game="holdem-nl", players=["person", "call"], seed=1)
        table = tables._opened(new, settings)
        table.sockets[Socket()] = 0  # type: ignore[index]

        async def play() -> None:
            for deal in range(3):
                await tables._answer(table, 0, '{"do": "deal"}', settings)
                while table.interactive.turn == 0:
                    text = f'{{"do": "act", "turn": {table.turn}, "move": "{_passive(table)}"}}'
                    if deal == 2 and not walk.files:
                        with walking(walk):
                            await tables._answer(table, 0, text, settings)
                    else:
                        await tables._answer(table, 0, text, settings)

        original = asyncio.to_thread
        asyncio.to_thread = _here  # type: ignore[assignment]  # a profile does not see other threads
        try:
            asyncio.run(play())
        finally:
            asyncio.to_thread = original


async def _here(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def _passive(table: Any) -> str:
    names = [one["name"] for one in table.interactive.look(0)["actions"]]
    return "call" if "call" in names else "check"


JOBS = {job.__name__: job for job in (hand, generation, tournament, network, move)}


def main() -> None:
    """Count, print, and exit with 1 if a job enters too many files."""
    too_long = False
    for name in sys.argv[1:] or JOBS:
        walk = Walk()
        JOBS[name](walk)
        too_long |= len(walk.files) > LIMITS[name]
        print(f"{name}: {len(walk.files)} files (at most {LIMITS[name]}), {walk.changes} changes of file")
        for file in walk.files:
            print(f"  {file}  {len((PACKAGE / file).read_text(encoding='utf-8').splitlines())} lines")
    sys.exit(too_long)


if __name__ == "__main__":
    main()
