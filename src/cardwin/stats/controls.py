"""Control variates: take away from results what luck of known mean explains (Lavenberg and Welch 1981).

A control is a number that is drawn with every result and has mean zero for certain. Results minus any fixed multiple of
it have the same mean, and less spread where the two go together. The multiples come from results that were there
before: the first block is left as it is, each further block doubles the number and is corrected by a regression on all
the blocks before it. So nothing is fitted to what it corrects, the mean is kept exactly, and a stop at any time is as
good as before. For poker the controls are cards and draws (`arena.controls`), as in MIVAT (White and Bowling 2009) and
AIVAT (Burch et al. 2018), with coefficients learnt instead of a value function.
"""

import numpy as np

from cardwin.stats.intervals import Floats, Sample

FIRST = 256  # results before the first correction
RIDGE = 1e-3  # of each control's own spread, so that few results do not make wild multiples


def coefficients(values: Sample, controls: Floats) -> Floats:
    """The multiples (controls,) of controls (n, controls) that explain values (n,) best."""
    centred = np.asarray(values, np.float64) - float(np.mean(values))
    square = controls.T @ controls
    spread = np.diag(square)
    damped = square + np.diag(np.where(spread > 0, RIDGE * spread, 1.0))
    return np.linalg.solve(damped, controls.T @ centred).astype(np.float64)


def controlled(values: Sample, controls: Floats) -> tuple[Floats, float]:
    """Values (n,) corrected by controls (n, controls), and the most by which any was moved."""
    out = np.array(values, np.float64)
    start = FIRST
    while start < len(values):
        part = slice(start, 2 * start)
        out[part] -= controls[part] @ coefficients(values[:start], controls[:start])
        start *= 2
    return out, float(np.abs(out - values).max(initial=0.0))
