"""Control variates: subtract from results the noise that variables of known mean explain (Lavenberg and Welch 1981).

A control is a random number observed with every result whose mean is exactly zero. Results minus a constant multiple of
it have the same mean, and less variance if the two are correlated. The coefficients are estimated from earlier
results: the first block is left as it is, each further block doubles the number and is corrected by a regression on all
blocks before it. So no coefficient is fitted to the results that it corrects, the mean is unbiased, and intervals stay
valid at any stop. For poker the controls are cards and run-outs (`arena.controls`), as in MIVAT (White and Bowling
2009) and AIVAT (Burch et al. 2018), with learned coefficients instead of a value function.
"""

import numpy as np

from cardwin.stats.intervals import Floats, Sample

FIRST = 256  # results before the first correction
RIDGE = 1e-3  # relative to each control's variance, so that few results do not give extreme coefficients


def coefficients(values: Sample, controls: Floats) -> Floats:
    """The least-squares coefficients (controls,) of controls (n, controls) for values (n,)."""
    centred = np.asarray(values, np.float64) - float(np.mean(values))
    square = controls.T @ controls
    spread = np.diag(square)
    damped = square + np.diag(np.where(spread > 0, RIDGE * spread, 1.0))
    return np.linalg.solve(damped, controls.T @ centred).astype(np.float64)


def controlled(values: Sample, controls: Floats) -> tuple[Floats, float]:
    """Values (n,) corrected by controls (n, controls), and the largest correction of any value."""
    out = np.array(values, np.float64)
    start = FIRST
    while start < len(values):
        part = slice(start, 2 * start)
        out[part] -= controls[part] @ coefficients(values[:start], controls[:start])
        start *= 2
    return out, float(np.abs(out - values).max(initial=0.0))
