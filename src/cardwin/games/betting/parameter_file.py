"""Betting games by name or parameter file.

A file is TOML with the keys of KEYS: numbers, or lists with one value for each street. Seats count from 1.

    board = [0, 3]       # new board cards of each street
    first = [1, 2]       # who acts first
    blinds = [50, 100]
    caps = [3, 3]        # most raises; an opening bet is one, a blind is none
    limit = [100, 100]   # raise sizes; or, without a limit, pot fractions, and a stack:
    # pots = [[0.5, 1], [1]]
    # stack = 2000       # all-in is always on the menu
    suits = 4            # these and the rest may be left out
    ranks = 13
    ante = 0
"""

import tomllib
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.games.betting.game import BETTING_GAMES, BettingGame, checked, smaller
from cardwin.games.parameters import only_known, split_spec, whole_number

KEYS = ("name", "title", "board", "first", "blinds", "caps", "limit", "pots", "stack", "suits", "ranks", "ante")
NEEDED = ("board", "first", "blinds", "caps")


def is_betting_game(spec: str) -> bool:
    """Whether a specification names a betting game or a parameter file."""
    return spec.partition(":")[0] in BETTING_GAMES or spec.endswith(".toml")


def betting_game(spec: str) -> BettingGame:
    """A game by its name, such as `flop-holdem` or `flop-holdem:suits=2,ranks=5`, or by its parameter file."""
    if spec.endswith(".toml"):
        return read_game(Path(spec))
    name, parameters = split_spec(spec, "game", "ranks=5")
    if name not in BETTING_GAMES:
        raise unknown_name("game", name, [*BETTING_GAMES, "FILE.toml"])
    game = BETTING_GAMES[name]
    only_known(name, parameters, ("suits", "ranks"))
    suits = whole_number(name, "suits", parameters.get("suits", str(game.suits)), 1, 4)
    ranks = whole_number(name, "ranks", parameters.get("ranks", str(game.ranks)), 2, 13)
    return smaller(game, suits, ranks) if parameters else game


def read_game(path: Path) -> BettingGame:
    """The game of a parameter file."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: name a parameter file or {', '.join(BETTING_GAMES)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    for key in values:
        if key not in KEYS:
            raise unknown_name(f"key of {path}", key, KEYS)
    for key in NEEDED:
        if key not in values:
            raise InputError(f"{path}: {key} is missing, a list with one value for each street or seat")
    if ("limit" in values) == ("pots" in values):
        raise InputError(f"{path}: either limit (raise sizes) or pots (pot fractions) is needed, and not both")
    return checked(_game(path, values))


def _game(path: Path, values: dict[str, Any]) -> BettingGame:
    blinds = _wholes(path, values, "blinds")
    if len(blinds) != 2:
        raise InputError(f"{path}: blinds={list(blinds)} should be two amounts")
    return BettingGame(
        str(values.get("name", path.stem)),
        _wholes(path, values, "board"),
        tuple(seat - 1 for seat in _wholes(path, values, "first")),
        _wholes(path, values, "caps"),
        (blinds[0], blinds[1]),
        _whole(path, values.get("suits", 4), "suits"),
        _whole(path, values.get("ranks", 13), "ranks"),
        _wholes(path, values, "limit") if "limit" in values else (),
        _fractions(path, values["pots"]) if "pots" in values else (),
        stack=_whole(path, values.get("stack", 0), "stack"),
        ante=_whole(path, values.get("ante", 0), "ante"),
        title=str(values.get("title", "")),
    )


def _whole(path: Path, value: Any, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not -1 < value < 2**31:
        raise InputError(f"{path}: {key}={value!r} should be a whole number")
    return value


def _wholes(path: Path, values: dict[str, Any], key: str) -> tuple[int, ...]:
    given = values[key]
    if not isinstance(given, list):
        raise InputError(f"{path}: {key}={given!r} should be a list of whole numbers")
    return tuple(_whole(path, one, key) for one in given)


def _fractions(path: Path, given: Any) -> tuple[tuple[float, ...], ...]:
    if not isinstance(given, list) or not all(isinstance(street, list) for street in given):
        raise InputError(f"{path}: pots should be a list of pot fractions for each street, such as [[0.5, 1], [1]]")
    for street in given:
        for one in street:
            if isinstance(one, bool) or not isinstance(one, int | float):
                raise InputError(f"{path}: pots has {one!r}, which should be a pot fraction such as 0.5")
    return tuple(tuple(float(one) for one in street) for street in given)
