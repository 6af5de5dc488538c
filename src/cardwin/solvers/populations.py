"""Whole populations at once: genomes to plans, plans to chips. Rows are independent, so blocks can run in parallel."""

import numpy as np

from cardwin.core.kernel import kernel
from cardwin.solvers.tree import Floats, Sequences


def behaviours_of_choices(seqs: Sequences, choices: Floats) -> Floats:
    """One chosen action a set, (n, infosets), as behaviours (n, sequences)."""
    behaviours = np.zeros((len(choices), seqs.count))
    behaviours[:, 0] = 1.0
    chosen = seqs.layout[:, 1] + choices.astype(np.int64)
    np.put_along_axis(behaviours, chosen, 1.0, axis=1)
    return behaviours


def trembling(seqs: Sequences, behaviours: Floats, chance: float) -> Floats:
    """Behaviours (n, sequences) with trembling: with probability `chance` a uniformly random legal action.

    A plan that trembles reaches every set, so that choices also count where they are rarely needed (Selten
    1975).
    """
    by_accident = np.ones(seqs.count)
    for _, first, count in seqs.layout.tolist():
        by_accident[first : first + count] = 1.0 / count
    mixed: Floats = (1.0 - chance) * behaviours + chance * by_accident
    return mixed


@kernel
def expected_values(plans: Floats, action_values: Floats, start: int, stop: int, out: Floats) -> None:
    """Expected chips of rows start..stop of plans (n, sequences), given each sequence's value (sequences,).

    The order of the sum is fixed.
    """
    for row in range(start, stop):
        total = 0.0
        for sequence in range(len(action_values)):
            total += plans[row, sequence] * action_values[sequence]
        out[row] = total
