"""Game files of the Annual Computer Poker Competition's dealer: `blind = 100 50`, `maxRaises = 3 4 4 4` and so on.

Those of Texas hold'em, limit and no-limit, are supported. Seats are in our order: the first is left of the button,
and acts first after the flop. Heads-up files with reversed blinds put the big blind there.
"""

from dataclasses import dataclass

from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import SEATS, UNBOUNDED

UNLIMITED_STACK = 2**31 - 1  # the dealer's default where a file has no stack
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
    """The dealer's table for a game with our default sizes."""
    blinds = (game.big_blind, game.small_blind) if seats == 2 else (game.small_blind, game.big_blind)
    return GameFile(game, (game.stack,) * seats, blinds + (0,) * (seats - 2))


def read_game(text: str) -> GameFile:
    """The table that a game file describes."""
    betting, values = read_lines(text)
    for name, wanted in _FIXED.items():
        if values.get(name, wanted) != wanted:
            raise InputError(f"{name} = {_listed(values[name])}: hold'em, which is played here, has {_listed(wanted)}")
    [seats] = _numbers(values, "numPlayers", 1)
    if not 2 <= seats <= SEATS:
        raise InputError(f"numPlayers = {seats}: 2 to {SEATS} are played here")
    blinds = _numbers(values, "blind", seats)
    if max(blinds) < 1:
        raise InputError(f"blind = {_listed(blinds)}: at least one must be more than 0")
    stacks = _numbers(values, "stack", seats) if "stack" in values else [UNLIMITED_STACK] * seats
    if min(stacks) < 1:
        raise InputError(f"stack = {_listed(stacks)}: everyone needs chips to play with")
    sizes = _sizes(values) if betting == "limit" else []
    caps = tuple(_numbers(values, "maxRaises", 4)) if "maxRaises" in values else (UNBOUNDED,) * 4
    game = HoldemGame("limit" if sizes else "nl", stacks[0], min(blinds), max(blinds), 0, *sizes)
    return GameFile(game, tuple(stacks), tuple(blinds), caps, _first(values, seats))


def read_lines(text: str) -> tuple[str, dict[str, list[int]]]:
    """Whether it is limit or nolimit, and the numbers by name."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or lines[0].lower() != "gamedef" or lines[-1].lower() != "end gamedef":
        raise InputError("this is no game file: it should begin with GAMEDEF and end with END GAMEDEF")
    betting, values = "", dict[str, list[int]]()
    for line in lines[1:-1]:
        name, equals, numbers = (part.strip() for part in line.partition("="))
        if line.lower() in ("limit", "nolimit"):
            betting = line.lower()
        elif not equals or name.lower() not in _LOWER:
            raise InputError(f"{line[:60]!r} is no line of a game file: one of {', '.join(_NAMES)} is")
        elif not all(number.isdecimal() and len(number) <= 10 for number in numbers.split()):
            raise InputError(f"{line[:60]!r}: whole numbers are needed")
        else:
            values[_LOWER[name.lower()]] = [int(number) for number in numbers.split()]
    if not betting:
        raise InputError("the game file says neither limit nor nolimit")
    return betting, values


def _numbers(values: dict[str, list[int]], name: str, count: int) -> list[int]:
    numbers = values.get(name)
    if numbers is None:
        raise InputError(f"{name} is missing in the game file")
    if len(numbers) < count:
        raise InputError(f"{name} = {_listed(numbers)}: {count} numbers are needed")
    return numbers[:count]


def _sizes(values: dict[str, list[int]]) -> list[int]:
    """The small and the big bet of a limit game."""
    sizes = _numbers(values, "raiseSize", 4)
    small, big = sizes[0], sizes[2]
    if sizes != [small, small, big, big] or not 1 <= small <= big:
        raise InputError(f"raiseSize = {_listed(sizes)}: a small bet twice and then a big bet twice is played here")
    return [small, big]


def _first(values: dict[str, list[int]], seats: int) -> int:
    """Who acts first before the flop. After the flop the first seat always does."""
    first, *later = _numbers(values, "firstPlayer", 4) if "firstPlayer" in values else [1, 1, 1, 1]
    if later != [1, 1, 1] or not 1 <= first <= seats:
        raise InputError(f"firstPlayer = {_listed([first, *later])}: after the flop player 1 must be the first")
    return first - 1


def _listed(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
