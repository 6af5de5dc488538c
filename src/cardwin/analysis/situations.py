"""Where a player loses: hands grouped by their betting line up to the player's last decision.

The notes of a hand are whole numbers: an action is 1 + its number, + 3 for a call of a bet, negative if it is ours;
STREET is a new street, 0 the end.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.games.holdem.events import STREET_NAMES

MAX_ACTIONS = 24  # of a hand that are noted; raises beyond that are not told apart
STREET = 9


@dataclass(frozen=True)
class Situation:
    """What a player gave away in hands that ended after one betting line: the line up to its last decision.

    `loss` is its part of the total (in the unit of the result), over all hands; `ci95` is half its 95% interval.
    """

    street: str
    line: str
    hands: int
    loss: float
    ci95: float


ACTIONS = {1: "folds", 2: "checks", 3: "raises", 5: "calls"}


def line_of(notes: Sequence[int]) -> tuple[str, str]:
    """Return the street and the betting line up to the player's last decision; ours are in brackets."""
    last = max((index for index, code in enumerate(notes) if code > 0 and code != STREET), default=-1)
    street, parts = 0, []
    for code in notes[: last + 1]:
        if code == STREET:
            street += 1
            parts.append("/")
        else:
            word = ACTIONS[abs(code)]
            parts.append(word if code > 0 else f"[{word}]")
    return STREET_NAMES[street], " ".join(parts)


def situations_of(won: Floats, notes: Ints) -> tuple[Situation, ...]:
    """Return what each situation gave away, the most first: parts of the mean of won (hands,), which sum to it."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for hand, codes in enumerate(notes.tolist()):
        groups[line_of(codes)].append(hand)
    hands, situations = len(won), []
    for (street, line), members in groups.items():
        part = np.zeros(hands)
        part[members] = won[members]
        half = 1.96 * float(part.std()) / hands**0.5
        situations.append(Situation(street, line, len(members), float(part.mean()), half))
    return tuple(sorted(situations, key=lambda situation: -situation.loss))
