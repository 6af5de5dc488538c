"""The most that a player can win or lose, which is what an honest interval needs to know of a game."""

from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import UNBOUNDED

Bounds = tuple[float, float]


def chips_at_stake(game: HoldemGame, seats: int = 2) -> int:
    """The most that one player can lose in one hand with the usual stack: all of it, or what limit's bets allow."""
    t = game.tables(seats)[0]
    if game.kind != "limit" or (t["cap"] >= UNBOUNDED).any():
        return game.stack
    return min(game.stack, int(game.ante + game.big_blind + (t["cap"] * t["bet_size"]).sum()))


def deal_bounds(game: HoldemGame, seats: int, per_deal: int = 1) -> Bounds:
    """What a player's mean chips in one deal lie between, which is played so many times with the seats changed.

    A whole stack can be lost in one of these hands; that the same cards cost it in another as well, when somebody else
    holds them, is left aside. Where a deal shows more than that, the bounds widen to what it showed.
    """
    most = chips_at_stake(game, seats) / per_deal
    return -most, most * (seats - 1)


def difference_bounds(game: HoldemGame, seats: int, per_deal: int = 1) -> Bounds:
    """What the difference of two players' mean chips in one deal lies between."""
    most = chips_at_stake(game, seats) * seats / per_deal
    return -most, most
