"""Many questions in one message: the same answers as one by one, and the same faults."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.arena.referee import DecisionPlace, Referee
from cardwin.core.rng import child, stream_of
from cardwin.games.base import CALL, CHECK, Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import HOLE, HoldemView
from cardwin.players.base import IN_A_ROW, EndedError, OverdueError
from cardwin.players.sandbox.process import IsolatedPlayer

NL = holdem_game("holdem-nl", {})
ASKED = """
import os, time
from cardwin.core.rng import draw_below
from cardwin.games.base import Action, CALL, CHECK

class Mixed:
    stateless = True
    def act(self, view, rng):
        if draw_below(rng, 3) == 0 and view.min_raise_to:
            return Action("raise", view.min_raise_to)
        return CALL if view.to_call else CHECK

class Fails(Mixed):
    "Fails in ways that depend on its first card only."
    def act(self, view, rng):
        card = view.hole[0]
        if card == 1:
            raise ValueError("one")
        if card == 2:
            os._exit(2)
        if card == 3:
            time.sleep(100)
        if card == 4:
            return "nonsense"
        if card == 5:
            return Action("x" * 10**5)
        return super().act(view, rng)

class Slow(Mixed):
    def act(self, view, rng):
        time.sleep(0.03)
        return super().act(view, rng)

class LateOnce(Mixed):
    "Hangs in a batch and not alone."
    asked = 0
    def act(self, view, rng):
        LateOnce.asked += 1
        if LateOnce.asked == 20:
            time.sleep(100)
        return super().act(view, rng)
"""


@pytest.fixture(autouse=True)
def _asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asked.py").write_text(ASKED)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("asked", None)


def questions(count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first views of different deals, with a first card from 10 on, and their streams."""
    table, rows = LiveTable(NL, [None, None]), []
    for deal in range(count):
        table.begin([NL.stack] * 2, deal % 2, child(3, deal))
        rows.append(table.turn.row)
    array = np.array(rows)
    array[:, HOLE] = np.maximum(array[:, HOLE], 10)
    return array, np.stack([stream_of(child(5, deal)) for deal in range(count)])


def test_a_batch_has_the_same_answers_as_single_questions() -> None:
    (rows, streams), together = questions(200), IsolatedPlayer("python:asked:Mixed", 20)
    single = streams.copy()
    alone = [together.act(HoldemView(tuple(row.tolist())), rng) for row, rng in zip(rows, single, strict=True)]
    answers = together.act_many(rows, streams)
    assert answers == alone
    assert (streams == single).all()
    assert len({answer.name for answer in alone}) > 1
    assert together.act_many(rows[:0], streams[:0]) == []


def test_each_fault_of_a_batch_is_found() -> None:
    rows, streams = questions(60)
    rows[[7, 21, 33, 40, 50], HOLE] = [1, 2, 3, 4, 5]
    player = IsolatedPlayer("python:asked:Fails", 0.5)
    answers = player.act_many(rows, streams)
    faults = {place: answer for place, answer in enumerate(answers) if not isinstance(answer, Action)}
    assert list(faults) == [7, 21, 33, 40, 50]
    assert str(faults[7]) == "raised ValueError: one"
    assert isinstance(faults[21], EndedError)
    assert isinstance(faults[33], OverdueError)
    assert repr(faults[40]) == "'nonsense'"
    assert "sent an invalid answer of" in str(faults[50])
    assert player.restarts == 0


def test_the_time_limit_is_for_each_question() -> None:
    rows, streams = questions(20)
    answers = IsolatedPlayer("python:asked:Slow", 0.3).act_many(rows, streams)  # 0.6 s in all
    assert all(isinstance(answer, Action) for answer in answers)


def test_who_is_late_in_a_batch_only_is_late_once() -> None:
    rows, streams = questions(30)
    answers = IsolatedPlayer("python:asked:LateOnce", 0.3).act_many(rows, streams)
    late = [place for place, answer in enumerate(answers) if isinstance(answer, OverdueError)]
    assert len(late) == 1


def test_the_referee_judges_a_batch() -> None:
    rows, streams = questions(40)
    rows[[3, 9], HOLE] = [1, 4]
    spec = "python:asked:Fails"
    referee, player = Referee([spec, "call"], 20), IsolatedPlayer(spec, 20)
    places = [DecisionPlace(hand + 1, 1) for hand in range(40)]
    answers = referee.ask_many(0, player, rows, streams, places)
    assert [hand for hand, answer in enumerate(answers) if answer is None] == [3, 9]
    assert [(fault.hand, fault.action) for fault in referee.report().first] == [(4, 1), (10, 1)]
    assert all(answer in (None, CALL, CHECK) or answer.name == "raise" for answer in answers)
    rows[:IN_A_ROW, HOLE] = 1
    assert referee.ask_many(0, player, rows, streams, places) == [None] * 40
    assert referee.report().disqualified == (True, False)
