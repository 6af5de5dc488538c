"""Selection bias: how far noise lifts the best of many noisy means."""

from scipy.special import ndtri

ONCE_IN = 1_000  # noise that is rarer than this, selection included, is no explanation


def selection_bias(error: float, means: int) -> float:
    """How far above its expectation the best of `means` means lies once in `ONCE_IN`; `error` is a standard error."""
    return float(ndtri(1 - 1 / (ONCE_IN * means))) * error
