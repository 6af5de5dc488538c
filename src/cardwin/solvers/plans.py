"""Strategies as arrays over one seat's sequences, and their values.

genes (n, genes) -> behaviours (n, sequences): the probability of each action at its information set
               -> plans (n, sequences): the probability of having made all own choices up to there.
A gene is the conditional probability of going beyond an action (stick breaking).

Whole populations are evaluated at once: rows are independent, so blocks of them can be evaluated in parallel.
"""

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.solvers.tree import Sequences, Tree


@kernel
def _behaviours(layout: Ints, gene: Ints, genes: Floats, out: Floats) -> None:
    for row in range(len(genes)):
        out[row, 0] = 1.0
        for i in range(len(layout)):
            first, remaining = layout[i, 1], 1.0
            last = first + layout[i, 2] - 1
            for sequence in range(first, last):
                beyond = genes[row, gene[sequence]]
                out[row, sequence] = remaining * (1.0 - beyond)
                remaining *= beyond
            out[row, last] = remaining


@kernel
def _plans(layout: Ints, behaviours: Floats, out: Floats) -> None:
    for row in range(len(behaviours)):
        out[row, 0] = 1.0
        for i in range(len(layout)):
            reach = out[row, layout[i, 0]]
            for sequence in range(layout[i, 1], layout[i, 1] + layout[i, 2]):
                out[row, sequence] = reach * behaviours[row, sequence]


def behaviours(seqs: Sequences, genes: Floats) -> Floats:
    """Return the behaviours (n, sequences) of genes (n, genes)."""
    out = np.empty((len(genes), seqs.count))
    _behaviours(seqs.layout, seqs.gene, np.ascontiguousarray(genes, dtype=np.float64), out)
    return out


def plans(seqs: Sequences, behaviours: Floats) -> Floats:
    """Return the plans (n, sequences) of behaviours (n, sequences)."""
    out = np.empty((len(behaviours), seqs.count))
    _plans(seqs.layout, np.ascontiguousarray(behaviours, dtype=np.float64), out)
    return out


def behaviour_of(seqs: Sequences, plan: Floats) -> Floats:
    """Return the behaviour (sequences,) of a plan (sequences,); uniform at sets that the plan does not reach."""
    out = np.ones(seqs.count)
    for parent, first, count in seqs.layout:
        reach = plan[parent]
        out[first : first + count] = plan[first : first + count] / reach if reach > 0 else 1.0 / count
    return out


def genes_of(seqs: Sequences, behaviour: Floats) -> Floats:
    """Return the genes (genes,) of a behaviour (sequences,); 0 if an earlier gene leaves no probability."""
    out = np.zeros(seqs.genes)
    for _, first, count in seqs.layout:
        left = 1.0
        for sequence in range(first, first + count - 1):
            beyond = max(left - behaviour[sequence], 0.0)
            out[seqs.gene[sequence]] = min(beyond / left, 1.0) if left > 0 else 0.0
            left = beyond
    return out


@kernel
def _gradient(rows: Ints, columns: Ints, weights: Floats, plan: Floats, out: Floats) -> None:
    for sequence in range(len(out)):
        total = 0.0
        for k in range(rows[sequence], rows[sequence + 1]):
            total += weights[k] * plan[columns[k]]
        out[sequence] = total


@kernel
def _respond(layout: Ints, action_values: Floats) -> float:
    """Add the best choice's value at each information set to its parent; the empty sequence ends with the value."""
    for i in range(len(layout) - 1, -1, -1):
        first = layout[i, 1]
        best = action_values[first]
        for sequence in range(first + 1, first + layout[i, 2]):
            best = max(best, action_values[sequence])
        action_values[layout[i, 0]] += best
    return float(action_values[0])


@kernel
def _best_value(layout: Ints, rows: Ints, columns: Ints, weights: Floats, plan: Floats) -> float:
    action_values = np.empty(len(rows) - 1)
    _gradient(rows, columns, weights, plan, action_values)
    return _respond(layout, action_values)


def gradient(tree: Tree, seat: int, other_plan: Floats) -> Floats:
    """Return the chips (sequences,) of a seat's sequences against the other's plan; a plan x wins x @ gradient."""
    seqs = tree.sequences[seat]
    out = np.empty(seqs.count)
    _gradient(seqs.rows, seqs.columns, seqs.weights, other_plan, out)
    return out


def value(tree: Tree, first: Floats, second: Floats) -> float:
    """Return the expected chips of the first seat with two plans."""
    return float(first @ gradient(tree, 0, second))


def values(tree: Tree, first: Floats, second: Floats) -> Floats:
    """Return the first seat's expected chips for every pair of plans (n, sequences) and (m, sequences), as (n, m)."""
    seqs = tree.sequences[0]
    chips = np.zeros((seqs.count, tree.sequences[1].count))
    np.add.at(chips, (np.repeat(np.arange(seqs.count), np.diff(seqs.rows)), seqs.columns), seqs.weights)
    table: Floats = (first @ chips) @ second.T
    return table


def best_response_value(tree: Tree, seat: int, other_plan: Floats) -> float:
    """Return the maximum expected chips of a seat against the other's plan."""
    seqs = tree.sequences[seat]
    return _best_value(seqs.layout, seqs.rows, seqs.columns, seqs.weights, other_plan)


def nash_conv(tree: Tree, first: Floats, second: Floats) -> float:
    """Return the sum of what both seats could gain with a best response to the other's plan."""
    return best_response_value(tree, 0, second) + best_response_value(tree, 1, first)


def exploitability(tree: Tree, first: Floats, second: Floats) -> float:
    """Return NashConv / 2: 0 for an equilibrium."""
    return nash_conv(tree, first, second) / 2


def behaviours_of_choices(seqs: Sequences, choices: Floats) -> Floats:
    """Return the behaviours (n, sequences) of one chosen action per set, (n, infosets)."""
    behaviours = np.zeros((len(choices), seqs.count))
    behaviours[:, 0] = 1.0
    sequences = seqs.layout[:, 1] + choices.astype(np.int64)
    np.put_along_axis(behaviours, sequences, 1.0, axis=1)
    return behaviours


def trembling(seqs: Sequences, behaviours: Floats, chance: float) -> Floats:
    """Return behaviours (n, sequences) that play a uniformly random legal action with probability `chance`.

    A plan that trembles reaches every set, so that choices also count where they are rarely needed (Selten 1975).
    """
    by_accident = np.ones(seqs.count)
    for _, first, count in seqs.layout.tolist():
        by_accident[first : first + count] = 1.0 / count
    mixed: Floats = (1.0 - chance) * behaviours + chance * by_accident
    return mixed


@kernel
def expected_values(plans: Floats, action_values: Floats, start: int, stop: int, out: Floats) -> None:
    """Fill in the expected chips of rows start..stop of plans (n, sequences), given each sequence's value (sequences,).

    The order of the sum is fixed.
    """
    for row in range(start, stop):
        total = 0.0
        for sequence in range(len(action_values)):
            total += plans[row, sequence] * action_values[sequence]
        out[row] = total
