"""Heads-up games of hold'em's family by their parameters: deck, board cards by street, betting, stacks.

Seat 0 posts the first blind. Limit games have one raise size and a cap per street; no-limit games have a menu of pot
fractions and a cap per street, and a stack. The betting rules equal those of OpenSpiel's `universal_poker` if both
exist:

1. A seat may fold if it has less in the pot than the other, call (check) always, and raise while fewer raises than the
   cap were made on this street. A blind is not a raise; an opening bet is one.
2. A street ends once both have acted and have put in equal amounts, so a call of the blind leaves the other its turn.
3. A no-limit raise of f pots adds f times the pot after a call, at least the last raise (at first the larger blind),
   at most the stack. All-in is offered when the menu has it.
"""

from dataclasses import dataclass, replace
from math import comb
from pathlib import Path

from cardwin.core.errors import InputError, unknown_name
from cardwin.games.specs import int_parameter, reject_unknown_parameters, split_spec

MAX_STREETS = 4
HOLE_CARDS = 2  # for each seat


@dataclass(frozen=True)
class BettingGame:
    """A betting game: by street, the new `board` cards, the `first` seat to act and the `caps` on raises.

    Limit games have `limit_sizes`, chips per street; no-limit games have `pot_sizes`, a tuple per street. A `stack` of
    0 is unlimited (limit games only), a `min_bet` of 0 is the larger blind.
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
    min_bet: int = 0

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
        """Return the number of possible boards at the start of a street, given both holdings and the board before."""
        return comb(self.deck - 2 * HOLE_CARDS - sum(self.board[:street]), self.board[street])


def validate_betting_game(game: BettingGame) -> BettingGame:
    """Return the game if it can be played.

    Raises:
        InputError: If a parameter is invalid, or the deck or the stack is too small.

    """
    name, streets, board = game.name, game.streets, list(game.board)
    if not 1 <= streets <= MAX_STREETS:
        raise InputError(f"{name}: expected the new board cards of 1 to {MAX_STREETS} streets, got board={board}")
    if not 1 <= game.suits <= 4 or not 2 <= game.ranks <= 13:
        raise InputError(f"{name}: expected 1 to 4 suits and 2 to 13 ranks, got {game.suits} and {game.ranks}")
    if any(cards < 0 for cards in board) or sum(board) > 5:
        raise InputError(f"{name}: expected at most five board cards in all, got board={board}")
    if board[0] != 0:
        raise InputError(f"{name}: expected a board that begins with 0, before the first card, got board={board}")
    if game.deck < 2 * HOLE_CARDS + sum(board):
        needed = 2 * HOLE_CARDS + sum(board)
        raise InputError(f"{name}: expected at least {needed} cards for two holdings and the board, got {game.deck}")
    by_street = {"first": game.first, "caps": game.caps, "sizes": game.limit_sizes or game.pot_sizes}
    for key, values in by_street.items():
        if len(values) != streets:
            raise InputError(f"{name}: expected {streets} values of {key}, one per street, got {len(values)}")
    if any(seat not in (0, 1) for seat in game.first):
        raise InputError(f"{name}: expected seat 1 or 2 for each street, got first={[1 + seat for seat in game.first]}")
    if any(cap < 0 for cap in game.caps):
        raise InputError(f"{name}: expected 0 or more raises on each street, got caps={list(game.caps)}")
    blinds = list(game.blinds)
    if blinds[game.first[0]] > blinds[1 - game.first[0]]:
        raise InputError(f"{name}: expected the smaller blind from the seat that acts first, got blinds={blinds}")
    if min(*blinds, game.ante) < 0 or max(blinds) < 1:
        raise InputError(f"{name}: expected blinds of 0 or more chips, one of them above 0, got blinds={blinds}")
    _validate_sizes(game)
    return game


def _validate_sizes(game: BettingGame) -> None:
    name = game.name
    if game.limit:
        total = max(game.blinds) + sum(size * cap for size, cap in zip(game.limit_sizes, game.caps, strict=True))
        if min(game.limit_sizes) < 1:
            raise InputError(f"{name}: expected sizes of at least 1 chip, got sizes={list(game.limit_sizes)}")
        if game.stack and game.stack < total:
            raise InputError(f"{name}: expected a stack for all bets, at least {total} chips, got stack={game.stack}")
        return
    if game.stack <= max(game.blinds):
        raise InputError(f"{name}: expected a stack above the blinds in a no-limit game, got stack={game.stack}")
    if not game.all_in:
        raise InputError(f"{name}: expected all-in on the menu, without which the largest bet is arbitrary")
    for fractions in game.pot_sizes:
        if any(not 0 < fraction <= 100 for fraction in fractions):
            raise InputError(f"{name}: expected pot fractions above 0, at most 100, got sizes={list(fractions)}")


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


def is_betting_game(spec: str) -> bool:
    """Return whether a specification names a betting game or a parameter file."""
    return spec.partition(":")[0] in BETTING_GAMES or spec.endswith(".toml")


def betting_game(spec: str) -> BettingGame:
    """Return the game that a specification names.

    Args:
        spec: A name with parameters, such as `flop-holdem:suits=2,ranks=5`, or a parameter file (`FILE.toml`).

    Raises:
        InputError: If the name is unknown, or a parameter or the file is invalid.

    """
    if spec.endswith(".toml"):
        from cardwin.games.betting.parameter_file import read_game

        return read_game(Path(spec))
    name, parameters = split_spec(spec, "game", "ranks=5")
    if name not in BETTING_GAMES:
        raise unknown_name("game", name, [*BETTING_GAMES, "FILE.toml"])
    game = BETTING_GAMES[name]
    reject_unknown_parameters(name, parameters, ("suits", "ranks"))
    suits = int_parameter(name, "suits", parameters.get("suits", str(game.suits)), 1, 4)
    ranks = int_parameter(name, "ranks", parameters.get("ranks", str(game.ranks)), 2, 13)
    return shrink_deck(game, suits, ranks) if parameters else game


def limit_holdem(name: str, blinds: tuple[int, int], small_bet: int, big_bet: int, ante: int = 0) -> BettingGame:
    """Return heads-up limit hold'em: the button posts the first blind; four bets per round, the big blind included."""
    return validate_betting_game(
        BettingGame(
            name,
            board=(0, 3, 1, 1),
            first=(0, 1, 1, 1),
            caps=(3, 4, 4, 4),
            blinds=blinds,
            limit_sizes=(small_bet, small_bet, big_bet, big_bet),
            ante=ante,
        )
    )


def shrink_deck(game: BettingGame, suits: int, ranks: int, caps: tuple[int, ...] | None = None) -> BettingGame:
    """Return the game with a smaller deck, and with other caps if there are any."""
    return validate_betting_game(replace(game, suits=suits, ranks=ranks, caps=game.caps if caps is None else caps))
