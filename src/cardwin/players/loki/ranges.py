"""The range of a seat in a recorded hand, after each of its actions, by Loki's opponent model.

Weights are those of the model: 1 if a holding fits everything that the seat did, less the less it fits.
"""

from dataclasses import dataclass
from html import escape

import numpy as np

from cardwin.cards.ehs_cache import board_ehs, effective_strengths
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, HOLDING_CARDS, Weights, holding_index, holding_text
from cardwin.cards.income import GROUPS, group_of, holding_incomes
from cardwin.core.errors import InputError
from cardwin.games.holdem.events import Acted, BoardDealt, HandBegan
from cardwin.games.holdem.history import History, replay
from cardwin.games.holdem.table import UNKNOWN
from cardwin.players.loki.model import OpponentModel
from cardwin.players.loki.public_hand import PublicHand

LIKELIEST = 10


@dataclass(frozen=True)
class Range:
    """A seat's range: weights (1326,), 0 for impossible holdings, after an action on a street's board.

    `strength` is the hand strength of the viewing seat against this range, if its cards are known.
    """

    street: int
    board: tuple[int, ...]
    action: str
    weights: Weights
    values: Weights
    strength: float | None = None

    @property
    def share(self) -> float:
        """The mean weight of the possible holdings: the share of all holdings that is left."""
        possible = self.weights > 0
        return float(self.weights[possible].mean()) if possible.any() else 0.0

    @property
    def likely(self) -> list[tuple[str, float]]:
        """The ten holdings of largest weight, the best first among equal weights."""
        first = np.lexsort((-self.values, -self.weights))[:LIKELIEST]
        return [(holding_text(int(one)), round(float(self.weights[one]), 4)) for one in first if self.weights[one] > 0]

    @property
    def grid(self) -> Weights:
        """The mean weights of possible holdings, by class in the 13 x 13 grid; 0 if there are none."""
        sums = np.bincount(CLASS_OF_HOLDING, weights=self.weights)
        possible = np.bincount(CLASS_OF_HOLDING, weights=self.weights > 0)
        means: Weights = (sums / np.maximum(possible, 1)).reshape(13, 13)
        return means

    def _repr_html_(self) -> str:
        """The 13 x 13 grid, darker for more likely holdings."""
        rows = ""
        for row in range(13):
            cells = zip(CLASS_NAMES[13 * row : 13 * row + 13], self.grid[row].tolist(), strict=True)
            rows += "<tr>" + "".join(f'<td style="{_shade(weight)}">{name}</td>' for name, weight in cells) + "</tr>"
        return f"<table><caption>{escape(self.action)}: {self.share:.0%} left</caption>{rows}</table>"


def _shade(weight: float) -> str:
    return f"background:rgba(214,96,77,{weight:.2f});padding:2px 4px;min-width:0;text-align:center"


def likeliest(weights: Weights, values: Weights, gone: tuple[int, ...]) -> list[tuple[str, float]]:
    """The ten holdings of largest weight without the removed cards."""
    return Range(0, (), "", without(weights, gone), values).likely


def without(weights: Weights, gone: tuple[int, ...]) -> Weights:
    """The weights (1326,) with 0 for holdings that have a removed card."""
    return np.where(np.isin(HOLDING_CARDS, gone).any(axis=1), 0.0, weights)


def values_of(board: tuple[int, ...], players: int, suitless: bool) -> Weights:
    """The values that order holdings (1326,): the income rate before the flop, EHS' after it."""
    return effective_strengths(board, suitless) if board else holding_incomes(GROUPS[group_of(players)])


def ranges_of(
    history: History, of: int, for_seat: int | None = None, model: OpponentModel | None = None
) -> list[Range]:
    """The ranges of a seat at the start and after each of its actions; seats count from 0.

    With `for_seat` it is that seat's view: its own cards are removed.
    """
    for seat in (of, of if for_seat is None else for_seat):
        if not 0 <= seat < len(history.stacks):
            raise InputError(f"no seat {seat + 1}: this hand has seats 1 to {len(history.stacks)}")
    hole = () if for_seat is None else tuple(history.hole[for_seat])
    if UNKNOWN in hole:
        raise InputError(f"seat {for_seat + 1 if for_seat is not None else ''}'s cards are unknown: leave out --for")
    model = model or OpponentModel("generic")
    model.begin_hand()
    hand = PublicHand.begun(HandBegan(len(history.stacks) - 1, history.stacks, history.game.min_bet))
    looker = _Looker(model, hand, of, hole, history.game.kind == "simple")
    found = [looker.look("the deal")]
    for event in replay(history).events:
        if isinstance(event, Acted):
            model.observe(event.seat, hand.situation(event.seat), event.action)
        hand.follow(event)
        if isinstance(event, Acted) and event.seat == of:
            found.append(looker.look(str(event.action)))
        elif isinstance(event, BoardDealt) and of not in hand.folded:
            found.append(looker.look("the board"))
    return found


@dataclass(frozen=True)
class _Looker:
    """The viewer of a seat's range, with the viewer's own cards."""

    model: OpponentModel
    hand: PublicHand
    of: int
    hole: tuple[int, ...]
    suitless: bool

    def look(self, action: str) -> Range:
        hand, board = self.hand, self.hand.boards[-1]
        weights = without(self.model.weights(self.of, hand, self.suitless), (*board, *self.hole))
        strength = None
        if board and self.hole:
            strength = float(board_ehs(board, self.suitless).strengths(weights)[holding_index(*self.hole)])
        values = values_of(board, hand.players, self.suitless)
        return Range(hand.street, board, action, weights, values, strength)
