"""The value function of `--reduce-variance`: weights of the check-down value by kind of event, fixed before a match.

See `corrections` for the events. Pots grow after a card is dealt, so a share of the pot is worth more than at present:
the weights are these factors, for each player of a match.

1. Players that are all compiled play a pilot of `PILOT` hands. Its cards come from a key that depends on nothing, so
   the value function depends on the game and the players only, never on the cards of the match.
2. For each player the weights are those of a regression of its results on the columns, drawn towards the weights of a
   plain check-down (`PLAIN_WEIGHTS`), as strongly as `PRIOR` hands would. The bound is a little more than the largest
   sum in the pilot: a smaller bound makes narrower intervals. If weights from the first half of the pilot do not lower
   the variance of the second half, the player's weights are zero: the estimate is chosen before play, and its results
   are only averaged over the boards after the last decision.
3. Matches with players that are called in Python have the plain weights, without a pilot.

A hash of the weights and the bound identifies the function in the result: it was fixed before the first card.
"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.corrections import BOUND, COLUMNS, OWN, PLAIN, POTS
from cardwin.arena.independent_hands import CompiledHands, Plan
from cardwin.arena.stakes import chips_at_stake
from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers
from cardwin.core.rng import key_of
from cardwin.games.holdem.game import HoldemGame

VERSION = "check-down 1"  # changes with the meaning of the columns
PILOT = 4_096  # hands
PRIOR = 100.0  # hands
BOUND_SHARE = 0.5  # the bound, as a share of the chips that a player can lose in a hand
MARGIN = 3  # after a pilot the bound is this many times the largest sum in it, if that is less

PLAIN_WEIGHTS = np.zeros(COLUMNS)
PLAIN_WEIGHTS[POTS:PLAIN] = PLAIN_WEIGHTS[OWN:] = 1.0


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """Weights (players, COLUMNS + 1) with the bound, in big blinds, and the number of hands of the pilot."""

    weights: Floats
    pilot: int

    @property
    def bound(self) -> float:
        """The maximum change of a result, in big blinds."""
        return float(self.weights[0, BOUND])

    @property
    def hash(self) -> str:
        """The name of the function."""
        digest = hashlib.blake2b(VERSION.encode(), digest_size=16)
        digest.update(np.ascontiguousarray(self.weights).tobytes())
        return digest.hexdigest()


def plain_function(game: HoldemGame, players: int) -> ValueFunction:
    """Return the plain check-down value."""
    weights = np.empty((players, COLUMNS + 1))
    weights[:, :COLUMNS] = PLAIN_WEIGHTS
    weights[:, BOUND] = BOUND_SHARE * chips_at_stake(game, players) / game.min_bet
    return ValueFunction(weights, 0)


def fitted_function(plan: Plan, workers: Workers = 1) -> ValueFunction:
    """Return the value function of a match of compiled players, from a pilot with its own cards."""
    seats = len(plan.makers)
    weights = plain_function(plan.game, seats).weights
    no_corrections = np.zeros_like(weights)  # a bound of 0: columns are summed, results stay as they are
    pilot = replace(plan, key=key_of(0, "value function"), duplicate=False, adjust=True, weights=no_corrections)
    chips, results = np.zeros((PILOT, seats), np.int64), np.zeros((PILOT, seats))
    columns = np.zeros((PILOT, seats, COLUMNS))
    hands = CompiledHands(pilot, [make() for make in plan.makers], workers)
    hands.play(0, chips, results, lambda _: None, True, columns)
    largest = 0.0
    for player in range(seats):
        fitted = chosen_weights(results[:, player] / plan.game.min_bet, columns[:, player])
        weights[player, :COLUMNS] = fitted
        largest = max(largest, float(np.abs(columns[:, player] @ fitted).max()))
    weights[:, BOUND] = np.minimum(weights[:, BOUND], MARGIN * largest)
    return ValueFunction(weights, PILOT)


def chosen_weights(results: Floats, columns: Floats) -> Floats:
    """Return the fitted weights (COLUMNS,), or zeros if fitted weights do not lower the variance of other hands."""
    half = len(results) // 2
    first_half = fitted_weights(results[:half], columns[:half])
    other, other_columns = results[half:], columns[half:]
    if (other - other_columns @ first_half).var() >= other.var() > 0:
        return np.zeros(COLUMNS)
    return fitted_weights(results, columns)


def fitted_weights(results: Floats, columns: Floats) -> Floats:
    """Return the weights (COLUMNS,) of columns (hands, COLUMNS) that best explain results (hands,)."""
    left = results - results.mean() - columns @ PLAIN_WEIGHTS
    square = columns.T @ columns
    spread = np.diag(square) / len(results)
    damped = square + np.diag(np.where(spread > 0, PRIOR * spread, 1.0))
    return PLAIN_WEIGHTS + np.linalg.solve(damped, columns.T @ left)
