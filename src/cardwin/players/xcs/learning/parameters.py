"""The parameters of XCS, each by the name that the literature gives it (Butz and Wilson 2000), with its range."""

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from cardwin.core.errors import InputError

FRACTION, POSITIVE = (0.0, 1.0), (1e-12, 1e12)


def parameter(default: float, minimum: float, maximum: float) -> Any:
    """Return a field with its default value and its range."""
    return field(default=default, metadata={"range": (minimum, maximum)})


@dataclass(frozen=True)
class Parameters:
    """The learning parameters of a classifier system; `Parameters(N=800)` changes one.

    Attributes:
        N: maximum number of rules, counted with their numerosity.
        beta: learning rate of predictions, errors, set sizes and fitness.
        alpha: how far accuracy drops at epsilon_0.
        epsilon_0: errors below it count as accurate: 1% of the largest reward.
        nu: how steeply accuracy falls with error.
        gamma: discount of the next decision's prediction.
        theta_GA: decisions that pass, on average, before the genetic algorithm visits a set again.
        chi: probability of crossover.
        mu: probability of mutation of each allele and action.
        theta_del: experience from which low fitness makes deletion likelier.
        delta: the share of the mean fitness that counts as low.
        theta_sub: experience that a subsumer needs.
        P_hash: P#, the probability that a covering rule ignores a bit.
        p_I: initial prediction.
        epsilon_I: initial error.
        F_I: initial fitness.
        p_explr: probability that a trial explores.
        theta_mna: number of different actions that a match set needs, otherwise rules are covered; 0: all legal ones.
        p_random: probability that a decision of an exploring trial is random; below 1, biased exploration.
        cover_internal: whether covering needs every pair of external and internal action (1) or every external one.
        error_reduction: offspring's error as a share of its parents'.
        fitness_reduction: offspring's fitness as a share of its parents'.
        tau: share of a set in a tournament of parents (Butz 2003); 0: by roulette.
        do_GA_subsumption: whether parents may absorb offspring.
        do_action_set_subsumption: whether the most general accurate rule of a set absorbs the rules that it covers.

    Raises:
        InputError: values are out of their ranges; the message names all of them.

    """

    N: int = parameter(400, 2, 10**6)
    beta: float = parameter(0.2, 1e-9, 1.0)
    alpha: float = parameter(0.1, *FRACTION)
    epsilon_0: float = parameter(10.0, *POSITIVE)
    nu: float = parameter(5.0, 0.0, 100.0)
    gamma: float = parameter(0.71, *FRACTION)
    theta_GA: float = parameter(25.0, 0.0, 1e12)
    chi: float = parameter(0.8, *FRACTION)
    mu: float = parameter(0.04, *FRACTION)
    theta_del: int = parameter(20, 0, 10**9)
    delta: float = parameter(0.1, *FRACTION)
    theta_sub: int = parameter(20, 0, 10**9)
    P_hash: float = parameter(0.33, *FRACTION)
    p_I: float = parameter(10.0, -1e12, 1e12)
    epsilon_I: float = parameter(0.0, 0.0, 1e12)
    F_I: float = parameter(0.01, 1e-12, 1.0)
    p_explr: float = parameter(0.5, *FRACTION)
    theta_mna: int = parameter(0, 0, 62)
    p_random: float = parameter(1.0, *FRACTION)
    cover_internal: int = parameter(0, 0, 1)
    error_reduction: float = parameter(0.25, *FRACTION)
    fitness_reduction: float = parameter(0.1, 1e-6, 1.0)
    tau: float = parameter(0.0, *FRACTION)
    do_GA_subsumption: int = parameter(1, 0, 1)
    do_action_set_subsumption: int = parameter(1, 0, 1)

    def __post_init__(self) -> None:
        if errors := _range_errors(asdict(self)):
            raise InputError("; ".join(errors))


RANGES: dict[str, tuple[float, float]] = {each.name: each.metadata["range"] for each in fields(Parameters)}
TYPES: dict[str, Any] = {each.name: each.type for each in fields(Parameters)}


def _range_errors(values: Mapping[str, Any]) -> list[str]:
    """Return an error message for each value of a wrong type or out of its range."""
    errors = []
    for name, value in values.items():
        (low, high), is_integer = RANGES[name], TYPES[name] is int
        if not isinstance(value, int if is_integer else int | float) or not low <= value <= high:
            kind = "an integer" if is_integer else "a number"
            errors.append(f"{name} must be {kind} from {low:g} to {high:g}, got {value!r}")
    return errors


def with_changes(parameters: Parameters, changes: Mapping[str, Any]) -> Parameters:
    """Return a copy of the parameters with some changed.

    Args:
        parameters: the parameters to copy.
        changes: new values by name.

    Raises:
        InputError: names are unknown or values out of range; the message lists all of them.

    """
    unknown = [f"unknown parameter of XCS: {name}" for name in changes if name not in RANGES]
    known = {name: value for name, value in changes.items() if name in RANGES}
    if errors := [*unknown, *_range_errors(known)]:
        names = f" (expected one of {', '.join(RANGES)})" if unknown else ""
        raise InputError("; ".join(errors) + names)
    return Parameters(**(asdict(parameters) | known))


if TYPE_CHECKING:
    XcsSettings = Parameters
else:  # the parameters for kernels, in the same order and under the same names
    XcsSettings = namedtuple("XcsSettings", TYPES)


def settings_of(parameters: Parameters) -> XcsSettings:
    """Return the parameters for kernels: integers and floats as declared, so that nothing is compiled twice."""
    values: dict[str, Any] = {
        name: (int if kind is int else float)(getattr(parameters, name)) for name, kind in TYPES.items()
    }
    return XcsSettings(**values)
