"""Variants of regret minimisation, as discounts of what earlier iterations added.

- `cfr`: Zinkevich, Johanson, Bowling and Piccione (2007).
- `cfr+`: Tammelin (2014): regrets are cut at 0, the average is weighted by the iteration.
- `linear`, `dcfr`: Brown and Sandholm (2019): regrets of iteration t are multiplied by t^a / (t^a + 1) if positive,
  t^b / (t^b + 1) if negative, the average by (t / (t + 1))^g; linear is a = b = g = 1, dcfr is a = 1.5, b = 0, g = 2.
- `pcfr+`: Farina, Kroer and Sandholm (2021): CFR+ whose strategy is matched to the regrets plus the last change of
  them, as a prediction of the next, with quadratic weights in the average.

Weights are scaled such that the newest iteration has weight 1.
"""

from dataclasses import dataclass

from cardwin.core.errors import unknown_name


@dataclass(frozen=True)
class Variant:
    """Exponents: alpha and beta of positive and negative regrets (None: no discount), gamma of the average."""

    name: str
    alpha: float | None = None
    beta: float | None = None
    gamma: float = 0.0
    floored: bool = False
    predictive: bool = False

    def factors(self, iteration: int) -> tuple[float, float, float, float]:
        """Return the factors of positive regrets, negative regrets and the average, and the new strategy's weight.

        Args:
            iteration: 1, 2, …

        """
        before = iteration - 1
        keep = (before / iteration) ** self.gamma if self.gamma else 1.0
        return _discount(before, self.alpha), _discount(before, self.beta), keep, 1.0


def _discount(before: int, exponent: float | None) -> float:
    if exponent is None:
        return 1.0
    return before**exponent / (before**exponent + 1) if before else 0.0


VARIANTS = {
    each.name: each
    for each in (
        Variant("cfr"),
        Variant("cfr+", gamma=1, floored=True),
        Variant("linear", 1, 1, 1),
        Variant("dcfr", 1.5, 0, 2),
        Variant("pcfr+", gamma=2, floored=True, predictive=True),
    )
}


def find_variant(name: str) -> Variant:
    """Return a variant by its name."""
    if name not in VARIANTS:
        raise unknown_name("method", name, VARIANTS)
    return VARIANTS[name]
