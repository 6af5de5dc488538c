"""A hand of hold'em in a plain script: texts for cards and actions, guards, states that compare, save and print."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games.base import CALL, FOLD, NOBODY, Action
from cardwin.games.formats.phh import replay_text
from cardwin.games.holdem import HoldemState, holdem_game
from cardwin.games.holdem.events import Acted, Posted, Returned, Won
from cardwin.games.holdem.table import UNKNOWN

NL = holdem_game("holdem-nl", {"stack": "1000"})
LIMIT = holdem_game("holdem-limit", {})
HOLE, BOARD = ["KcKd", "QcQd", "JcJd"], "2s3s4h7h8d"


def start(*stacks: int) -> HoldemState:
    return NL.start(HOLE[: len(stacks)], BOARD, stacks=stacks)


def played(state: HoldemState, *moves: str | Action) -> HoldemState:
    for move in moves:
        state = state.apply(move)
    return state


def test_cards_are_texts_lists_of_texts_or_numbers() -> None:
    numbers = NL.start([parse_cards(text) for text in HOLE], parse_cards(BOARD))
    assert NL.start(HOLE, BOARD) == numbers
    assert NL.start([["Kc", "Kd"], ("Q♣", "Qd"), "J♣, Jd"], ["2s", "3s", "4h", "7h", "8d"]) == numbers
    with pytest.raises(InputError, match="Kc"):
        NL.start(["KcKd", "KcQd"], BOARD)
    with pytest.raises(InputError, match="card"):
        NL.start(["KcKx", "QcQd"], BOARD)
    with pytest.raises(InputError, match="two cards"):
        NL.start(["KcKd", "Qc"], BOARD)
    with pytest.raises(InputError, match=r"2\.5"):
        NL.start([[2.5, 3], [4, 5]], BOARD)  # type: ignore[list-item]


def test_texts_do_what_actions_do() -> None:
    by_text = played(start(1000, 1000, 1000), "raise 300", "Call", "raise to 900", "fold", "call")
    actions = Action("raise", 300), CALL, Action("raise", 900), FOLD, CALL
    assert by_text == played(start(1000, 1000, 1000), *actions)
    assert [str(action) for action in by_text.legal_actions()] == ["check", "bet 100"]
    assert by_text.apply("check") == by_text.apply(Action("check"))


def test_bet_and_raise_need_not_be_told_apart() -> None:
    state = start(1000, 1000)
    assert state.apply("bet 300") == state.apply("raise 300")
    flop = played(state, "call", "check")
    assert flop.apply(Action("raise", 200)) == flop.apply("bet 200")


def test_all_in_by_name() -> None:
    state = start(1000, 400, 1000)
    assert state.apply("all-in") == state.apply("raise 1000")
    assert state.apply("all in") == state.apply(Action("all-in")) == state.apply("allin")
    called = played(state, "all-in", "fold", "all-in")  # the second has fewer chips: a call
    assert called.actor == NOBODY
    assert called.returns() == (-50, 450, -400)
    opened = played(start(1000, 1000), "call", "check", "all-in")
    assert str(opened.events[-1].action) == "bet 900"  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"all-in.*9995.*fold, call, raise"):
        LIMIT.start(HOLE[:2], BOARD).apply("all-in")


def test_limits_bets_need_no_amount() -> None:
    state = LIMIT.start(HOLE[:2], BOARD)
    assert state.apply("raise") == state.apply("raise 20")
    with pytest.raises(InputError, match=r"\b200\b"):
        start(1000, 1000).apply("raise")


@pytest.mark.parametrize(
    "move",
    [
        Action("raise", 250.5),  # type: ignore[arg-type]
        Action("raise", 250.0),  # type: ignore[arg-type]
        Action("raise", math.nan),  # type: ignore[arg-type]
        Action("raise", math.inf),  # type: ignore[arg-type]
        Action("raise", "300"),  # type: ignore[arg-type]
        Action("raise", None),  # type: ignore[arg-type]
        Action("raise", True),
        Action("raise", 2**63),
        Action("raise", -(2**63) - 1),
        Action("raise", 10**5000),
        Action("call", math.nan),  # type: ignore[arg-type]
        Action("call", 40),
        Action("fold", 1),
        Action("all-in", 7),
        Action([]),  # type: ignore[arg-type]
        Action("dance"),
        "raise 250.5",
        "raise -300",
        "raise 99999999999999999999",
        "dance",
        "",
        7,
        None,
    ],
)
def test_what_is_no_action_of_whole_chips_is_refused_in_a_sentence(move: Any) -> None:
    state = start(1000, 1000, 1000)
    before = state.save()
    with pytest.raises(InputError) as refused:
        state.apply(move)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200
    assert state.save() == before


def test_amounts_of_numpy_are_whole_chips_too() -> None:
    assert start(1000, 1000).apply(Action("raise", np.int64(300))) == start(1000, 1000).apply("raise 300")  # type: ignore[arg-type]


MOVES = st.one_of(
    st.text(max_size=12),
    st.builds(
        Action,
        st.sampled_from(["fold", "check", "call", "bet", "raise", "all-in", "x"]),
        st.one_of(st.integers(), st.integers(-10, 3000), st.floats(), st.none(), st.text(max_size=3)),
    ),
    st.sampled_from(["fold", "check", "call", "all-in", "raise 200", "raise 300", "bet 100", "raise 100000"]),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(MOVES, max_size=30), st.lists(st.integers(1, 2000), min_size=2, max_size=3))
def test_whatever_is_tried_chips_stay_whole_and_conserved(moves: list[Any], stacks: list[int]) -> None:
    state = start(*stacks)
    for move in moves:
        try:
            state = state.apply(move)
        except InputError:
            continue
        paid = sum(event.chips for event in state.events if isinstance(event, Posted | Acted))
        back = sum(event.chips for event in state.events if isinstance(event, Returned | Won))
        assert min(state.stacks) >= 0
        assert sum(state.stacks) + paid - back == sum(stacks)
        assert paid == back or state.actor != NOBODY
    assert HoldemState.load(state.save()) == state


# --- saving and loading --------------------------------------------------------------------------------------------


def test_a_saved_state_is_readable_and_equals_the_loaded_one() -> None:
    state = played(NL.start(HOLE, BOARD, stacks=[1000, 20, 600], button=0, antes=[0, 30, 0]), "raise 300")
    content = json.loads(state.save())
    assert content["actions"] == ["raise 300"]
    assert content["stacks"] == [1000, 20, 600]
    assert HoldemState.load(state.save()) == state
    unknown = NL.start(["KcKd", (UNKNOWN, UNKNOWN)], BOARD)
    assert HoldemState.load(unknown.save()) == unknown


def test_a_position_that_our_rules_do_not_lead_to_is_not_saved() -> None:
    state = start(1000, 1000)
    changed = HoldemState(state.game, state.tables.copy(), state.log)
    changed.tables["stack"][0, 0] += 1
    with pytest.raises(InputError, match="other rules"):
        changed.save()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 1}, "schema: expected 2, got 1"),
        ({"schema": "2"}, "schema"),
        ({"schema": None}, "schema"),
        ({"stacks": [-1000, 1000, 1000]}, "whole chips"),
        ({"stacks": [1000.5, 1000, 1000]}, "stacks.0: expected a whole number, got 1000.5"),
        ({"stacks": [10**5000, 1000, 1000]}, "number out of range"),
        ({"stacks": [True, 1000, 1000]}, "whole number, got True"),
        ({"stacks": [1000, 1000]}, "expected 3 stacks"),
        ({"hole": ["KcKd"] * 500}, "expected 2 to 10 seats, got 500"),
        ({"hole": ["KcKd", "KcQd", "JcJd"]}, "duplicate card Kc"),
        ({"hole": ["KcKd", "2c2d", 3]}, "hole.2: expected a text, got 3"),
        ({"board": "2s3s4h7h"}, "5 board cards"),
        ({"button": 3}, "button"),
        ({"button": 1.0}, "button: expected a whole number, got 1.0"),
        ({"antes": [0, 0]}, "antes"),
        ({"blinds": {"0": 1}}, "blinds: expected a"),
        ({"dead_antes": 0}, "dead_antes: expected true or false, got 0"),
        ({"game": "kuhn"}, "unknown game"),
        ({"game": "holdem-nl:stack=0"}, "expected a stack"),
        ({"actions": ["raise 300", "check"]}, "invalid check: 250 to call"),
        ({"actions": ["raise 1001"]}, "the maximum is 1000"),
        ({"actions": ["fold"] * 3}, "the hand is over"),
        ({"winner": 1}, "winner: unknown key"),
    ],
)
def test_what_was_never_saved_is_not_loaded(change: dict[str, Any], words: str) -> None:
    content = json.loads(played(start(1000, 1000, 1000), "raise 300").save()) | change
    try:
        text = json.dumps(content)
    except ValueError:  # Python writes no number of so many digits
        text = json.dumps(content | {"stacks": [0, 1, 2]}).replace("[0,", "[" + "9" * 5000 + ",")
    with pytest.raises(InputError, match=words):
        HoldemState.load(text)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, '{"schema": 2}', None, 5])
def test_what_is_no_json_object_is_not_loaded(text: Any) -> None:
    with pytest.raises(InputError, match="state"):
        HoldemState.load(text)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
SAVED = played(start(1000, 700, 300), "raise 300", "call").save()


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(json.loads(SAVED))), JSON)
def test_any_part_replaced_is_a_legal_hand_or_refused(name: str, value: object) -> None:
    _loads_or_refuses(json.dumps(json.loads(SAVED) | {name: value}))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(SAVED) - 1), st.text(max_size=3))
def test_any_letters_changed_are_a_legal_hand_or_refused(place: int, letters: str) -> None:
    _loads_or_refuses(SAVED[:place] + letters + SAVED[place + 1 :])


def _loads_or_refuses(text: str) -> None:
    try:
        state = HoldemState.load(text)
    except InputError:
        return
    assert HoldemState.load(state.save()) == state
    assert min(state.stacks) >= 0


# --- states as values ----------------------------------------------------------------------------------------------


def test_equal_states_are_equal_and_hash_alike() -> None:
    one, other = (played(start(1000, 1000), "raise 300", "call") for _ in range(2))
    assert one == other
    assert len({one, other}) == 1
    assert one != played(start(1000, 1000), "call", "raise 300", "call")  # the same chips by another way
    assert one != NL.start(["KcKd", "AcAd"], BOARD).apply("raise 300").apply("call")
    assert one != "another thing"
    other_game = holdem_game("holdem-nl", {"stack": "2000"}).start(HOLE[:2], BOARD, stacks=[1000, 1000])
    assert other_game != start(1000, 1000)


def test_a_repr_shows_the_table() -> None:
    state = played(NL.start(HOLE, BOARD, stacks=[1000, 0, 500]), "raise 300")
    assert repr(state).splitlines() == [
        "holdem-nl:stack=1000, preflop, pot 400, actor 0, legal: fold, call, raise 500 to 1000",
        "  [0] KcKd  stack 900, bet 100",
        "  [1] QcQd  stack 0, empty",
        "  [2] JcJd  stack 200, bet 300, button",
    ]
    over = played(state, "call", "check", "all-in", "fold")
    assert repr(over).splitlines()[0] == "holdem-nl:stack=1000, flop 2s3s4h, pot 600, the hand is over"
    assert "??" in repr(NL.start([(UNKNOWN, UNKNOWN), "KcKd"], BOARD))


@pytest.mark.parametrize("seat", [7, 3, -1, 2**70, 10**5000, None, "0", 1.0], ids=lambda seat: type(seat).__name__)
def test_seats_that_are_not_there_are_refused(seat: Any) -> None:
    state = start(1000, 1000, 1000)
    for look in (state.hole, state.view, state.information_state):
        with pytest.raises(InputError, match="0 to 2"):
            look(seat)


def test_information_states_tell_what_a_seat_knows() -> None:
    state = played(start(1000, 1000), "raise 300", "call")
    with_report = state.information_state(0)
    assert with_report == "seat 0, button 1, stacks 1000/1000, KcKd, raise 300, call, 2s3s4h"
    hidden = played(NL.start(["KcKd", "AsAh"], "2s3s4hTcTd"), "raise 300", "call")
    assert hidden.information_state(0) == with_report


@pytest.mark.parametrize("game", ["holdem-nl", "holdem-limit", "holdem-simple", "holdem-nl:ante=25"])
@pytest.mark.parametrize("stacks", [[1000, 1000], [1000, 60, 0, 700], [90, 20, 400]])
@pytest.mark.parametrize("button", [0, 2])
def test_a_hand_to_phh_in_one_call(game: str, stacks: list[int], button: int) -> None:
    hole = ["KcKd", "QcQd", "JcJd", "TcTd"][: len(stacks)]
    state = holdem_game(game.split(":")[0], {"ante": "25"} if ":" in game else {}).start(
        hole, BOARD, stacks=stacks, button=button % len(stacks)
    )
    while state.actor != NOBODY:
        state = state.apply(state.legal_actions()[-1])
    text = state.phh([f"player {seat}" for seat in range(len(stacks))])
    assert "player 0" in text
    replayed = replay_text(text)[0]
    assert replayed.reason == ""
    order = [(button + step) % len(stacks) for step in range(1, len(stacks) + 1)]
    final = [state.stacks[seat] for seat in order if state.table.start[seat]]
    assert list(replayed.final_stacks or ()) == final


def test_what_phh_needs() -> None:
    with pytest.raises(InputError, match="seat 1"):
        start(1000, 1000).phh()
    with pytest.raises(InputError, match="expected 2 names, one per seat, got 1"):
        start(1000, 1000).apply("fold").phh(["me"])


def test_texts_are_actions_of_small_games_too() -> None:
    state = game_of("kuhn").start().apply("K").apply("J")
    assert state.apply("bet 1") == state.apply(Action("bet", 1))
    assert state.view(0).legal_actions == state.legal_actions()
    assert state.view(1).legal_actions == ()
    with pytest.raises(InputError, match="expected 0 or 1"):
        state.view(2)


def test_a_raise_of_nothing_is_no_all_in() -> None:
    """Where one amount is legal, a raise to 0 is refused like any other; a text without an amount means the one."""
    state = NL.start(HOLE[:2], BOARD, stacks=[1000, 150])  # the button, at the last seat, acts first
    view = state.view(state.actor)
    assert view.min_raise_to == view.max_raise_to == 150
    with pytest.raises(InputError, match="150"):
        state.apply(Action("raise", 0))
    assert state.apply("raise").view(0).current_bet == 150
    limit = LIMIT.start(HOLE[:2], BOARD)
    assert limit.apply(Action("raise", 0)) == limit.apply("raise")


def test_antes_without_blinds() -> None:
    game = holdem_game("holdem-nl", {"blinds": "0/0", "ante": "10", "stack": "1000"})
    assert game_of(game.name) == game
    state = game.start(HOLE, BOARD)
    assert state.stakes() == (10, 10, 10)
    assert state.actor == 0  # left of the button, which is at the last seat
    view = state.view(0)
    assert (view.to_call, view.min_raise_to, view.current_bet) == (0, 10, 0)
    assert state.stakes() == NL.start(HOLE, BOARD, antes=[10] * 3, blinds=[0] * 3).stakes()
    with pytest.raises(InputError, match="ante"):
        holdem_game("holdem-nl", {"blinds": "0/0"})


def test_an_odd_chip_goes_to_the_first_winner_left_of_the_button() -> None:
    """The button is at the last seat: seat 0 is left of it, wherever counting by seats would begin."""
    state = NL.start(["KcQd", "KdQc", "7h2h"], "Kh8s5d3c9s", antes=[1, 1, 1], blinds=[50, 100, 0])
    state = played(state, "fold", "call", "check", *(["check"] * 6))
    assert state.actor == NOBODY
    assert state.returns() == (102 - 101, 101 - 101, -1)
