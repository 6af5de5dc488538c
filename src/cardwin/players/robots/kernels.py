"""The decisions of Chen's robots (2018) and of matrix players, from a view's row and a row of named parameters.

Each kernel returns a raw decision: an action, the total bet if it raises, and for the explanation its strength and pot
odds (-1 if not computed). The hooks in `compiled` and the Python forms in `robot` call these kernels, and
`nearest_legal` makes the decision legal.

Pot odds are bet / (bet + pot), with the pot before the bet faced: $1 into $4 is .2.
"""

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import RANKS
from cardwin.cards.ranks import rank_cards, simple_rank
from cardwin.cards.rollouts import chen_formula, rollout_strength
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.holdem import view as at
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import ACTIVE
from cardwin.players.robots.parameters import MATRIX_PARAMETERS, STANDARD_PARAMETERS, V1_PARAMETERS, indices
from cardwin.players.view_numbers import opponents_of, pot_of

Row = npt.NDArray[np.int64]
Parameters = npt.NDArray[np.float64]
Decision = tuple[int, int, float, float]

STANDARD, V1, MATRIX = indices(STANDARD_PARAMETERS), indices(V1_PARAMETERS), indices(MATRIX_PARAMETERS)
MATRIX_CELLS = len(MATRIX_PARAMETERS)  # index of the first weight of a matrix
STRENGTHS, COSTS = 8, 5  # rows and columns of a matrix, each with weights of fold, call and raise

_TRIPS, _TWO_PAIRS_RANK = 4, 2468
_COST_EDGES = np.array([0.15, 0.3, 0.4])
_PROTECTED_BLINDS, _PROTECTED_STRENGTH = 4, 0.5


def _chart(hands: str) -> npt.NDArray[np.bool_]:
    chart = np.zeros((13, 13), np.bool_)
    for hand in hands.split():
        first, second = RANKS.index(hand[0]), RANKS.index(hand[1])
        chart[first, second] = chart[second, first] = True
    return chart


RAISING_STARTS = _chart("AA KK QQ AK AQ KQ JJ TT 99")  # (13, 13), by the ranks of the two cards


@kernel
def pot_odds(row: Row) -> float:
    """Return the price of a call; if checking is free, the price of the minimum bet."""
    pot = pot_of(row)
    # The bet faced is already in the pot: pot = the pot before it + the bet.
    if row[at.TO_CALL] > 0:
        return float(row[at.TO_CALL] / pot)
    return float(row[at.BIG_BLIND] / (row[at.BIG_BLIND] + pot))


@kernel
def third_of(row: Row) -> int:
    """Return the actor's position among the players left: 0 front, 1 middle, 2 back (always for the last one)."""
    before, left, passed = 0, 0, False
    for step in range(1, row[at.SEAT_COUNT] + 1):
        seat = (row[at.BUTTON] + step) % row[at.SEAT_COUNT]
        if row[at.STATUSES + seat] == ACTIVE:
            left += 1
            before += not passed
        passed = passed or seat == row[at.SEAT]
    return (3 * before - 1) // left


@kernel
def beats_two_pairs(row: Row) -> bool:
    """Return whether the current hand is better than two pairs."""
    cards = row[at.HOLE : at.BOARD_AT + row[at.BOARD_SIZE]]
    if row[at.SUITLESS]:
        return simple_rank(cards) >> 20 >= _TRIPS
    return rank_cards(cards) < _TWO_PAIRS_RANK


@kernel
def faces_reraise(row: Row) -> bool:
    """Return whether a raise of a raise has to be called."""
    return bool(row[at.TO_CALL] > 0 and row[at.RAISES] > 1)


@kernel
def raise_by(row: Row, min_bets: float) -> int:
    """Return the total bet after a raise by this number of minimum bets."""
    return int(row[at.CURRENT_BET] + round(min_bets * row[at.BIG_BLIND]))


@kernel
def good_hand(row: Row) -> bool:
    """Return whether a Standard raises with the hand: by the chart before the flop, above two pairs after it."""
    if row[at.BOARD_SIZE] == 0:
        return bool(RAISING_STARTS[row[at.HOLE] >> 2, row[at.HOLE + 1] >> 2])
    return bool(beats_two_pairs(row))


@kernel
def standard(p: Parameters, row: Row, rng: Stream) -> Decision:  # noqa: ARG001
    """Decide as Standard: a chart of starting hands, then position, and pot odds facing a raise."""
    if row[at.TO_CALL] > 0 and row[at.RAISES] > 0:
        odds = pot_odds(row)
        if faces_reraise(row) and p[STANDARD.reraise] == 0:
            return FOLD, 0, -1.0, odds
        stays = odds <= p[STANDARD.odds] or (p[STANDARD.good_hands] == 1 and good_hand(row))
        return CALL if stays else FOLD, 0, -1.0, odds
    if row[at.BOARD_SIZE] == 0:
        a, b = row[at.HOLE], row[at.HOLE + 1]
        if RAISING_STARTS[a >> 2, b >> 2]:
            return RAISE, raise_by(row, p[STANDARD.size]), -1.0, -1.0
        return CALL if chen_formula(a, b) >= p[STANDARD.calls] else FOLD, 0, -1.0, -1.0
    third = third_of(row)
    if beats_two_pairs(row):
        return RAISE, raise_by(row, 1.0 + third), -1.0, -1.0
    if third == 2 and row[at.RAISES] == 0:
        return RAISE, raise_by(row, 1.0), -1.0, -1.0
    return CALL, 0, -1.0, -1.0


@kernel
def table_of_three(p: Parameters, rate: float) -> tuple[float, float]:
    """Return the probabilities of fold and call at a return rate; the rest is raise."""
    if rate < p[V1.weak]:
        return 1.0 - p[V1.weak_bluff] * p[V1.bluffs], 0.0
    if rate < p[V1.fair]:
        return 1.0 - p[V1.fair_call] - p[V1.fair_bluff] * p[V1.bluffs], p[V1.fair_call]
    return 0.0, 1.0 - (p[V1.raise_share] if rate < p[V1.threshold] else p[V1.strong_raise_share])


@kernel
def v1(p: Parameters, row: Row, rng: Stream) -> Decision:
    """Decide as AI V1: simulated strength over pot odds is the return rate, which a table maps to an action."""
    odds = pot_odds(row)
    if faces_reraise(row) and p[V1.reraise] == 0:
        return FOLD, 0, -1.0, odds
    hole, board = row[at.HOLE : at.BOARD_AT], row[at.BOARD_AT : at.BOARD_AT + row[at.BOARD_SIZE]]
    strength = rollout_strength(
        hole,
        board,
        opponents_of(row),
        int(p[V1.rollouts]),
        row[at.SUITLESS] == 1,
        p[V1.ties] == 1,
        p[V1.deals] == 1,
        p[V1.drop],
        rng,
    )
    fold, call = table_of_three(p, strength / odds)
    left = row[at.STACKS + row[at.SEAT]] - row[at.TO_CALL]
    endangered = row[at.TO_CALL] > 0 and left < _PROTECTED_BLINDS * row[at.BIG_BLIND]
    if p[V1.protect] == 1 and endangered and strength < _PROTECTED_STRENGTH:
        return FOLD, 0, strength, odds
    point = draw_uniform(rng)
    if point < fold:
        return FOLD, 0, strength, odds
    if point < fold + call:
        return CALL, 0, strength, odds
    return RAISE, raise_by(row, p[V1.size]), strength, odds


@kernel
def cost_column(row: Row) -> int:
    """Return the column of a matrix: nothing to call, then by the call's share of the pot after it."""
    if row[at.TO_CALL] == 0:
        return 0
    cost = row[at.TO_CALL] / (pot_of(row) + row[at.TO_CALL])
    column = 1
    for edge in _COST_EDGES:
        column += cost >= edge
    return column


@kernel
def matrix(p: Parameters, row: Row, rng: Stream) -> Decision:
    """Decide by a matrix: strength against one opponent and cost select a cell, whose three weights are drawn from."""
    hole, board = row[at.HOLE : at.BOARD_AT], row[at.BOARD_AT : at.BOARD_AT + row[at.BOARD_SIZE]]
    others = opponents_of(row)
    strength = rollout_strength(
        hole, board, others, int(p[MATRIX.rollouts]), row[at.SUITLESS] == 1, False, False, 0.0, rng
    )
    # The root makes strengths against many and few opponents comparable.
    line = min(int(strength ** (1.0 / others) * STRENGTHS), STRENGTHS - 1)
    cell = MATRIX_CELLS + 3 * (COSTS * line + cost_column(row))
    fold, call, bold = p[cell], p[cell + 1], p[cell + 2]
    point = draw_uniform(rng) * (fold + call + bold)
    odds = pot_odds(row)
    if point < fold:
        return FOLD, 0, strength, odds
    if point < fold + call:
        return CALL, 0, strength, odds
    return RAISE, int(row[at.CURRENT_BET] + p[MATRIX.size] * (pot_of(row) + row[at.TO_CALL])), strength, odds


@kernel
def blind(p: Parameters, row: Row, rng: Stream) -> Decision:  # noqa: ARG001
    """Fold, call or make the minimum raise with the probabilities of its two parameters, whatever the cards."""
    drawn = draw_uniform(rng)
    if drawn < p[1]:
        return RAISE, 0, -1.0, -1.0
    return (CALL if drawn < p[0] + p[1] else FOLD), 0, -1.0, -1.0
