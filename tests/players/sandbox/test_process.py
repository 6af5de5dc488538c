"""Players in processes of their own: whatever they do, they do alone."""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cardwin.arena.match import Listeners, MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.core.rng import stream_of
from cardwin.games.base import CHECK
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.events import MatchBegan
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView
from cardwin.players.base import IN_A_ROW, EndedError
from cardwin.players.sandbox import launcher
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import WALLS, missing_walls, standing_walls
from cardwin.players.specs import Untrusted
from support import process

NL = holdem_game("holdem-nl", {})

STRANGERS = """
import ctypes, os, signal, sys, threading, time
from cardwin.games.base import Action, CALL, CHECK, FOLD
from cardwin.core.rng import draw_below

class Good:
    def act(self, view, rng):
        return CALL if view.to_call else CHECK

class Mixed(Good):
    seen = 0
    def watch(self, event):
        self.seen += 1
    def explain(self):
        return {"seen": self.seen}
    def act(self, view, rng):
        if view.to_call and draw_below(rng, 3) == 0:
            return FOLD
        return Good.act(self, view, rng)

class Prints(Good):
    def act(self, view, rng):
        print("spoils everything", flush=True)
        os.write(1, b"and this too")
        return super().act(view, rng)

class Exits(Good):
    def act(self, view, rng):
        os._exit(3)

class Crashes(Good):
    def act(self, view, rng):
        ctypes.string_at(0)

class HangsInC(Good):
    def act(self, view, rng):
        ctypes.CDLL(None).sleep(1000)

class Eats(Good):
    def act(self, view, rng):
        hoard = bytearray(2**31)

class ClosesOutput(Good):
    def act(self, view, rng):
        sys.stdout.close()
        os.closerange(1, 3)
        return super().act(view, rng)

class TakesTheAlarm(Good):
    def act(self, view, rng):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        return super().act(view, rng)

class LeavesThreads(Good):
    def act(self, view, rng):
        if threading.active_count() < 3:
            threading.Thread(target=time.sleep, args=(1000,)).start()
        return super().act(view, rng)

class Patches(Good):
    def act(self, view, rng):
        import cardwin.arena.referee as referee
        referee.Referee.record_fault = None
        return super().act(view, rng)

class Babbles(Good):
    def act(self, view, rng):
        return Action("raise" * 10**6, 1)

class Raises(Good):
    def act(self, view, rng):
        raise RuntimeError("no idea")
    def explain(self):
        raise RuntimeError("nor why")

class HangsUp(Good):
    def act(self, view, rng):
        os.closerange(0, 50)
        time.sleep(100)

class Known(Good):
    "Has a name by which it is found outside, and counts what it saw."
    seen = 0
    def __init__(self):
        ctypes.CDLL(None).prctl(15, b"cardwin-known", 0, 0, 0)
    def watch(self, event):
        self.seen += 1
    def explain(self):
        return {"seen": self.seen}

class NeverBuilt(Good):
    def __init__(self):
        time.sleep(10**6)
"""


@pytest.fixture(autouse=True)
def _strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strangers.py").write_text(STRANGERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("strangers", None)


def test_a_match_is_the_same_in_process_and_out_of_it() -> None:
    specs = ["python:strangers:Mixed", "random", "call"]
    records = [
        match(
            NL,
            specs,
            36,
            seed=2,
            options=MatchOptions(duplicate=True, untrusted=Untrusted(time_limit=60, in_process=not apart)),
        )
        for apart in (False, True)
    ]
    assert records[0].digest == records[1].digest
    assert records[1].report.faults == (0, 0, 0)


@pytest.mark.parametrize("name", ["Prints", "ClosesOutput", "TakesTheAlarm", "LeavesThreads", "Patches", "Mixed"])
def test_what_a_stranger_does_to_its_own_process_is_no_fault(name: str) -> None:
    record = match(
        NL, [f"python:strangers:{name}", "call"], 6, seed=1, options=MatchOptions(untrusted=Untrusted(time_limit=60))
    )
    assert record.report.faults == (0, 0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Exits", "process"), ("Crashes", "process"), ("Eats", "raised MemoryError"),
     ("Babbles", "answer"), ("Raises", "raised RuntimeError: no idea")],
)  # fmt: skip
def test_a_stranger_that_fails_is_blamed_and_the_match_goes_on(name: str, reason: str) -> None:
    record = match(
        NL, [f"python:strangers:{name}", "call"], 20, seed=1, options=MatchOptions(untrusted=Untrusted(time_limit=60))
    )
    assert len(record.chips) == 20
    assert record.report.disqualified == (True, False)
    assert record.report.faults[0] == IN_A_ROW
    assert reason in record.report.first[0].reason


def test_compiled_code_that_hangs_is_killed_in_time() -> None:
    record = match(
        NL,
        ["python:strangers:HangsInC", "call"],
        12,
        seed=1,
        options=MatchOptions(untrusted=Untrusted(time_limit=0.05)),
    )
    assert record.report.disqualified == (True, False)
    assert record.report.late
    assert "0.05 s" in record.report.first[0].reason


def test_a_stranger_that_is_never_built_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "BUILD_LIMIT", 0.5)
    with pytest.raises(InputError, match="NeverBuilt"):
        IsolatedPlayer("python:strangers:NeverBuilt")
    with pytest.raises(InputError, match="Nobody"):
        IsolatedPlayer("python:strangers:Nobody")


def test_watching_survives_an_explanation_that_fails() -> None:
    for apart in (False, True):
        lines: list[str] = []
        match(
            NL,
            ["python:strangers:Raises", "call"],
            2,
            seed=1,
            options=MatchOptions(untrusted=Untrusted(time_limit=60, in_process=not apart)),
            listeners=Listeners(print_line=lines.append),
        )
        assert any("hand 2" in line for line in lines)


def test_what_a_stranger_prints_does_not_spoil_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = process(
        "match", "python:strangers:Prints", "call", "--hands", "4", "--seed", "1", "--time-limit", "60", "--json"
    )
    assert json.loads(done.stdout)["hands"] == 4


def known() -> list[int]:
    """The processes of the player `Known`."""
    found = []
    for file in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            found += [int(file.parent.name)] if file.read_text().strip() == "cardwin-known" else []
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_process_that_is_killed_from_outside_is_started_again() -> None:
    player, view = IsolatedPlayer("python:strangers:Known", 20), HoldemView((0,) * VIEW_SIZE)
    player.watch(MatchBegan(2))
    assert player.act(view, stream_of(1)) == CHECK
    for restarts in (1, 2):
        (pid,) = known()
        os.kill(pid, signal.SIGKILL)
        player.watch(MatchBegan(2))
        assert player.act(view, stream_of(1)) == CHECK
        assert player.restarts == restarts
        assert player.explain() == {"seen": 1}  # it starts anew, and is told what happened since its last decision
    player.close()
    until = time.monotonic() + 3
    while known() and time.monotonic() < until:
        time.sleep(0.02)
    assert known() == []


def test_who_closes_the_line_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "REPORT_LIMIT", 0.3)
    player = IsolatedPlayer("python:strangers:HangsUp", 20)
    with pytest.raises(EndedError):
        player.act(HoldemView((0,) * VIEW_SIZE), stream_of(1))
    assert player.restarts == 0


def test_walls_are_named() -> None:
    walls = standing_walls()
    assert list(walls) == [wall.name for wall in WALLS]
    assert walls["environment"] == "stands"
    assert all(state == "stands" or state.startswith("absent: ") for state in walls.values())
    assert set(missing_walls(walls | {"keyring": "absent: a test", "seccomp": "absent"})) >= {"keyring"}
