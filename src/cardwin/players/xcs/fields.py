"""The fields of a classifier's situations, each one of several values, stored as bits of a few words.

A condition is a mask over all fields' bits and matches if every field's value is among the bits set. Thus one coding
serves both of a classifier system's alphabets. A ternary bit is a field of two values (0 is `01`, 1 is `10`, # is
`11`); a bit-spread (Reveley 2002) is a real number in bins, one bit a bin. Matching, generality and subsumption
are the same bit operations for either: a mask that covers another is more general.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.core.errors import InputError

WORD_BITS = 62  # of 64, so that shifts and masks never reach the sign
MOST_REGISTER = 6


@dataclass(frozen=True)
class Field:
    """A variable with one of several values, each with a text; ordered if neighbouring values are similar.

    An ordered field may have edges (values + 1), the numbers between which its values lie.
    """

    name: str
    values: tuple[str, ...]
    ordered: bool = False
    edges: tuple[float, ...] = ()

    @property
    def width(self) -> int:
        """The number of bits."""
        return len(self.values)


def bit(name: str) -> Field:
    """A ternary position: 0, 1, or either."""
    return Field(name, ("0", "1"))


def bit_spread(name: str, edges: Sequence[float]) -> Field:
    """A real number divided into bins at edges; values outside fall into the first or the last."""
    ends = tuple(float(edge) for edge in edges)
    if len(ends) < 3 or any(a >= b for a, b in pairwise(ends)):
        raise InputError(f"{name}: a bit-spread needs at least three rising edges, got {list(edges)}")
    names = tuple(f"{_short(a)} to {_short(b)}" for a, b in pairwise(ends))
    return Field(name, names, True, ends)


def _short(value: float) -> str:
    return f"{value:.4g}"


class Layout(NamedTuple):
    """The positions of the bits, for kernels.

    places (fields, 3): word, first bit, width. full (words,): all bits in use. cuts (alleles + 1, words): the bits
    before each possible crossover point, a ternary position being one allele and a spread as many as its bins.
    """

    places: Ints
    full: Ints
    cuts: Ints


@dataclass(frozen=True)
class Fields:
    """All fields of a classifier, in order; the register's bits come last."""

    seen: tuple[Field, ...]
    register: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.register <= MOST_REGISTER:
            raise InputError(f"a register has 0 to {MOST_REGISTER} bits, not {self.register}")
        names = [field.name for field in self.seen]
        if len(set(names)) < len(names) or not names:
            raise InputError(f"fields need names of their own, at least one: {', '.join(names) or 'none'}")
        for field in self.seen:
            if not 2 <= field.width <= WORD_BITS:
                raise InputError(f"{field.name} has {field.width} values: from 2 to {WORD_BITS} fit")

    @cached_property
    def all(self) -> tuple[Field, ...]:
        """The fields and the register's bits."""
        return (*self.seen, *(bit(f"register {number + 1}") for number in range(self.register)))

    @cached_property
    def layout(self) -> Layout:
        """Fields in words, none split across two."""
        places, word, shift = [], 0, 0
        for field in self.all:
            if shift + field.width > WORD_BITS:
                word, shift = word + 1, 0
            places.append((word, shift, field.width))
            shift += field.width
        table = np.array(places, np.int64)
        full = np.zeros(word + 1, np.int64)
        cuts = [full.copy()]
        for at, first, width in places:
            for allele in [width] if width == 2 else [1] * width:
                bits = ((1 << allele) - 1) << first
                full[at] |= bits
                first += allele
                cuts.append(full.copy())
        return Layout(table, full, np.array(cuts))

    def encode(self, values: Sequence[int]) -> Ints:
        """The words of a situation, a value's number for each field without the register: (words,)."""
        layout = self.layout
        words = np.zeros(len(layout.full), np.int64)
        for value, field, (word, first, width) in zip(values, self.seen, layout.places.tolist(), strict=False):
            if not 0 <= value < width:
                raise InputError(f"{field.name} has values 0 to {width - 1}, not {value}")
            words[word] |= 1 << (first + value)
        return words

    def allowed(self, condition: Ints) -> list[tuple[bool, ...]]:
        """For every field, which of its values a condition (words,) allows."""
        found = []
        for word, first, width in self.layout.places.tolist():
            mask = int(condition[word]) >> first
            found.append(tuple(bool(mask >> value & 1) for value in range(width)))
        return found

    def digest(self) -> str:
        """A short text that differs if fields differ."""
        parts = [f"{field.name}={'|'.join(field.values)}" for field in self.seen]
        return f"{';'.join(parts)};register={self.register}"


def ternary(count: int) -> Fields:
    """Plain bits, as in the literature's test problems."""
    return Fields(tuple(bit(f"bit {number}") for number in range(count)))
