"""Heads-up games of hold'em's family, given by parameters: deck, board cards by street, betting, stacks.

Seat 0 posts the first blind. Limit games have one raise size and a cap for each street; no-limit games have a menu of
pot fractions for each street, a cap, and a stack. Rules of betting, those of OpenSpiel's `universal_poker` where both
exist:

1. A seat may fold when it has less in the pot than the other, call (check) always, and raise while fewer raises than
   the cap were made on this street. A blind is no raise; an opening bet is one.
2. A street ends when both have acted and have put in equal amounts, so a call of the blind leaves the other its turn.
3. A no-limit raise of f pots adds f times the pot after a call, at least the last raise (at first the larger blind),
   at most the stack. All-in is offered when the menu has it.
"""

from dataclasses import dataclass, replace
from math import comb

from cardwin.core.errors import InputError

MOST_STREETS = 4
HOLE_CARDS = 2  # for each seat


@dataclass(frozen=True)
class BettingGame:
    """A game: `board` cards that come before each street, `first` seat to act and `caps` by street.

    Limit games have `limit_sizes`, chips for each street; no-limit games have `pot_sizes`, a tuple for each street. A
    `stack` of 0 is unlimited (limit games only), a `least_bet` of 0 is the larger blind.
    """

    name: str
    board: tuple[int, ...]
    first: tuple[int, ...]
    caps: tuple[int, ...]
    blinds: tuple[int, int]
    suits: int = 4
    ranks: int = 13
    limit_sizes: tuple[int, ...] = ()
    pot_sizes: tuple[tuple[float, ...], ...] = ()
    all_in: bool = True
    stack: int = 0
    ante: int = 0
    title: str = ""
    least_bet: int = 0

    @property
    def streets(self) -> int:
        """The number of betting rounds."""
        return len(self.board)

    @property
    def deck(self) -> int:
        """The number of cards."""
        return self.suits * self.ranks

    @property
    def limit(self) -> bool:
        """Whether raises have fixed sizes."""
        return bool(self.limit_sizes)

    @property
    def big_blind(self) -> int:
        """The unit of results, in chips."""
        return max(self.blinds)

    @property
    def cards(self) -> tuple[int, ...]:
        """The deck in numbers of the full deck: the lowest ranks of the first suits."""
        return tuple(4 * rank + suit for rank in range(self.ranks) for suit in range(self.suits))

    def runouts(self, street: int) -> int:
        """The number of boards that may come at the start of a street, given both holdings and the board before."""
        return comb(self.deck - 2 * HOLE_CARDS - sum(self.board[:street]), self.board[street])


def checked(game: BettingGame) -> BettingGame:
    """The game, if it can be played."""
    name, streets = game.name, game.streets
    if not 1 <= streets <= MOST_STREETS:
        raise InputError(f"{name}: board={list(game.board)} should name the new cards of 1 to {MOST_STREETS} streets")
    if not 1 <= game.suits <= 4 or not 2 <= game.ranks <= 13:
        raise InputError(f"{name}: a deck has 1 to 4 suits and 2 to 13 ranks")
    if any(cards < 0 for cards in game.board) or sum(game.board) > 5:
        raise InputError(f"{name}: board={list(game.board)} should be up to five cards in all")
    if game.board[0] != 0:
        raise InputError(f"{name}: board={list(game.board)} should begin with 0, betting starts before the first card")
    if game.deck < 2 * HOLE_CARDS + sum(game.board):
        raise InputError(f"{name}: {game.deck} cards are too few for two holdings and {sum(game.board)} board cards")
    sizes = game.limit_sizes or game.pot_sizes
    for what, given in (("first", game.first), ("caps", game.caps), ("sizes", sizes)):
        if len(given) != streets:
            raise InputError(f"{name}: {what} needs one value for each of the {streets} streets, not {len(given)}")
    if any(seat not in (0, 1) for seat in game.first):
        raise InputError(f"{name}: first should name seat 1 or 2 for each street")
    if any(cap < 0 for cap in game.caps):
        raise InputError(f"{name}: caps={list(game.caps)} should be 0 or more raises on each street")
    if game.blinds[game.first[0]] > game.blinds[1 - game.first[0]]:
        raise InputError(f"{name}: the seat that acts first posts the smaller blind, not {list(game.blinds)}")
    if min(*game.blinds, game.ante) < 0 or max(game.blinds) < 1:
        raise InputError(f"{name}: blinds={list(game.blinds)} should be chips, at least one of them above 0")
    _check_sizes(game)
    return game


def _check_sizes(game: BettingGame) -> None:
    name = game.name
    if game.limit:
        most = max(game.blinds) + sum(size * cap for size, cap in zip(game.limit_sizes, game.caps, strict=True))
        if min(game.limit_sizes) < 1:
            raise InputError(f"{name}: sizes={list(game.limit_sizes)} should be at least 1 chip")
        if game.stack and game.stack < most:
            raise InputError(f"{name}: a stack of {game.stack} cannot make all bets: {most} chips are needed")
        return
    if game.stack <= max(game.blinds):
        raise InputError(f"{name}: a no-limit game needs a stack above the blinds, not {game.stack}")
    if not game.all_in:
        raise InputError(f"{name}: the menu needs all-in, without which the largest bet is arbitrary")
    for fractions in game.pot_sizes:
        if any(not 0 < fraction <= 100 for fraction in fractions):
            raise InputError(f"{name}: sizes={list(fractions)} should be pot fractions above 0, at most 100")


FLOP_HOLDEM = BettingGame(
    "flop-holdem",
    board=(0, 3),
    first=(0, 1),
    caps=(3, 3),
    blinds=(50, 100),
    limit_sizes=(100, 100),
    title="limit hold'em that ends after the flop's betting (flop hold'em), heads-up",
)
BETTING_GAMES = {FLOP_HOLDEM.name: FLOP_HOLDEM}


def limit_holdem(name: str, blinds: tuple[int, int], small_bet: int, big_bet: int, ante: int = 0) -> BettingGame:
    """Heads-up limit hold'em, where the button posts the first blind: four bets a round, the big blind is one."""
    sizes = (small_bet, small_bet, big_bet, big_bet)
    return checked(BettingGame(name, (0, 3, 1, 1), (0, 1, 1, 1), (3, 4, 4, 4), blinds, limit_sizes=sizes, ante=ante))


def smaller(game: BettingGame, suits: int, ranks: int, caps: tuple[int, ...] | None = None) -> BettingGame:
    """The same game with a smaller deck, and other caps if they are given."""
    return checked(replace(game, suits=suits, ranks=ranks, caps=game.caps if caps is None else caps))
