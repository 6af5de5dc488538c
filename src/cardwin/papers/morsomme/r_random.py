"""R's random numbers, as far as the script uses them: `set.seed` and `sample` with replacement, weighted or not.

1. A seed is scrambled by a linear congruential generator, 50 steps, which then gives the 624 words of an MT19937.
2. A uniform number is one 32-bit word over 2**32, with 0 and 1 excluded.
3. Equal weights: until R 3.5 the uniform number times n, truncated ("rounding"); since R 3.6 as many random bits as n
   needs, redrawn while they are not below n ("rejection"). The script is from January 2019, before 3.6.
4. Unequal weights: probabilities are sorted in descending order by a heapsort, which determines the order of equal
   ones. The first whose cumulative sum reaches the uniform number is drawn.

The script draws no normal numbers, so there are none here.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints

WORDS, SCRAMBLING_STEPS = 624, 50
PER_WORD = 2.3283064365386963e-10  # 2**-32, as R writes it


class RStream:
    """A stream of R's random numbers after `set.seed`; `rejection` is the method since R 3.6."""

    def __init__(self, seed: int, rejection: bool = False) -> None:
        self.rejection = rejection
        self._bits = np.random.MT19937()
        words = scrambled_words(seed)
        # R's first word is the position in the others; here all of them count as used up.
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": words[1:], "pos": WORDS}}

    def uniforms(self, size: int) -> Floats:
        """Draw uniform numbers (size,) between 0 and 1."""
        numbers = self._bits.random_raw(size) * PER_WORD
        return np.clip(numbers, PER_WORD / 2, 1 - PER_WORD / 2)

    def indices(self, n: int, size: int) -> Ints:
        """Draw indices (size,) from 0 up to n - 1, equally likely."""
        if not self.rejection:
            return (n * self.uniforms(size)).astype(np.int64)
        return np.array([self._index(n) for _ in range(size)], dtype=np.int64)

    def _index(self, n: int) -> int:
        """Draw an index by rejection: 16 bits per uniform number, again until it is below n."""
        bits = (n - 1).bit_length()
        while True:
            value = 0
            for _ in range(bits // 16 + 1):
                value = 65536 * value + int(65536 * self.uniforms(1)[0])
            value &= (1 << bits) - 1
            if value < n:
                return value

    def weighted(self, weights: Floats, size: int) -> Ints:
        """Draw indices (size,) with probabilities proportional to weights (n,)."""
        chances, indices = descending(weights / np.cumsum(weights)[-1])  # a cumulative sum adds in R's order
        reached = np.searchsorted(np.cumsum(chances), self.uniforms(size), side="left")
        drawn: Ints = indices[np.minimum(reached, len(indices) - 1)]
        return drawn


def scrambled_words(seed: int) -> npt.NDArray[np.uint32]:
    """Return the 625 words of a seed."""
    words, word = [], seed % 2**32
    for number in range(SCRAMBLING_STEPS + WORDS + 1):
        word = (69069 * word + 1) % 2**32
        if number >= SCRAMBLING_STEPS:
            words.append(word)
    return np.array(words, dtype=np.uint32)


def descending(chances: Floats) -> tuple[Floats, Ints]:
    """Sort numbers (n,) in descending order by R's heapsort, with the smallest on top.

    Args:
        chances: The numbers.

    Returns:
        The sorted numbers, and their original indices.

    """
    heap = list(zip(chances.tolist(), range(len(chances)), strict=True))
    for root in reversed(range(len(heap) // 2)):
        _sink(heap, heap[root], root, len(heap))
    for last in reversed(range(1, len(heap))):
        moved, heap[last] = heap[last], heap[0]
        _sink(heap, moved, 0, last)
    return np.array([chance for chance, _ in heap]), np.array([index for _, index in heap], dtype=np.int64)


def _sink(heap: list[tuple[float, int]], item: tuple[float, int], hole: int, size: int) -> None:
    """Put an item at an empty position of the heap and sift it down."""
    while (child := 2 * hole + 1) < size:
        if child + 1 < size and heap[child][0] > heap[child + 1][0]:
            child += 1
        if item[0] <= heap[child][0]:
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = item
