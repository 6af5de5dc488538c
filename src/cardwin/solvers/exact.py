"""The same answers in fractions: what certifies a value, and what decides which choices are forced.

A best response is pushed up from the last information sets to the first. Each gene is then marked:
1 or 0   forced in every best response
1* or 0* forced wherever it is reached, which happens only through an earlier choice that is equally good
~        free, or behind a choice that no best response makes
-        never reached, whatever this seat does: the other never leads there
"""

from dataclasses import dataclass, field
from fractions import Fraction

from cardwin.core.display import Shown
from cardwin.solvers.tree import Sequences, Tree

Exact = list[Fraction]
SHORT = 10**9  # a larger denominator is noise, not an answer that a person recognises


@dataclass(frozen=True, repr=False)
class Response(Shown):
    """The most that a seat can win against one opponent, and how.

    action_values: (sequences,) expected chips, counted from before the deal, of acting so and answering best later.
    reached: (infosets,) the probability that the other and the deal lead there, if this seat lets them.
    """

    value: Fraction
    genes: list[Fraction]
    forced: list[str]
    action_values: Exact = field(repr=False)
    reached: Exact = field(repr=False)


def recognised(value: Fraction) -> str | None:
    """A fraction as people write it, or None where it is too long to say anything."""
    return str(value) if value.denominator < SHORT else None


def plan_of(seqs: Sequences, behaviour: Exact) -> Exact:
    """The plan of a behaviour, both (sequences,)."""
    plan = [Fraction(1)] * seqs.count
    for parent, first, count in seqs.layout.tolist():
        for sequence in range(first, first + count):
            plan[sequence] = plan[parent] * behaviour[sequence]
    return plan


def value(tree: Tree, first: Exact, second: Exact) -> Fraction:
    """Expected chips of the first seat when two behaviours meet."""
    plans = plan_of(tree.sequences[0], first), plan_of(tree.sequences[1], second)
    pairs = zip(tree.terminals.sequences.tolist(), tree.terminals.exact_weights, strict=True)
    return sum((plans[0][a] * plans[1][b] * weight for (a, b), weight in pairs), Fraction(0))


def respond(tree: Tree, seat: int, other: Exact) -> Response:
    """The best response of a seat to the other's behaviour."""
    seqs = tree.sequences[seat]
    plan = plan_of(tree.sequences[1 - seat], other)
    action_values, arrivals = _ends_met(tree, seat, plan)
    reached = [Fraction(0)] * len(seqs.infosets)
    for index in range(len(seqs.infosets) - 1, -1, -1):
        parent, first, count = seqs.layout[index].tolist()
        # Whatever this seat does, the other and the deal lead on with the same probability in all.
        reached[index] = arrivals[first]
        action_values[parent] += max(action_values[first : first + count])
        arrivals[parent] += reached[index]
    genes, forced = _marks(seqs, action_values, reached)
    return Response(action_values[0], genes, forced, action_values, reached)


def _ends_met(tree: Tree, seat: int, plan: Exact) -> tuple[Exact, Exact]:
    """For each own sequence the chips of the ends right behind it, and the probability of being led to them.

    Arrivals are counted in ends, not chips: a tie is worth nothing and yet is reached.
    """
    size, sign = tree.sequences[seat].count, 1 if seat == 0 else -1
    action_values, arrivals = [Fraction(0)] * size, [Fraction(0)] * size
    for pair, weight, chance in zip(
        tree.terminals.sequences.tolist(), tree.terminals.exact_weights, tree.terminals.chances, strict=True
    ):
        share = plan[pair[1 - seat]]
        if share:
            action_values[pair[seat]] += sign * weight * share
            arrivals[pair[seat]] += chance * share
    return action_values, arrivals


def _marks(seqs: Sequences, action_values: Exact, reached: Exact) -> tuple[list[Fraction], list[str]]:
    """A best response's genes and each gene's mark; `comes` is 2 for always, 1 for perhaps, 0 for never."""
    genes, forced = [Fraction(0)] * seqs.genes, ["-"] * seqs.genes
    reach = [2] * seqs.count
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        here = reach[parent]
        for offset in range(count - 1):
            sequence = first + offset
            stop, go = action_values[sequence], max(action_values[sequence + 1 : first + count])
            gene = seqs.gene[sequence]
            genes[gene] = Fraction(int(go > stop))
            if reached[index]:
                tied = go == stop
                star = "" if here == 2 else "*"
                forced[gene] = "~" if tied or not here else f"{int(go > stop)}{star}"
                reach[sequence] = _next(here, tied, go < stop)
                here = _next(here, tied, go > stop)
            else:
                reach[sequence] = here
        reach[first + count - 1] = here
    return genes, forced


def _next(here: int, tied: bool, chosen: bool) -> int:
    """How surely play goes on along one of two choices."""
    return min(here, 1) if tied else here * chosen
