"""Random numbers, in Python and in kernels: counter-based, so that no draw depends on the draws of others.

A key is a 63-bit number derived by name. A stream is an int64 array of two, (key, counter), and its n-th draw is a
hash of both (the finaliser of SplitMix64; Steele, Lea and Flood 2014). A child key is a hash of a key and a number or
a name. Nothing is ever drawn in order across tables, threads or workers.
"""

import hashlib
import math
import secrets
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import COMPILED, kernel

Stream = npt.NDArray[np.int64]

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_STEP, _MIX_1, _MIX_2 = 0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB

if COMPILED:

    @kernel
    def bits_at(key: int, counter: int) -> int:
        """63 random bits, the counter-th of a key."""
        z = np.uint64(key) + np.uint64(counter + 1) * np.uint64(_STEP)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
        return int(np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(1)))
else:
    # The only function written twice: Python's integers do not wrap, and NumPy's complain when they do.
    def bits_at(key: int, counter: int) -> int:
        """63 random bits, the counter-th of a key."""
        z = (int(key) + (int(counter) + 1) * _STEP) & _MASK
        z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
        z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
        return (z ^ (z >> 31)) >> 1


@kernel
def child(key: int, number: int) -> int:
    """The key of a numbered child: a table, a hand, a generation."""
    return bits_at(bits_at(key, -1), number)


@kernel
def draw_bits(stream: Stream) -> int:
    """The stream's next 63 bits."""
    value = bits_at(stream[0], stream[1])
    stream[1] += 1
    return value


@kernel
def draw_below(stream: Stream, n: int) -> int:
    """A whole number in 0..n-1, n under 2**31."""
    return ((draw_bits(stream) >> 31) * n) >> 32


@kernel
def draw_uniform(stream: Stream) -> float:
    """A float in [0, 1), a multiple of 2**-53."""
    return (draw_bits(stream) >> 10) * 2.0**-53


@kernel
def draw_normal(stream: Stream) -> float:
    """A standard normal number (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - draw_uniform(stream)))
    return radius * math.cos(2.0 * math.pi * draw_uniform(stream))


@kernel
def shuffle_first(stream: Stream, items: npt.NDArray[np.int64], n: int) -> None:
    """Put a random choice of the items, in random order, into the first n places."""
    key, counter = stream[0], stream[1]  # in registers: the compiler cannot know that items are not the stream
    for i in range(n):
        j = i + (((bits_at(key, counter + i) >> 31) * (len(items) - i)) >> 32)
        items[i], items[j] = items[j], items[i]
    stream[1] = counter + n


def key_of(seed: int, *names: str | int) -> int:
    """The key that a seed and names lead to: the same names, the same luck, whatever else is drawn."""
    text = "\x1f".join([str(seed), *(f"{type(name).__name__}:{name}" for name in names)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1


def stream_of(key: int) -> Stream:
    """A new stream at its beginning."""
    return np.array([key, 0], dtype=np.int64)


def generator_of(key: int) -> np.random.Generator:
    """A NumPy generator for whole-array draws outside kernels."""
    return np.random.Generator(np.random.Philox(key=key))


def random_seed() -> int:
    """A seed for a run that was given none: short enough to type again, too long to be found by trying all."""
    return secrets.randbelow(10**15)


def pick(stream: Stream, weights: Sequence[float]) -> int:
    """An index drawn with the given weights, which sum to 1."""
    point = draw_uniform(stream)
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index
    return max(index for index, weight in enumerate(weights) if weight > 0)
