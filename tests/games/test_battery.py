"""What every registered game must keep to, small or large: a new line in the registry inherits all of this."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, draw_below, shuffle_first, stream_of
from cardwin.games import GAMES, HOLDEM_GAMES, SMALL_GAMES
from cardwin.games.base import CHANCE, NOBODY, Action, State
from cardwin.games.holdem import HoldemState, HoldemView

HANDS = 12


def playout(state: State, rng: Stream) -> Iterator[State]:
    """Every position of a random hand."""
    yield state
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            outcomes = state.chance_outcomes()
            state = state.apply(outcomes[draw_below(rng, len(outcomes))][0])
        else:
            actions = state.legal_actions()
            state = state.apply(actions[draw_below(rng, len(actions))])
        yield state


def hands(name: str, seed: int = 3) -> Iterator[list[State]]:
    """Random hands, of all numbers of players that the game allows."""
    rng = stream_of(seed)
    for number in range(1, HANDS + 1):
        players = 2 + number % 5 if name in HOLDEM_GAMES else 2
        yield list(playout(cardwin.deal(name, players, seed, hand=number), rng))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_tells_who_it_is(name: str) -> None:
    game = cardwin.game(name)
    assert game.name == name
    assert game.title
    assert game == cardwin.game(game.name)
    assert hash(game) == hash(cardwin.game(game.name))


@pytest.mark.parametrize("name", GAMES)
def test_legal_actions_are_legal_by_name_too_and_others_are_not(name: str) -> None:
    for hand in hands(name):
        for state in hand:
            if state.actor in (CHANCE, NOBODY):
                continue
            legal = state.legal_actions()
            assert len(set(legal)) == len(legal) >= 1
            for action in legal:
                assert state.apply(action) == state.apply(str(action))
            for wrong in (Action("dance"), "dance", Action("bet", 10**9), "raise 123456789"):
                with pytest.raises(InputError):
                    state.apply(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_deals_the_same_hands_and_positions_are_values(name: str) -> None:
    first, again, other = list(hands(name)), list(hands(name)), list(hands(name, seed=4))
    assert first == again
    assert first != other
    assert [hash(hand[-1]) for hand in first] == [hash(hand[-1]) for hand in again]


@pytest.mark.parametrize("name", GAMES)
def test_chips_are_whole_and_conserved_and_a_hand_that_is_over_stays_so(name: str) -> None:
    for hand in hands(name):
        end = hand[-1]
        assert all(isinstance(chips, int) for chips in end.returns())
        assert sum(end.returns()) == 0
        with pytest.raises(InputError, match="over"):
            end.apply("call")


@pytest.mark.parametrize("name", GAMES)
def test_only_whoever_has_the_turn_sees_legal_actions(name: str) -> None:
    for hand in hands(name):
        for state in hand:
            for seat in range(len(hand[-1].returns())):
                view = state.view(seat)
                assert view.seat == seat
                assert view.legal_actions == (state.legal_actions() if state.actor == seat else ())
            for seat in (-1, len(hand[-1].returns())):
                with pytest.raises(InputError, match="invalid seat"):
                    state.view(seat)


@pytest.mark.parametrize("name", HOLDEM_GAMES)
def test_saved_equals_loaded_at_every_position(name: str) -> None:
    for hand in hands(name):
        for state in hand:
            assert isinstance(state, HoldemState)
            assert HoldemState.load(state.save()) == state


# --- hidden cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_small_games_views_do_not_change_with_the_other_card(name: str) -> None:
    start, rng, compared = cardwin.game(name).start(), stream_of(5), 0
    cards = [outcome for outcome, _ in start.chance_outcomes()][:4]
    deals = {pair: state for pair in product(cards, cards) if (state := dealt(start, pair)) is not None}
    for seat, one, two in product((0, 1), deals, deals):
        if one[seat] == two[seat] and one != two:
            state, other = deals[one], deals[two]
            while state.actor not in (CHANCE, NOBODY):
                assert state.view(seat) == other.view(seat)
                compared += 1
                actions = state.legal_actions()
                action = actions[draw_below(rng, len(actions))]
                state, other = state.apply(action), other.apply(action)
    assert compared > 10


def dealt(state: State, cards: tuple[str, str]) -> State | None:
    """The position after a deal, or None where the deck has no such two cards."""
    if cards[1] not in [outcome for outcome, _ in state.apply(cards[0]).chance_outcomes()]:
        return None
    return state.apply(cards[0]).apply(cards[1])


def with_other_hidden_cards(state: HoldemState, seat: int, rng: Stream) -> HoldemState:
    """The same position with all cards that the seat cannot see drawn anew."""
    seen = {*state.hole(seat), *state.board}
    rest = np.array([card for card in range(52) if card not in seen])
    shuffle_first(rng, rest, 25)
    changed = HoldemState(state.game, state.tables.copy(), state.log)
    hole, board = changed.tables["hole"][0], changed.tables["board"][0]
    own = hole[2 * seat : 2 * seat + 2].copy()
    hole[: 2 * state.seats] = rest[: 2 * state.seats]
    hole[2 * seat : 2 * seat + 2] = own
    board[len(state.board) :] = rest[20 : 25 - len(state.board)]
    return changed


def as_bytes(view: HoldemView) -> bytes:
    return np.array(view.row).tobytes()


@pytest.mark.parametrize("name", HOLDEM_GAMES)
def test_views_do_not_change_with_hidden_cards(name: str) -> None:
    rng, compared = stream_of(5), 0
    for hand in hands(name):
        for state in hand[:-1]:
            assert isinstance(state, HoldemState)
            for seat in range(state.seats):
                other = with_other_hidden_cards(state, seat, rng)
                assert other.view(seat) == state.view(seat)
                assert as_bytes(other.view(seat)) == as_bytes(state.view(seat))
                assert str(other.view(seat)) == str(state.view(seat))
                assert other.events == state.events
                assert other.information_state(seat) == state.information_state(seat)
                compared += 1
    assert compared > 200
