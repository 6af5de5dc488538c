"""Two-card holdings: by index 0..1325, by class such as AKs, and weighted ranges of them.

The holding of cards a > b has index a (a - 1) / 2 + b. The 169 classes form the standard 13 x 13 grid, aces first:
class 13 * row + column, pairs on the diagonal, suited above it, offsuit below.

Ranges: `QQ+, ATs+, KJo-KTo, 76s, AK, AsKh, 40%(JTs, 22)`. A plus raises the pair, or the kicker up to the card
below the high one; a dash spans pairs, or kickers, or hands of equal gap (`T9s-76s`). `random` is every holding.
"""

import re

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import RANKS, cards_text, parse_cards
from cardwin.core.errors import InputError

HOLDINGS = 1326
HOLDING_CARDS = np.array([(a, b) for a in range(52) for b in range(a)], dtype=np.int64)  # (1326, 2)

Weights = npt.NDArray[np.float64]
_HIGH_FIRST = RANKS[::-1]


def holding_index(a: int, b: int) -> int:
    """Return the index of the holding of two different cards. It also works on arrays and inside kernels."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


def class_index(a: int, b: int) -> int:
    """Return the class 0..168 of two different cards."""
    high, low = max(a // 4, b // 4), min(a // 4, b // 4)
    return 13 * (12 - high) + 12 - low if a % 4 == b % 4 else 13 * (12 - low) + 12 - high


def _class_name(number: int) -> str:
    row, column = divmod(number, 13)
    if row == column:
        return _HIGH_FIRST[row] * 2
    return (
        _HIGH_FIRST[row] + _HIGH_FIRST[column] + "s" if row < column else _HIGH_FIRST[column] + _HIGH_FIRST[row] + "o"
    )


CLASS_NAMES = tuple(_class_name(number) for number in range(169))
CLASS_OF_HOLDING = np.array([class_index(int(a), int(b)) for a, b in HOLDING_CARDS], dtype=np.int64)  # (1326,)
CLASS_SIZES = np.bincount(CLASS_OF_HOLDING)  # (169,): 6 for pairs, 4 suited, 12 offsuit
_CLASS_OF_NAME = {name: number for number, name in enumerate(CLASS_NAMES)}


def holding_text(holding: int) -> str:
    """Return a holding's two cards, the higher one first."""
    return cards_text(HOLDING_CARDS[holding])


def parse_range(text: str) -> Weights:
    """Parse a range in standard notation.

    Args:
        text: such as `QQ+, ATs+, 40%(JTs)`. No holding may be named twice.

    Returns:
        The weight (1326,) of every holding.

    Raises:
        InputError: the notation is invalid, a holding is named twice, or the range is empty.

    """
    weights = np.zeros(HOLDINGS)
    if text.strip().lower() in ("random", "any"):
        return weights + 1.0
    for share, part in _parts(text):
        members = _members(part, text)
        if weights[members].any():
            twice = holding_text(next(member for member in members if weights[member]))
            raise InputError(f"duplicate hand {twice} in the range {text!r}: {part!r} overlaps an earlier part")
        weights[members] = share
    if not weights.any():
        raise InputError(f"empty range {text!r}: expected hands such as 'QQ+, ATs+, AsKh'")
    return weights


def _parts(text: str) -> list[tuple[float, str]]:
    """Return the hands between the commas, each with the share of `40%(...)` around it."""
    parts = []
    pattern = re.compile(r"\s*(?:(\d+(?:\.\d+)?)\s*%\s*\(([^()]*)\)|([^,()%]+))\s*(?:,|$)")
    position = 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            raise InputError(
                f"invalid part {text[position:].strip()!r} of the range {text!r}: expected such as 'QQ+, 40%(JTs)'"
            )
        position = match.end()
        share = float(match[1]) / 100 if match[1] else 1.0
        if not 0 < share <= 1:
            raise InputError(
                f"invalid share in the range {text!r}: expected above 0% and at most 100%, got {match[1]}%"
            )
        parts += [(share, part.strip()) for part in (match[2] or match[3] or "").split(",") if part.strip()]
    return parts


def _members(part: str, text: str) -> list[int]:
    """Return the holdings that one part of a range names."""
    if re.fullmatch(r"([2-9TJQKA]|10)[cdhs♣♦♥♠]([2-9TJQKA]|10)[cdhs♣♦♥♠]", part, re.IGNORECASE):
        a, b = parse_cards(part)
        return [holding_index(a, b)]
    shape = part.replace("10", "T")
    ends = re.fullmatch(
        r"([2-9TJQKA]{2}[so]?)(?:(\+)|-([2-9TJQKA]{2}[so]?))?", shape.upper().replace("S", "s").replace("O", "o")
    )
    if ends is None:
        raise InputError(f"invalid hand {part!r} in the range {text!r}: expected such as AKs, QQ+, KJo-KTo or AsKh")
    span = _span(ends[1], "+" if ends[2] else ends[3])
    if not span:
        raise InputError(
            f"invalid span {part!r} in the range {text!r}: expected one kind of hands, as in QQ-99 or KJo-KTo"
        )
    return [member for member in range(HOLDINGS) if CLASS_OF_HOLDING[member] in span]


def _span(first: str, last: str | None) -> set[int]:
    """Return the classes from one shape to another (`+` or None for the end); empty if they are of different kinds."""
    high, low = sorted((RANKS.index(first[0]), RANKS.index(first[1])), reverse=True)
    kind = first[2:]
    if last is None:
        shapes = [(high, low)]
    elif last == "+":
        shapes = (
            [(rank, rank) for rank in range(high, 13)] if high == low else [(high, rank) for rank in range(low, high)]
        )
    else:
        to_high, to_low = sorted((RANKS.index(last[0]), RANKS.index(last[1])), reverse=True)
        if last[2:] != kind:
            return set()
        lows = range(min(low, to_low), max(low, to_low) + 1)
        if high - low == to_high - to_low:
            shapes = [(rank + high - low, rank) for rank in lows]
        elif high == to_high and to_low < high > low:
            shapes = [(high, rank) for rank in lows]
        else:
            return set()
    return {_CLASS_OF_NAME[name] for top, kicker in shapes for name in _names(top, kicker, kind)}


def _names(high: int, low: int, kind: str) -> list[str]:
    if high == low:
        return [] if kind else [RANKS[high] * 2]
    return [RANKS[high] + RANKS[low] + suited for suited in (kind or "so")]
