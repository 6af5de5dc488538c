"""The fields of a hand in PHH, the poker hand history format (Kim 2023), read into a history.

Variant NT is no-limit and FT limit hold'em; `holdem-simple`, which has no code in the format, uses its own name.
Heads-up the format lists antes and blinds in reverse order: the first player is the big blind. Amounts may have
decimals: a hand is replayed in the smallest unit that makes them whole, finishing stacks included. If the format is
ambiguous, we follow its reference reader, PokerKit: antes are dead unless `ante_trimming_status` is set, a limit round
has four bets and raises besides the blinds, an infinite stack is an unrecorded one.

Hands that were read from other notations may have fields of our own, whose names begin with an underscore as the format
requires: `_rake` (taken from the winners), `_to_match` and `_customs` (see `History`).
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
    MAX_UNITS,
    MUCK,
    NOTE,
    RAISE,
    SHOW,
    History,
    Step,
    StepError,
)
from cardwin.games.holdem.table import SEATS, UNKNOWN

CUSTOMS = ("table", "dealer", "room")  # values of our field `_customs`, by number (see `replaying`)
VARIANTS = {"NT": "nl", "FT": "limit", "holdem-simple": "simple"}
LIMIT_CAPS = (4, 4, 4, 4)
MAX_DECIMALS = 6
CACHED = 20_000  # nearly all lines and amounts of a file recur
_AMOUNT = re.compile(r"\d{1,15}(\.\d{1,15})?", re.ASCII)
_PLAYER = re.compile(r"p([1-9]\d?)", re.ASCII)
_HIDDEN = (UNKNOWN, UNKNOWN)
_NOTE = Step(NOTE)
_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
_CARD_LETTERS = {*RANKS, *SUITS, "?"}


class FieldError(InputError):
    """A field that is missing or invalid."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class RecordedHand:
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


def read_fields(fields: Fields) -> RecordedHand:
    """Return the hand of the PHH fields.

    Raises:
        FieldError: If a field is missing or invalid.
        StepError: If an action is invalid.

    """
    variant = _field(fields, "variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise FieldError(f"invalid variant {quote(variant)}: expected one of {', '.join(VARIANTS)}", "variant")
    kind = VARIANTS[variant]
    lines = _lines(fields)
    names = ("starting_stacks", "antes", "blinds_or_straddles")
    stacks, antes, blinds = (_amounts(fields, name) for name in names)
    bet_names = ("small_bet", "big_bet") if kind == "limit" else ("min_bet",)
    bets = [_amount(_field(fields, name), name) for name in bet_names]
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
    return RecordedHand(
        history, scale, None if finishing is None else tuple(n * scale for n in finishing), rake * scale
    )


def _customs(fields: Fields) -> int:
    name = fields.get("_customs", CUSTOMS[0])
    if name not in CUSTOMS:
        raise FieldError(f"invalid _customs {quote(name)}: expected one of {', '.join(CUSTOMS)}", "_customs")
    return CUSTOMS.index(name)


def quote(value: object) -> str:
    """Return a value of a file, shortened and safe to print."""
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
        raise FieldError(f"missing field {name}", name)
    return fields[name]


def _lines(fields: Fields) -> list[str]:
    lines = _field(fields, "actions")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise FieldError("invalid actions: expected a list of texts such as 'p1 cbr 200'", "actions")
    return lines


def _names(fields: Fields, seats: int) -> tuple[str, ...]:
    """Return the players' names. Names that do not match the seats are ignored, since the hand does not need them."""
    names = fields.get("players")
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(name, str) for name in names):
        return ()
    return tuple(names)


def _trimming(fields: Fields) -> bool:
    status = fields.get("ante_trimming_status", False)
    if not isinstance(status, bool):
        raise FieldError(
            f"invalid ante_trimming_status: expected true or false, got {quote(status)}", "ante_trimming_status"
        )
    return status


def _amounts(fields: Fields, name: str) -> list[Decimal]:
    values = _field(fields, name)
    if not isinstance(values, list):
        raise FieldError(f"invalid {name}: expected a list with an amount per seat, got {quote(values)}", name)
    return [_amount(value, name) for value in values]


def _amount(value: object, name: str) -> Decimal:
    if type(value) is not int and type(value) is not Decimal:
        raise FieldError(f"invalid {name}: expected an amount of chips, got {quote(value)}", name)
    return _number(value, name)


@lru_cache(maxsize=CACHED)
def _number(value: int | Decimal, name: str) -> Decimal:
    """Return a finite amount. Posts may be negative, and stacks infinite."""
    minimum = -MAX_UNITS if name == "blinds_or_straddles" else 0
    if value != math.inf or not name.endswith("_stacks"):
        nothing = isinstance(value, Decimal) and value.is_nan()
        if nothing or not minimum <= value <= MAX_UNITS:
            raise FieldError(f"invalid {name}: expected an amount of chips, got {quote(value)}", name)
    number = Decimal(value)
    if name != "finishing_stacks" and _decimals(number) > MAX_DECIMALS:
        raise FieldError(f"invalid {name}: expected at most {MAX_DECIMALS} decimals, got {quote(value)}", name)
    if name.endswith("_bet") and not number:
        raise FieldError(f"invalid {name}: expected more than 0, got 0", name)
    return number


def _raise(text: str) -> Decimal:
    text = text.replace(",", "")
    if not _AMOUNT.fullmatch(text):
        raise InputError(f"expected an amount of chips, got {quote(text)}")
    number = Decimal(text)
    if _decimals(number) > MAX_DECIMALS:
        raise InputError(f"expected at most {MAX_DECIMALS} decimals, got {quote(text)}")
    return number


@lru_cache(maxsize=CACHED)
def _decimals(number: Decimal) -> int:
    """Return the number of decimals that a number needs."""
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
    """Return units per chip: enough for every amount, and for final stacks as far as possible."""
    return int(10 ** min(max(map(_decimals, amounts), default=0), MAX_DECIMALS))


@lru_cache(maxsize=CACHED)
def _units(number: Decimal, scale: int) -> int:
    if number.is_infinite():
        return INFINITE
    units = int(number * scale)
    if abs(units) > MAX_UNITS:
        raise InputError(f"expected amounts of at most {MAX_UNITS} of the smallest unit, got {quote(number)}")
    return units


def _check_seats(stacks: Sequence[Decimal], antes: Sequence[Decimal], blinds: Sequence[Decimal]) -> None:
    if not 2 <= len(stacks) <= SEATS or not len(stacks) == len(antes) == len(blinds):
        counts = f"{len(stacks)} starting stacks, {len(antes)} antes and {len(blinds)} blinds"
        raise FieldError(f"expected the same number of each, 2 to {SEATS}, got {counts}", "starting_stacks")


def _read_steps(lines: list[str], seats: int) -> list[Line]:
    steps = []
    for index, line in enumerate(lines):
        try:
            steps.append(_read_line(line, seats) if len(line) <= 40 else _read_line.__wrapped__(line, seats))
        except InputError as error:
            raise StepError(str(error), index) from error
    return steps


@lru_cache(maxsize=CACHED)
def _read_line(text: str, seats: int) -> Line:
    match text.partition("#")[0].split():
        case []:
            return Line(_NOTE)
        case ["d", "dh", player, cards]:
            return Line(Step(NOTE, _seat(player, seats)), hole=_cards(cards, 2))
        case ["d", "db", cards]:
            return Line(Step(DEAL, cards=_cards(cards, 5)))
        case [player, "f"]:
            return Line(Step(FOLD, _seat(player, seats)))
        case [player, "cc"]:
            return Line(Step(CALL, _seat(player, seats)))
        case [player, "cbr", amount]:
            return Line(Step(RAISE, _seat(player, seats)), _raise(amount))
        case [player, "sm"]:
            return Line(Step(MUCK, _seat(player, seats)))
        case [player, "sm", "-"]:
            return Line(Step(SHOW, _seat(player, seats)))
        case [player, "sm", cards]:
            return Line(Step(SHOW, _seat(player, seats), cards=_cards(cards, 2)))
    raise InputError(f"invalid action {quote(text)}: expected an action of hold'em in PHH")


def _in_units(line: Line, scale: int) -> Step:
    if line.amount is None:
        return line.step
    return Step(RAISE, line.step.seat, _units(line.amount, scale))


def _hole(lines: list[Line], seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the cards dealt to each seat, UNKNOWN if they are not recorded."""
    hole: list[tuple[int, ...]] = [()] * seats
    begun = False
    for index, line in enumerate(lines):
        seat = line.step.seat
        begun = begun or line.step.kind != NOTE
        if line.hole:
            if begun:
                raise StepError(f"cards for seat {seat + 1} after the first action", index)
            if len(hole[seat]) + len(line.hole) > 2:
                raise StepError(f"expected two cards for seat {seat + 1}, got more", index)
            hole[seat] += line.hole
    return tuple((*cards, UNKNOWN, UNKNOWN)[:2] for cards in hole)


def _seat(player: str, seats: int) -> int:
    number = _PLAYER.fullmatch(player)
    if not number or int(number[1]) > seats:
        raise InputError(f"invalid player {quote(player)}: expected p1 to p{seats}")
    return int(number[1]) - 1


def _cards(text: str, maximum: int) -> tuple[int, ...]:
    """Return cards, of which some may be hidden: `AhKd`, `Ah??`, `????`."""
    if text == "????" and maximum == 2:
        return _HIDDEN
    letters = text.replace("10", "T").replace(",", "")
    if not 2 <= len(letters) <= 2 * maximum:
        raise InputError(f"expected 1 to {maximum} cards, ?? for a hidden one, got {quote(text)}")
    return tuple(_card(letters[index : index + 2], text) for index in range(0, len(letters), 2))


def _card(name: str, text: str) -> int:
    if len(name) == 2 and "?" in name and set(name) <= _CARD_LETTERS:
        return UNKNOWN
    if name not in _CARDS:
        raise InputError(f"invalid card {quote(name)} in {quote(text)}: expected a rank and a suit such as Ah or Td")
    return _CARDS[name]
