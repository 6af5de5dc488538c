"""The range of a seat in a recorded hand, after each of its actions, by Loki's opponent model.

Weights are those of the model: 1 if a holding fits everything that the seat did, less the less it fits.
"""

from dataclasses import dataclass
from html import escape

import numpy as np

from cardwin.cards.ehs import board_ehs
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, HOLDING_CARDS, Weights, holding_index, holding_text
from cardwin.core.errors import InputError
from cardwin.games.holdem.events import Acted, BoardDealt, HandBegan
from cardwin.games.holdem.history import History, replay
from cardwin.games.holdem.table import UNKNOWN
from cardwin.players.loki.opponent_model import OpponentModel
from cardwin.players.loki.public_hand import PublicHand
from cardwin.players.loki.state import LokiSettings

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
        order = np.lexsort((-self.values, -self.weights))[:LIKELIEST].tolist()
        return [(holding_text(index), round(float(self.weights[index]), 4)) for index in order if self.weights[index]]

    @property
    def grid(self) -> Weights:
        """The mean weights of possible holdings, by class in the 13 x 13 grid; 0 if there are none."""
        sums = np.bincount(CLASS_OF_HOLDING, weights=self.weights)
        possible = np.bincount(CLASS_OF_HOLDING, weights=self.weights > 0)
        means: Weights = (sums / np.maximum(possible, 1)).reshape(13, 13)
        return means

    def _repr_html_(self) -> str:
        """Return the 13 x 13 grid, darker for more likely holdings."""
        rows = ""
        for row in range(13):
            cells = zip(CLASS_NAMES[13 * row : 13 * row + 13], self.grid[row].tolist(), strict=True)
            rows += "<tr>" + "".join(f'<td style="{_shade(weight)}">{name}</td>' for name, weight in cells) + "</tr>"
        return f"<table><caption>{escape(self.action)}: {self.share:.0%} left</caption>{rows}</table>"


def _shade(weight: float) -> str:
    return f"background:rgba(214,96,77,{weight:.2f});padding:2px 4px;min-width:0;text-align:center"


def likeliest(weights: Weights, values: Weights, removed: tuple[int, ...]) -> list[tuple[str, float]]:
    """Return the ten holdings of largest weight without the removed cards."""
    return Range(0, (), "", without(weights, removed), values).likely


def without(weights: Weights, removed: tuple[int, ...]) -> Weights:
    """Return the weights (1326,) with 0 for holdings that have a removed card."""
    return np.where(np.isin(HOLDING_CARDS, removed).any(axis=1), 0.0, weights)


def ranges_of(
    history: History, of: int, for_seat: int | None = None, model: OpponentModel | None = None
) -> list[Range]:
    """Return the ranges of a seat at the start and after each of its actions.

    Args:
        history: the hand.
        of: the seat whose range is estimated, from 0.
        for_seat: the seat that estimates, from 0; its own cards are removed. None removes none.
        model: the opponent model; a generic one by default.

    Raises:
        InputError: there is no such seat, or the cards of `for_seat` are unknown.

    """
    for seat in (of, of if for_seat is None else for_seat):
        if not 0 <= seat < len(history.stacks):
            raise InputError(f"invalid seat {seat + 1}: expected 1 to {len(history.stacks)}")
    hole = () if for_seat is None else tuple(history.hole[for_seat])
    if UNKNOWN in hole:
        raise InputError(f"seat {for_seat + 1 if for_seat is not None else ''}'s cards are unknown: leave out --for")
    model = model or OpponentModel(LokiSettings("generic"))
    model.begin_hand()
    hand = PublicHand.begun(HandBegan(len(history.stacks) - 1, history.stacks, history.game.min_bet))
    suitless = history.game.kind == "simple"

    def estimate(action: str) -> Range:
        board = hand.boards[-1]
        weights = without(model.weights(of, hand, suitless), (*board, *hole))
        strength = None
        if board and hole:
            strength = float(board_ehs(board, suitless).strengths(weights)[holding_index(*hole)])
        return Range(hand.street, board, action, weights, model.values(hand, suitless), strength)

    ranges = [estimate("the deal")]
    for event in replay(history).events:
        if isinstance(event, Acted):
            model.observe(event.seat, hand.situation(event.seat), event.action)
        hand.follow(event)
        if isinstance(event, Acted) and event.seat == of:
            ranges.append(estimate(str(event.action)))
        elif isinstance(event, BoardDealt) and of not in hand.folded:
            ranges.append(estimate("the board"))
    return ranges
