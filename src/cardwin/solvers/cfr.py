"""Counterfactual regret minimisation on sequences.

Plain CFR (Zinkevich et al. 2007) and CFR+ (Tammelin 2014), both with alternating updates:
1. for each seat in turn, compute the chips of its sequences against the other's current plan;
2. add its current plan to the average (CFR+: weighted by the iteration's number);
3. from the last information set to the first: the regret of each action grows by its value minus that of the current
   behaviour (CFR+: never below 0), and the set's value is added to its parent;
4. the next behaviour is proportional to positive regret.
"""

from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.solvers import plans
from cardwin.solvers.plans import _gradient
from cardwin.solvers.tree import Sequences, Tree


@kernel
def _turn(
    layout: Ints,
    rows: Ints,
    columns: Ints,
    weights: Floats,
    other_plan: Floats,
    plan: Floats,
    average: Floats,
    regrets: Floats,
    action_values: Floats,
    weight: float,
    plus: bool,
) -> None:
    """Update one seat in place; `plan` becomes its next plan."""
    _gradient(rows, columns, weights, other_plan, action_values)
    for sequence in range(len(plan)):
        average[sequence] += weight * plan[sequence]
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
def _iterate(
    layout0: Ints, rows0: Ints, columns0: Ints, weights0: Floats, plan0: Floats, average0: Floats, regrets0: Floats,
    layout1: Ints, rows1: Ints, columns1: Ints, weights1: Floats, plan1: Floats, average1: Floats, regrets1: Floats,
    start: int, iterations: int, plus: bool,
) -> None:  # fmt: skip
    values0, values1 = np.empty_like(plan0), np.empty_like(plan1)
    for t in range(start + 1, start + iterations + 1):
        weight = float(t) if plus else 1.0
        _turn(layout0, rows0, columns0, weights0, plan1, plan0, average0, regrets0, values0, weight, plus)
        _turn(layout1, rows1, columns1, weights1, plan0, plan1, average1, regrets1, values1, weight, plus)


@dataclass
class Seat:
    """One seat's state, each array (sequences,)."""

    seqs: Sequences
    plan: Floats
    average: Floats
    regrets: Floats

    @classmethod
    def start(cls, seqs: Sequences) -> "Seat":
        """Set both strategies to uniform play, without regrets."""
        seat = cls(seqs, np.empty(seqs.count), np.zeros(seqs.count), np.zeros(seqs.count))
        _match_regrets(seqs.layout, seat.regrets, seat.plan)
        return seat


class Cfr:
    """A CFR solver. `step` iterates; `average_policy` converges to equilibrium."""

    def __init__(self, tree: Tree, plus: bool = True) -> None:
        self.tree, self.plus, self.iterations = tree, plus, 0
        self.seats = Seat.start(tree.sequences[0]), Seat.start(tree.sequences[1])

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        first, second = (
            (s.seqs.layout, s.seqs.rows, s.seqs.columns, s.seqs.weights, s.plan, s.average, s.regrets)
            for s in self.seats
        )
        _iterate(*first, *second, self.iterations, iterations, self.plus)
        self.iterations += iterations

    def average_policy(self) -> tuple[Floats, Floats]:
        """Return both seats' average plans (sequences,)."""
        first, second = (seat.average / seat.average[0] for seat in self.seats)
        return first, second

    def exploitability(self) -> float:
        """Return NashConv / 2 of the average policy."""
        return plans.exploitability(self.tree, *self.average_policy())
