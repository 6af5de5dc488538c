"""The parameters of XCS, each by the name that the literature gives it (Butz and Wilson 2000), with its range."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

from cardwin.core.errors import InputError

FRACTION, POSITIVE = (0.0, 1.0), (1e-12, 1e12)


def parameter(usual: float, least: float, most: float) -> Any:
    """A field with its usual value and its range."""
    return field(default=usual, metadata={"range": (least, most)})


@dataclass(frozen=True)
class Parameters:
    """How a classifier system learns; `Parameters(N=800)` changes one; all ranges are checked at once."""

    N: int = parameter(400, 2, 10**6)
    "The most rules, counted with their numerosity."
    beta: float = parameter(0.2, 1e-9, 1.0)
    "Learning rate of predictions, errors, set sizes and fitness."
    alpha: float = parameter(0.1, *FRACTION)
    "How far accuracy drops at epsilon_0."
    epsilon_0: float = parameter(10.0, *POSITIVE)
    "Errors below it count as accurate: 1% of the largest reward."
    nu: float = parameter(5.0, 0.0, 100.0)
    "How steeply accuracy falls with error."
    gamma: float = parameter(0.71, *FRACTION)
    "Discount of what the next decision promises."
    theta_GA: float = parameter(25.0, 0.0, 1e12)
    "Decisions that pass, on average, before the genetic algorithm visits a set again."
    chi: float = parameter(0.8, *FRACTION)
    "Chance of crossover."
    mu: float = parameter(0.04, *FRACTION)
    "Chance of mutation of each allele and action."
    theta_del: int = parameter(20, 0, 10**9)
    "Experience from which low fitness makes deletion likelier."
    delta: float = parameter(0.1, *FRACTION)
    "The share of the mean fitness that counts as low."
    theta_sub: int = parameter(20, 0, 10**9)
    "Experience that a subsumer needs."
    P_hash: float = parameter(0.33, *FRACTION)
    "P#: chance that a covering rule does not care."
    p_I: float = parameter(10.0, -1e12, 1e12)
    "First prediction."
    epsilon_I: float = parameter(0.0, 0.0, 1e12)
    "First error."
    F_I: float = parameter(0.01, 1e-12, 1.0)
    "First fitness."
    p_explr: float = parameter(0.5, *FRACTION)
    "Chance that a trial explores."
    theta_mna: int = parameter(0, 0, 62)
    "Different actions that a match set needs, else rules are covered; 0: all that are legal."
    p_random: float = parameter(1.0, *FRACTION)
    "Chance that a decision of an exploring trial is random; below 1, biased exploration."
    cover_internal: int = parameter(0, 0, 1)
    "Whether covering wants every pair of external and internal action proposed, or every external one."
    error_reduction: float = parameter(0.25, *FRACTION)
    "Offspring's error as a share of its parents'."
    fitness_reduction: float = parameter(0.1, 1e-6, 1.0)
    "Offspring's fitness as a share of its parents'."
    tau: float = parameter(0.0, *FRACTION)
    "Share of a set in a tournament of parents (Butz 2003); 0: by roulette."
    do_GA_subsumption: int = parameter(1, 0, 1)
    "Whether parents may absorb offspring."
    do_action_set_subsumption: int = parameter(1, 0, 1)
    "Whether the most general accurate rule of a set absorbs what it covers."

    def __post_init__(self) -> None:
        wrong = [text for one in fields(self) if (text := _mistake(one.name, getattr(self, one.name)))]
        if wrong:
            raise InputError("; ".join(wrong))


RANGES: dict[str, tuple[float, float]] = {one.name: one.metadata["range"] for one in fields(Parameters)}
TYPES = {one.name: one.type for one in fields(Parameters)}


def _mistake(name: str, value: Any) -> str | None:
    least, most = RANGES[name]
    kind = "a whole number" if TYPES[name] is int else "a number"
    right = isinstance(value, int) if TYPES[name] is int else isinstance(value, int | float)
    if not right or not least <= value <= most:
        return f"{name} is {value!r}: {kind} from {least:g} to {most:g} would be right"
    return None


def with_changes(parameters: Parameters, changes: Mapping[str, Any]) -> Parameters:
    """Parameters with some changed; all unknown names and values out of range are reported at once."""
    unknown = [f"{name} is no parameter of XCS" for name in changes if name not in RANGES]
    known = {name: value for name, value in changes.items() if name in RANGES}
    wrong = [text for name, value in known.items() if (text := _mistake(name, value))]
    if unknown or wrong:
        names = f" (there are {', '.join(RANGES)})" if unknown else ""
        raise InputError("; ".join([*unknown, *wrong]) + names)
    return Parameters(**(asdict(parameters) | known))


class XcsSettings(NamedTuple):
    """The parameters for kernels, in the same order and under the same names."""

    N: int
    beta: float
    alpha: float
    epsilon_0: float
    nu: float
    gamma: float
    theta_GA: float
    chi: float
    mu: float
    theta_del: int
    delta: float
    theta_sub: int
    P_hash: float
    p_I: float
    epsilon_I: float
    F_I: float
    p_explr: float
    theta_mna: int
    p_random: float
    cover_internal: int
    error_reduction: float
    fitness_reduction: float
    tau: float
    do_GA_subsumption: int
    do_action_set_subsumption: int


def settings_of(parameters: Parameters) -> XcsSettings:
    """For kernels: integers and floats exactly as declared, so that nothing is compiled twice."""
    values: dict[str, Any] = {
        name: (int if kind is int else float)(getattr(parameters, name)) for name, kind in TYPES.items()
    }
    return XcsSettings(**values)
