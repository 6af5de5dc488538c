"""What the attacks on a match win, with the protection and without it: `python studies/attack_figures.py [HANDS]`.

The attackers are those of tests/arena (see the tests for how each works). A row is an attack, what it wins from `call`
in thousandths of a big blind a hand where its protection is removed, and what it wins by default. The last rows are the
differences between identical players that watch, at five and ten seats. The table is Markdown, as docs/testing.md shows
it.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardwin.arena.match import MatchOptions, match
from cardwin.games.holdem import holdem_game
from cardwin.players.sandbox import launcher
from cardwin.players.specs import Untrusted
from cardwin.results.match import judge_match
from cardwin.runs.trainers.leaderboard import leaderboard
from cardwin.stats.intervals import Estimate

TESTS = Path(__file__).resolve().parent.parent / "tests" / "arena"
NL = holdem_game("holdem-nl", {})
SEED = 1234
FILES = frozenset({"mount-namespace", "private-inodes", "landlock", "capabilities"})


def attackers(folder: Path) -> None:
    """Write the attackers of the tests as modules."""
    (folder / "attackers.py").write_text((TESTS / "attackers.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "targets.py").write_text(f"TARGET = {{'name': 'cardwin-{os.getpid()}'}}\n", encoding="utf-8")
    tree = ast.parse((TESTS / "test_seed_attacks.py").read_text(encoding="utf-8"))
    (source,) = (
        ast.literal_eval(one.value)
        for one in tree.body
        if isinstance(one, ast.Assign) and getattr(one.targets[0], "id", "") == "ATTACKER"
    )
    (folder / "seeker.py").write_text(source.replace("{here!r}", repr(str(folder))), encoding="utf-8")


def wins(spec: str, hands: int, *, seed: int | None = None, isolated: bool = True, duplicate: bool = False) -> str:
    """Return what an attacker wins from `call`."""
    record = match(
        NL,
        [spec, "call"],
        hands,
        seed,
        options=MatchOptions(
            duplicate=duplicate, untrusted=Untrusted(time_limit=None, in_process=not isolated, allow_weak_sandbox=True)
        ),
    )
    return text(judge_match(record).players[0])


def text(one: Estimate) -> str:
    """Format a mean with its interval."""
    return f"{one.mean:+,.0f} ({one.low:,.0f} to {one.high:,.0f})"


def on_board(hands: int, seed: int | None, folder: Path) -> str:
    """Return what a newcomer that read the seed printed by a leaderboard wins from `call`."""
    (folder / "printed.json").write_text(json.dumps({"seed": seed}))
    spec = "python:seeker:OnBoard"
    board = leaderboard(NL, ["call", spec], hands, seed, untrusted=Untrusted(None, in_process=seed is not None))
    cell = board.cross[1][0]
    return "" if cell is None else text(cell.shown)


@contextmanager
def other_process() -> Iterator[None]:
    """Run a process with the seed in its command line."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "--seed", str(SEED)])  # noqa: S603
    try:
        yield
    finally:
        process.kill()
        process.wait()


def attack_rows(hands: int, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Attack, without protection, by default."""
    (folder / "runs" / f"match-20261117-120000-{SEED}").mkdir(parents=True)
    yield ("the seed in a folder's name", wins("python:seeker:InFolder", hands, seed=SEED, isolated=False),
           wins("python:seeker:InFolder", hands))  # fmt: skip
    with other_process():
        yield ("the seed in a command line", wins("python:seeker:InCommand", hands, seed=SEED, isolated=False),
               wins("python:seeker:InCommand", hands))  # fmt: skip
    yield "the seed that a leaderboard printed", on_board(hands, SEED, folder), on_board(hands, None, folder)
    yield ("all seeds below 2,000", wins("python:seeker:ByTrying", hands, seed=SEED),
           wins("python:seeker:ByTrying", hands))  # fmt: skip
    launcher.WITHOUT = FILES
    without = wins("python:attackers:Sharer", hands, duplicate=True)
    launcher.WITHOUT = frozenset()
    yield "cards left in a file for the other seating", without, wins("python:attackers:Sharer", hands, duplicate=True)


def seating_rows(hands: int) -> Iterator[tuple[str, str, str]]:
    """Yield identical players that watch: their difference under the order as given, and under drawn orders."""
    for seats in (5, 10):
        others = ["raise", "call", "call-or-raise", "random", "fold", "all-in", "standard", "call"][: seats - 2]
        specs = [others[0], "v2", *others[1:3], "v2", *others[3:]]
        found = []
        for seating in ("rotation", "drawn"):
            tests = judge_match(match(NL, specs, hands, 5, options=MatchOptions(seating=seating))).tests
            (twins,) = (one for one in tests if specs[one.first] == specs[one.second] == "v2")
            found.append(f"{twins.difference:+,.0f} ({twins.low:,.0f} to {twins.high:,.0f}), p {twins.p:.3f}")
        yield f"two identical v2 at {seats} seats, order as given and drawn", found[0], found[1]


def main() -> None:
    """Print the table."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        attackers(folder)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        print("| attack | protection removed, mbb/h | by default |\n|---|---|---|")
        for row in (*attack_rows(hands, folder), *seating_rows(40 * hands)):
            print("| " + " | ".join(row) + " |", flush=True)
        os.chdir("/")


if __name__ == "__main__":
    main()
