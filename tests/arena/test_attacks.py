"""Players that try to know more than they may: none of them profits.

1. One computes the hand's key from its own stream, and all cards from that.
2. One shares what it saw in one seating of a deal with itself in the next one, which has the same cards.
3. One looks through Python's frames and objects for the dealer's table.
4. One tries all short seeds until its stream fits.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.engine import CARDS
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import match
from cardwin.core.rng import Stream, child, draw_below, key_of, prf, random_seed, shuffle_first, stream_of
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import HoldemView
from cardwin.players.registry import player
from support import grandparents

NL = holdem_game("holdem-nl", {})


def deck_of(cards: int, seats: int) -> list[int]:
    """The board and hole cards that a key of cards deals."""
    deck = np.arange(52)
    shuffle_first(stream_of(cards), deck, 5 + 2 * seats)
    return [int(card) for card in deck[: 5 + 2 * seats]]


class Undoer:
    """Knows how the dealer derives everything, and undoes its own stream's key as far as it can be undone."""

    def __init__(self) -> None:
        self.predicted = self.asked = 0

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Goes all-in where it has computed that it wins, which it checks against the cards that it sees."""
        self.asked += 1
        key = int(rng[0])
        candidates = {key, *grandparents(key, 1 + view.seat)}
        for hand in candidates:
            for cards in (child(hand, CARDS), prf(hand, CARDS), hand):
                deck = deck_of(cards, view.seats)
                own = deck[5 + 2 * view.seat : 7 + 2 * view.seat]
                if tuple(own) == tuple(view.hole):
                    self.predicted += 1
                    return Action("raise" if view.current_bet else "bet", view.max_raise_to)
        return FOLD if view.to_call else CHECK


def test_a_stream_does_not_lead_to_the_cards() -> None:
    undoer = Undoer()
    table = LiveTable(NL, [undoer, player("random")])
    for hand in range(300):
        table.play([NL.stack] * 2, hand % 2, child(7, hand))
    assert undoer.asked > 200
    assert undoer.predicted == 0


def test_the_same_attack_wins_where_keys_are_only_mixed() -> None:
    """Otherwise the test above would prove nothing."""
    for hand in (child(7, number) for number in range(50)):
        assert hand in grandparents(child(hand, 1), 1)
        assert deck_of(child(hand, CARDS), 2) in [
            deck_of(child(one, CARDS), 2) for one in grandparents(child(hand, 1), 1)
        ]


class Listener:
    """Notes the numbers that it draws."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:
        self.drawn.append(draw_below(rng, 1_000_000_000))
        return CALL if view.to_call else CHECK


def test_a_stream_does_not_tell_what_another_seat_draws() -> None:
    listeners = [Listener() for _ in range(4)]
    LiveTable(NL, listeners).play([NL.stack] * 4, 0, child(7, 0))
    drawn = [number for one in listeners for number in one.drawn]
    assert len(set(drawn)) == len(drawn) == 16


SPIES = '''
import gc, sys
from cardwin.games.base import Action, CALL, CHECK, FOLD

def best(view):
    return Action("raise" if view.current_bet else "bet", view.max_raise_to) if view.min_raise_to else CALL

class Sharer:
    """Keeps what it held in one seating for the twin who sits there in the next; the deal is the same."""
    seen = {}
    deals = 0
    def act(self, view, rng):
        other = Sharer.seen.get((view.button, 1 - view.seat))
        Sharer.seen[view.button, view.seat] = tuple(view.hole)
        if other and max(view.hole) // 4 > max(other) // 4:
            return best(view)
        return FOLD if view.to_call else CHECK
    known = property(lambda self: len(Sharer.seen))

class Peeper:
    """Looks for a table with cards in all frames and objects."""
    def find(self):
        frame = sys._getframe()
        while frame:
            for value in frame.f_locals.values():
                tables = getattr(value, "tables", None)
                if tables is not None and hasattr(tables, "dtype"):
                    return tables
            frame = frame.f_back
        for value in gc.get_objects():
            if type(value).__name__ == "LiveTable":
                return value.tables
    def act(self, view, rng):
        tables = self.find()
        if tables is None or not (tables["hole"][0] >= 0).any() or tables["hole"][0].max() == 0:
            return FOLD if view.to_call else CHECK
        return best(view)
'''


@pytest.fixture
def spies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spies.py").write_text(SPIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("spies", None)


@pytest.mark.usefixtures("spies")
@pytest.mark.parametrize("spy", ["Sharer", "Peeper"])
def test_in_a_process_of_its_own_a_spy_finds_nothing(spy: str) -> None:
    """In process both bet on what they found; isolated they find nothing and only check and fold."""
    bets = []
    for isolated in (False, True):
        record = match(NL, [f"python:spies:{spy}", "call"], 60, seed=1, duplicate=True, isolated=isolated, limit=60)
        bets.append(int((np.abs(record.chips[:, 0]) > 100).sum()))
        assert record.report.faults == (0, 0)
    assert bets[0] > 0
    assert bets[1] == 0


def test_seeds_are_too_many_to_try() -> None:
    """A stream's key is a function of the seed: whoever can try all seeds finds the cards. Fresh ones are long."""
    assert max(random_seed() for _ in range(50)) > 10**12
    keys = {prf(child(key_of(seed, "match"), 0), 1) for seed in range(1000)}
    assert len(keys) == 1000
