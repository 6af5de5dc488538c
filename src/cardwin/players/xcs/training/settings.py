"""Settings common to experiments of classifier systems, and how `cardwin train xcs:KEY=VALUE` becomes one."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from cardwin.core.errors import InputError
from cardwin.core.experiment import Experiment
from cardwin.players.xcs.learning.parameters import RANGES, TYPES, Parameters, with_changes


class XcsExperiment(Experiment):
    """The settings that all experiments with classifier systems have.

    Attributes:
        every: Hands or trials between two measurements.
        predictions: Number of predictions of each rule.
        parameters: A parameter of the classifier system; docs/xcs.md explains each.

    """

    every: Annotated[int, Field(ge=1, le=10**9)] = 1_000
    predictions: Literal[1, 2] = 1
    parameters: dict[str, float | int] = Field(default_factory=dict)

    @property
    def episodes(self) -> int:
        """The number of trials or hands."""
        raise NotImplementedError

    def bound_to_length(self) -> str:
        """Why the run cannot be extended if its last step was truncated."""
        if self.episodes % self.every == 0:
            return ""
        return f"{self.LENGTH} were taken {self.every:,} at a time, and {self.episodes:,} is no multiple of that"

    @property
    def steps(self) -> int:
        """The number of steps, each of `every` trials or hands."""
        return -(-self.episodes // self.every)

    def parameters_over(self, usual: Parameters) -> Parameters:
        """All parameters, the given ones over the defaults."""
        return with_changes(usual, self.parameters)


def as_dict(parameters: Parameters) -> dict[str, float | int]:
    """The parameters for a report."""
    return asdict(parameters)


def split_options(texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, float | int]]:
    """A spec's KEY=VALUE texts as an experiment's own keys and as parameters of XCS."""
    own: dict[str, Any] = {}
    parameters: dict[str, float | int] = {}
    wrong = []
    for key, text in texts.items():
        if key.startswith("width_"):
            own.setdefault("widths", {})[key.removeprefix("width_")] = int(text) if text.isdecimal() else text
            continue
        if key not in RANGES:
            own[key] = int(text) if text.isdecimal() else text
            continue
        try:
            parameters[key] = int(text) if TYPES[key] is int else float(text)
        except ValueError:
            wrong.append(f"{key}={text} is no {'whole ' if TYPES[key] is int else ''}number")
    if wrong:
        raise InputError("; ".join(wrong))
    return own, parameters
