"""Cycles and forgetting in co-evolution: champions of all generations play each other, exactly.

Cliff and Miller (1995) plot the current individual against ancestral opponents; Floreano and Nolfi (1997) let the
best of every generation play all the others. Here a generation is a team of two champions that plays both seats, so
a team against itself scores zero, and the matrix of scores is antisymmetric.

1. Sample generations evenly; compute their champions' realisation plans.
2. One matrix of chips, first seats against second seats; the team's score is both seats' mean.
3. Count pairs in which the later team wins, and cyclic triples (a beats b beats c beats a): none if the teams are
   ordered, a quarter if every pair were random. Random strategies are not random pairs, so tournaments of the same
   game's random champions give the null distribution; cycles are significant above 95% of them.
4. Look for a period in the autocorrelation of the populations' average plans.
"""

from dataclasses import dataclass, field

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.rng import generator_of, key_of
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree

MAX_GENERATIONS = 200  # sampled, at most
EVEN = 1e-12
RANDOM_TOURNAMENTS = 60  # of random champions, for the null distribution
RECURRENCE = 0.15  # autocorrelation that counts as a recurrence


@dataclass(frozen=True)
class Memory:
    """Champions of sampled generations (k,), and the first seat's chips of each against each, (k, k).

    `chance` are the shares of cyclic triples (tournaments,) among as many random champions, in ascending order.
    """

    generations: Ints
    table: Floats
    chance: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def scores(self) -> Floats:
        """Team against team, (k, k): mean of both seats."""
        return (self.table - self.table.T) / 2

    def against_ancestors(self, seat: int) -> Floats:
        """Return the champions (rows) against opponents of the same and earlier generations, NaN above, (k, k)."""
        chips = self.table if seat == 0 else -self.table.T
        return np.where(np.tri(len(chips), dtype=np.bool_), chips, np.nan)

    @property
    def later_wins(self) -> float:
        """The share of pairs in which the later team beats the earlier one; a half if nothing is learned."""
        below = np.tril_indices(len(self.table), -1)
        won = self.scores[below]
        return float(((won > EVEN) + 0.5 * (np.abs(won) <= EVEN)).mean()) if len(won) else 0.5

    @property
    def cycles(self) -> float:
        """The share of triples that are cyclic."""
        k = len(self.table)
        if k < 3:
            return 0.0
        wins = ((self.scores > EVEN) | ((np.abs(self.scores) <= EVEN) & np.tri(k, k=-1, dtype=np.bool_))).sum(axis=1)
        triples = k * (k - 1) * (k - 2) / 6
        return float(1 - (wins * (wins - 1) / 2).sum() / triples)

    @property
    def circling(self) -> bool:
        """Whether there are more cyclic triples than in 95% of random champions' tournaments."""
        return bool(len(self.chance) and self.cycles > np.quantile(self.chance, 0.95))

    def forgotten(self, seat: int) -> float:
        """Return the share of past opponents against which the last champion wins less than its predecessor did."""
        chips = self.table if seat == 0 else -self.table.T
        return float((chips[-1, :-1] < np.diag(chips)[:-1] - EVEN).mean()) if len(chips) > 1 else 0.0


def remember(tree: Tree, first: Floats, second: Floats, generations: Ints) -> Memory:
    """Play champions' plans (generations, sequences) of the two seats against each other across generations."""
    chosen = np.unique(np.linspace(0, len(generations) - 1, min(MAX_GENERATIONS, len(generations))).astype(np.int64))
    table = plans.values(tree, first[chosen], second[chosen])
    return Memory(generations[chosen], table, random_cycles(tree, len(chosen)))


def random_cycles(tree: Tree, champions: int, tournaments: int = RANDOM_TOURNAMENTS) -> Floats:
    """Return the shares of cyclic triples (tournaments,), ascending, among champions with uniformly random genes."""
    draw = generator_of(key_of(0, "random champions", champions))
    generations, shares = np.arange(champions), []
    for _ in range(tournaments):
        first, second = (
            plans.plans(seqs, plans.behaviours(seqs, draw.random((champions, seqs.genes)))) for seqs in tree.sequences
        )
        shares.append(Memory(generations, plans.values(tree, first, second)).cycles)
    return np.sort(np.array(shares))


def period(averages: Floats) -> int | None:
    """Return the period of the average plans (generations, sequences) in generations, or None if there is none.

    The first quarter is left out as burn-in. The first peak of the autocorrelation after its first trough below
    zero counts if it is high enough and the run contains three periods.
    """
    path = averages[len(averages) // 4 :]
    path = path - path.mean(axis=0)
    n = len(path)
    power = float((path**2).sum())
    if n < 12 or power < 1e-9:
        return None
    spectrum = np.fft.rfft(path, 2 * n, axis=0)
    raw = np.fft.irfft((np.abs(spectrum) ** 2).sum(axis=1))[: n // 3]
    autocorrelation = raw / raw[0] * n / (n - np.arange(len(raw)))
    below = np.flatnonzero(autocorrelation < 0)
    if not len(below):
        return None
    peak = below[0] + int(np.argmax(autocorrelation[below[0] :]))
    return int(peak) if autocorrelation[peak] > RECURRENCE else None


def summarise(memory: Memory, periods: tuple[int | None, int | None]) -> str:
    """Return a summary in a few sentences."""
    text = (
        f"The champions of {len(memory.generations)} generations played each other. The later team wins "
        f"{memory.later_wins:.0%} of the pairs, and {memory.cycles:.1%} of all triples are cycles (an ordered set has "
        f"none, as many random champions {_range(memory.chance)}): "
    )
    text += (
        "the champions cycle: each beats its predecessors only for a while."
        if memory.circling
        else "no more cycles than by chance."
    )
    recurrences = [generations for generations in periods if generations]
    if recurrences:
        mean = round(sum(recurrences) / len(recurrences))
        text += f" The populations' averages recur about every {mean} generations."
    lost = [f"seat {seat + 1}: {memory.forgotten(seat):.0%}" for seat in (0, 1)]
    return (
        text + f" Past opponents against whom the last champion does worse than its predecessor did: {', '.join(lost)}."
    )


def _range(chance: Floats) -> str:
    if not len(chance):
        return "were not computed"
    low, high = np.quantile(chance, [0.025, 0.975])
    return f"{low:.1%} to {high:.1%}"
