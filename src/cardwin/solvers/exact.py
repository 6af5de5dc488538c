"""Best responses in fractions: they certify a game's value and decide which choices are forced.

A best response is computed from the last information sets to the first. Each gene is then marked:
1 or 0   forced in every best response
1* or 0* forced if reached, which happens only through an earlier choice that is equally good
~        free, or behind a choice that no best response makes
-        never reached, whatever this seat does: the other seat's strategy excludes it
"""

from dataclasses import dataclass, field
from fractions import Fraction

from cardwin.core.display import BriefRepr
from cardwin.solvers.tree import Sequences, Tree

Exact = list[Fraction]
MAX_DENOMINATOR = 10**9  # of a value that is shown as a fraction


@dataclass(frozen=True, repr=False)
class Response(BriefRepr):
    """The maximum value of a seat against one opponent, and how to reach it.

    Attributes:
        value: expected chips.
        genes: a best response's genes.
        forced: the mark of each gene.
        action_values: (sequences,) expected chips, from before the deal, of this action and best responses afterwards.
        reached: (infosets,) the probability that the other seat and chance reach the set, if this seat plays to it.

    """

    value: Fraction
    genes: list[Fraction]
    forced: list[str]
    action_values: Exact = field(repr=False)
    reached: Exact = field(repr=False)


def short_fraction(value: Fraction) -> str | None:
    """Return a fraction as text, or None if it is too long."""
    return str(value) if value.denominator < MAX_DENOMINATOR else None


def plan_of(seqs: Sequences, behaviour: Exact) -> Exact:
    """Return the plan of a behaviour, both (sequences,)."""
    plan = [Fraction(1)] * seqs.count
    for parent, first, count in seqs.layout.tolist():
        for sequence in range(first, first + count):
            plan[sequence] = plan[parent] * behaviour[sequence]
    return plan


def value(tree: Tree, first: Exact, second: Exact, seat: int = 0) -> Fraction:
    """Return the expected chips of a seat, by default the first, with two behaviours."""
    plans = plan_of(tree.sequences[0], first), plan_of(tree.sequences[1], second)
    pairs = zip(tree.terminals.sequences.tolist(), tree.terminals.exact_weights[seat], strict=True)
    return sum((plans[0][a] * plans[1][b] * weight for (a, b), weight in pairs), Fraction(0))


def respond(tree: Tree, seat: int, other: Exact) -> Response:
    """Return the best response of a seat to the other's behaviour."""
    seqs = tree.sequences[seat]
    plan = plan_of(tree.sequences[1 - seat], other)
    action_values, arrivals = _terminal_values(tree, seat, plan)
    reached = [Fraction(0)] * len(seqs.infosets)
    for index in range(len(seqs.infosets) - 1, -1, -1):
        parent, first, count = seqs.layout[index].tolist()
        # Whatever this seat does, the other seat and chance reach the sets below with the same probability in all.
        reached[index] = arrivals[first]
        action_values[parent] += max(action_values[first : first + count])
        arrivals[parent] += reached[index]
    genes, forced = _marks(seqs, action_values, reached)
    return Response(action_values[0], genes, forced, action_values, reached)


def _terminal_values(tree: Tree, seat: int, plan: Exact) -> tuple[Exact, Exact]:
    """Return the chips of the terminals directly after each own sequence, and the probability of reaching them.

    Reach is the sum over terminals, not chips: a tie has the value zero and yet is reached.
    """
    size = tree.sequences[seat].count
    action_values, arrivals = [Fraction(0)] * size, [Fraction(0)] * size
    for pair, weight, chance in zip(
        tree.terminals.sequences.tolist(), tree.terminals.exact_weights[seat], tree.terminals.chances, strict=True
    ):
        share = plan[pair[1 - seat]]
        if share:
            action_values[pair[seat]] += weight * share
            arrivals[pair[seat]] += chance * share
    return action_values, arrivals


def _marks(seqs: Sequences, action_values: Exact, reached: Exact) -> tuple[list[Fraction], list[str]]:
    """Return a best response's genes and each gene's mark. `reach` is 2 for always, 1 for possible, 0 for never."""
    genes, forced = [Fraction(0)] * seqs.genes, ["-"] * seqs.genes
    reach = [2] * seqs.count
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        current = reach[parent]
        for offset in range(count - 1):
            sequence = first + offset
            stop, go = action_values[sequence], max(action_values[sequence + 1 : first + count])
            gene = seqs.gene[sequence]
            genes[gene] = Fraction(int(go > stop))
            if reached[index]:
                tied = go == stop
                star = "" if current == 2 else "*"
                forced[gene] = "~" if tied or not current else f"{int(go > stop)}{star}"
                reach[sequence] = _next(current, tied, go < stop)
                current = _next(current, tied, go > stop)
            else:
                reach[sequence] = current
        reach[first + count - 1] = current
    return genes, forced


def _next(current: int, tied: bool, better: bool) -> int:
    """Return the reach after one of two choices."""
    return min(current, 1) if tied else current * better
