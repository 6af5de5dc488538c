"""Keys that give nothing away: a one-way child of a key, for what players and onlookers get to see.

`rng.child` mixes well, but whoever knows a child can undo it and find the parent, and from there every card and every
other stream. What leaves the dealer's hands is therefore sealed: the key of a seat's stream, and the key of the cards,
whose shuffle can be seen once they lie open. Sealing is SipHash (Aumasson and Bernstein 2012) with the parent as its
secret: one who has seen any number of sealed children can neither find the parent nor guess another child better than
by trying all 2**63 keys. One round a word and three at the end, as in Python's own hashes of strings.
"""

from typing import Any, TypeAlias

import numpy as np

from cardwin.core.kernel import COMPILED, kernel

Word: TypeAlias = Any  # 64 bits without a sign: one of NumPy's when compiled, Python's otherwise
Words: TypeAlias = tuple[Word, Word, Word, Word]

_MASK = 0xFFFF_FFFF_FFFF_FFFF
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
        """The 64 bits of SipHash-1-3 of one word under a secret of two."""
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
    # Written twice, like `rng.bits_at`: Python's integers do not wrap.
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
        """The 64 bits of SipHash-1-3 of one word under a secret of two."""
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
    """The key of a numbered child that does not lead back to its parent or to its siblings."""
    return int(np.int64(np.uint64(siphash(key, ~key, number)) >> np.uint64(1)))
