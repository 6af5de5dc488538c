"""Reading a specification of a game or a player, such as `onecard:cards=6,bets=0/3/9,ante=1`."""

from itertools import pairwise

from cardwin.core.errors import InputError, unknown_name

Parameters = dict[str, str]


def split_spec(spec: str, what: str = "game", such_as: str = "cards=5") -> tuple[str, Parameters]:
    """The name and the parameters of a specification; `what` and `such_as` are for the error message."""
    name, _, rest = spec.partition(":")
    parameters: Parameters = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise InputError(f"{what} {spec!r}: {item!r} should be a parameter and its value, such as {such_as}")
        if key in parameters:
            raise InputError(f"{what} {spec!r}: {key} is given twice")
        parameters[key] = value
    return name, parameters


def only_known(game: str, parameters: Parameters, known: tuple[str, ...]) -> None:
    """Raise if there is a parameter that the game does not have."""
    for key in parameters:
        if key not in known:
            raise unknown_name(f"parameter of {game}", key, known)


def whole_number(game: str, name: str, text: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise InputError(f"{game}: {name}={text} should be a whole number from {least} to {most}")
    return int(text)


def rising_numbers(game: str, name: str, text: str, least: int, most: int) -> tuple[int, ...]:
    """Whole numbers in rising order, separated by slashes."""
    numbers = tuple(whole_number(game, name, item, least, most) for item in text.split("/"))
    if any(a >= b for a, b in pairwise(numbers)):
        raise InputError(f"{game}: {name}={text} should rise from each number to the next, such as 1/2/10")
    return numbers
