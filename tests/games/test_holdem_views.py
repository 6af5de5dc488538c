"""What a view tells, and how it reads. That it holds no hidden card is part of the games' battery."""

from cardwin.cards.card import parse_cards
from cardwin.games.base import Action
from cardwin.games.holdem import holdem_game


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
