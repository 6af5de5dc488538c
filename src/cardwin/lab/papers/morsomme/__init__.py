"""Morsomme (2019), a script that evolves one-card bet-or-fold poker with matrices, reproduced.

The worked example and the table of fitness are recomputed exactly; the evolution runs as written, and longer than
the two generations that the script printed; the script's question, does it learn to bluff, is answered beside the
equilibrium.
"""

from cardwin.lab.papers import Experiment
from cardwin.lab.papers.morsomme import bluffs, courses, hands

TITLE = "Morsomme (2019): learning one-card poker with a genetic algorithm"
ABOUT = """A script in R lets player A bet on one card and player B fold or call, all hands at once in matrices, and \
evolves two populations of fixed strategies. It asks whether they learn to bluff, and stops after two generations. \
Here its example and its table are recomputed exactly, its evolution goes on, and the equilibrium stands beside it."""

EXPERIMENTS: dict[str, Experiment] = {
    "hand": hands.hand,
    "confrontation": hands.confrontation,
    "bluffing": bluffs.bluffing,
    "evolution": courses.evolution,
    "beyond": courses.steps_beyond,
}
