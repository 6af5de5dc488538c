"""Whatever a player does, the match goes on, and the record names it."""

import sys
import threading
import time
from pathlib import Path

import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.arena.referee import Report, TimeUp, alarm, merge_reports
from cardwin.arena.tournament import tournament
from cardwin.games.holdem import holdem_game
from cardwin.players.base import IN_A_ROW
from cardwin.players.specs import Untrusted

NL = holdem_game("holdem-nl", {})

BAD_PLAYERS = """
import sys, time
from cardwin.games.base import Action, CALL, CHECK, FOLD

class Good:
    def act(self, view, rng):
        return CALL if view.to_call else CHECK

class Raises(Good):
    def act(self, view, rng):
        raise RuntimeError("no idea what to do")

class Leaves(Good):
    def act(self, view, rng):
        sys.exit(3)

class Illegal(Good):
    def act(self, view, rng):
        return Action("raise", 7)

class Nonsense(Good):
    def act(self, view, rng):
        return "call"

class Halves(Good):
    def act(self, view, rng):
        return Action("raise", 250.5)

class Huge(Good):
    def act(self, view, rng):
        return Action("raise", 10**30)

class Sometimes(Good):
    decisions = 0
    def act(self, view, rng):
        self.decisions += 1
        if self.decisions % 500 == 0:
            raise ValueError("not today")
        return super().act(view, rng)

class Deaf(Good):
    def watch(self, event):
        raise LookupError("what was that?")

class Slow(Good):
    decisions = 0
    def act(self, view, rng):
        self.decisions += 1
        if self.decisions == 7:
            time.sleep(30)
        return super().act(view, rng)

class Stubborn(Good):
    decisions = 0
    def act(self, view, rng):
        self.decisions += 1
        if self.decisions == 3:
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
        return super().act(view, rng)

class Thief(Good):
    def act(self, view, rng):
        assert rng.base is None
        rng[0] = 0
        return super().act(view, rng)

class Broken:
    def __init__(self):
        1 / 0
"""


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("players")
    (folder / "bad_players_of_test.py").write_text(BAD_PLAYERS)
    sys.path.insert(0, str(folder))
    return "python:bad_players_of_test"


@pytest.mark.parametrize(
    ("kind", "words"),
    [("Raises", "RuntimeError: no idea"), ("Leaves", "SystemExit"), ("Illegal", "invalid raise 7"),
     ("Nonsense", "'call'"), ("Halves", "250.5"), ("Huge", "whole amount"), ("Deaf", "LookupError")],
)  # fmt: skip
def test_one_that_always_fails_is_named_and_disqualified(bad: str, kind: str, words: str) -> None:
    record = match(NL, [f"{bad}:{kind}", "raise"], 60, seed=1)
    assert len(record.chips) == 60
    assert (record.chips.sum(axis=1) == 0).all()
    assert record.report.faults == (IN_A_ROW, 0)
    assert record.report.disqualified == (True, False)
    fault = record.report.first[0]
    assert words in fault.reason
    assert (fault.spec, fault.hand) == (f"{bad}:{kind}", 1)


def test_a_disqualified_player_checks_or_folds(bad: str) -> None:
    record = match(NL, [f"{bad}:Raises", "raise"], 500, seed=1)
    assert record.digest == match(NL, ["fold", "raise"], 500, seed=1).digest


def test_rare_faults_are_counted_but_forgiven(bad: str) -> None:
    record = match(NL, [f"{bad}:Sometimes", "call"], 3_000, seed=1)
    assert record.report.faults[0] >= IN_A_ROW
    assert not record.report.disqualified[0]


@pytest.mark.parametrize("kind", ["Slow", "Stubborn"])
def test_endless_thought_is_interrupted(bad: str, kind: str) -> None:
    start = time.monotonic()
    record = match(
        NL,
        [f"{bad}:{kind}", "call"],
        20,
        seed=1,
        options=MatchOptions(untrusted=Untrusted(time_limit=0.3, in_process=True)),
    )
    assert time.monotonic() - start < 20  # not a speed: without the alarm it would never come back
    assert record.report.faults == (1, 0)
    assert "0.3 s" in record.report.first[0].reason
    assert len(record.report.late) == 1
    assert sys.gettrace() is None or "pydev" in str(sys.gettrace()) or "coverage" in str(sys.gettrace())
    good = match(
        NL,
        [f"{bad}:Good", "call"],
        20,
        seed=1,
        options=MatchOptions(untrusted=Untrusted(time_limit=0.3, in_process=True)),
    )
    late = next(iter(record.report.late))[1] - 1
    assert (record.chips[:late] == good.chips[:late]).all()


def test_late_hands_are_left_out_of_the_digest(bad: str) -> None:
    record = match(
        NL,
        [f"{bad}:Slow", "call"],
        20,
        seed=1,
        options=MatchOptions(untrusted=Untrusted(time_limit=0.2, in_process=True)),
    )
    assert (
        record.digest
        == match(
            NL,
            [f"{bad}:Slow", "call"],
            20,
            seed=1,
            options=MatchOptions(untrusted=Untrusted(time_limit=0.25, in_process=True)),
        ).digest
    )
    assert record.digest != match(NL, ["call", "call"], 20, seed=1).digest


def test_players_get_a_stream_with_no_way_to_others(bad: str) -> None:
    record = match(NL, [f"{bad}:Thief", "random"], 50, seed=1)
    assert record.report.faults == (0, 0)
    assert record.digest == match(NL, ["call", "random"], 50, seed=1).digest


def test_tournaments_go_on_too(bad: str) -> None:
    record = tournament(NL, [f"{bad}:Raises", "random*12"], 2, seed=1)
    assert record.report.disqualified[0]
    assert record.report.first[0].tournament == 1
    assert (record.results.chips.sum(axis=1) == 13 * NL.stack).all()


def test_duplicate_seatings_have_players_of_their_own(bad: str) -> None:
    record = match(NL, [f"{bad}:Good", "random", "call", "raise"], 40, seed=1, options=MatchOptions(duplicate=True))
    assert (
        record.digest
        == match(NL, ["call", "random", "call", "raise"], 40, seed=1, options=MatchOptions(duplicate=True)).digest
    )


def test_the_reports_of_many_parts_keep_the_reason_of_a_forfeit() -> None:
    part = Report(faults=(1, 0), disqualified=(False, False))
    forfeited = Report((1, 0), (True, False), forfeits=("cannot be built", ""))
    merged = merge_reports([part, part, forfeited, part])
    assert merged.faults == (4, 0)
    assert merged.disqualified == (True, False)
    assert (merged.forfeit(0), merged.forfeit(1)) == ("cannot be built", "")


def test_the_alarm_leaves_nothing_behind_and_other_threads_alone() -> None:
    with pytest.raises(TimeUp), alarm(0.05):
        time.sleep(5)
    time.sleep(0.1)
    seen: list[str] = []

    def elsewhere() -> None:
        with alarm(0.01):
            time.sleep(0.05)
        seen.append("back")

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == ["back"]
