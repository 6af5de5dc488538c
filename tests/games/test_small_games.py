"""The rules of the small games: sizes, golden playthroughs, and a battery for every one of them."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwin.core.errors import InputError
from cardwin.games import SMALL_GAMES, game
from cardwin.games.base import CHANCE, NOBODY, Action, State, has_public_betting, winnings


def children(state: State) -> list[State]:
    if state.actor == NOBODY:
        return []
    if state.actor == CHANCE:
        return [state.apply(outcome) for outcome, _ in state.chance_outcomes()]
    return [state.apply(action) for action in state.legal_actions()]


def positions(state: State) -> Iterator[State]:
    yield state
    for following in children(state):
        yield from positions(following)


def replay(spec: str, *moves: str) -> State:
    state = game(spec).start()
    for move in moves:
        if state.actor == CHANCE:
            state = state.apply(move)
        else:
            name, _, amount = move.partition(" ")
            state = state.apply(Action(name, int(amount or 0)))
    return state


@pytest.mark.parametrize(
    ("spec", "chance", "decisions", "ends"),
    [
        ("kuhn", 4, 24, 30),  # as OpenSpiel counts them
        ("leduc", 157, 3780, 5520),  # as OpenSpiel counts them
        ("kuhn-breadth", 4, 48, 78),
        ("kuhn-depth", 4, 36, 54),
        ("kuhn-full", 4, 84, 150),
        ("kuhn-13", 14, 624, 780),
        ("onecard", 5, 112, 192),
    ],
)
def test_sizes(spec: str, chance: int, decisions: int, ends: int) -> None:
    actors = [state.actor for state in positions(game(spec).start())]
    counted = actors.count(CHANCE), sum(actor >= 0 for actor in actors), actors.count(NOBODY)
    assert counted == (chance, decisions, ends)


@pytest.mark.parametrize(
    "spec", [*SMALL_GAMES, "kuhn:cards=5", "kuhn-breadth:bets=1/2", "onecard:cards=3,bets=0/3,ante=1"]
)
def test_battery(spec: str) -> None:
    rules = game(spec)
    for state in positions(rules.start()):
        if state.actor == CHANCE:
            assert sum(chance for _, chance in state.chance_outcomes()) == 1
        elif state.actor == NOBODY:
            assert sum(state.returns()) == 0
        else:
            legal = state.legal_actions()
            assert len(set(legal)) == len(legal) >= 1
            assert len(state.gene_names()) in (0, len(legal) - 1)
            assert set(state.gene_names()) <= set(rules.gene_order)


def test_hidden_cards_are_not_in_what_a_seat_knows() -> None:
    for spec, cards in (("kuhn", ["J", "Q", "K"]), ("leduc", ["Js", "Qs", "Kh"])):
        texts = {
            replay(spec, "Q" if spec == "kuhn" else "Qh", card).information_state(0) for card in cards if card[0] != "Q"
        }
        assert len(texts) == 1


GOLDEN = [
    ("kuhn", ["J", "K", "check", "bet 1", "fold"], "J K: check, bet 1, fold", (-1, 1)),
    ("kuhn", ["K", "Q", "bet 1", "call"], "K Q: bet 1, call", (2, -2)),
    ("kuhn", ["Q", "J", "check", "check"], "Q J: check, check", (1, -1)),
    ("kuhn-depth", ["K", "Q", "bet 1", "raise 2", "call"], "K Q: bet 1, raise 2, call", (3, -3)),
    ("kuhn-depth", ["J", "Q", "bet 1", "raise 2", "fold"], "J Q: bet 1, raise 2, fold", (-2, 2)),
    ("kuhn-full", ["Q", "K", "check", "bet 10", "raise 20", "call"], "Q K: check, bet 10, raise 20, call", (-21, 21)),
    ("kuhn-breadth", ["Q", "K", "bet 2", "call"], "Q K: bet 2, call", (-3, 3)),
    ("onecard", ["4", "2", "bet 8", "call"], "4 2: bet 8, call", (10, -10)),
    ("onecard", ["3", "3", "bet 0", "call"], "3 3: bet 0, call", (0, 0)),
    ("onecard", ["1", "3", "bet 10", "fold"], "1 3: bet 10, fold", (2, -2)),
    ("leduc", ["Js", "Kh", "bet 2", "raise 4", "call", "Jh", "check", "bet 4", "raise 8", "call"],
     "Js Kh Jh: bet 2, raise 4, call | check, bet 4, raise 8, call", (13, -13)),
    ("leduc", ["Qs", "Qh", "check", "check", "Ks", "check", "check"], "Qs Qh Ks: check, check | check, check", (0, 0)),
    ("leduc", ["Ks", "Qh", "bet 2", "call", "Js", "bet 4", "fold"], "Ks Qh Js: bet 2, call | bet 4, fold", (3, -3)),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "moves", "text", "chips"), GOLDEN)
def test_golden_playthroughs(spec: str, moves: list[str], text: str, chips: tuple[int, int]) -> None:
    state = replay(spec, *moves)
    assert (str(state), state.returns(), state.actor) == (text, chips, NOBODY)


def test_gene_order_is_the_dissertations() -> None:
    assert game("kuhn").gene_order == ("B_J", "B_Q", "B_K", "C_J", "C_Q", "C_K")
    rows = list(dict.fromkeys(name.split("_")[0] for name in game("kuhn-full").gene_order))
    assert rows == ["B", "B>1", "B10", "NF1", "NF2", "NF10", "R1", "R2", "R10", "C1", "C2", "C10"]
    assert game("kuhn-breadth:bets=1/2").gene_order[:6] == ("B_J", "B_Q", "B_K", "B>1_J", "B>1_Q", "B>1_K")
    assert game("kuhn-13").gene_order[12] == "B_A"


@pytest.mark.parametrize(
    ("spec", "clue"),
    [
        ("kuuhn", "did you mean kuhn"),
        ("kuhn:card=3", "cards"),
        ("kuhn:cards=1", "from 2 to"),
        ("kuhn:cards", "cards=5"),
        ("kuhn:cards=3,cards=4", "duplicate parameter"),
        ("kuhn:bets=2/1", "rising"),
        ("onecard:cards=0", "cards"),
        ("onecard:bets=0/x", "bets"),
        ("leduc:cards=3", "cards"),
        ("", "unknown game"),
    ],
)
def test_bad_specifications_are_told_in_one_sentence(spec: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        game(spec)


def test_a_game_too_large_to_enumerate_does_not_start_without_cards() -> None:
    with pytest.raises(InputError, match="holdem-nl"):
        game("holdem-nl").start()


@given(st.text(max_size=30))
def test_any_text_is_a_game_or_an_input_error(spec: str) -> None:
    with suppress(InputError):
        game(spec)


@pytest.mark.parametrize("spec", SMALL_GAMES)
def test_a_game_with_public_betting_is_dealt_again(spec: str) -> None:
    rules = game(spec)
    assert has_public_betting(rules)
    for state in positions(rules.start()):
        if state.actor == NOBODY:
            dealt = tuple(map(str, state.dealt))  # type: ignore[attr-defined]
            other = (dealt[1], dealt[0], *dealt[2:])
            assert state.redeal(dealt) == state  # type: ignore[attr-defined]
            changed = state.redeal(other)  # type: ignore[attr-defined]
            assert (changed.stakes(), changed.actor) == (state.stakes(), NOBODY)
            assert changed.strengths() == state.strengths()[::-1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("stakes", "strengths", "folded", "won"),
    [
        ((1, 1), (0, 5), (), (-1, 1)),
        ((3, 1), (0, 5), {1}, (1, -1)),
        ((5, 5), (2, 2), (), (0, 0)),
        ((2, 2, 2), (7, 3, 1), {0}, (-2, 4, -2)),
        ((4, 4, 2), (6, 6, 9), {2}, (1, 1, -2)),
        ((2, 2, 1), (6, 6, 9), {2}, (1, 0, -1)),  # the odd chip goes to the first
    ],
)
def test_winnings(stakes: tuple[int, ...], strengths: tuple[int, ...], folded: set[int], won: tuple[int, ...]) -> None:
    assert winnings(stakes, strengths, folded) == won


def test_illegal_moves_name_what_is_legal() -> None:
    with pytest.raises(InputError, match="check, bet 1"):
        replay("kuhn", "J", "K", "call")
    with pytest.raises(InputError, match="Q, K"):
        replay("kuhn", "J", "J")
    with pytest.raises(InputError, match="over"):
        replay("kuhn", "J", "K", "check", "check", "check")
