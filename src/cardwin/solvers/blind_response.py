"""Exact best response to a player who ignores its cards, in heads-up limit hold'em.

Johanson, Waugh, Bowling and Zinkevich (2011) print such values for always call, always raise and a mixture, as checks
of their best response. Such a player's range stays uniform, so its actions reveal nothing. Only our holding, the board
and the pot matter, and betting histories with equal pots are merged.

1. On the river only the chance to win matters: the value of every river entry is tabulated by river code.
2. On the turn, average that table over the river cards, by look-up of the code; solve the turn's betting backwards,
   with the maximum at our decisions and the mean over the opponent's actions at its own.
3. The same from the turn to the flop, and from the flops to the two cards. A turn board represents several turn cards
   of a flop under suit permutations; the sums are made symmetric under the permutations that fix the flop.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, open_executor
from cardwin.core.kernel import clock, kernel
from cardwin.games.betting.game import BettingGame
from cardwin.games.betting.tree import DECISION, FOLD, NEXT_STREET, BettingStreet, betting_tree
from cardwin.solvers.blind_boards import Boards, boards_of

BLOCK = 64  # holdings evaluated together
RIVER_CARDS = 6  # that the responder has seen when the river card comes


# The probability of each legal action, by name: f, c, r for fold, call (or check), raise (or bet).
BlindPlay = Callable[[tuple[str, ...]], Mapping[str, float]]


def mixture(fold: float, call: float, raises: float) -> BlindPlay:
    """Return play with these probabilities. If checking is free, a fold becomes a check; at the cap, a raise a call."""
    probabilities = {"f": fold, "c": call, "r": raises}

    def play(names: tuple[str, ...]) -> Mapping[str, float]:
        chances = {name: probabilities[name] for name in names}
        chances["c"] += sum(chance for name, chance in probabilities.items() if name not in names)
        return chances

    return play


def uniform_play(names: tuple[str, ...]) -> Mapping[str, float]:
    """Return all legal actions with equal probability."""
    return dict.fromkeys(names, 1 / len(names))


@dataclass(frozen=True, eq=False, repr=False)
class BlindResponse(BriefRepr):
    """The best response to a blind player: chips per hand by the responder's seat, and their mean.

    Seat 1 is the button, which posts the small blind. `exploitability` is the mean over both seats in `unit`.
    """

    game: str
    seats: tuple[float, float]
    exploitability: float
    unit: str
    seconds: float


def best_response(game: BettingGame, play: BlindPlay, workers: int = 1) -> BlindResponse:
    """Compute the exact best response to play that does not depend on cards.

    Args:
        game: a limit game with a flop, a turn and a river.
        play: the blind player's probabilities by the names of the legal actions.
        workers: the number of threads.

    Raises:
        InputError: the game has other streets or no limit.

    """
    if game.board != (0, 3, 1, 1) or not game.limit:
        raise InputError(
            f"expected a limit game with a flop, turn and river for the exact value of a blind player, got {game.name}"
        )
    start = clock()
    with open_executor(workers) as executor:
        boards = boards_of(game, executor)
        seats = response_values(game, boards, play, executor)
    mean = (seats[0] + seats[1]) / 2
    return BlindResponse(game.name, seats, 1000 * mean / game.big_blind, "mb/g", clock() - start)


def response_values(game: BettingGame, boards: Boards, play: BlindPlay, executor: Executor) -> tuple[float, float]:
    """Return the responder's chips per hand in each seat."""
    tree = betting_tree(game, merged=True)
    turns = len(boards.next_row)

    def job(item: tuple[int, int]) -> float:
        seat, rows = item
        return _seat_value(boards, [_Street(street, play, seat) for street in tree], rows)

    # The first item of a job runs alone, because it may compile: it has no rows.
    _, first, second = executor.map(job, [(0, 0), (0, turns), (1, turns)])
    return first, second


class Points(NamedTuple):
    """A street's points in the betting tree, (points,) each; `chances` and `ends` are those of one responder."""

    kind: Ints
    first_child: Ints
    children: Ints
    target: Ints
    chances: Floats
    ends: Floats


class _Street:
    """A street as arrays for kernels, from one responder's seat."""

    def __init__(self, street: BettingStreet, play: BlindPlay, seat: int) -> None:
        self.entries, self.points = street.entries, street.points
        chances = _chances(street, play, seat)
        kind, first_child, children, target = street.kind, street.first_child, street.children, street.target
        self.arrays = Points(kind, first_child, children, target, chances, _ends(street, seat))


def _chances(street: BettingStreet, play: BlindPlay, seat: int) -> Floats:
    """Return the opponent's probability (points,) of the action that leads to a point; -1 after the responder's own."""
    chances = np.full(street.points, -1.0)
    for point in np.flatnonzero(street.kind == DECISION):
        if street.actor[point] == seat:
            continue
        names, first = street.actions[point], street.first_child[point]
        probabilities = play(names)
        chances[first : first + len(names)] = [probabilities[name] for name in names]
    return chances


def _ends(street: BettingStreet, seat: int) -> Floats:
    """Return the responder's chips (points,) after a fold; the stake of each player at a showdown."""
    lost = (street.kind == FOLD) & (street.actor == seat)
    stakes: Floats = street.chips.min(axis=1).astype(np.float64)
    return np.where(lost, -stakes, stakes)


@kernel
def _solve_street(points: Points, following: Floats, values: Floats) -> None:
    """Fill in values (points, n) from those of the next street's entries, following (entries, n).

    On the last street, following (1, n) is the chance to win less the chance to lose.
    """
    kind, first_child, children, target, chances, ends = points
    lanes = values.shape[1]
    for point in range(len(kind) - 1, -1, -1):
        if kind[point] == FOLD:
            for i in range(lanes):
                values[point, i] = ends[point]
        elif kind[point] == NEXT_STREET:
            for i in range(lanes):
                values[point, i] = following[target[point], i]
        elif kind[point] == DECISION:
            first = first_child[point]
            if chances[first] < 0.0:
                for i in range(lanes):
                    values[point, i] = values[first, i]
                for child in range(first + 1, first + children[point]):
                    for i in range(lanes):
                        values[point, i] = max(values[point, i], values[child, i])
            else:
                for i in range(lanes):
                    values[point, i] = 0.0
                for child in range(first, first + children[point]):
                    for i in range(lanes):
                        values[point, i] += chances[child] * values[child, i]
        else:
            for i in range(lanes):
                values[point, i] = ends[point] * following[0, i]


@kernel
def _turn_values(
    points: Points, entries: int, turns: int, boards: Boards, river: Floats, runouts: int, sums: Floats
) -> None:
    """Solve turn boards and add their values to sums (flops, H, entries + 1); river (codes, entries of the river).

    The last column counts the turn cards that leave the holding possible.
    """
    codes, maps, next_row, next_map = boards.codes, boards.maps, boards.next_row, boards.next_map
    flop_row, flop_map, flop_share = boards.flop_row, boards.flop_map, boards.flop_share
    lanes, holdings = river.shape[1], codes.shape[1]
    added, following = np.empty((BLOCK, lanes)), np.empty((lanes, BLOCK))
    values, live = np.empty((len(points.kind), BLOCK)), np.empty(BLOCK, np.bool_)
    for turn in range(turns):
        for start in range(0, holdings, BLOCK):
            stop = min(start + BLOCK, holdings)
            added[:] = 0.0
            live[:] = False
            for card in range(next_row.shape[1]):
                row = next_row[turn, card]
                if row >= 0:
                    moved = maps[next_map[turn, card]]
                    for holding in range(start, stop):
                        code = codes[row, moved[holding]]
                        if code >= 0:
                            live[holding - start] = True
                            for lane in range(lanes):
                                added[holding - start, lane] += river[code, lane]
            for lane in range(lanes):
                for i in range(BLOCK):
                    following[lane, i] = added[i, lane] / runouts
            _solve_street(points, following, values)
            for index in range(flop_row.shape[1]):
                row, share, moved = flop_row[turn, index], flop_share[turn, index], maps[flop_map[turn, index]]
                for holding in range(start, stop):
                    if live[holding - start]:
                        for entry in range(entries):
                            sums[row, moved[holding], entry] += share * values[entry, holding - start]
                        sums[row, moved[holding], entries] += share


@kernel
def _flop_values(points: Points, entries: int, boards: Boards, sums: Floats, result: Floats) -> None:
    """Solve all flops from sums (flops, H, entries of the turn + 1); add to result (entries, H), by flop weight."""
    maps, fixing, weights = boards.maps, boards.fixing, boards.flop_weight
    holdings, lanes = sums.shape[1], sums.shape[2]
    following, values = np.empty((lanes, holdings)), np.empty((len(points.kind), holdings))
    for flop in range(len(sums)):
        following[:] = 0.0
        for number in fixing[flop]:
            if number >= 0:
                moved = maps[number]
                for holding in range(holdings):
                    for lane in range(lanes):
                        following[lane, holding] += sums[flop, moved[holding], lane]
        for lane in range(lanes - 1):
            for holding in range(holdings):
                following[lane, holding] /= max(following[lanes - 1, holding], 1.0)
        _solve_street(points, following, values)
        for entry in range(entries):
            for holding in range(holdings):
                if following[lanes - 1, holding] > 0.0:
                    result[entry, holding] += weights[flop] * values[entry, holding]


def _seat_value(boards: Boards, plays: Sequence[_Street], turns: int) -> float:
    """Return the responder's chips per hand in one seat; with 0 turns nothing is summed."""
    start, flop, turn, river = plays
    holdings = boards.maps.shape[1]
    codes = np.arange(boards.max_code + 1)
    ahead = (2.0 * codes / boards.max_code - 1.0)[None]
    river_values = np.empty((river.points, len(codes)))
    _solve_street(river.arrays, ahead, river_values)
    by_code = np.ascontiguousarray(river_values[: river.entries].T)
    sums = np.zeros((len(boards.flop_weight), holdings, turn.entries + 1))
    _turn_values(turn.arrays, turn.entries, turns, boards, by_code, boards.deck - RIVER_CARDS, sums)
    flops = np.zeros((flop.entries, holdings))
    _flop_values(flop.arrays, flop.entries, boards, sums, flops)
    following = flops / comb(boards.deck - 2, 3)
    sizes = np.bincount(boards.start_class)
    alike = np.stack([np.bincount(boards.start_class, row) / sizes for row in following])  # (entries, classes)
    values = np.empty((start.points, len(sizes)))
    _solve_street(start.arrays, alike, values)
    return float(values[0] @ sizes / sizes.sum())
