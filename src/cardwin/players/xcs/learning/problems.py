"""Test problems with known answers, and a learner on them: its rules, its scores, its random stream."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import child, stream_of
from cardwin.players.xcs.fields import Fields, bit
from cardwin.players.xcs.learning.parameters import Parameters, with_changes
from cardwin.players.xcs.learning.system import System, new_system
from cardwin.players.xcs.learning.worlds import (
    Maze,
    Multiplexer,
    fewest_steps,
    maze_of,
    maze_trials,
    multiplexer_trials,
)
from cardwin.players.xcs.rules import SIZE

WOODS1 = "..... .OOF. .OOO. .OOO. ....."
# McCallum's maze: the second and the fourth cell of the corridor look alike, but the food is on different sides.
WOODS101 = "OOOOOOO O.....O O.O.O.O O.OFO.O OOOOOOO"
POPULATIONS = {6: 400, 11: 800, 20: 2000, 37: 5000}
MEMORY_STEPS = 2.9  # Woods101: 2.7 if the position is known; starting in an ambiguous cell costs two
WINDOW = 200  # exploit trials over which a score is taken


@dataclass(frozen=True)
class Problem:
    """A problem by name: its fields, actions, settings, world, and its known answer.

    `best` is the best possible share of right answers, or mean number of steps.
    """

    name: str
    fields: Fields
    actions: tuple[str, ...]
    parameters: Parameters
    world: Multiplexer | Maze
    best: float
    in_steps: bool = False


def _multiplexer(length: int, odds: tuple[float, float] = (0.0, 1.0), stakes: Any = ((1e3, 0), (1e3, 0))) -> Problem:
    address = {6: 2, 11: 3, 20: 4, 37: 5}[length]
    fields = Fields(
        tuple(bit(f"address {number}") for number in range(address))
        + tuple(bit(f"data {number}") for number in range(length - address))
    )
    world = Multiplexer(address, np.array(odds), np.array(stakes, np.float64))
    parameters = Parameters(N=POPULATIONS[length])
    return Problem(f"multiplexer-{length}", fields, ("0", "1"), parameters, world, 1.0)


# Winning is a random event that no rule predicts, and the stakes can be learnt: 1,000 and -500 if right, 500
# and -1,000 if wrong. Or stakes are equal, and the odds can be learnt: 70% if right, 30% if wrong.
def _stakes(length: int) -> Problem:
    return _multiplexer(length, (0.5, 0.5), ((500, -1000), (1000, -500)))


def _odds(length: int) -> Problem:
    return _multiplexer(length, (0.3, 0.7), ((1000, -1000), (1000, -1000)))


def noisy_multiplexer(length: int, amount: float) -> Problem:
    """A multiplexer whose reward of 1,000 or 0 is raised or lowered by a share of 1,000, each half of the time."""
    up = 1000 * amount
    return _multiplexer(length, (0.5, 0.5), ((up, -up), (1000 + up, 1000 - up)))


def _woods(name: str, text: str, register: int = 0, odds: float = 1.0, loss: float = 0.0) -> Problem:
    ways = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
    sensors = tuple(bit(f"{way} {what}") for way in ways for what in ("blocked", "food"))
    fields = Fields(sensors, register)
    world = maze_of(text, fields.layout.places, len(fields.layout.full), odds, (1e3, loss))
    best = MEMORY_STEPS if text == WOODS101 else fewest_steps(world)
    # Wilson (1998) and Lanzi (1998): few mutations, half of all positions are #, no subsumption in sets.
    parameters = Parameters(N=800, P_hash=0.5, mu=0.01, do_action_set_subsumption=0)
    if text == WOODS101:
        # To learn the use of the register takes more rules, specific ones that breed rarely, small steps,
        # exploration near the best action two times in five, and optimistic initial predictions: otherwise
        # a poor strategy persists.
        changes = {
            "N": 3000, "P_hash": 0.05, "theta_GA": 5000.0, "beta": 0.01, "p_I": 700.0, "p_random": 0.6,
            "cover_internal": 1,
        }  # fmt: skip
        parameters = with_changes(parameters, changes)
    return Problem(name, fields, ways, parameters, world, best, in_steps=True)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    **{f"multiplexer-{length}": partial(_multiplexer, length) for length in POPULATIONS},
    **{f"multiplexer-{length}-stakes": partial(_stakes, length) for length in (6, 11)},
    **{f"multiplexer-{length}-odds": partial(_odds, length) for length in (6, 11)},
    "woods1": partial(_woods, "woods1", WOODS1),
    "woods1-noise": partial(_woods, "woods1-noise", WOODS1, 0, 0.75, -250.0),
    "woods101": partial(_woods, "woods101", WOODS101),
    "woods101-register": partial(_woods, "woods101-register", WOODS101, 1),
}


def problem_of(name: str) -> Problem:
    """A problem by its name."""
    if name not in PROBLEMS:
        raise unknown_name("problem", name, PROBLEMS)
    return PROBLEMS[name]()


@dataclass(frozen=True)
class Trials:
    """The results by trial: explored (trials,), and score (trials,): 1 if right, or the steps taken."""

    explored: Ints
    score: Ints

    def exploited(self) -> Ints:
        """The scores of exploit trials, in order."""
        found: Ints = self.score[self.explored == 0]
        return found


class XcsLearner:
    """A classifier system in a problem. `live` runs trials; `state` and `load` are complete, so resuming is exact."""

    def __init__(
        self, problem: Problem, key: int, changes: Mapping[str, Any] | None = None, two_predictions: bool = False
    ) -> None:
        self.problem = problem
        self.parameters = with_changes(problem.parameters, changes or {})
        self.system: System = new_system(
            problem.fields, len(problem.actions), self.parameters, child(key, 0), two_predictions
        )
        self.rng = stream_of(child(key, 1))

    def live(self, trials: int) -> Trials:
        """Run this number of further trials."""
        explored, score = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
        if isinstance(self.problem.world, Maze):
            maze_trials(self.system, self.problem.world, self.rng, explored, score)
        else:
            multiplexer_trials(self.system, self.problem.world, self.rng, explored, score)
        return Trials(explored, score)

    def state(self) -> dict[str, Ints | Floats]:
        """Everything between two trials, as arrays by name."""
        return {**rules_state(self.system), "stream": self.system.stream.copy(), "rng": self.rng.copy()}

    def load(self, arrays: Mapping[str, Any]) -> None:
        """Restore a state."""
        load_rules(self.system, arrays)
        self.system.stream[:] = arrays["stream"]
        self.rng[:] = arrays["rng"]


def rules_state(system: System) -> dict[str, Ints | Floats]:
    """The current rules as arrays by name."""
    rules = system.rules
    size = rules.totals[SIZE]
    return {
        "condition": rules.condition[:, :size].copy(),
        "counts": rules.counts[:, :size].copy(),
        "values": rules.values[:, :size].copy(),
        "totals": rules.totals.copy(),
    }


def load_rules(system: System, arrays: Mapping[str, Any]) -> None:
    """Restore saved rules; arrays of another shape or type are rejected by name."""
    rules = system.rules
    size = int(arrays["totals"][SIZE])
    for name in ("condition", "counts", "values"):
        target, found = getattr(rules, name), np.asarray(arrays[name])
        shape = (len(target), size)
        if found.shape != shape or found.dtype != target.dtype or size > system.settings.N:
            raise InputError(
                f"{name} of the rules is {found.dtype} {found.shape}: {target.dtype} {shape} would be right"
            )
    for name in ("condition", "counts", "values"):
        getattr(rules, name)[:, :size] = arrays[name]
    rules.totals[:] = arrays["totals"]
