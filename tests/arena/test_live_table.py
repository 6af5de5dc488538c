"""A table that stops: the same hands as batch tables, nothing hidden told, saved anywhere and loaded."""

import json

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, child, draw_below, key_of, prf, stream_of
from cardwin.games.base import CALL, CHECK, NOBODY, Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import HandBegan, HandEnded, Shown
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import player

NL = holdem_game("holdem-nl", {})
SPECS = ["random", "call", "random", "raise"]


def outside(seats: int) -> LiveTable:
    return LiveTable(NL, [None] * seats)


def answer(table: LiveTable, players: list[HoldemPlayer], streams: list[Stream]) -> None:
    """What somebody outside does who happens to think like one of our players."""
    seat = table.actor
    table.take(players[seat].act(table.view(seat), streams[seat]))


def play(table: LiveTable, hand: int, key: int, stop: int = -1) -> list[Stream]:
    """A hand of SPECS decided outside, up to a stop after so many decisions."""
    players = [player(spec) for spec in SPECS]
    streams = [stream_of(prf(child(key, hand), 1 + seat)) for seat in range(len(SPECS))]
    table.begin([NL.stack] * len(SPECS), hand % len(SPECS), child(key, hand))
    while table.actor != NOBODY and stop != 0:
        answer(table, players, streams)
        stop -= 1
    return streams


def test_hands_decided_outside_are_those_of_batch_tables() -> None:
    key, table, chips = key_of(7, "match"), outside(4), []
    for hand in range(60):
        play(table, hand, key)
        chips.append(table.won)
        assert isinstance(table.events[0], HandBegan)
        assert table.events[-1] == HandEnded(tuple(table.won))
    assert chips == match(NL, SPECS, 60, 7, options=MatchOptions(seating="rotation")).chips.tolist()


def test_a_seat_sees_its_own_cards_and_nobody_elses() -> None:
    table = outside(4)
    play(table, 0, 3, stop=3)
    assert table.actor != NOBODY
    hole = table.tables["hole"][0]
    for seat in range(4):
        view = table.view(seat)
        assert view.hole == tuple(hole[2 * seat : 2 * seat + 2])
        changed = outside(4)
        play(changed, 0, 3, stop=3)
        changed.tables["hole"][0, [place for place in range(8) if place // 2 != seat]] = -7
        changed.tables["board"][0, len(view.board) :] = -7
        assert changed.view(seat) == view
    assert not any(isinstance(event, Shown) for event in table.events)
    assert table.turn == table.view(table.actor)


def test_whoever_waits_is_asked_for_something_legal_only() -> None:
    table = outside(3)
    table.begin([1000] * 3, 0, 5)
    before = (table.tables.copy(), len(table.events))
    with pytest.raises(InputError, match=r"raise 1\b.*\b200\b"):
        table.take(Action("raise", 1))
    with pytest.raises(InputError, match="not over"):
        _ = table.won
    with pytest.raises(InputError, match="seat 3"):
        table.view(3)
    assert (table.tables == before[0]).all()
    assert len(table.events) == before[1]
    while table.actor != NOBODY:
        table.take(table.turn.legal_actions[0])
    with pytest.raises(InputError):
        table.take(CALL)


def test_compiled_players_play_between_the_stops() -> None:
    table, key, rng = LiveTable(NL, [player("random"), None, player("raise")]), key_of(5, "match"), stream_of(1)
    chips = []
    for hand in range(50):
        table.begin([NL.stack] * 3, hand % 3, child(key, hand))
        while table.actor != NOBODY:
            assert table.actor == 1
            view = table.turn
            table.take(CALL if view.to_call else CHECK)
        chips.append(table.won)
    assert (
        chips == match(NL, ["random", "call", "raise"], 50, 5, options=MatchOptions(seating="rotation")).chips.tolist()
    )
    assert rng[1] == 0


class Counter:
    """A Python player that raises every third time it is asked."""

    asked = 0

    def act(self, view: HoldemView, rng: Stream) -> Action:
        self.asked += 1
        return view.legal_actions[-1 if self.asked % 3 == 0 else draw_below(rng, len(view.legal_actions))]


def test_a_live_table_stops_only_where_nobody_sits() -> None:
    table = LiveTable(NL, [Counter(), None, player("call"), None])
    asked = set()
    for hand in range(20):
        table.begin([2000] * 4, hand % 4, child(9, hand))
        while table.actor != NOBODY:
            asked.add(table.actor)
            table.take(table.turn.legal_actions[-1])
        assert sum(table.won) == 0
    assert asked == {1, 3}
    with pytest.raises(InputError, match="seat"):
        table.play([2000] * 4, 0, 1)


@pytest.mark.parametrize("opponents", [("random", "raise"), ("v2:rollouts=3", "standard")])
def test_a_hand_saved_is_the_hand_loaded(opponents: tuple[str, str]) -> None:
    for stop in range(4):
        tables = [LiveTable(NL, [None, *map(player, opponents), Counter()]) for _ in range(2)]
        tables[0].begin([5000] * 4, 3, 11)
        for _ in range(stop):
            if tables[0].actor != NOBODY:
                tables[0].take(tables[0].turn.legal_actions[-1])
        text = tables[0].save()
        tables[1].load(text)
        assert tables[1].events == tables[0].events
        assert (tables[1].tables == tables[0].tables).all()
        assert (tables[1].rng == tables[0].rng).all()
        assert tables[1].save() == text


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": 1}', "null", '{"schema": 1, "game": "holdem-nl", "seats": 2}']
)
def test_what_was_not_saved_here_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="hand"):
        outside(2).load(text)


def test_a_saved_hand_that_could_not_have_been_is_refused() -> None:
    table = outside(2)
    table.begin([500, 500], 0, 1)
    saved = json.loads(table.save())
    for change in ({"actions": [["raise", 7]]}, {"button": 5}, {"stacks": [500]}, {"stacks": [500, -3]}):
        with pytest.raises(InputError):
            table.load(json.dumps({**saved, **change}))


def test_a_log_that_runs_full_is_told_whole() -> None:
    game = holdem_game("holdem-nl", {"stack": "20000", "blinds": "1/2"})
    table = LiveTable(game, [player("raise"), player("raise"), None])
    table.begin([20_000] * 3, 0, 3)
    while table.actor != NOBODY:
        table.take(CALL if table.turn.to_call else CHECK)
    assert len(table.events) > 2000
    assert isinstance(table.events[-1], HandEnded)
    assert np.sum(table.won) == 0
