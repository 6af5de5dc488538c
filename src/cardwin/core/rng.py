"""Random numbers, in Python and in kernels: counter-based, so that no draw depends on other draws.

A key is a 63-bit number derived by name. A stream is an int64 array of two, (key, counter), and its n-th draw is a
hash of both (the finaliser of SplitMix64; Steele, Lea and Flood 2014). A child key is a hash of a key and a number or
a name. No draw depends on the order of tables, threads or workers.

`child` can be inverted: a child key reveals its parent, and with it every card and every other stream. Keys that
players or viewers may learn (of a seat's stream; of the cards, whose shuffle is seen once they are shown) therefore
come from `prf`, a one-way function: SipHash-1-3 (Aumasson and Bernstein 2012) with the parent as its secret. A person
who has seen any number of such keys can neither find the parent nor predict another key except by exhaustive search.
"""

import hashlib
import math
import secrets
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import COMPILED, kernel

Stream = npt.NDArray[np.int64]
Word: TypeAlias = Any  # unsigned, 64 bits: one of NumPy's when compiled, Python's otherwise
Words: TypeAlias = tuple[Word, Word, Word, Word]

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_STEP, _MIX_1, _MIX_2 = 0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB

if COMPILED:

    @kernel
    def bits_at(key: int, counter: int) -> int:
        """Return 63 random bits, the counter-th of a key."""
        z = np.uint64(key) + np.uint64(counter + 1) * np.uint64(_STEP)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
        return int(np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(1)))
else:
    # Written twice: Python's integers do not wrap, and NumPy's warn when they do.
    def bits_at(key: int, counter: int) -> int:
        """Return 63 random bits, the counter-th of a key."""
        z = (int(key) + (int(counter) + 1) * _STEP) & _MASK
        z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
        z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
        return (z ^ (z >> 31)) >> 1


@kernel
def child(key: int, number: int) -> int:
    """Return the key of a numbered child: a table, a hand, a generation."""
    return bits_at(bits_at(key, -1), number)


@kernel
def draw_bits(stream: Stream) -> int:
    """Return the stream's next 63 bits."""
    value = bits_at(stream[0], stream[1])
    stream[1] += 1
    return value


@kernel
def draw_below(stream: Stream, n: int) -> int:
    """Return a random whole number in 0..n-1, n under 2**31."""
    return ((draw_bits(stream) >> 31) * n) >> 32


@kernel
def draw_uniform(stream: Stream) -> float:
    """Return a random float in [0, 1), a multiple of 2**-53."""
    return (draw_bits(stream) >> 10) * 2.0**-53


@kernel
def draw_normal(stream: Stream) -> float:
    """Return a standard normal number (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - draw_uniform(stream)))
    return radius * math.cos(2.0 * math.pi * draw_uniform(stream))


@kernel
def shuffle_first(stream: Stream, items: npt.NDArray[np.int64], n: int) -> None:
    """Move a random sample of n items, in random order, to the front."""
    key, counter = stream[0], stream[1]  # in registers: for the compiler, items could alias the stream
    for i in range(n):
        j = i + (((bits_at(key, counter + i) >> 31) * (len(items) - i)) >> 32)
        items[i], items[j] = items[j], items[i]
    stream[1] = counter + n


# The constants of SipHash, and the block that ends a message of eight bytes.
_A, _B, _C, _D = 0x736F_6D65_7073_6575, 0x646F_7261_6E64_6F6D, 0x6C79_6765_6E65_7261, 0x7465_6462_7974_6573
_LAST = 8 << 56

if COMPILED:

    @kernel
    def _round(a: Word, b: Word, c: Word, d: Word) -> Words:
        a, c = a + b, c + d
        b = ((b << np.uint64(13)) | (b >> np.uint64(51))) ^ a
        d = ((d << np.uint64(16)) | (d >> np.uint64(48))) ^ c
        a = (a << np.uint64(32)) | (a >> np.uint64(32))
        c, a = c + b, a + d
        b = ((b << np.uint64(17)) | (b >> np.uint64(47))) ^ c
        d = ((d << np.uint64(21)) | (d >> np.uint64(43))) ^ a
        c = (c << np.uint64(32)) | (c >> np.uint64(32))
        return a, b, c, d

    @kernel
    def siphash(low: int, high: int, word: int) -> Word:
        """Return the 64 bits of SipHash-1-3 of one word under a secret of two words."""
        k, m = np.uint64(low), np.uint64(word)
        h = np.uint64(high)
        a, b, c, d = k ^ np.uint64(_A), h ^ np.uint64(_B), k ^ np.uint64(_C), h ^ np.uint64(_D) ^ m
        a, b, c, d = _round(a, b, c, d)
        a, d = a ^ m, d ^ np.uint64(_LAST)
        a, b, c, d = _round(a, b, c, d)
        a, c = a ^ np.uint64(_LAST), c ^ np.uint64(0xFF)
        a, b, c, d = _round(a, b, c, d)
        a, b, c, d = _round(a, b, c, d)
        a, b, c, d = _round(a, b, c, d)
        return a ^ b ^ c ^ d
else:
    # Written twice, like `bits_at`: Python's integers do not wrap.
    def _turned(word: int, bits: int) -> int:
        return ((word << bits) | (word >> (64 - bits))) & _MASK

    def _round(a: Word, b: Word, c: Word, d: Word) -> Words:
        a, c = (a + b) & _MASK, (c + d) & _MASK
        b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
        a = _turned(a, 32)
        c, a = (c + b) & _MASK, (a + d) & _MASK
        b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
        return a, b, _turned(c, 32), d

    def siphash(low: int, high: int, word: int) -> Word:
        """Return the 64 bits of SipHash-1-3 of one word under a secret of two words."""
        k, h, m = int(low) & _MASK, int(high) & _MASK, int(word) & _MASK
        state = (k ^ _A, h ^ _B, k ^ _C, h ^ _D)
        for block in (m, _LAST):
            a, b, c, d = state
            state = _round(a, b, c, d ^ block)
            state = (state[0] ^ block, *state[1:])
        a, b, c, d = state
        state = (a, b, c ^ 0xFF, d)
        for _ in range(3):
            state = _round(*state)
        a, b, c, d = state
        return a ^ b ^ c ^ d


@kernel
def prf(key: int, number: int) -> int:
    """Return the key of a numbered child that reveals neither its parent nor its siblings."""
    return int(np.int64(np.uint64(siphash(key, ~key, number)) >> np.uint64(1)))


def key_of(seed: int, *names: str | int) -> int:
    """Derive a key from a seed and names. The same names give the same key, whatever else is drawn.

    Args:
        seed: the run's seed.
        names: texts or numbers. A number and the same text give different keys.

    Returns:
        A key of 63 bits.

    """
    text = "\x1f".join([str(seed), *(f"{type(name).__name__}:{name}" for name in names)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1


def stream_of(key: int) -> Stream:
    """Return a new stream, with its counter at 0."""
    return np.array([key, 0], dtype=np.int64)


def generator_of(key: int) -> np.random.Generator:
    """Return a NumPy generator for whole-array draws outside kernels."""
    return np.random.Generator(np.random.Philox(key=key))


def random_seed() -> int:
    """Return a seed for a run without one: short enough to type again, too long for exhaustive search."""
    return secrets.randbelow(10**15)


def draw_index(stream: Stream, weights: Sequence[float]) -> int:
    """Draw an index with the given weights, which sum to 1."""
    point = draw_uniform(stream)
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index
    return max(index for index, weight in enumerate(weights) if weight > 0)
