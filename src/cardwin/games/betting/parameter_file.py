"""Betting games from a parameter file: TOML with numbers, or lists with one value per street. Seats count from 1.

board = [0, 3]       # new board cards of each street
first = [1, 2]       # the seat that acts first
blinds = [50, 100]
caps = [3, 3]        # maximum number of raises; an opening bet counts, a blind does not
limit = [100, 100]   # raise sizes; or, without a limit, pot fractions, and a stack:
# pots = [[0.5, 1], [1]]
# stack = 2000       # all-in is always on the menu
suits = 4            # these and the following are optional
ranks = 13
ante = 0
name = "my-game"
title = "my game"
"""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.field_errors import field_error
from cardwin.games.betting.game import BETTING_GAMES, BettingGame, validate_betting_game

Whole = Annotated[int, Field(ge=0, lt=2**31)]


class ParameterFile(BaseModel):
    """The keys of a parameter file."""

    model_config = ConfigDict(strict=True, frozen=True)

    board: list[Whole]
    first: list[Whole]
    blinds: Annotated[list[Whole], Field(min_length=2, max_length=2)]
    caps: list[Whole]
    limit: list[Whole] | None = None
    pots: list[list[float]] | None = None
    stack: Whole = 0
    suits: Whole = 4
    ranks: Whole = 13
    ante: Whole = 0
    name: str = ""
    title: str = ""


def read_game(path: Path) -> BettingGame:
    """Return the game of a parameter file.

    Raises:
        InputError: If there is no such file, or a key or a value is invalid.

    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        names = ", ".join(BETTING_GAMES)
        raise InputError(f"file not found: {path}; expected a parameter file or one of {names}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: invalid TOML: {error}") from None
    for key in values:
        if key not in ParameterFile.model_fields:
            raise unknown_name(f"key of {path}", key, ParameterFile.model_fields)
    if ("limit" in values) == ("pots" in values):
        raise InputError(f"{path}: expected either limit (raise sizes) or pots (pot fractions), not both")
    try:
        file = ParameterFile.model_validate(values)
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(map(str, problem["loc"]))
        raise InputError(f"{path}: invalid {key}: {field_error(problem)}") from None
    return validate_betting_game(
        BettingGame(
            file.name or path.stem,
            board=tuple(file.board),
            first=tuple(seat - 1 for seat in file.first),
            caps=tuple(file.caps),
            blinds=(file.blinds[0], file.blinds[1]),
            suits=file.suits,
            ranks=file.ranks,
            limit_sizes=tuple(file.limit or ()),
            pot_sizes=tuple(map(tuple, file.pots or ())),
            stack=file.stack,
            ante=file.ante,
            title=file.title,
        )
    )
