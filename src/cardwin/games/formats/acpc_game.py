"""Game files of the Annual Computer Poker Competition's dealer: `blind = 100 50`, `maxRaises = 3 4 4 4` and so on.

Texas hold'em is supported, limit and no-limit. Seats are in our order: the first is left of the button and acts first
after the flop. Heads-up files with reversed blinds put the big blind there.
"""

from dataclasses import dataclass

from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import SEATS, UNBOUNDED

UNLIMITED_STACK = 2**31 - 1  # the dealer's default if a file has no stack
_FIXED = {"numRounds": [4], "numSuits": [4], "numRanks": [13], "numHoleCards": [2], "numBoardCards": [0, 3, 1, 1]}
_NAMES = ("numPlayers", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises", *_FIXED)
_LOWER = {name.lower(): name for name in _NAMES}


@dataclass(frozen=True, slots=True)
class GameFile:
    """A table of the dealer: the game, stacks and blinds by seat, and caps by street (empty: the game's own).

    `first` acts first before the flop; NOBODY means the seat after the largest blind.
    """

    game: HoldemGame
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    caps: tuple[int, ...] = ()
    first: int = NOBODY


def table_of(game: HoldemGame, seats: int) -> GameFile:
    """Return the dealer's table for a game with our default sizes."""
    blinds = (game.big_blind, game.small_blind) if seats == 2 else (game.small_blind, game.big_blind)
    return GameFile(game, (game.stack,) * seats, blinds + (0,) * (seats - 2))


def read_game(text: str) -> GameFile:
    """Return the table that a game file describes.

    Raises:
        InputError: If the file is invalid, or its game is not hold'em.

    """
    betting, values = read_lines(text)
    for name, numbers in _FIXED.items():
        if values.get(name, numbers) != numbers:
            raise InputError(f"expected {name} = {_listed(numbers)} as in hold'em, got {_listed(values[name])}")
    [seats] = _numbers(values, "numPlayers", 1)
    if not 2 <= seats <= SEATS:
        raise InputError(f"expected numPlayers from 2 to {SEATS}, got {seats}")
    blinds = _numbers(values, "blind", seats)
    if max(blinds) < 1:
        raise InputError(f"expected a blind above 0, got blind = {_listed(blinds)}")
    stacks = _numbers(values, "stack", seats, UNLIMITED_STACK)
    if min(stacks) < 1:
        raise InputError(f"expected stacks above 0, got stack = {_listed(stacks)}")
    caps = tuple(_numbers(values, "maxRaises", 4, UNBOUNDED))
    # After the flop the first seat always acts first.
    first, *later = _numbers(values, "firstPlayer", 4, 1)
    if later != [1, 1, 1] or not 1 <= first <= seats:
        order = _listed([first, *later])
        raise InputError(f"expected player 1 to act first after the flop, got firstPlayer = {order}")
    sizes: list[int] = []
    if betting == "limit":
        raises = _numbers(values, "raiseSize", 4)
        sizes = [raises[0], raises[2]]
        if raises != [sizes[0], sizes[0], sizes[1], sizes[1]] or not 1 <= sizes[0] <= sizes[1]:
            expected = "a small bet twice and then a big bet twice"
            raise InputError(f"invalid raiseSize: expected {expected}, got {_listed(raises)}")
    game = HoldemGame("limit" if sizes else "nl", stacks[0], min(blinds), max(blinds), 0, *sizes)
    return GameFile(game, tuple(stacks), tuple(blinds), caps, first - 1)


def read_lines(text: str) -> tuple[str, dict[str, list[int]]]:
    """Return `limit` or `nolimit`, and the numbers by name."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or lines[0].lower() != "gamedef" or lines[-1].lower() != "end gamedef":
        raise InputError("invalid game file: expected GAMEDEF as its first line and END GAMEDEF as its last")
    betting, values = "", dict[str, list[int]]()
    for line in lines[1:-1]:
        name, equals, numbers = (part.strip() for part in line.partition("="))
        if line.lower() in ("limit", "nolimit"):
            betting = line.lower()
        elif not equals or name.lower() not in _LOWER:
            raise InputError(f"invalid line {line[:60]!r}: expected one of {', '.join(_NAMES)}")
        elif not all(number.isdecimal() and len(number) <= 10 for number in numbers.split()):
            raise InputError(f"expected whole numbers, got {line[:60]!r}")
        else:
            values[_LOWER[name.lower()]] = [int(number) for number in numbers.split()]
    if not betting:
        raise InputError("invalid game file: expected a line limit or nolimit, got neither")
    return betting, values


def _numbers(values: dict[str, list[int]], name: str, count: int, default: int | None = None) -> list[int]:
    """Return the first numbers of a name; if the name is missing, the default repeated."""
    numbers = values.get(name, None if default is None else [default] * count)
    if numbers is None:
        raise InputError(f"missing {name} in the game file")
    if len(numbers) < count:
        raise InputError(f"expected {count} numbers of {name}, got {_listed(numbers)}")
    return numbers[:count]


def _listed(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
