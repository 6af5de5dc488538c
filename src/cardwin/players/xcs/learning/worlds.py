"""Test problems for classifier systems, one episode a trial (kernels).

Multiplexers: the first bits are the address of another one, whose value is the right answer. Mazes: an animat sees
the eight cells around it and walks to food. Rewards may be random: a win or a loss, each with its stakes.
"""

from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_below, draw_bits, draw_uniform
from cardwin.players.xcs.learning.episode import FROZEN, LEARNING, PREDICTING, step
from cardwin.players.xcs.learning.system import System

MOST_STEPS = 50
EIGHT_MOVES = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # from north, clockwise
SENSED = {".": (0, 0), "O": (1, 0), "F": (1, 1)}


class Multiplexer(NamedTuple):
    """address: the number of address bits. odds (2,): the probability to win with a wrong and with a right answer.

    stakes (2, 2): the reward of a wrong and a right answer, if won and if lost.
    """

    address: int
    odds: Floats
    stakes: Floats


class Maze(NamedTuple):
    """sensed (cells, words): situations. moves (cells, 8): targets of moves. food (cells,): 1 at food.

    start (free cells,): possible starting cells. odds, stakes (2,): food is won or lost.
    """

    sensed: Ints
    moves: Ints
    food: Ints
    start: Ints
    odds: float
    stakes: Floats


def maze_of(text: str, places: Ints, words: int, odds: float = 1.0, stakes: tuple[float, float] = (1e3, 0.0)) -> Maze:
    """A maze from its map: `.` free, `O` tree, `F` food; its edges wrap around."""
    rows = text.split()
    height, width = len(rows), len(rows[0])
    cells = [(y, x) for y in range(height) for x in range(width)]
    moves, sensed = np.zeros((len(cells), 8), np.int64), np.zeros((len(cells), words), np.int64)
    for number, (y, x) in enumerate(cells):
        for way, (down, right) in enumerate(EIGHT_MOVES):
            to = (y + down) % height, (x + right) % width
            thing = rows[to[0]][to[1]]
            moves[number, way] = number if thing == "O" else to[0] * width + to[1]
            for bit, value in enumerate(SENSED[thing]):
                word, first, _ = places[2 * way + bit]
                sensed[number, word] |= 1 << (first + value)
    things = [rows[y][x] for y, x in cells]
    food = np.array([thing == "F" for thing in things], np.int64)
    start = np.array([number for number, thing in enumerate(things) if thing == "."], np.int64)
    return Maze(sensed, moves, food, start, odds, np.array(stakes))


def fewest_steps(maze: Maze) -> float:
    """The mean number of steps to food from a free cell, by shortest paths."""
    far = np.where(maze.food == 1, 0, len(maze.food))
    for _ in range(len(far)):
        far = np.minimum(far, 1 + far[maze.moves].min(axis=1))
    return float(far[maze.start].mean())


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

    Exploit trials update what rules expect, to avoid endless cycles, but do not breed.
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
            over = world.food[cell] == 1 or steps[trial] == MOST_STEPS
            if world.food[cell]:
                reward = world.stakes[int(draw_uniform(rng) >= world.odds)]
            elif over:
                mode = FROZEN  # truncated, which is not an outcome
