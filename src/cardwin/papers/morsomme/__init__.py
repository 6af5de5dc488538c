"""Morsomme (2019), a script that evolves one-card bet-or-fold poker with matrices, reproduced.

All its random tables are drawn again from its seed, bit for bit; the worked example and the table of fitness are
recomputed exactly; the evolution runs as written, and longer than the two generations that the script printed; the
script's question, whether it learns to bluff, is answered by comparison with the mutation load and the equilibrium.
"""

from cardwin.papers import Experiment
from cardwin.papers.morsomme import bluffs, courses, hands, load, replay, speed

TITLE = "Morsomme (2019): learning one-card poker with a genetic algorithm"
ABOUT = """A script in R lets player A bet on one card and player B fold or call, all hands at once in matrices, and \
evolves two populations of fixed strategies. It asks whether they learn to bluff, and stops after two generations. \
Here its tables are drawn again from its own seed, its evolution is continued, and compared with the equilibrium."""
MATTERS = (
    "the second generation, ten of A's",
    "the best of A, by the text",
    "onecard-10: bets on the lowest card beyond the mutation load",
)

HEADINGS = {
    "hand": "2.3 Simulating a hand",
    "speed": "2.3.2 and 2.3.3 The naive and the matrix-oriented approach",
    "confrontation": "3.3 Fitness: ten strategies against ten",
    "replay": "3.2, 3.4 and 4 All random tables, drawn again from the script's seed",
    "bluffing": "1 and 3.2.1 The value of bluffing, and cleaning B's strategies",
    "mutation-load": "1 Does it learn to bluff? Compared with mutation alone",
    "evolution": "4 The algorithm in action",
    "beyond": "Our own: mixed strategies, and no cleaning",
}
EXPERIMENTS: dict[str, Experiment] = {
    "hand": hands.hand,
    "speed": speed.speed,
    "confrontation": hands.confrontation,
    "replay": replay.replay,
    "bluffing": bluffs.bluffing,
    "mutation-load": load.mutation_load,
    "evolution": courses.evolution,
    "beyond": courses.steps_beyond,
}
