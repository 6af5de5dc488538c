"""Players that take the machine from others: nobody is late because of them, and a league goes on without them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, MatchRecord, match
from cardwin.arena.tournament import TournamentOptions, tournament
from cardwin.core.rng import stream_of
from cardwin.games.holdem import holdem_game
from cardwin.players.base import EndedError, OverdueError
from cardwin.players.sandbox import box, host, launcher, usage
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import missing_walls, standing_walls
from cardwin.players.specs import Untrusted
from cardwin.runs.trainers.leaderboard import RoundRobin, board_of, sample_hands

NL = holdem_game("holdem-nl", {})
GROUPS = frozenset({"memory-group", "process-group", "cpu-group", "freezer"})
MEMORY = 2**27  # bytes of a seat here, so that attacks on it are quick
pytestmark = [
    pytest.mark.skipif(bool(missing_walls(standing_walls())), reason="this system has no complete sandbox"),
    pytest.mark.usefixtures("hogs"),
]


@pytest.fixture
def hogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hogs.py").write_text((Path(__file__).parent / "hogs.py").read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("hogs", None)


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "MEMORY", MEMORY)
    monkeypatch.setattr(launcher, "_hosts", {})  # a host of its own


def seat(name: str, limit: float = 20, without: frozenset[str] = frozenset()) -> IsolatedPlayer:
    return IsolatedPlayer(f"python:hogs:{name}", limit, without)


def ask(player: IsolatedPlayer) -> str:
    """What a player explains after a decision."""
    table = LiveTable(NL, [None, None])
    table.begin([NL.stack] * 2, 0, 7)
    player.act(table.turn, stream_of(5))
    return str(player.explain()) if hasattr(player, "explain") else ""


def played(
    names: list[str], hands: int, limit: float, without: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> MatchRecord:
    monkeypatch.setattr(launcher, "WITHOUT", without)
    specs = [f"python:hogs:{name}" for name in names]
    return match(NL, specs, hands, seed=1, options=MatchOptions(untrusted=Untrusted(time_limit=limit)))


@contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """Other work on every core."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


def named(name: str) -> int:
    """The number of processes with a name."""
    found = 0
    for file in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            found += file.read_text().strip() == name
    return found


# --- the processor


@pytest.mark.parametrize("without", [frozenset[str](), GROUPS], ids=["groups", "no groups"])
def test_a_busy_machine_makes_nobody_late(without: frozenset[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """50 ms of the processor take half a second where ten processes share each core."""
    with busy_machine(10 * (os.cpu_count() or 1)):
        record = played(["Thinker", "Honest"], 2, 0.15, without, monkeypatch)
    assert record.report.faults == (0, 0)
    assert record.report.decisions[0] >= 4


@pytest.mark.parametrize("name", ["SpinsInSessions", "SpinsInThreads", "ForksChains"])
def test_a_seat_cannot_compute_while_others_are_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 1: 28 sessions of one seat made its rival late, which was disqualified after 10 faults."""
    record = played([name, "Thinker"], 8, 0.15, frozenset(), monkeypatch)
    assert record.report.faults[1] == 0
    assert not record.report.disqualified[1]
    if standing_walls()["freezer"] == "stands":
        player = seat(name)
        ask(player)
        assert player._process is not None
        before = player._process.usage.cpu()
        time.sleep(0.5)
        assert player._process.usage.cpu() - before < 0.05
        player.close()


@pytest.mark.parametrize("name", ["SpinsBetween", "SpinsInSessions"])
def test_without_groups_a_seat_that_computes_while_others_are_asked_forfeits(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "IDLE_SECONDS", 0.2)  # shares that a hog gets also on a busy machine
    monkeypatch.setattr(usage, "IDLE_SHARE", 0.02)
    record = played([name, "Thinker"], 30, 0.3, GROUPS, monkeypatch)
    assert record.report.faults[1] == 0
    assert record.report.disqualified == (True, False)
    if name == "SpinsBetween":
        assert "in which it was not asked" in record.report.forfeit(0)


@pytest.mark.parametrize("without", [frozenset[str](), GROUPS], ids=["groups", "no groups"])
def test_a_decision_is_late_by_the_time_of_all_its_processes(
    without: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = played(["ThinksInParallel", "Honest"], 2, 0.6, without, monkeypatch)
    assert record.report.faults[0] == record.report.decisions[0] > 0
    assert "took more than 0.6 s" in record.report.first[0].reason


def test_who_feigns_to_wait_for_a_core_is_late_in_the_end() -> None:
    with busy_machine(2 * (os.cpu_count() or 1)):
        player, start = seat("FeignsWaiting", 0.1), time.monotonic()
        with pytest.raises(OverdueError):
            ask(player)
    assert time.monotonic() - start < 60


def test_an_answer_byte_by_byte_is_late() -> None:
    player, start = seat("Drips", 0.3), time.monotonic()
    with pytest.raises(OverdueError):
        ask(player)
    assert time.monotonic() - start < 60


def test_no_seat_can_raise_its_priority() -> None:
    player = seat("RaisesPriority")
    assert ask(player).startswith("failed")
    player.close()


# --- memory


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    ("name", "result"),
    [("FillsSegments", "failed"), ("FillsMemoryFiles", "failed"), ("FillsDeletedFiles", "failed: MemoryError: 16 MB")],
)
def test_memory_without_a_process_is_not_to_be_had(name: str, result: str) -> None:
    player = seat(name)
    assert ask(player).startswith(result)
    player.close()


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("without", [frozenset[str](), GROUPS], ids=["groups", "no groups"])
@pytest.mark.parametrize("name", ["FillsInChildren", "FillsSharedMappings"])
def test_a_seat_with_too_much_memory_in_all_its_processes_is_ended(name: str, without: frozenset[str]) -> None:
    """Row 2: eight children had 2.4 GB where 1 GB was promised."""
    player = seat(name, without=without)

    def ask_often() -> None:
        for _ in range(100):
            ask(player)
            time.sleep(0.05)

    with pytest.raises(EndedError, match="used more than 128 MB in all its processes"):
        ask_often()
    assert player.restarts == 0


def test_pipes_that_one_seat_holds_do_not_hinder_another() -> None:
    holder, other = seat("HoldsPipes"), seat("HoldsPipes")
    first, second = ask(holder), ask(other)
    assert first == second
    for player in (holder, other):
        player.close()


# --- processes


def test_orphans_count_and_end_with_their_seat() -> None:
    player = seat("DoubleForks")
    ask(player)
    assert 0 < named("cardwin-orphan") <= 32
    player.close()
    until = time.monotonic() + 3
    while named("cardwin-orphan") and time.monotonic() < until:
        time.sleep(0.02)
    assert named("cardwin-orphan") == 0


def test_signals_reach_only_the_own_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(["SendsSignals", "Honest"], 20, 0.5, frozenset(), monkeypatch)
    assert record.report.faults[1] == 0
    assert record.report.restarts[1] == 0


def test_groups_are_removed_also_after_a_host_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardwin.players.sandbox.groups import find_trees

    def groups() -> set[Path]:
        return {folder for tree in find_trees()[0] for folder in tree.parent.glob("cardwin-*")}

    monkeypatch.setattr(launcher, "_hosts", {})
    others = groups()
    player = seat("Honest")
    assert player._process is not None
    made = groups() - others
    assert bool(made) == bool(find_trees()[0])
    (host,) = launcher._hosts.values()
    player.close()
    host._process.kill()
    host._process.wait()
    time.sleep(0.3)
    monkeypatch.setattr(launcher, "_hosts", {})
    seat("Honest").close()
    assert not made & groups()
    for one in launcher._hosts.values():
        one._end()
    assert not groups() - others


# --- forfeits


@pytest.mark.parametrize(
    ("name", "without", "reason"),
    [
        ("EndsByTracing", frozenset({"seccomp"}), "killed from outside 6 times in a row"),
        ("EndsAtStart", frozenset[str](), "cannot be built: its process ended"),
    ],
)
def test_a_match_ends_with_a_result_that_names_the_forfeit(
    name: str, without: frozenset[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 3: a child that traces its parent with EXITKILL ended the match for everybody."""
    record = played([name, "Honest"], 12, 20, without, monkeypatch)
    assert len(record.chips) == 12
    assert record.report.disqualified == (True, False)
    assert reason in record.report.forfeit(0)
    assert np.abs(record.chips).max() <= NL.big_blind


def test_tracing_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(["EndsByTracing", "Honest"], 4, 20, frozenset(), monkeypatch)
    assert record.report.faults == (0, 0)
    assert record.report.restarts == (0, 0)


def test_a_tournament_ends_with_a_result_that_names_the_forfeit() -> None:
    specs = ["python:hogs:EndsAtStart", "call", "call"]
    record = tournament(NL, specs, 1, seed=1, options=TournamentOptions(untrusted=Untrusted()))
    assert "its process ended" in record.report.forfeit(0)


def test_a_time_bank_is_for_every_thousand_hands() -> None:
    record = match(
        NL, ["python:hogs:Thinker", "call"], 20, seed=1, options=MatchOptions(untrusted=Untrusted(20, time_bank=0.22))
    )
    assert record.report.decisions[0] == 5  # the fifth spends more than is left
    assert record.report.faults == (1, 0)
    assert "time bank of 0.22 s for 1,000 hands" in record.report.first[0].reason
    assert not record.report.disqualified[0]
    assert record.report.late


GOOD = ["python:hogs:Honest", "call", "random", "raise"]
HOSTILE = [f"python:hogs:{name}" for name in ("SpinsInSessions", "EndsAtStart", "Exits", "EndsByTracing")]


@pytest.mark.slow
@pytest.mark.parametrize("without", [frozenset[str](), frozenset({"seccomp"})], ids=["walls", "no seccomp"])
def test_a_league_with_hostile_bots_has_a_board_with_the_results_of_a_league_without_them(
    without: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "WITHOUT", without)
    specs = [spec for pair in zip(GOOD, HOSTILE, strict=True) for spec in pair]
    untrusted = Untrusted(time_limit=0.2)
    hostile = RoundRobin(NL, tuple(specs), 4, 3, untrusted=untrusted)
    alone = RoundRobin(NL, tuple(GOOD), 4, 3, untrusted=untrusted)
    results: dict[str, dict[tuple[str, str], Any]] = {}
    for name, pairings in (("hostile", hostile), ("alone", alone)):
        results[name] = {
            (pairings.specs[first], pairings.specs[second]): pairings.play(first, second)
            for first, second in pairings.pairs
        }
    for pair, result in results["alone"].items():
        same = results["hostile"][pair]
        assert (same.by_deal == result.by_deal).all()
        assert same.hands == result.hands
        assert same.report.faults == (0, 0)
    seen = [hand for result in results["alone"].values() for hand in sample_hands(alone, result)]
    board = board_of(hostile, list(results["hostile"].values()), seen)
    assert len(board.lines) == 8
    forfeits = {line.spec for line in board.lines if line.forfeits}
    assert "python:hogs:EndsAtStart" in forfeits
    assert ("python:hogs:EndsByTracing" in forfeits) == bool(without)
    assert not forfeits & set(GOOD)


# --- users


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give each seat a user of its own")
def test_seats_of_two_matches_have_different_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host is number 1 in its own pid namespace, so seats of two matches once shared a user and its limits."""
    first = seat("RaisesPriority")
    monkeypatch.setattr(launcher, "_hosts", {})
    second = seat("RaisesPriority")
    for player in (first, second):
        ask(player)
    users = [path.stat().st_uid for path in Path("/proc").glob("[0-9]*") if path.exists()]
    ours = {user for user in users if user >= box.FIRST_USER}
    assert len({(user - box.FIRST_USER) // host.SEATS for user in ours}) >= 2
    for player in (first, second):
        player.close()
