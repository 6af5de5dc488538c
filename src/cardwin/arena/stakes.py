"""Bounds of a player's result, which confidence intervals need."""

from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import UNBOUNDED

Bounds = tuple[float, float]


def chips_at_stake(game: HoldemGame, seats: int = 2) -> int:
    """The most that one player can lose in one hand with the default stack: all of it, or what limit's bets allow."""
    t = game.tables(seats)[0]
    if game.kind != "limit" or (t["cap"] >= UNBOUNDED).any():
        return game.stack
    return min(game.stack, int(game.ante + game.big_blind + (t["cap"] * t["bet_size"]).sum()))


def deal_bounds(game: HoldemGame, seats: int, per_deal: int = 1) -> Bounds:
    """The bounds of a player's mean chips in one deal, which is played `per_deal` times with changed seats.

    A whole stack can be lost in one of these hands; that the same cards lose it again in another player's hands
    is ignored. If a deal exceeds these bounds, they widen to its result.
    """
    most = chips_at_stake(game, seats) / per_deal
    return -most, most * (seats - 1)


def difference_bounds(game: HoldemGame, seats: int, per_deal: int = 1) -> Bounds:
    """The bounds of the difference of two players' mean chips in one deal."""
    most = chips_at_stake(game, seats) * seats / per_deal
    return -most, most
