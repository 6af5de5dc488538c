"""A learner's memory during a hand, and its learning at the end, as kernels.

After a hand that counted, each learnt parameter goes down a step if the hand was won and up a step if it was lost.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import borrowing
from cardwin.games.holdem.rules import CALL, RAISE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Columns of a player's memory: its actions in this hand as bits, hands that counted, and counted hands won.
DID, COUNTED, WON = 0, 1, 2
COLUMNS = 3
RAISED, PLAYED = 1, 3  # what makes a hand count: it raised, or it put in chips by choice (1 raised, 2 called)


class Learning(NamedTuple):
    """What robots learn, by the rows of their parameters, including those that do not learn; empty if none learns.

    start (robots, any): the initial parameters. steps (robots, any, 4): down, up, least and most for each.
    counts (robots,): what makes a hand count, 0 for those that do not learn. forgets (robots,): 1 if they reset
    among new opponents.
    """

    start: Floats
    steps: Floats
    counts: Ints
    forgets: Ints


@borrowing
def note_action(memory: Floats, player: int, action: int, price: int) -> None:
    """Record that a player raised, or called for a price; memory (players, COLUMNS)."""
    did = int(memory[player, DID])
    if action == RAISE:
        memory[player, DID] = did | RAISED
    elif action == CALL and price > 0:
        memory[player, DID] = did | (PLAYED ^ RAISED)


@borrowing
def learn(learning: Learning, parameters: Floats, memory: Floats, row: int, player: int, chips: int) -> None:
    """Learn from a hand that is over, in which the player, with parameters in that row, won `chips`."""
    did = int(memory[player, DID])
    memory[player, DID] = 0.0
    counted = did & learning.counts[row] if row >= 0 else 0
    if counted == 0 or chips == 0:
        return
    memory[player, COUNTED] += 1.0
    memory[player, WON] += chips > 0
    for place in range(learning.steps.shape[1]):
        adjust(parameters, learning.steps, row, place, chips > 0)


@borrowing
def adjust(parameters: Floats, steps: Floats, row: int, place: int, won: bool) -> None:
    """Move one parameter a step, within its bounds."""
    change = -steps[row, place, 0] if won else steps[row, place, 1]
    if change != 0:
        value = parameters[row, place] + change
        parameters[row, place] = min(max(value, steps[row, place, 2]), steps[row, place, 3])


@borrowing
def forget(learning: Learning, parameters: Floats, row: int, always: bool) -> None:
    """Reset to the initial parameters, if the learner forgets, or always."""
    if row >= 0 and (always or learning.forgets[row] == 1):
        for place in range(learning.start.shape[1]):
            parameters[row, place] = learning.start[row, place]
