"""The encoding of hold'em hands for classifier systems: the state variables of Reveley (2002), cut into bins.

| variable | meaning | bins (`width` of them) |
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
from cardwin.players.xcs.fields import MAX_REGISTER_BITS, Field, Fields, Layout, bit, bit_spread

ACTIONS = ("fold", "check or call", "bet or raise")
ROUNDS = ("before the flop", "flop", "turn", "river")
HS, PPOT, POT, BETS_TO_CALL, ROUND, POSITION, OPPONENTS, THEIR_RAISES, BLUFF, COUNTERS, HISTORY = range(11)
WIDTHS = {
    "hs": 10,
    "ppot": 5,
    "pot": 5,
    "to_call": 3,
    "round": 4,
    "position": 3,
    "opponents": 3,
    "raises": 4,
    "bluff": 4,
    "counters": 3,
    "history": 16,
}
FIXED_WIDTHS = ("round", "history")
SEEN = ("hs", "ppot", "pot", "to_call", "round", "position", "opponents", "raises")
MAX_WIDTH = 20
ENDLESS = 1e9
LONG_AGO = 1_000  # hands; also the value of a counter that was never set
CODINGS = ("spread", "binary")
# Counted variables: name and first value. Variables whose bins double: name and first inner edge.
COUNTED = {
    "to_call": ("bets to call", 0),
    "position": ("players to act after us", 0),
    "opponents": ("opponents in", 1),
    "raises": ("the opponents' bets and raises", 0),
}
DOUBLING = {"pot": ("the pot in small bets", 3.0), "bluff": ("hands since a bluff", 1.0), "counters": ("", 1.0)}
# Columns of a seat's memory; one for each register bit follows.
(SINCE_BLUFF, BLUFFED, LAST_STREET, OWN_RAISES, THEIRS_NOW, THEIRS_BEFORE, THEIR_ROUNDS, REGISTER, FIRST_COUNTER) = (
    range(9)
)
MEMORY = FIRST_COUNTER + MAX_REGISTER_BITS


@dataclass(frozen=True)
class Encoding:
    """The state variables of a learner and how they are coded.

    Attributes:
        see: the names of the variables.
        widths: the number of bins of each; the default if not named.
        coding: a name in `CODINGS`.
        register: the number of register bits.
        bluff_below: the hand strength below which a bet or raise counts as a bluff.

    Raises:
        InputError: an attribute is invalid; the message lists all errors.

    """

    see: tuple[str, ...] = SEEN
    widths: Mapping[str, int] = field(default_factory=dict)
    coding: str = "spread"
    register: int = 0
    bluff_below: float = 0.4

    def __post_init__(self) -> None:
        if errors := _errors_of(self):
            raise InputError("; ".join(errors))

    def width(self, name: str) -> int:
        """Return the number of bins of a variable."""
        return self.widths.get(name, WIDTHS[name])

    @cached_property
    def variables(self) -> list[tuple[int, Field]]:
        """The variables as bit-spreads, by number, in order; counters once for each register bit."""
        variables = []
        for number, name in enumerate(WIDTHS):
            if name in self.see:
                spread = _spread(name, self.width(name))
                counters = [f"hands since register {bit + 1} was 1" for bit in range(self.register)]
                titles = counters if number == COUNTERS else [spread.name]
                variables += [(number, replace(spread, name=title)) for title in titles]
        return variables

    @cached_property
    def fields(self) -> Fields:
        """The fields of rules."""
        seen: list[Field] = []
        for _, variable in self.variables:
            bits = self._count_bits(variable)
            seen += [bit(f"{variable.name} (bit {number + 1} of {bits})") for number in range(bits)] or [variable]
        return Fields(tuple(seen), self.register)

    def _count_bits(self, variable: Field) -> int:
        """Return the number of ternary positions that number the bins; 0 for a bit-spread."""
        return (variable.width - 1).bit_length() if self.coding == "binary" else 0

    @cached_property
    def coded(self) -> "Coded":
        """The encoding for kernels."""
        first, bits, kinds = [], [], []
        inner = np.full((len(self.variables), MAX_WIDTH), np.inf)
        next_field = 0
        for number, (kind, variable) in enumerate(self.variables):
            count = self._count_bits(variable)
            first.append(next_field)
            bits.append(count)
            kinds.append(kind)
            next_field += max(count, 1)
            edges = variable.edges[1:-1] if variable.edges else tuple(range(1, variable.width))
            inner[number, : len(edges)] = edges
        numbers = np.array([kinds, first, bits], np.int64)
        layout, below = self.fields.layout, float(self.bluff_below)
        return Coded(numbers[0], numbers[1], numbers[2], inner, layout, below, self.register)

    def as_dict(self) -> dict[str, Any]:
        """Return the encoding for files."""
        return asdict(self) | {"see": list(self.see), "widths": dict(self.widths)}


def encoding_of(values: Mapping[str, Any]) -> Encoding:
    """Return an encoding from a file's values; unknown ones are ignored."""
    known = {each.name: values[each.name] for each in fields(Encoding) if each.name in values}
    return Encoding(**(known | {"see": tuple(values["see"])}))


def _errors_of(encoding: Encoding) -> list[str]:
    """Return all errors, one sentence each."""
    names = ", ".join(WIDTHS)
    unknown = [name for name in (*encoding.see, *encoding.widths) if name not in WIDTHS]
    errors = [f"unknown state variable {name}: expected one of {names}" for name in unknown]
    if not encoding.see or len(set(encoding.see)) < len(encoding.see):
        errors.append(f"see: expected at least one state variable, each once, of {names}")
    for name, width in encoding.widths.items():
        low, high = (WIDTHS[name], WIDTHS[name]) if name in FIXED_WIDTHS else (2, MAX_WIDTH)
        if name in WIDTHS and (not isinstance(width, int) or not low <= width <= high):
            errors.append(f"{name} has {width} bins, expected from {low} to {high}")
    if encoding.coding not in CODINGS:
        errors.append(f"coding must be {' or '.join(CODINGS)}, got {encoding.coding!r}")
    if not 0 <= encoding.register <= MAX_REGISTER_BITS:
        errors.append(f"register_bits is {encoding.register}, expected 0 to {MAX_REGISTER_BITS}")
    elif "counters" in encoding.see and not encoding.register:
        errors.append("counters count hands since register bits were set: give register_bits too")
    if not 0 <= encoding.bluff_below <= 1:
        errors.append(f"bluff_below is {encoding.bluff_below}, expected a strength from 0 to 1")
    return errors


def _spread(name: str, width: int) -> Field:
    """Return a variable as a bit-spread of `width` bins."""
    if name in COUNTED:
        title, first = COUNTED[name]
        last = first + width - 1
        return Field(title, (*map(str, range(first, last)), f"{last} or more"), True)
    if name in DOUBLING:
        title, first_edge = DOUBLING[name]
        return bit_spread(title, [0.0, *(first_edge * 2**number for number in range(width - 1)), ENDLESS])
    if name == "round":
        return Field("the round", ROUNDS)
    if name == "history":
        rounds = ([text for number, text in enumerate(ROUNDS) if bits >> number & 1] for bits in range(width))
        return Field("rounds with a bet of an opponent", tuple(", ".join(texts) or "none" for texts in rounds))
    if name == "hs":
        return bit_spread("hand strength", [round(number / width, 6) for number in range(width + 1)])
    return bit_spread("potential", [*(round(0.3 * number / (width - 1), 6) for number in range(width)), 1.0])


class Coded(NamedTuple):
    """An encoding for kernels.

    Attributes:
        kinds: (variables,), the number of each variable.
        first: (variables,), its first field.
        bits: (variables,), its ternary positions, 0 for a bit-spread.
        inner: (variables, 20), the edges between its bins.
        layout: the positions of all fields.
        bluff_below: the strength below which a raise counts as a bluff.
        register: the number of register bits.

    """

    kinds: Ints
    first: Ints
    bits: Ints
    inner: Floats
    layout: Layout
    bluff_below: float
    register: int


@kernel
def reset_memory(memory: Ints) -> None:
    """Reset a seat's memory (MEMORY,) at the start of a match: all counters at LONG_AGO."""
    for column in range(len(memory)):
        memory[column] = 0
    memory[SINCE_BLUFF] = LONG_AGO
    for column in range(FIRST_COUNTER, len(memory)):
        memory[column] = LONG_AGO


@kernel
def begin_hand(memory: Ints) -> None:
    """Update the counters at the start of a hand, with what the last hand recorded."""
    memory[SINCE_BLUFF] = 0 if memory[BLUFFED] else min(memory[SINCE_BLUFF] + 1, LONG_AGO)
    for column in range(FIRST_COUNTER, len(memory)):
        was_set = (memory[REGISTER] >> (column - FIRST_COUNTER)) & 1
        memory[column] = 0 if was_set else min(memory[column] + 1, LONG_AGO)
    for column in range(BLUFFED, FIRST_COUNTER):
        memory[column] = 0


@kernel
def update_memory(memory: Ints, row: Ints) -> None:
    """Count the opponents' raises before a decision, from a view's row."""
    if row[STREET] != memory[LAST_STREET]:
        memory[THEIRS_BEFORE] += memory[THEIRS_NOW]
        memory[THEIR_ROUNDS] |= int(memory[THEIRS_NOW] > 0) << memory[LAST_STREET]
        memory[OWN_RAISES] = 0
        memory[LAST_STREET] = row[STREET]
    memory[THEIRS_NOW] = row[RAISES] - memory[OWN_RAISES]


@kernel
def record_action(memory: Ints, action: int, strength: float, below: float, register: int) -> None:
    """Record the seat's action with its hand strength, and the register, after a decision."""
    memory[REGISTER] = register
    if action == RAISE:
        memory[OWN_RAISES] += 1
        if strength < below:
            memory[BLUFFED] = 1


@kernel
def bets_to_call(row: Ints) -> int:
    """Return the number of bets to call: the chips divided by the last full raise, rounded up."""
    return int(-(-row[TO_CALL] // max(row[MIN_RAISE], 1)))


@kernel
def players_after(row: Ints) -> int:
    """Count the active players who act after us on later rounds: those between us and the button, inclusive."""
    seats, count = row[SEAT_COUNT], 0
    seat = row[SEAT]
    while seat != row[BUTTON]:
        seat = seat + 1 if seat + 1 < seats else 0
        count += row[STATUSES + seat] == ACTIVE
    return int(count)


@kernel
def pot_in_bets(row: Ints) -> float:
    """Return the pot in small bets, which are as large as the big blind."""
    chips = row[DEAD]
    for seat in range(SEATS):
        chips += row[CONTRIBUTED + seat]
    return float(chips / row[BIG_BLIND])


@kernel
def variable(kind: int, row: Ints, strength: float, potential: float, memory: Ints, counter: int) -> float:
    """Compute the value of a state variable."""
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
        count = -2  # without ourselves, and one opponent is the first bin
        for seat in range(row[SEAT_COUNT]):
            count += row[STATUSES + seat] == ACTIVE
        return float(count)
    if kind == THEIR_RAISES:
        return float(memory[THEIRS_BEFORE] + memory[THEIRS_NOW])
    if kind == HISTORY:
        return float(memory[THEIR_ROUNDS] | int(memory[THEIRS_NOW] > 0) << memory[LAST_STREET])
    return float(memory[SINCE_BLUFF] if kind == BLUFF else memory[FIRST_COUNTER + counter])


@kernel
def write_situation(coded: Coded, row: Ints, strength: float, potential: float, memory: Ints, situation: Ints) -> None:
    """Write the situation as words (words,), from a view's row (VIEW_SIZE,); the register is added later."""
    for word in range(len(situation)):
        situation[word] = 0
    counter = 0
    for number in range(len(coded.kinds)):
        value = variable(coded.kinds[number], row, strength, potential, memory, counter)
        counter += coded.kinds[number] == COUNTERS
        bin_index = 0
        while value >= coded.inner[number, bin_index]:
            bin_index += 1
        first = coded.first[number]
        if coded.bits[number] == 0:
            situation[coded.layout.places[first, 0]] |= 1 << (coded.layout.places[first, 1] + bin_index)
        for digit in range(coded.bits[number]):
            at = coded.layout.places[first + digit, 1] + ((bin_index >> (coded.bits[number] - 1 - digit)) & 1)
            situation[coded.layout.places[first + digit, 0]] |= 1 << at


@kernel
def legal_bits(row: Ints) -> int:
    """Return the legal actions, a bit for each; folding is illegal if checking is free."""
    return 2 | int(row[TO_CALL] > 0) | int(row[MIN_RAISE_TO] > 0) << 2
