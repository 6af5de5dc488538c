"""Bounds of a player's result, which confidence intervals need.

The all-in adjustment replaces a result by a mean of possible results, so it keeps these bounds. Control variates move
a result, so their intervals widen the bounds by the largest correction (`MatchRecord.moved`).
"""

from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import UNBOUNDED

Bounds = tuple[float, float]


def chips_at_stake(game: HoldemGame, seats: int = 2) -> int:
    """The most that one player can lose in one hand with the default stack: all of it, or what limit's bets allow."""
    t = game.tables(seats)[0]
    if game.kind != "limit" or (t["cap"] >= UNBOUNDED).any():
        return game.stack
    return min(game.stack, int(game.ante + game.big_blind + (t["cap"] * t["bet_size"]).sum()))


def deal_bounds(game: HoldemGame, seats: int) -> Bounds:
    """The bounds of a player's mean chips in one deal, however many times the deal is played with changed seats.

    A player can lose its whole stack in every one of these hands, and win the stacks of all the others in every one:
    the mean of a duplicate deal has the same bounds as a single hand. (Heads-up the better cards win at most one of two
    showdowns, but whoever folds after betting nearly everything loses the other hand as well.)
    """
    most = chips_at_stake(game, seats)
    return -float(most), float(most) * (seats - 1)


def difference_bounds(game: HoldemGame, seats: int) -> Bounds:
    """The bounds of the difference of two players' mean chips in one deal: one loses its stack, the other wins all."""
    most = float(chips_at_stake(game, seats)) * seats
    return -most, most
