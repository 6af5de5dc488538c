"""What co-evolution forgets: champions of every generation meet again, exactly.

Cliff and Miller (1995) plot the current individual against ancestral opponents; Floreano and Nolfi (1997) let the
best of every generation play all the others. Here a generation is a team of two champions that plays both seats, so
the tournament is fair: a team against itself is even, and who beats whom is antisymmetric.

1. Sample generations evenly; make their champions' plans.
2. One table of chips, first seats against second seats; the team's score is both seats' mean.
3. Count pairs in which the later team wins, and triples that go in a circle (a beats b beats c beats a): none on a
   ladder, a quarter if every pair were a toss of a coin. Strategies drawn at random are no coins: the same game's
   random champions give the null, and circling is what exceeds 95% of their tournaments.
4. Look for a period in the autocorrelation of the populations' average plans.
"""

from dataclasses import dataclass, field

import numpy as np

from cardwin.core.rng import generator_of, key_of
from cardwin.solvers import plans
from cardwin.solvers.tree import Floats, Ints, Tree

MOST = 200  # generations that meet again
EVEN = 1e-12
RANDOM_TOURNAMENTS = 60  # of random champions, for the null
RECURRENCE = 0.15  # autocorrelation that counts as coming back


@dataclass(frozen=True)
class Memory:
    """Champions of sampled generations (k,), and the first seat's chips when each meets each, (k, k).

    `chance` are the shares of circles (tournaments,) among as many random champions, in ascending order.
    """

    generations: Ints
    table: Floats
    chance: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def scores(self) -> Floats:
        """Team against team, (k, k): mean of both seats."""
        return (self.table - self.table.T) / 2

    def against_ancestors(self, seat: int) -> Floats:
        """The current champion (rows) against opponents of its own and earlier generations, NaN above, (k, k)."""
        own = self.table if seat == 0 else -self.table.T
        return np.where(np.tri(len(own), dtype=np.bool_), own, np.nan)

    @property
    def later_wins(self) -> float:
        """The share of pairs in which the later team beats the earlier one; a half where nothing is learned."""
        below = np.tril_indices(len(self.table), -1)
        won = self.scores[below]
        return float(((won > EVEN) + 0.5 * (np.abs(won) <= EVEN)).mean()) if len(won) else 0.5

    @property
    def cycles(self) -> float:
        """The share of triples that go in a circle."""
        k = len(self.table)
        if k < 3:
            return 0.0
        wins = ((self.scores > EVEN) | ((np.abs(self.scores) <= EVEN) & np.tri(k, k=-1, dtype=np.bool_))).sum(axis=1)
        triples = k * (k - 1) * (k - 2) / 6
        return float(1 - (wins * (wins - 1) / 2).sum() / triples)

    @property
    def circling(self) -> bool:
        """Whether more triples go in a circle than in 95% of random champions' tournaments."""
        return bool(len(self.chance) and self.cycles > np.quantile(self.chance, 0.95))

    def forgotten(self, seat: int) -> float:
        """The share of ancestral opponents against whom the last champion does worse than its forebear of then."""
        own = self.table if seat == 0 else -self.table.T
        return float((own[-1, :-1] < np.diag(own)[:-1] - EVEN).mean()) if len(own) > 1 else 0.0


def remember(tree: Tree, first: Floats, second: Floats, generations: Ints) -> Memory:
    """Let champions' plans (generations, sequences) of the two seats meet across time."""
    chosen = np.unique(np.linspace(0, len(generations) - 1, min(MOST, len(generations))).astype(np.int64))
    table = plans.values(tree, first[chosen], second[chosen])
    return Memory(generations[chosen], table, random_cycles(tree, len(chosen)))


def random_cycles(tree: Tree, champions: int, tournaments: int = RANDOM_TOURNAMENTS) -> Floats:
    """The shares of circles (tournaments,), ascending, among champions whose genes are drawn evenly."""
    draw = generator_of(key_of(0, "random champions", champions))
    generations, shares = np.arange(champions), []
    for _ in range(tournaments):
        first, second = (
            plans.plans(seqs, plans.behaviours(seqs, draw.random((champions, seqs.genes)))) for seqs in tree.sequences
        )
        shares.append(Memory(generations, plans.values(tree, first, second)).cycles)
    return np.sort(np.array(shares))


def period(averages: Floats) -> int | None:
    """After how many generations the average plans (generations, sequences) come back, or None where they do not.

    The first quarter is left out as the way in. The first peak of the autocorrelation beyond its first trough below
    zero counts if it is high enough and the run saw it three times.
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


def said(memory: Memory, periods: tuple[int | None, int | None]) -> str:
    """All of it in a few sentences."""
    text = (
        f"The champions of {len(memory.generations)} generations met again. The later team wins "
        f"{memory.later_wins:.0%} of the pairs, and {memory.cycles:.1%} of all triples go in a circle (a ladder has "
        f"none, as many random champions {_range(memory.chance)}): "
    )
    text += (
        "the champions circle, each beating its forebears only for a while."
        if memory.circling
        else "no circling to speak of."
    )
    back = [found for found in periods if found]
    if back:
        text += f" The populations' averages come back about every {round(sum(back) / len(back))} generations."
    lost = [f"seat {seat + 1}: {memory.forgotten(seat):.0%}" for seat in (0, 1)]
    return (
        text + f" Opponents of the past that the last champion handles worse than its forebear did: {', '.join(lost)}."
    )


def _range(chance: Floats) -> str:
    if not len(chance):
        return "were not asked"
    low, high = np.quantile(chance, [0.025, 0.975])
    return f"{low:.1%} to {high:.1%}"
