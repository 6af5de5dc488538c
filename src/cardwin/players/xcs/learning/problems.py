"""Test problems with known answers for classifier systems, one episode per trial, and a learner on them.

Multiplexers: the first bits are the address of another bit, whose value is the right answer. Mazes: an animat sees
the eight cells around it and walks to food. Rewards may be random: a win or a loss, each with its stakes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import unknown_name
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, draw_bits, draw_uniform, stream_of
from cardwin.players.xcs.fields import Fields, bit
from cardwin.players.xcs.learning.episode import FROZEN, LEARNING, PREDICTING, step
from cardwin.players.xcs.learning.parameters import Parameters, with_changes
from cardwin.players.xcs.learning.system import System, load_rules, new_system, rules_state

MAX_STEPS = 50
MOVES = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # from north, clockwise
SENSED = {".": (0, 0), "O": (1, 0), "F": (1, 1)}


class Multiplexer(NamedTuple):
    """A multiplexer with its rewards.

    Attributes:
        address: the number of address bits.
        odds: (2,), the probability to win with a wrong and with a right answer.
        stakes: (2, 2), the reward of a wrong and a right answer, if won and if lost.

    """

    address: int
    odds: Floats
    stakes: Floats


class Maze(NamedTuple):
    """A maze with its rewards.

    Attributes:
        sensed: (cells, words), the situation in each cell.
        moves: (cells, 8), the targets of moves.
        food: (cells,), 1 at food.
        start: (free cells,), the possible starting cells.
        odds: the probability that food is a win.
        stakes: (2,), the reward of food, if won and if lost.

    """

    sensed: Ints
    moves: Ints
    food: Ints
    start: Ints
    odds: float
    stakes: Floats


def maze_of(text: str, places: Ints, words: int, odds: float = 1.0, stakes: tuple[float, float] = (1e3, 0.0)) -> Maze:
    """Return a maze from its map: `.` free, `O` tree, `F` food; its edges wrap around."""
    rows = text.split()
    height, width = len(rows), len(rows[0])
    cells = [(y, x) for y in range(height) for x in range(width)]
    moves, sensed = np.zeros((len(cells), 8), np.int64), np.zeros((len(cells), words), np.int64)
    for number, (y, x) in enumerate(cells):
        for direction, (down, right) in enumerate(MOVES):
            row, column = (y + down) % height, (x + right) % width
            content = rows[row][column]
            moves[number, direction] = number if content == "O" else row * width + column
            for sensor, value in enumerate(SENSED[content]):
                word, first, _ = places[2 * direction + sensor]
                sensed[number, word] |= 1 << (first + value)
    contents = "".join(rows)
    food = np.array([content == "F" for content in contents], np.int64)
    start = np.array([number for number, content in enumerate(contents) if content == "."], np.int64)
    return Maze(sensed, moves, food, start, odds, np.array(stakes))


def fewest_steps(maze: Maze) -> float:
    """Return the mean number of steps to food from a free cell, by shortest paths."""
    steps = np.where(maze.food == 1, 0, len(maze.food))
    for _ in range(len(steps)):
        steps = np.minimum(steps, 1 + steps[maze.moves].min(axis=1))
    return float(steps[maze.start].mean())


@kernel
def multiplexer_trials(system: System, world: Multiplexer, rng: Stream, explored: Ints, right: Ints) -> None:
    """Run as many trials as the arrays have elements; exploit trials change nothing."""
    places = system.layout.places
    length = world.address + (1 << world.address)
    situation = np.zeros(len(system.layout.full), np.int64)
    for trial in range(len(explored)):
        bits = draw_bits(rng)
        for word in range(len(situation)):
            situation[word] = 0
        for number in range(length):
            situation[places[number, 0]] |= 1 << (places[number, 1] + ((bits >> number) & 1))
        address = 0
        for number in range(world.address):
            address = 2 * address + ((bits >> number) & 1)
        answer = (bits >> (world.address + address)) & 1
        explored[trial] = int(draw_uniform(rng) < system.settings.p_explr)
        mode = LEARNING if explored[trial] else FROZEN
        reward, over = 0.0, False
        while True:
            action = step(system, 0, situation, 3, reward, over, explored[trial] == 1, mode)
            if over:
                break
            right[trial] = int(action == answer)
            lost = int(draw_uniform(rng) >= world.odds[right[trial]])
            reward, over = world.stakes[right[trial], lost], True


@kernel
def maze_trials(system: System, world: Maze, rng: Stream, explored: Ints, steps: Ints) -> None:
    """Run as many trials as the arrays have elements; a trial ends at food or after fifty steps, unrewarded.

    Exploit trials update predictions, to avoid endless cycles, but do not breed.
    """
    for trial in range(len(explored)):
        cell = world.start[draw_below(rng, len(world.start))]
        explored[trial] = int(draw_uniform(rng) < system.settings.p_explr)
        mode = LEARNING if explored[trial] else PREDICTING
        reward, over = 0.0, False
        steps[trial] = 0
        while True:
            action = step(system, 0, world.sensed[cell], 255, reward, over, explored[trial] == 1, mode)
            if over:
                break
            cell = world.moves[cell, action]
            steps[trial] += 1
            over = world.food[cell] == 1 or steps[trial] == MAX_STEPS
            if world.food[cell]:
                reward = world.stakes[int(draw_uniform(rng) >= world.odds)]
            elif over:
                mode = FROZEN  # truncated, which is not an outcome


WOODS1 = "..... .OOF. .OOO. .OOO. ....."
# McCallum's maze: the second and the fourth cell of the corridor look alike, but the food is on different sides.
WOODS101 = "OOOOOOO O.....O O.O.O.O O.OFO.O OOOOOOO"
POPULATIONS = {6: 400, 11: 800, 20: 2000, 37: 5000}
# Winning is a random event that no rule predicts. Either the stakes can be learnt (1,000 and -500 if right, 500 and
# -1,000 if wrong) or the odds (70% if right, 30% if wrong).
RANDOM_REWARDS = {
    "stakes": ((0.5, 0.5), ((500, -1000), (1000, -500))),
    "odds": ((0.3, 0.7), ((1000, -1000), (1000, -1000))),
}
MEMORY_STEPS = 2.9  # Woods101: 2.7 if the position is known; starting in an ambiguous cell costs two
WINDOW = 200  # exploit trials over which a score is taken


@dataclass(frozen=True)
class Problem:
    """A problem with a known answer.

    Attributes:
        name: its name.
        fields: the fields of its situations.
        actions: the names of its actions.
        parameters: the default parameters of a learner.
        world: its arrays for kernels.
        best: the best possible share of right answers, or mean number of steps.
        in_steps: whether scores are numbers of steps.

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
    addresses = [bit(f"address {number}") for number in range(address)]
    fields = Fields((*addresses, *(bit(f"data {number}") for number in range(length - address))))
    world = Multiplexer(address, np.array(odds), np.array(stakes, np.float64))
    parameters = Parameters(N=POPULATIONS[length])
    return Problem(f"multiplexer-{length}", fields, ("0", "1"), parameters, world, 1.0)


def noisy_multiplexer(length: int, amount: float) -> Problem:
    """Return a multiplexer whose reward of 1,000 or 0 is raised or lowered by this share of 1,000 at random."""
    up = 1000 * amount
    return _multiplexer(length, (0.5, 0.5), ((up, -up), (1000 + up, 1000 - up)))


def _woods(name: str, text: str, register: int = 0, odds: float = 1.0, loss: float = 0.0) -> Problem:
    directions = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
    sensors = tuple(bit(f"{direction} {content}") for direction in directions for content in ("blocked", "food"))
    fields = Fields(sensors, register)
    world = maze_of(text, fields.layout.places, len(fields.layout.full), odds, (1e3, loss))
    best = MEMORY_STEPS if text == WOODS101 else fewest_steps(world)
    # Wilson (1998) and Lanzi (1998): few mutations, half of all positions are #, no subsumption in sets.
    parameters = Parameters(N=800, P_hash=0.5, mu=0.01, do_action_set_subsumption=0)
    if text == WOODS101:
        # Learning to use the register takes more rules, specific ones that breed rarely, small steps, exploration near
        # the best action two times in five, and optimistic initial predictions. Otherwise a poor strategy persists.
        changes = {
            "N": 3000,
            "P_hash": 0.05,
            "theta_GA": 5000.0,
            "beta": 0.01,
            "p_I": 700.0,
            "p_random": 0.6,
            "cover_internal": 1,
        }
        parameters = with_changes(parameters, changes)
    return Problem(name, fields, directions, parameters, world, best, in_steps=True)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    **{f"multiplexer-{length}": partial(_multiplexer, length) for length in POPULATIONS},
    **{
        f"multiplexer-{length}-{name}": partial(_multiplexer, length, odds, stakes)
        for name, (odds, stakes) in RANDOM_REWARDS.items()
        for length in (6, 11)
    },
    "woods1": partial(_woods, "woods1", WOODS1),
    "woods1-noise": partial(_woods, "woods1-noise", WOODS1, 0, 0.75, -250.0),
    "woods101": partial(_woods, "woods101", WOODS101),
    "woods101-register": partial(_woods, "woods101-register", WOODS101, 1),
}


def problem_of(name: str) -> Problem:
    """Return a problem by its name.

    Raises:
        InputError: there is no such problem.

    """
    if name not in PROBLEMS:
        raise unknown_name("problem", name, PROBLEMS)
    return PROBLEMS[name]()


@dataclass(frozen=True)
class Trials:
    """The results by trial: explored (trials,), and score (trials,): 1 if right, or the steps taken."""

    explored: Ints
    score: Ints

    def exploited(self) -> Ints:
        """Return the scores of exploit trials, in order."""
        scores: Ints = self.score[self.explored == 0]
        return scores


class XcsLearner:
    """A classifier system in a problem; `state` and `load` are complete, so resuming is exact.

    Args:
        problem: the problem.
        key: the key of its random numbers.
        changes: changes of the problem's default parameters, by name.
        two_predictions: whether rules predict wins and losses separately.

    """

    def __init__(
        self, problem: Problem, key: int, changes: Mapping[str, Any] | None = None, two_predictions: bool = False
    ) -> None:
        self.problem = problem
        self.parameters = with_changes(problem.parameters, changes or {})
        actions, stream_key = len(problem.actions), child(key, 0)
        self.system: System = new_system(problem.fields, actions, self.parameters, stream_key, two_predictions)
        self.rng = stream_of(child(key, 1))

    def run(self, trials: int) -> Trials:
        """Run this number of further trials."""
        explored, score = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
        if isinstance(self.problem.world, Maze):
            maze_trials(self.system, self.problem.world, self.rng, explored, score)
        else:
            multiplexer_trials(self.system, self.problem.world, self.rng, explored, score)
        return Trials(explored, score)

    def state(self) -> dict[str, Ints | Floats]:
        """Return the complete state between two trials, as arrays by name."""
        return {**rules_state(self.system), "stream": self.system.stream.copy(), "rng": self.rng.copy()}

    def load(self, arrays: Mapping[str, Any]) -> None:
        """Restore a state."""
        load_rules(self.system, arrays)
        self.system.stream[:] = arrays["stream"]
        self.rng[:] = arrays["rng"]


def share_right(trials: Trials, last: int) -> float:
    """Return the mean score of the last exploit trials."""
    return float(trials.exploited()[-last:].mean())


def explore_trials_to(learner: XcsLearner, share: float, within: int) -> int | None:
    """Return the number of explore trials after which a window of 200 exploit trials first has a share right, or None.

    Args:
        learner: the learner, which runs until it has explored `within` times.
        share: the share of right answers in the window.
        within: the maximum number of explore trials.

    """
    explored, right, seen = np.zeros(0, np.int64), np.zeros(0, np.int64), 0
    while seen < within:
        trials = learner.run(1_000)
        explored, right = np.append(explored, trials.explored), np.append(right, trials.score)
        seen = int(explored.sum())
    at = np.flatnonzero(explored == 0)
    windows = np.convolve(right[at], np.ones(WINDOW), "valid")
    good = np.flatnonzero(windows >= share * WINDOW)
    if not len(good):
        return None
    needed = int(explored[: at[good[0] + WINDOW - 1]].sum())
    return needed if needed <= within else None
