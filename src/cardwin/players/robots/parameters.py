"""The named parameters of robots: one table for each kind, from which kernels, specifications and files all read.

A kernel finds a parameter by its name, `p[V1.threshold]`: `indices` numbers the names in the order of their table.
"""

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardwin.core.errors import InputError, shorten


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named parameter: its default and its bounds, or names of the values 0, 1, … if it is a choice."""

    name: str
    default: float
    minimum: float = 0.0
    maximum: float = 1.0
    words: tuple[str, ...] = ()

    def read(self, robot: str, text: str) -> float:
        """Return the value of a text, for a robot of that name."""
        if self.words:
            if text not in self.words:
                raise InputError(f"invalid {robot} {self.name}={shorten(text)}: expected {' or '.join(self.words)}")
            return float(self.words.index(text))
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not self.minimum <= value <= self.maximum:
            bounds = f"{self.minimum:g} to {self.maximum:g}"
            raise InputError(f"invalid {robot} {self.name}={shorten(text)}: expected a number from {bounds}")
        return value


RERAISE = Parameter("reraise", 1, words=("fold", "play"))  # at Chen's table a re-raise could only be folded to
_SIZE = Parameter("size", 3, 1, 1000)  # of a raise, in minimum bets
_ROLLOUTS = Parameter("rollouts", 150, 1, 1_000_000)

STANDARD_PARAMETERS = (
    Parameter("calls", 6, -1, 21),  # minimum points (cards.rollouts.chen_formula) of a starting hand that calls
    _SIZE,
    Parameter("odds", 0.2),  # the highest pot odds at which it calls a raise
    RERAISE,
    Parameter("good-hands", 0, words=("odds", "call")),  # facing a raise: as others by the odds, or call at any price
)
V1_PARAMETERS = (
    Parameter("weak", 0.8, 0, 10),  # lower bounds (return rates) of the table's rows
    Parameter("fair", 1.0, 0, 10),
    Parameter("threshold", 1.3, 0, 10),
    Parameter("weak-bluff", 0.05),  # probabilities of the table's cells
    Parameter("fair-call", 0.05),
    Parameter("fair-bluff", 0.15),
    Parameter("raise-share", 0.4),
    Parameter("strong-raise-share", 0.7),
    _SIZE,
    Parameter("bluffs", 1, words=("off", "on")),
    _ROLLOUTS,
    Parameter("ties", 0, words=("share", "lose")),
    Parameter("deals", 0, words=("each", "once")),
    Parameter("drop", 0, 0, 21),  # simulated opponents fold starting hands of fewer points
    Parameter("protect", 0, words=("off", "on")),  # fold half-good hands that would cost nearly the whole stack
    RERAISE,
)
MATRIX_PARAMETERS = (_ROLLOUTS, Parameter("size", 0.5, 0, 100))  # a raise in pots; the cells follow them
BLIND_PARAMETERS = (Parameter("call", 0), Parameter("raise", 0))  # probabilities; what they leave of 1 is to fold


def indices(parameters: Sequence[Parameter]) -> Any:
    """Return the index of each parameter in a row, by its name with _ for -, in a form that kernels can read."""
    names = [parameter.name.replace("-", "_") for parameter in parameters]
    return namedtuple("Indices", names)(*range(len(names)))
