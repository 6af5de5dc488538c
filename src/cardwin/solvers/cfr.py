"""Counterfactual regret minimisation on sequences.

Plain CFR (Zinkevich et al. 2007) and CFR+ (Tammelin 2014), both with alternating updates:
1. for each seat in turn, compute the chips of its sequences against the other's current plan;
2. add its current plan to the average (CFR+: weighted by the iteration's number);
3. from the last information set to the first: the regret of each action grows by its value minus that of the current
   behaviour (CFR+: never below 0), and the set's value is added to its parent;
4. the next behaviour is proportional to positive regret.
"""

from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.solvers import plans
from cardwin.solvers.plans import _gradient
from cardwin.solvers.tree import Sequences, Tree


class Seat(NamedTuple):
    """One seat's sequences (see `tree.Sequences`) and its state, each array (sequences,)."""

    layout: Ints
    rows: Ints
    columns: Ints
    weights: Floats
    plan: Floats
    average: Floats
    regrets: Floats


@kernel
def _turn(seat: Seat, other_plan: Floats, action_values: Floats, weight: float, plus: bool) -> None:
    """Update one seat in place; its plan becomes the next one."""
    layout, plan, regrets = seat.layout, seat.plan, seat.regrets
    _gradient(seat.rows, seat.columns, seat.weights, other_plan, action_values)
    for sequence in range(len(plan)):
        seat.average[sequence] += weight * plan[sequence]
    for i in range(len(layout) - 1, -1, -1):
        parent, first, end = layout[i, 0], layout[i, 1], layout[i, 1] + layout[i, 2]
        value = _set_value(first, end, regrets, action_values)
        for sequence in range(first, end):
            regret = regrets[sequence] + action_values[sequence] - value
            regrets[sequence] = max(regret, 0.0) if plus else regret
        action_values[parent] += value
    _match_regrets(layout, regrets, plan)


@kernel
def _positive(first: int, end: int, regrets: Floats) -> float:
    total = 0.0
    for sequence in range(first, end):
        total += max(regrets[sequence], 0.0)
    return total


@kernel
def _set_value(first: int, end: int, regrets: Floats, action_values: Floats) -> float:
    """Return the value of the current behaviour, proportional to positive regret, at one information set."""
    positive, total = 0.0, 0.0
    for sequence in range(first, end):
        share = max(regrets[sequence], 0.0)
        positive += share
        total += share * action_values[sequence]
    if positive > 0:
        return total / positive
    return float(np.sum(action_values[first:end]) / (end - first))


@kernel
def _match_regrets(layout: Ints, regrets: Floats, plan: Floats) -> None:
    plan[0] = 1.0
    for i in range(len(layout)):
        first, end = layout[i, 1], layout[i, 1] + layout[i, 2]
        reach, positive = plan[layout[i, 0]], _positive(first, end, regrets)
        for sequence in range(first, end):
            share = max(regrets[sequence], 0.0) / positive if positive > 0 else 1.0 / (end - first)
            plan[sequence] = reach * share


@kernel
def _iterate(first: Seat, second: Seat, start: int, iterations: int, plus: bool) -> None:
    values0, values1 = np.empty_like(first.plan), np.empty_like(second.plan)
    for t in range(start + 1, start + iterations + 1):
        weight = float(t) if plus else 1.0
        _turn(first, second.plan, values0, weight, plus)
        _turn(second, first.plan, values1, weight, plus)


def new_seat(seqs: Sequences) -> Seat:
    """Return a seat with uniform play and no regrets."""
    plan, average, regrets = np.empty(seqs.count), np.zeros(seqs.count), np.zeros(seqs.count)
    _match_regrets(seqs.layout, regrets, plan)
    return Seat(seqs.layout, seqs.rows, seqs.columns, seqs.weights, plan, average, regrets)


class Cfr:
    """A CFR solver. `step` iterates; `average_policy` converges to equilibrium."""

    def __init__(self, tree: Tree, plus: bool = True) -> None:
        self.tree, self.plus, self.iterations = tree, plus, 0
        self.seats = new_seat(tree.sequences[0]), new_seat(tree.sequences[1])

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        _iterate(*self.seats, self.iterations, iterations, self.plus)
        self.iterations += iterations

    def average_policy(self) -> tuple[Floats, Floats]:
        """Return both seats' average plans (sequences,)."""
        first, second = (seat.average / seat.average[0] for seat in self.seats)
        return first, second

    def exploitability(self) -> float:
        """Return NashConv / 2 of the average policy."""
        return plans.exploitability(self.tree, *self.average_policy())
