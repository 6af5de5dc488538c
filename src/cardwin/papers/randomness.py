"""How far luck reaches when the best of many noisy means is chosen."""

from scipy.special import ndtri

ONCE_IN = 1_000  # luck that strikes more rarely than this, selecting included, explains nothing


def selection_bias(error: float, means: int) -> float:
    """How far above its expectation the best of so many means lies once in `ONCE_IN`; `error` is one mean's."""
    return float(ndtri(1 - 1 / (ONCE_IN * means))) * error
