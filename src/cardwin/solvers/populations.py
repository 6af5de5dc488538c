"""Whole populations at once: genomes to plans, plans to chips. Rows never meet, so that blocks of them may."""

import numpy as np

from cardwin.kernel import kernel
from cardwin.solvers import plans
from cardwin.solvers.tree import Floats, Side


def plans_of_genes(side: Side, genes: Floats) -> Floats:
    """Stick-breaking genes (n, genes) as plans (n, sequences)."""
    return plans.plans(side, plans.behaviours(side, genes))


def behaviours_of_choices(side: Side, choices: Floats) -> Floats:
    """One chosen action a set, (n, sets), as behaviours (n, sequences)."""
    behaviours = np.zeros((len(choices), side.sequences))
    behaviours[:, 0] = 1.0
    chosen = side.layout[:, 1] + choices.astype(np.int64)
    np.put_along_axis(behaviours, chosen, 1.0, axis=1)
    return behaviours


def plans_of_choices(side: Side, choices: Floats) -> Floats:
    """One chosen action a set, (n, sets), as plans (n, sequences)."""
    return plans.plans(side, behaviours_of_choices(side, choices))


@kernel
def worth(plans: Floats, gains: Floats, start: int, stop: int, out: Floats) -> None:
    """Chips of rows start..stop of plans (n, sequences), given each sequence's gain; summed in one order, always."""
    for row in range(start, stop):
        total = 0.0
        for sequence in range(len(gains)):
            total += plans[row, sequence] * gains[sequence]
        out[row] = total
