"""The encoding of hold'em hands for classifier systems: the state variables of Reveley (2002), cut into bins.

| variable | what | bins (`width` of them) |
|---|---|---|
| `hs` | hand strength against any two cards (before the flop, the holding's percentile) | equal parts of 0 to 1 |
| `ppot` | positive potential, one card ahead | equal parts of 0 to .3, the last from .3 up |
| `pot` | the pot in small bets (no-limit: big blinds) | below 3, then doubling: 3, 6, 12 ... |
| `to_call` | bets to call | 0, 1, ... , the last "or more" |
| `round` | the round | before the flop, flop, turn, river; always these four |
| `position` | players still in who act after us on later rounds, 0 on the button | 0, 1, ..., the last "or more" |
| `opponents` | opponents still in | 1, 2, ..., the last "or more" |
| `raises` | bets and raises of the opponents in this hand | 0, 1, ..., the last "or more" |
| `bluff` | hands since our last bluff, a bet or raise with a strength below `bluff_below` | 0, 1, then doubling |
| `counters` | the same for each bit of the register: hands since it was 1 at a hand's end | 0, 1, then doubling |
| `history` | the rounds of this hand in which an opponent has bet or raised | all 16 sets of rounds |

Codings: a **bit-spread** has a bit for each bin, and a rule allows any set of bins. **Binary** numbers the bins and
writes the number in ternary positions, the original coding of XCS: a rule can then only allow certain sets.
Everything follows from views and from the player's own earlier actions, so kernels and Python compute the same.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import RAISE
from cardwin.games.holdem.table import ACTIVE, SEATS
from cardwin.games.holdem.view import (
    BIG_BLIND,
    BOARD_SIZE,
    BUTTON,
    CONTRIBUTED,
    DEAD,
    MIN_RAISE,
    MIN_RAISE_TO,
    RAISES,
    SEAT,
    SEAT_COUNT,
    STATUSES,
    STREET,
    TO_CALL,
)
from cardwin.players.xcs.fields import MOST_REGISTER, Field, Fields, Layout, bit, bit_spread

ACTIONS = ("fold", "check or call", "bet or raise")
ROUNDS = ("before the flop", "flop", "turn", "river")
HS, PPOT, POT, BETS_TO_CALL, ROUND, POSITION, OPPONENTS, THEIR_RAISES, BLUFF, COUNTERS, HISTORY = range(11)
WIDTHS = {
    "hs": 10, "ppot": 5, "pot": 5, "to_call": 3, "round": 4, "position": 3, "opponents": 3, "raises": 4, "bluff": 4,
    "counters": 3, "history": 16,
}  # fmt: skip
FIXED = {"round": 4, "history": 16}  # widths that cannot be chosen
SEEN = ("hs", "ppot", "pot", "to_call", "round", "position", "opponents", "raises")
MOST_WIDTH = 20
ENDLESS = 1e9
LONG_AGO = 1_000  # hands; also the value of a counter that was never set
CODINGS = ("spread", "binary")
# Columns of a seat's memory; one for each register bit follows.
(SINCE_BLUFF, BLUFFED, LAST_STREET, OWN_RAISES, THEIRS_NOW, THEIRS_BEFORE, THEIR_ROUNDS, REGISTER, FIRST_COUNTER) = (
    range(9)
)
MEMORY = FIRST_COUNTER + MOST_REGISTER


@dataclass(frozen=True)
class Encoding:
    """The variables, the number of bins of each (the default if not named), and the coding."""

    see: tuple[str, ...] = SEEN
    widths: Mapping[str, int] = field(default_factory=dict)
    coding: str = "spread"
    register: int = 0
    bluff_below: float = 0.4

    def __post_init__(self) -> None:
        if wrong := list(_mistakes(self)):
            raise InputError("; ".join(wrong))

    def width(self, name: str) -> int:
        """The number of bins of a variable."""
        return self.widths.get(name, WIDTHS[name])

    @cached_property
    def variables(self) -> list[tuple[int, Field]]:
        """The variables as bit-spreads, by number, in order; counters once for each register bit."""
        found = []
        for number, name in enumerate(WIDTHS):
            if name in self.see:
                one = _spread(name, self.width(name))
                names = [f"hands since register {bit + 1} was 1" for bit in range(self.register)]
                found += [(number, replace(one, name=text)) for text in (names if number == COUNTERS else [one.name])]
        return found

    @cached_property
    def fields(self) -> Fields:
        """The fields of rules."""
        seen: list[Field] = []
        for _, variable in self.variables:
            bits = _bits(variable) if self.coding == "binary" else 0
            seen += [bit(f"{variable.name} (bit {place + 1} of {bits})") for place in range(bits)] or [variable]
        return Fields(tuple(seen), self.register)

    @cached_property
    def coded(self) -> "Coded":
        """The encoding for kernels."""
        first, bits, kinds = [], [], []
        inner = np.full((len(self.variables), MOST_WIDTH), np.inf)
        place = 0
        for number, (kind, variable) in enumerate(self.variables):
            count = _bits(variable) if self.coding == "binary" else 0
            first.append(place)
            bits.append(count)
            kinds.append(kind)
            place += max(count, 1)
            edges = variable.edges[1:-1] if variable.edges else tuple(range(1, variable.width))
            inner[number, : len(edges)] = edges
        return Coded(
            np.array(kinds, np.int64), np.array(first, np.int64), np.array(bits, np.int64), inner, self.fields.layout,
            float(self.bluff_below), self.register,
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """The encoding for files."""
        return asdict(self) | {"see": list(self.see), "widths": dict(self.widths)}


def encoding_of(values: Mapping[str, Any]) -> Encoding:
    """An encoding from a file's values."""
    known = {one.name for one in fields(Encoding)}
    return Encoding(
        **({name: value for name, value in values.items() if name in known} | {"see": tuple(values["see"])})
    )


def _mistakes(encoding: Encoding) -> list[str]:
    """All errors, one sentence each."""
    names = ", ".join(WIDTHS)
    wrong = [
        f"{name} is no state variable: there are {names}"
        for name in (*encoding.see, *encoding.widths)
        if name not in WIDTHS
    ]
    if not encoding.see or len(set(encoding.see)) < len(encoding.see):
        wrong.append(f"see: at least one state variable, each once, of {names}")
    for name, width in encoding.widths.items():
        least, most = (FIXED[name], FIXED[name]) if name in FIXED else (2, MOST_WIDTH)
        if name in WIDTHS and (not isinstance(width, int) or not least <= width <= most):
            wrong.append(f"{name} has {width} bins: from {least} to {most} would be right")
    if encoding.coding not in CODINGS:
        wrong.append(f"coding is {encoding.coding!r}: {' or '.join(CODINGS)}")
    if not 0 <= encoding.register <= MOST_REGISTER:
        wrong.append(f"register_bits is {encoding.register}: 0 to {MOST_REGISTER} would be right")
    elif "counters" in encoding.see and not encoding.register:
        wrong.append("counters count register bits: give register_bits too")
    if not 0 <= encoding.bluff_below <= 1:
        wrong.append(f"bluff_below is {encoding.bluff_below}: a strength from 0 to 1 would be right")
    return wrong


def _bits(variable: Field) -> int:
    """Ternary positions that number the bins."""
    return (variable.width - 1).bit_length()


def _spread(name: str, width: int) -> Field:
    """A variable as a bit-spread of `width` bins."""
    counted = {"to_call": "bets to call", "position": "players to act after us",
               "raises": "the opponents' bets and raises"}  # fmt: skip
    if name in counted:
        return Field(counted[name], (*map(str, range(width - 1)), f"{width - 1} or more"), True)
    if name == "opponents":
        return Field("opponents in", (*map(str, range(1, width)), f"{width} or more"), True)
    if name == "round":
        return Field("the round", ROUNDS)
    if name == "history":
        sets = [[one for place, one in enumerate(ROUNDS) if bits >> place & 1] for bits in range(FIXED["history"])]
        return Field("rounds with a bet of an opponent", tuple(", ".join(one) or "none" for one in sets))
    if name == "hs":
        return bit_spread("hand strength", [round(place / width, 6) for place in range(width + 1)])
    if name == "ppot":
        return bit_spread("potential", [*(round(0.3 * place / (width - 1), 6) for place in range(width)), 1.0])
    if name == "pot":
        return bit_spread("the pot in small bets", [0.0, *(3.0 * 2**place for place in range(width - 1)), ENDLESS])
    doubling = [0.0, *(2.0**place for place in range(width - 1)), ENDLESS]
    return bit_spread("hands since a bluff", doubling)


class Coded(NamedTuple):
    """An encoding for kernels. kinds, first, bits (variables,): variable, its first field, its positions (0: spread).

    inner (variables, 20): the edges between its bins.
    """

    kinds: Ints
    first: Ints
    bits: Ints
    inner: Floats
    layout: Layout
    bluff_below: float
    register: int


@kernel
def forget(memory: Ints) -> None:
    """A match begins: memory (MEMORY,) with all counters at LONG_AGO."""
    for column in range(len(memory)):
        memory[column] = 0
    memory[SINCE_BLUFF] = LONG_AGO
    for place in range(FIRST_COUNTER, len(memory)):
        memory[place] = LONG_AGO


@kernel
def begin_hand(memory: Ints) -> None:
    """A hand begins: update the counters with the last one."""
    memory[SINCE_BLUFF] = 0 if memory[BLUFFED] else min(memory[SINCE_BLUFF] + 1, LONG_AGO)
    for place in range(FIRST_COUNTER, len(memory)):
        was_set = (memory[REGISTER] >> (place - FIRST_COUNTER)) & 1
        memory[place] = 0 if was_set else min(memory[place] + 1, LONG_AGO)
    for column in range(BLUFFED, FIRST_COUNTER):
        memory[column] = 0


@kernel
def look(memory: Ints, row: Ints) -> None:
    """Before a decision: count the opponents' raises, from a view's row."""
    if row[STREET] != memory[LAST_STREET]:
        memory[THEIRS_BEFORE] += memory[THEIRS_NOW]
        memory[THEIR_ROUNDS] |= int(memory[THEIRS_NOW] > 0) << memory[LAST_STREET]
        memory[OWN_RAISES] = 0
        memory[LAST_STREET] = row[STREET]
    memory[THEIRS_NOW] = row[RAISES] - memory[OWN_RAISES]


@kernel
def note_own(memory: Ints, action: int, strength: float, below: float, register: int) -> None:
    """After a decision: record our action with its strength, and the register."""
    memory[REGISTER] = register
    if action == RAISE:
        memory[OWN_RAISES] += 1
        if strength < below:
            memory[BLUFFED] = 1


@kernel
def bets_to_call(row: Ints) -> int:
    """The number of bets to call: the chips divided by the last full raise, rounded up."""
    return int(-(-row[TO_CALL] // max(row[MIN_RAISE], 1)))


@kernel
def players_after(row: Ints) -> int:
    """The number of players still in who act after us on later rounds: those between us and the button, inclusive."""
    seats, found = row[SEAT_COUNT], 0
    seat = row[SEAT]
    while seat != row[BUTTON]:
        seat = seat + 1 if seat + 1 < seats else 0
        found += row[STATUSES + seat] == ACTIVE
    return int(found)


@kernel
def pot_in_bets(row: Ints) -> float:
    """The pot in small bets, which are as large as the big blind."""
    chips = row[DEAD]
    for seat in range(SEATS):
        chips += row[CONTRIBUTED + seat]
    return float(chips / row[BIG_BLIND])


@kernel
def variable(kind: int, row: Ints, strength: float, potential: float, memory: Ints, counter: int) -> float:
    """The value of a state variable."""
    if kind == HS:
        return strength
    if kind == PPOT:
        return potential
    if kind == POT:
        return pot_in_bets(row)
    if kind == BETS_TO_CALL:
        return float(bets_to_call(row))
    if kind == ROUND:
        return float(max(row[BOARD_SIZE] - 2, 0))
    if kind == POSITION:
        return float(players_after(row))
    if kind == OPPONENTS:
        found = -2  # without ourselves, and one opponent is the first bin
        for seat in range(row[SEAT_COUNT]):
            found += row[STATUSES + seat] == ACTIVE
        return float(found)
    if kind == THEIR_RAISES:
        return float(memory[THEIRS_BEFORE] + memory[THEIRS_NOW])
    if kind == HISTORY:
        return float(memory[THEIR_ROUNDS] | int(memory[THEIRS_NOW] > 0) << memory[LAST_STREET])
    return float(memory[SINCE_BLUFF] if kind == BLUFF else memory[FIRST_COUNTER + counter])


@kernel
def write_situation(coded: Coded, row: Ints, strength: float, potential: float, memory: Ints, situation: Ints) -> None:
    """The situation as words (words,), from a view's row (VIEW_SIZE,); the register is added later."""
    for word in range(len(situation)):
        situation[word] = 0
    counter = 0
    for number in range(len(coded.kinds)):
        value = variable(coded.kinds[number], row, strength, potential, memory, counter)
        counter += coded.kinds[number] == COUNTERS
        place = 0
        while value >= coded.inner[number, place]:
            place += 1
        first = coded.first[number]
        if coded.bits[number] == 0:
            situation[coded.layout.places[first, 0]] |= 1 << (coded.layout.places[first, 1] + place)
        for digit in range(coded.bits[number]):
            at = coded.layout.places[first + digit, 1] + ((place >> (coded.bits[number] - 1 - digit)) & 1)
            situation[coded.layout.places[first + digit, 0]] |= 1 << at


@kernel
def legal_bits(row: Ints) -> int:
    """Which actions are legal, a bit for each: no fold where checking is free."""
    return 2 | int(row[TO_CALL] > 0) | int(row[MIN_RAISE_TO] > 0) << 2
