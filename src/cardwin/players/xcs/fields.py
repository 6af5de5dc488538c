"""The fields of a classifier's situations, each one of several values, stored as bits of a few words.

A condition is a mask over all fields' bits and matches if every field's value is among the bits set. Thus one coding
serves both alphabets of a classifier system. A ternary bit is a field of two values (0 is `01`, 1 is `10`, # is
`11`); a bit-spread (Reveley 2002) is a real number in bins, one bit per bin. Matching, generality and subsumption
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
MAX_REGISTER_BITS = 6


@dataclass(frozen=True)
class Field:
    """A variable with one of several values.

    Attributes:
        name: its name.
        values: a text for each value.
        ordered: whether neighbouring values are similar.
        edges: (values + 1), the numbers between which the values of an ordered field lie, or empty.

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
    """Return a ternary position: 0, 1, or either."""
    return Field(name, ("0", "1"))


def bit_spread(name: str, edges: Sequence[float]) -> Field:
    """Return a real number divided into bins at edges; values outside fall into the first or the last.

    Raises:
        InputError: there are fewer than three edges, or they do not rise.

    """
    ends = tuple(float(edge) for edge in edges)
    if len(ends) < 3 or any(a >= b for a, b in pairwise(ends)):
        raise InputError(f"{name}: expected at least three rising edges of a bit-spread, got {list(edges)}")
    return Field(name, tuple(f"{low:.4g} to {high:.4g}" for low, high in pairwise(ends)), True, ends)


class Layout(NamedTuple):
    """The positions of the bits, for kernels.

    Attributes:
        places: (fields, 3), the word, the first bit and the width of each field.
        full: (words,), all bits in use.
        cuts: (alleles + 1, words), the bits before each possible crossover point. A ternary position is one allele, a
            bit-spread has one per bin.

    """

    places: Ints
    full: Ints
    cuts: Ints


@dataclass(frozen=True)
class Fields:
    """All fields of a classifier, in order; the register's bits come last.

    Attributes:
        seen: the fields of a situation.
        register: the number of register bits.

    Raises:
        InputError: names are not distinct, or a number of values or bits is out of range.

    """

    seen: tuple[Field, ...]
    register: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.register <= MAX_REGISTER_BITS:
            raise InputError(f"expected a register of 0 to {MAX_REGISTER_BITS} bits, got {self.register}")
        names = [field.name for field in self.seen]
        if len(set(names)) < len(names) or not names:
            raise InputError(f"expected one or more fields with different names, got {', '.join(names) or 'none'}")
        for field in self.seen:
            if not 2 <= field.width <= WORD_BITS:
                raise InputError(f"{field.name}: expected 2 to {WORD_BITS} values, got {field.width}")

    @cached_property
    def all(self) -> tuple[Field, ...]:
        """The fields and the register's bits."""
        return (*self.seen, *(bit(f"register {number + 1}") for number in range(self.register)))

    @cached_property
    def layout(self) -> Layout:
        """The positions of the fields in words; no field is split across two words."""
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
        """Return the words (words,) of a situation.

        Args:
            values: the index of each field's value, without the register.

        Raises:
            InputError: an index is out of range.

        """
        layout = self.layout
        words = np.zeros(len(layout.full), np.int64)
        for value, field, (word, first, width) in zip(values, self.seen, layout.places.tolist(), strict=False):
            if not 0 <= value < width:
                raise InputError(f"{field.name}: expected a value from 0 to {width - 1}, got {value}")
            words[word] |= 1 << (first + value)
        return words

    def allowed(self, condition: Ints) -> list[tuple[bool, ...]]:
        """Return, for every field, which of its values a condition (words,) allows."""
        masks = [(int(condition[word]) >> first, width) for word, first, width in self.layout.places.tolist()]
        return [tuple(bool(mask >> value & 1) for value in range(width)) for mask, width in masks]

    def digest(self) -> str:
        """Return a text that differs if fields differ."""
        parts = [f"{field.name}={'|'.join(field.values)}" for field in self.seen]
        return f"{';'.join(parts)};register={self.register}"
