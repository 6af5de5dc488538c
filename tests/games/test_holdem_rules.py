"""The rules of hold'em by example, to the chip."""

from collections.abc import Sequence
from typing import Any

import pytest

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games.base import CALL, CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem import HoldemGame, HoldemState, holdem_game
from cardwin.games.holdem.events import Acted, BoardDealt, HandEnded, Posted, Returned, Shown, Won

NL = holdem_game("holdem-nl", {})
LIMIT = holdem_game("holdem-limit", {})
SIMPLE = holdem_game("holdem-simple", {})
# Seat by seat weaker: kings, queens, jacks, tens, nines; nothing on the board helps.
PAIRS = ("KcKd", "QcQd", "JcJd", "TcTd", "9c9d")
BOARD = parse_cards("2s3s4h7h8d")


def start(
    game: HoldemGame, stacks: Sequence[int], hole: Sequence[str] = PAIRS, board: str = "", **rest: Any
) -> HoldemState:
    cards = [parse_cards(text) for text in hole[: len(stacks)]]
    return game.start(cards, parse_cards(board) if board else BOARD, stacks=stacks, **rest)


def after(state: HoldemState, *moves: str) -> HoldemState:
    """Moves such as `raise 300`; a number of checks or calls as `c`."""
    for move in moves:
        if move == "c":
            move = "call" if state.view(state.actor).to_call else "check"
        name, _, amount = move.partition(" ")
        state = state.apply(Action(name, int(amount or 0)))
    return state


def to_the_end(state: HoldemState) -> HoldemState:
    while state.actor != NOBODY:
        state = after(state, "c")
    return state


def test_blinds_and_who_opens() -> None:
    state = start(NL, [1000, 1000, 1000, 1000])
    assert state.stacks == (950, 900, 1000, 1000)
    assert state.actor == 2
    state = after(state, "call", "call", "call", "check")
    assert state.actor == 0
    assert len(state.board) == 3


def test_heads_up_the_button_posts_the_small_blind_and_opens_before_the_flop_only() -> None:
    state = start(NL, [1000, 1000])
    assert state.stacks == (900, 950)
    assert state.actor == 1
    assert after(state, "call", "check").actor == 0


def test_one_blind_and_antes_in_the_simple_game() -> None:
    state = start(SIMPLE, [1000, 1000, 1000])
    assert state.stacks == (985, 995, 995)
    assert state.actor == 1
    state = after(state, "c", "c", "c")
    assert (state.actor, len(state.board)) == (0, 3)
    assert len(after(state, "c", "c", "c").board) == 5
    assert start(SIMPLE, [1000, 1000]).stacks == (985, 995)


def test_suits_do_not_count_in_the_simple_game() -> None:
    flush_or_pair = ("AhTh", "8c9c"), "2h3h7h8dKs"
    assert to_the_end(start(NL, [1000, 1000], *flush_or_pair)).returns()[0] > 0
    assert to_the_end(start(SIMPLE, [1000, 1000], *flush_or_pair)).returns()[0] < 0


def test_empty_seats_are_passed_over() -> None:
    state = start(NL, [1000, 0, 1000, 0, 1000], button=1)
    assert state.stacks == (1000, 0, 950, 0, 900)
    assert state.actor == 0
    heads_up = start(NL, [0, 1000, 0, 1000], button=1)
    assert heads_up.stacks == (0, 950, 0, 900)
    assert heads_up.actor == 1


def test_a_short_stack_pays_the_ante_before_the_blind() -> None:
    game = holdem_game("holdem-nl", {"ante": "20"})
    state = start(game, [1000, 50, 1000])
    posted = [(event.seat, event.kind, event.chips) for event in state.events if isinstance(event, Posted)]
    assert posted == [(0, "ante", 20), (1, "ante", 20), (2, "ante", 20), (0, "blind", 50), (1, "blind", 30)]
    assert state.view(2).to_call == 50  # the most that was posted
    assert state.view(2).min_raise_to == 150


def test_an_uncalled_bet_goes_back() -> None:
    state = after(start(NL, [1000, 1000, 1000]), "raise 600", "fold", "fold")
    assert state.stacks == (950, 900, 1150)
    assert Returned(2, 500) in state.events
    state = to_the_end(after(start(NL, [1000, 300, 1000]), "raise 900", "fold", "call"))
    assert Returned(2, 600) in state.events


def test_side_pots() -> None:
    # Seats 0, 1, 2 are all-in for 100, 300, 600 with ever weaker hands; seat 3 covers them with the weakest.
    state = start(NL, [100, 300, 600, 1000])
    state = after(state, "raise 600", "call", "call", "call")
    assert state.stacks == (400, 600, 600, 400)
    assert [(e.seat, e.chips, e.pot) for e in state.events if isinstance(e, Won)] == [
        (0, 400, 0),
        (1, 600, 1),
        (2, 600, 2),
    ]


def test_what_a_folded_seat_paid_stays_in_the_pots_it_paid_for() -> None:
    state = start(NL, [100, 1000, 1000])
    state = after(state, "raise 300", "call", "call", "bet 200", "fold")
    # Main pot 300 to the kings; the 400 beside it and the uncalled 200 to the last who bet.
    assert state.stacks == (300, 1100, 700)


def test_what_a_folded_seat_paid_above_all_others_goes_to_the_last_pot() -> None:
    # Seat 2 antes 300 by itself and folds; the others see the end for 100 each.
    state = start(NL, [1000, 1000, 1000], antes=[0, 0, 300], blinds=[50, 100, 0])
    state = to_the_end(after(state, "fold", "call"))
    assert state.stacks == (1400, 900, 700)


def test_a_pot_of_seven_among_three() -> None:
    game = holdem_game("holdem-nl", {"blinds": "1/2"})
    state = start(game, [10, 10, 10, 10], board="AsKsQsJsTs", blinds=[1, 2, 0, 0])
    state = to_the_end(after(state, "call", "call", "fold"))
    # 1 folded + 2 + 2 + 2: two each, and the odd chip to the first winner left of the button, seat 1.
    assert state.stacks == (9, 11, 10, 10)


def test_two_odd_chips_among_three() -> None:
    game = holdem_game("holdem-nl", {"blinds": "2/3"})
    state = start(game, [10, 10, 10, 10], board="AsKsQsJsTs")
    state = to_the_end(after(state, "call", "call", "fold"))
    assert state.stacks == (8, 11, 11, 10)


def test_every_pot_has_odd_chips_of_its_own() -> None:
    game = holdem_game("holdem-nl", {"blinds": "1/2"})
    hole = ("9c9d", "QcQd", "QhQs", "2c7d", "KcKd")
    state = start(game, [20, 20, 20, 5, 20], hole=hole, board="AsAhAd8d8h")
    state = after(state, "raise 6", "call", "call", "fold", "raise 10", "call", "fold")
    # The queens share 1 + 4 x 5 as 11 and 10, and 1 + 2 x 5 as 6 and 5: both odd chips go to seat 1.
    assert to_the_end(state).stacks == (19, 27, 25, 0, 14)


@pytest.mark.parametrize("game", [NL, LIMIT, SIMPLE])
def test_the_last_seat_left_takes_the_pot_without_showing(game: HoldemGame) -> None:
    state = start(game, [1000, 1000, 1000])
    while state.actor != NOBODY:
        state = after(state, "fold")
    assert sum(state.stacks) == 3000
    assert not any(isinstance(event, Shown) for event in state.events)


def test_the_least_raise_is_the_last_full_one() -> None:
    state = start(NL, [10_000, 10_000, 10_000])
    assert (state.view(2).min_raise_to, state.view(2).max_raise_to) == (200, 10_000)
    state = after(state, "raise 350")
    assert state.view(0).min_raise_to == 600
    state = after(state, "call", "call")
    assert state.view(0).min_raise_to == 100


def test_wsop_96_a_short_all_in_does_not_reopen_the_betting() -> None:
    game = holdem_game("holdem-nl", {"blinds": "100/200"})
    state = after(start(game, [650, 20_000, 20_000]), "raise 600", "raise 650", "call")
    view = state.view(2)
    assert (state.actor, view.to_call, view.min_raise_to) == (2, 50, 0)
    with pytest.raises(InputError, match="reopen"):
        state.apply(Action("raise", 2000))


@pytest.mark.parametrize("last", [("call",), ("call", "call"), ("fold",)])
def test_wsop_96a_several_short_all_ins_together_do(last: tuple[str, ...]) -> None:
    game = holdem_game("holdem-nl", {"blinds": "0/1"})
    state = start(game, [20_001, 20_001, 20_001, 1301, 1701], antes=[1] * 5, blinds=[0] * 5)
    state = after(state, "bet 500", "raise 1000", "call", "raise 1300", "raise 1700", *last)
    view = state.view(state.actor)
    assert state.actor == len(last)
    assert (view.min_raise_to, view.max_raise_to) == (2200, 20_000)


def test_a_short_all_in_bet_does_not_reopen_to_those_who_checked() -> None:
    state = after(start(NL, [10_000, 130, 10_000]), "c", "c", "c", "check", "bet 30", "call")
    assert (state.actor, state.view(0).min_raise_to) == (0, 0)


def test_four_bets_a_round_in_limit() -> None:
    state = after(start(LIMIT, [1000, 1000]), "raise 20", "raise 30", "raise 40")
    with pytest.raises(InputError, match=r"raise.* 3"):
        state.apply(Action("raise", 50))
    state = after(state, "call", "bet 10", "raise 20", "raise 30", "raise 40")
    assert state.view(state.actor).min_raise_to == 0
    state = after(state, "call")
    assert (state.view(0).min_raise_to, state.view(0).max_raise_to) == (20, 20)


def test_three_raises_a_round_in_the_simple_game() -> None:
    state = after(start(SIMPLE, [1000, 1000]), "raise 20", "raise 30", "raise 100")
    assert state.view(state.actor).min_raise_to == 0


def test_no_raise_that_nobody_could_call() -> None:
    state = after(start(NL, [1000, 200, 1000]), "raise 400", "fold")
    with pytest.raises(InputError, match="fold, call"):
        state.apply(Action("raise", 800))
    state = start(NL, [100, 1000])
    with pytest.raises(InputError, match="fold, call"):
        state.apply(Action("raise", 800))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (FOLD, None),
        (CHECK, "invalid check: 100 to call"),
        (Action("bet", 199), "invalid raise 199: the minimum is 200"),
        (Action("raise", 199), "the minimum is 200"),
        (Action("raise", 1001), "the maximum is 1000"),
        (Action("raise", -5), "the minimum is 200"),
        (Action("dance"), "invalid action 'dance'"),
    ],
)
def test_illegal_actions_are_refused_by_name_and_change_nothing(action: Action, words: str | None) -> None:
    state = start(NL, [1000, 1000, 1000])
    before = state.save()
    if words is None:
        state.apply(action)
    else:
        with pytest.raises(InputError, match=words):
            state.apply(action)
    assert state.save() == before


def test_no_fold_and_no_call_where_checking_is_free() -> None:
    state = after(start(NL, [1000, 1000]), "call")
    with pytest.raises(InputError, match=r"fold.*check, raise 200 to 1000"):
        state.apply(FOLD)
    with pytest.raises(InputError, match="call"):
        state.apply(CALL)


def test_nobody_acts_after_the_end() -> None:
    state = after(start(NL, [1000, 1000]), "fold")
    assert state.actor == NOBODY
    assert state.legal_actions() == ()
    with pytest.raises(InputError, match="over"):
        state.apply(FOLD)
    with pytest.raises(InputError, match="not over"):
        start(NL, [1000, 1000]).returns()


def test_events_tell_the_hand() -> None:
    state = after(start(NL, [1000, 1000]), "raise 300", "call", "check", "bet 700", "call")
    assert [event for event in state.events if isinstance(event, Acted)][:2] == [
        Acted(1, Action("raise", 300), 250, 0),
        Acted(0, CALL, 200, 0),
    ]
    assert [event.cards for event in state.events if isinstance(event, BoardDealt)] == [
        BOARD[:3],
        BOARD[3:4],
        BOARD[4:],
    ]
    assert {event.seat: event.cards for event in state.events if isinstance(event, Shown)} == {
        0: parse_cards("KcKd"),
        1: parse_cards("QcQd"),
    }


def test_chips_of_the_events_account_for_every_stack() -> None:
    game = holdem_game("holdem-nl", {"ante": "20"})
    for state in (
        after(start(game, [1000, 700, 300]), "raise 280", "call", "raise 680", "call"),  # uneven all-ins
        after(start(game, [1000, 700, 300]), "raise 280", "fold", "fold"),  # one seat is left
        start(game, [15, 20, 10]),  # nobody has anything to decide
    ):
        state, won = to_the_end(state), [0] * 3
        for event in state.events:
            if isinstance(event, Posted | Acted):
                won[event.seat] -= event.chips
            elif isinstance(event, Returned | Won):
                won[event.seat] += event.chips
        assert tuple(won) == state.returns()
        assert state.events[-1] == HandEnded(state.returns())
        assert sum(isinstance(event, HandEnded) for event in state.events) == 1


def test_a_blind_that_the_ante_left_nothing_for_is_no_event() -> None:
    state = start(holdem_game("holdem-nl", {"ante": "20"}), [1000, 20, 1000])
    assert [event.seat for event in state.events if isinstance(event, Posted) and event.kind == "blind"] == [0]


def test_saved_equals_loaded() -> None:
    state = after(start(NL, [1000, 700, 300]), "raise 300", "call")
    again = HoldemState.load(state.save())
    assert again.events == state.events
    assert to_the_end(again).save() == to_the_end(state).save()
    with pytest.raises(InputError, match="state"):
        HoldemState.load("{}")


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("holdem-nl", {"stack": "0"}, "expected a stack of at least the big blind of 100"),
        ("holdem-nl", {"stack": "-1"}, "whole number"),
        ("holdem-nl", {"blinds": "100"}, "2 amounts"),
        ("holdem-nl", {"blinds": "100/50"}, "expected a small blind of at most"),
        ("holdem-nl", {"bets": "10/20"}, "unknown parameter"),
        ("holdem-limit", {"bets": "20/10"}, "expected a small bet from 1"),
        ("holdem-simple", {"blind": "0", "ante": "0"}, "at least 1 chip"),
        ("holdem-xl", {}, "did you mean"),
    ],
)
def test_wrong_parameters_are_refused(name: str, parameters: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        holdem_game(name, parameters)


def test_a_games_name_builds_it_again() -> None:
    game = holdem_game("holdem-limit", {"bets": "4/8", "blinds": "2/4"})
    assert game.name == "holdem-limit:blinds=2/4,bets=4/8"
    assert NL.name == "holdem-nl"


def test_wrong_starts_are_refused() -> None:
    with pytest.raises(InputError, match="Kc"):
        start(NL, [100, 100], hole=("KcKd", "KcQd"))
    with pytest.raises(InputError, match="two seats"):
        start(NL, [100, 0])
    with pytest.raises(InputError, match="seat 5"):
        start(NL, [100, 100], button=5)
    with pytest.raises(InputError, match="expected 2 stacks, one per seat, got 1"):
        NL.start([(49, 50), (44, 45)], BOARD, stacks=[100])
