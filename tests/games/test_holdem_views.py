"""A view holds no hidden card: change the hidden cards and nothing that a seat sees changes, byte for byte."""

import numpy as np
import pytest

from cardwin.cards.card import parse_cards
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import HoldemState, holdem_game
from cardwin.rng import Stream, draw_below, shuffle_first, stream_of

GAMES = ["holdem-nl", "holdem-limit", "holdem-simple"]


def with_other_hidden_cards(state: HoldemState, seat: int, rng: Stream) -> HoldemState:
    """The same position with all cards that the seat cannot see drawn anew."""
    seen = {*state.hole(seat), *state.board}
    rest = np.array([card for card in range(52) if card not in seen])
    shuffle_first(rng, rest, 25)
    changed = HoldemState(state.game, state.tables.copy(), state.log)
    hole = changed.tables["hole"][0]
    board = changed.tables["board"][0]
    own = hole[2 * seat : 2 * seat + 2].copy()
    hole[: 2 * state.seats] = rest[: 2 * state.seats]
    hole[2 * seat : 2 * seat + 2] = own
    board[len(state.board) :] = rest[20 : 25 - len(state.board)]
    return changed


def choose(state: HoldemState, rng: Stream) -> Action:
    actions = state.legal_actions()
    return actions[draw_below(rng, len(actions))]


@pytest.mark.parametrize("name", GAMES)
def test_views_do_not_change_with_hidden_cards(name: str) -> None:
    game, rng = holdem_game(name, {}), stream_of(5)
    compared = 0
    for _ in range(15):
        deck = np.arange(52)
        shuffle_first(rng, deck, 13)
        state = game.start(deck[5:13].reshape(4, 2).tolist(), deck[:5].tolist(), button=draw_below(rng, 4))
        while state.actor != NOBODY:
            for seat in range(4):
                other = with_other_hidden_cards(state, seat, rng)
                assert other.view(seat) == state.view(seat)
                assert str(other.view(seat)) == str(state.view(seat))
                assert np.array(other.view(seat).row).tobytes() == np.array(state.view(seat).row).tobytes()
                assert other.events == state.events
                compared += 1
            state = state.apply(choose(state, rng))
    assert compared > 300


def test_a_view_tells_what_a_seat_may_know() -> None:
    hole = [parse_cards(text) for text in ("KcKd", "QcQd", "JcJd")]
    game = holdem_game("holdem-nl", {"stack": "1000", "ante": "10"})
    state = game.start(hole, parse_cards("2s3s4h7h8d")).apply(Action("raise", 300))
    view = state.view(0)
    assert (view.seat, view.actor, view.button, view.seats, view.street) == (0, 0, 2, 3, 0)
    assert view.hole == parse_cards("KcKd")
    assert view.board == ()
    assert (view.pot, view.to_call, view.current_bet, view.raises) == (480, 250, 300, 1)
    assert view.stacks == (940, 890, 690)
    assert view.bets == (50, 100, 300)
    assert view.contributed == (60, 110, 310)
    assert view.starting_stacks == (1000, 1000, 1000)
    assert (view.min_raise_to, view.max_raise_to) == (500, 990)
    assert view.active == (True, True, True)
    assert view.opponents == 2
    assert [str(action) for action in view.legal_actions] == ["fold", "call", "raise 500"]
    assert state.view(1).legal_actions == ()
    assert state.apply(Action("call")).apply(Action("call")).view(1).board == parse_cards("2s3s4h")


def test_a_view_reads_like_a_table() -> None:
    hole = [parse_cards(text) for text in ("KcKd", "QcQd", "JcJd")]
    state = holdem_game("holdem-nl", {}).start(hole, parse_cards("2s3s4h7h8d")).apply(Action("fold"))
    assert str(state.view(0)).splitlines() == [
        "preflop, pot 150",
        "  seat 1: stack 9950, bet 50  you K♣K♦",
        "  seat 2: stack 9900, bet 100",
        "  seat 3: stack 10000, folded, button",
    ]
