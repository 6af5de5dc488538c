"""Bounds of a player's result, which confidence intervals need.

The all-in adjustment replaces a result by a mean of possible results, so it keeps these bounds. Control variates move
a result, so their intervals widen the bounds by the largest correction (`MatchRecord.moved`).
"""

from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import UNBOUNDED

Bounds = tuple[float, float]


def chips_at_stake(game: HoldemGame, seats: int = 2) -> int:
    """Return the maximum loss of a player in one hand: its default stack, or all bets of limit hold'em."""
    t = game.tables(seats)[0]
    if game.kind != "limit" or (t["cap"] >= UNBOUNDED).any():
        return game.stack
    return min(game.stack, int(game.ante + game.big_blind + (t["cap"] * t["bet_size"]).sum()))


def deal_bounds(game: HoldemGame, seats: int) -> Bounds:
    """Return the bounds of a player's mean chips in one deal, however many times the deal is played.

    A player can lose its whole stack in each of these hands, and win the stacks of all the others in each: the mean of
    a duplicate deal has the same bounds as a single hand. (Heads-up the better cards win at most one of two showdowns,
    but a player who folds after betting nearly everything loses the other hand as well.)
    """
    stake = float(chips_at_stake(game, seats))
    return -stake, stake * (seats - 1)


def difference_bounds(game: HoldemGame, seats: int) -> Bounds:
    """Return the bounds of the difference of two players' mean chips in one deal: a stack lost, all stacks won."""
    stake = float(chips_at_stake(game, seats)) * seats
    return -stake, stake
