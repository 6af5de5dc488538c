"""A game with public betting has the same tree as the same game walked position by position."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.games import SMALL_GAMES, game
from cardwin.games.base import (
    CALL,
    CHANCE,
    CHECK,
    FOLD,
    NOBODY,
    Action,
    Game,
    SmallView,
    small_view,
    validate_move,
    winnings,
)
from cardwin.solvers.tree import Tree, tree_of, zero_sum_tree_of


def contents(tree: Tree) -> dict[str, object]:
    """Everything in a tree but its game, arrays as bytes."""
    parts: dict[str, Any] = {
        "first": tree.sequences[0],
        "second": tree.sequences[1],
        "terminals": tree.terminals,
        "nodes": tree.nodes,
    }
    found: dict[str, object] = {}
    for name, part in parts.items():
        names = getattr(part, "_fields", None) or [field.name for field in fields(part)]
        for key in (*names, "infosets", "actions", "gene_names", "chips"):
            value = getattr(part, key, None)
            if isinstance(value, np.ndarray):
                value = value.dtype, value.shape, value.tobytes()
            found[f"{name}.{key}"] = None if key == "sets" else value
    return found


def walked_by_position(rules: Game) -> Game:
    """The same game without its promise that betting is public."""
    kind = type("Private", (type(rules),), {"betting_is_public": False})
    return kind(**{field.name: getattr(rules, field.name) for field in fields(rules)})  # type: ignore[no-any-return, arg-type]


@dataclass(frozen=True)
class Lopsided:
    """Unequal probabilities, as many second cards as the first says, an upcard after a call, genes for some sets."""

    name: str = "lopsided"
    title: str = "Lopsided poker"
    gene_order: tuple[str, ...] = ("second", "first")
    betting_is_public = True

    def start(self) -> "LopsidedState":
        return LopsidedState(self)


@dataclass(frozen=True)
class LopsidedState:
    game: Lopsided
    dealt: tuple[str, ...] = ()
    moves: tuple[Action, ...] = ()

    @property
    def actor(self) -> int:
        if len(self.dealt) < 2 or (self.moves[1:] == (CALL,) and len(self.dealt) == 2):
            return CHANCE
        if self.moves[:1] == (CHECK,) or FOLD in self.moves or len(self.moves) == 3:
            return NOBODY
        return len(self.moves) % 2

    def legal_actions(self) -> tuple[Action, ...]:
        return ((CHECK, Action("bet", 1), Action("bet", 3)), (FOLD, CALL), (FOLD, CHECK))[len(self.moves)]

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        if not self.dealt:
            return [("1", Fraction(1, 7)), ("2", Fraction(2, 7)), ("3", Fraction(4, 7))]
        cards = int(self.dealt[0]) + len(self.dealt)
        return [(str(card), Fraction(2 * card, cards * (cards + 1))) for card in range(1, cards + 1)]

    def apply(self, move: Action | str) -> "LopsidedState":
        move = validate_move(self.game.name, self, move)
        if isinstance(move, str):
            return replace(self, dealt=(*self.dealt, move))
        return replace(self, moves=(*self.moves, move))

    def redeal(self, outcomes: tuple[str, ...]) -> "LopsidedState":
        return replace(self, dealt=outcomes)

    def view(self, seat: int) -> SmallView:
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        return f"{self.dealt[seat : seat + 1]} and {self.dealt[2:]} after {', '.join(map(str, self.moves))}"

    def gene_names(self) -> tuple[str, ...]:
        return (("first",), ("second",))[self.actor] if self.dealt[self.actor] == "1" and self.moves else ()

    def stakes(self) -> tuple[int, int]:
        bet = self.moves[0].amount if self.moves else 0
        return 1 + bet, 1 + bet * (CALL in self.moves)

    def strengths(self) -> tuple[int, ...]:
        return tuple(int(card) * (3 if card in self.dealt[2:] else 1) for card in self.dealt[:2])

    def returns(self) -> tuple[int, ...]:
        folded = {(len(self.moves) - 1) % 2} if self.moves[-1] == FOLD else ()
        return winnings(self.stakes(), self.strengths(), folded)


RULES = [
    *map(game, SMALL_GAMES),
    *map(game, ("kuhn:cards=2", "kuhn-full:cards=6,bets=1/3/7/20", "onecard:cards=1,bets=0,ante=1")),
    Lopsided(),
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_both_walks_give_the_same_arrays(rules: Game) -> None:
    public, private = contents(tree_of(rules)), contents(tree_of(walked_by_position(rules)))
    assert [key for key in public if public[key] != private[key]] == []


def test_a_walk_of_public_betting_applies_few_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leduc hold'em has 9,457 positions, and 151 lines of betting."""
    from cardwin.games.small.leduc import LeducState

    applied, apply = [], LeducState.apply

    def counted(state: LeducState, move: Action | str) -> LeducState:
        applied.append(move)
        return apply(state, move)

    monkeypatch.setattr(LeducState, "apply", counted)
    tree_of.__wrapped__(game("leduc"))
    assert len(applied) < 200


def test_payoffs_are_of_both_seats() -> None:
    for rules in (game("leduc"), walked_by_position(game("leduc"))):
        payoffs = tree_of(rules).terminals.payoffs
        assert payoffs.shape == (5520, 2)
        assert not payoffs.sum(axis=1).any()


def test_a_lopsided_game_is_solved() -> None:
    solution = cardwin.solve(Lopsided())
    assert solution.exploitability < 1e-12
    assert solution.value == pytest.approx(cardwin.solve(walked_by_position(Lopsided())).value)


class OneSided(LopsidedState):
    def returns(self) -> tuple[int, ...]:
        return 1, 0


class Uncertain(LopsidedState):
    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        return [(card, chance / 2) for card, chance in super().chance_outcomes()]


class Forgetful(LopsidedState):
    def information_state(self, seat: int) -> str:
        return super().information_state(seat) if len(self.dealt) < 3 else f"upcard {self.dealt[2]}"


class Confused(LopsidedState):
    def information_state(self, seat: int) -> str:
        return f"seat {seat + 1}"


ONE_SIDED = r"lopsided is not zero-sum, .* expected returns that sum to 0, got \(1, 0\) after 1, 1, check$"
UNCERTAIN = r"lopsided: expected probabilities of outcomes that sum to 1, got 1/2 after the start$"
FORGETFUL = r"lopsided: expected perfect recall, got 'upcard 1' after different actions of seat 1: \w+, \w+, .+"
CONFUSED = (
    r"lopsided: expected the same legal actions at all positions that seat 1 knows as 'seat 1', "
    r"got others after \w+, .+"
)


@pytest.mark.parametrize(
    ("kind", "public", "message"),
    [
        (OneSided, True, ONE_SIDED),
        (OneSided, False, ONE_SIDED),
        (Uncertain, True, UNCERTAIN),
        (Uncertain, False, UNCERTAIN),
        (Forgetful, True, FORGETFUL),
        (Forgetful, False, FORGETFUL),
        (Confused, False, CONFUSED),
    ],
)
def test_an_invalid_game_is_refused(kind: type[LopsidedState], public: bool, message: str) -> None:
    @dataclass(frozen=True)
    class Invalid(Lopsided):
        betting_is_public = public

        def start(self) -> LopsidedState:
            return kind(self)

    with pytest.raises(InputError, match=message):
        zero_sum_tree_of(Invalid())
