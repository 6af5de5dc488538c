"""The fields of a hand in PHH, the poker hand history format (Kim 2023), read into a history.

Variant NT is no-limit and FT limit hold'em; `holdem-simple`, which has no code in the format, uses its own
name. Heads-up the format lists antes and blinds in reverse order: the first player is the big blind. Amounts may
have decimals: a hand is replayed in the smallest unit that makes them whole, its finishing stacks included. Where the
format is ambiguous, we follow its reference reader, PokerKit: antes are dead unless `ante_trimming_status` says
otherwise, a limit round has four bets and raises besides the blinds, an infinite stack is an unrecorded one.

Hands that were read from other notations may have fields of our own, whose names begin with an underscore as the format
asks: `_rake` (taken from the winners), `_to_match` and `_customs` (see `History`).
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from cardwin.cards.card import CARD_NAMES, RANKS, SUITS
from cardwin.core.errors import InputError
from cardwin.games.formats.phh_toml import Fields
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    INFINITE,
    MOST_UNITS,
    MUCK,
    NOTE,
    RAISE,
    SHOW,
    History,
    Step,
    StepError,
)
from cardwin.games.holdem.table import SEATS, UNKNOWN

CUSTOMS = ("table", "dealer", "room")  # our own field `_customs`, by number (see `replaying`)
VARIANTS = {"NT": "nl", "FT": "limit", "holdem-simple": "simple"}
LIMIT_CAPS = (4, 4, 4, 4)
MOST_DECIMALS = 6
CACHED = 20_000  # nearly all lines and amounts of a file recur
_AMOUNT = re.compile(r"\d{1,15}(\.\d{1,15})?", re.ASCII)
_PLAYER = re.compile(r"p([1-9]\d?)", re.ASCII)
_HIDDEN = (UNKNOWN, UNKNOWN)
_NOTE = Step(NOTE)
_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
_CARD_LETTERS = {*RANKS, *SUITS, "?"}


class FieldError(InputError):
    """A field is missing or wrong."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand read from its fields: its history in units of 1/scale chips, and its final stacks and rake, in units."""

    history: History
    scale: int
    finishing: tuple[Decimal, ...] | None
    rake: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Line:
    """One action as written: a step without its amount, which is in chips here, or cards dealt to a seat."""

    step: Step
    amount: Decimal | None = None
    hole: tuple[int, ...] = ()


def read_fields(fields: Fields) -> Recorded:
    """The hand of the PHH fields."""
    variant = _field(fields, "variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise FieldError(f"variant {quoted(variant)} is not played here: one of {', '.join(VARIANTS)} is", "variant")
    kind = VARIANTS[variant]
    lines = _lines(fields)
    names = ("starting_stacks", "antes", "blinds_or_straddles")
    stacks, antes, blinds = (_amounts(fields, name) for name in names)
    bets = [
        _amount(_field(fields, name), name) for name in (("small_bet", "big_bet") if kind == "limit" else ("min_bet",))
    ]
    finishing = _amounts(fields, "finishing_stacks") if "finishing_stacks" in fields else None
    _check_seats(stacks, antes, blinds)
    steps = _read_steps(lines, len(stacks))
    raised = [step.amount for step in steps if step.amount is not None]
    rake, to_match = (_amount(fields.get(name, 0), name) for name in ("_rake", "_to_match"))
    scale = _scale([*stacks, *antes, *blinds, *bets, *raised, *(finishing or []), rake, to_match])
    in_units = [[_units(number, scale) for number in group] for group in (stacks, antes, blinds, bets)]
    ordered = [group[::-1] if len(stacks) == 2 else group for group in in_units[1:3]]
    sizes = in_units[3]
    history = History(
        game=HoldemGame(kind, in_units[0][0], 0, sizes[0], 0, *(sizes if kind == "limit" else [])),
        stacks=tuple(in_units[0]),
        antes=tuple(ordered[0]),
        blinds=tuple(ordered[1]),
        dead_antes=not _trimming(fields),
        hole=_hole(steps, len(stacks)),
        steps=tuple(_in_units(step, scale) for step in steps),
        names=_names(fields, len(stacks)),
        caps=LIMIT_CAPS if kind == "limit" else (),
        customs=_customs(fields),
        to_match=_units(to_match, scale),
    )
    return Recorded(history, scale, None if finishing is None else tuple(n * scale for n in finishing), rake * scale)


def _customs(fields: Fields) -> int:
    named = fields.get("_customs", CUSTOMS[0])
    if named not in CUSTOMS:
        raise FieldError(f"_customs is {quoted(named)}: one of {', '.join(CUSTOMS)} is needed", "_customs")
    return CUSTOMS.index(named)


def quoted(value: object) -> str:
    """A value of a file, shortened and safe to print."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a number far too large"
    if isinstance(value, Decimal):
        return str(value)[:40]
    if isinstance(value, str):
        return ascii(value if len(value) <= 40 else value[:40] + "...")
    return "a table" if isinstance(value, dict) else f"a {type(value).__name__}"


def _field(fields: Fields, name: str) -> Any:
    if name not in fields:
        raise FieldError(f"{name} is missing", name)
    return fields[name]


def _lines(fields: Fields) -> list[str]:
    lines = _field(fields, "actions")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise FieldError("actions are no list of texts such as 'p1 cbr 200'", "actions")
    return lines


def _names(fields: Fields, seats: int) -> tuple[str, ...]:
    """The players' names; names that do not match the seats are ignored, since the hand does not need them."""
    names = fields.get("players")
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(name, str) for name in names):
        return ()
    return tuple(names)


def _trimming(fields: Fields) -> bool:
    status = fields.get("ante_trimming_status", False)
    if not isinstance(status, bool):
        raise FieldError(f"ante_trimming_status is {quoted(status)}: true or false is needed", "ante_trimming_status")
    return status


def _amounts(fields: Fields, name: str) -> list[Decimal]:
    values = _field(fields, name)
    if not isinstance(values, list):
        raise FieldError(f"{name} is {quoted(values)}: a list with an amount for each seat is needed", name)
    return [_amount(value, name) for value in values]


def _amount(value: object, name: str) -> Decimal:
    if type(value) is not int and type(value) is not Decimal:
        raise FieldError(f"{name} is wrong: {quoted(value)} is no amount of chips", name)
    return _number(value, name)


@lru_cache(maxsize=CACHED)
def _number(value: int | Decimal, name: str) -> Decimal:
    """A finite amount, or what its field also allows: posts are negative, stacks may be infinite."""
    least = -MOST_UNITS if name == "blinds_or_straddles" else 0
    if value != math.inf or not name.endswith("_stacks"):
        nothing = isinstance(value, Decimal) and value.is_nan()
        if nothing or not least <= value <= MOST_UNITS:
            raise FieldError(f"{name} is wrong: {quoted(value)} is no amount of chips", name)
    number = Decimal(value)
    if name != "finishing_stacks" and _decimals(number) > MOST_DECIMALS:
        raise FieldError(f"{name} is wrong: {quoted(value)} has more than {MOST_DECIMALS} decimals", name)
    if name.endswith("_bet") and not number:
        raise FieldError(f"{name} is 0: a bet is more than nothing", name)
    return number


def _raise(text: str) -> Decimal:
    text = text.replace(",", "")
    if not _AMOUNT.fullmatch(text):
        raise InputError(f"{quoted(text)} is no amount of chips")
    number = Decimal(text)
    if _decimals(number) > MOST_DECIMALS:
        raise InputError(f"{quoted(text)} has more than {MOST_DECIMALS} decimals")
    return number


@lru_cache(maxsize=CACHED)
def _decimals(number: Decimal) -> int:
    """How many decimals a number needs."""
    if not number or number.is_infinite():
        return 0
    _, digits, exponent = number.as_tuple()
    decimals = -int(exponent)
    for digit in reversed(digits):
        if digit or decimals <= 0:
            break
        decimals -= 1
    return max(decimals, 0)


def _scale(amounts: Iterable[Decimal]) -> int:
    """Units a chip: enough for every amount, and for final stacks as far as possible."""
    return int(10 ** min(max(map(_decimals, amounts), default=0), MOST_DECIMALS))


@lru_cache(maxsize=CACHED)
def _units(number: Decimal, scale: int) -> int:
    if number.is_infinite():
        return INFINITE
    units = int(number * scale)
    if abs(units) > MOST_UNITS:
        raise InputError(f"amounts may not exceed {MOST_UNITS} of the smallest unit")
    return units


def _check_seats(stacks: Sequence[Decimal], antes: Sequence[Decimal], blinds: Sequence[Decimal]) -> None:
    if not 2 <= len(stacks) <= SEATS or not len(stacks) == len(antes) == len(blinds):
        reason = (
            f"{len(stacks)} starting stacks, {len(antes)} antes and {len(blinds)} blinds: as many of each, 2 to {SEATS}"
        )
        raise FieldError(reason, "starting_stacks")


def _read_steps(lines: list[str], seats: int) -> list[Line]:
    steps = []
    for place, line in enumerate(lines):
        try:
            steps.append(_read_line(line, seats) if len(line) <= 40 else _read_line.__wrapped__(line, seats))
        except InputError as error:
            raise StepError(str(error), place) from error
    return steps


@lru_cache(maxsize=CACHED)
def _read_line(text: str, seats: int) -> Line:
    match text.partition("#")[0].split():
        case []:
            return Line(_NOTE)
        case ["d", "dh", who, cards]:
            return Line(Step(NOTE, _seat(who, seats)), hole=_cards(cards, 2))
        case ["d", "db", cards]:
            return Line(Step(DEAL, cards=_cards(cards, 5)))
        case [who, "f"]:
            return Line(Step(FOLD, _seat(who, seats)))
        case [who, "cc"]:
            return Line(Step(CALL, _seat(who, seats)))
        case [who, "cbr", amount]:
            return Line(Step(RAISE, _seat(who, seats)), _raise(amount))
        case [who, "sm"]:
            return Line(Step(MUCK, _seat(who, seats)))
        case [who, "sm", "-"]:
            return Line(Step(SHOW, _seat(who, seats)))
        case [who, "sm", cards]:
            return Line(Step(SHOW, _seat(who, seats), cards=_cards(cards, 2)))
    raise InputError(f"{quoted(text)} is no action of hold'em in PHH")


def _in_units(line: Line, scale: int) -> Step:
    if line.amount is None:
        return line.step
    return Step(RAISE, line.step.seat, _units(line.amount, scale))


def _hole(lines: list[Line], seats: int) -> tuple[tuple[int, ...], ...]:
    """The cards dealt to each seat, UNKNOWN where they are not recorded."""
    hole: list[tuple[int, ...]] = [()] * seats
    begun = False
    for place, line in enumerate(lines):
        seat = line.step.seat
        begun = begun or line.step.what != NOTE
        if line.hole:
            if begun:
                raise StepError(f"cards for seat {seat + 1} after the first action", place)
            if len(hole[seat]) + len(line.hole) > 2:
                raise StepError(f"seat {seat + 1} is dealt more than two cards", place)
            hole[seat] += line.hole
    return tuple((*cards, UNKNOWN, UNKNOWN)[:2] for cards in hole)


def _seat(who: str, seats: int) -> int:
    number = _PLAYER.fullmatch(who)
    if not number or int(number[1]) > seats:
        raise InputError(f"{quoted(who)} is no player: p1 to p{seats} are")
    return int(number[1]) - 1


def _cards(text: str, most: int) -> tuple[int, ...]:
    """Cards, of which some may be hidden: `AhKd`, `Ah??`, `????`."""
    if text == "????" and most == 2:
        return _HIDDEN
    letters = text.replace("10", "T").replace(",", "")
    if not 2 <= len(letters) <= 2 * most:
        raise InputError(f"{quoted(text)}: 1 to {most} cards are due, ?? where one is not known")
    return tuple(_card(letters[place : place + 2], text) for place in range(0, len(letters), 2))


def _card(name: str, text: str) -> int:
    if len(name) == 2 and "?" in name and set(name) <= _CARD_LETTERS:
        return UNKNOWN
    if name not in _CARDS:
        raise InputError(f"{quoted(name)} in {quoted(text)} is no card: a rank and a suit, such as Ah or Td")
    return _CARDS[name]
