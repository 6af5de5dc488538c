"""Morsomme (2019), a script that evolves one-card bet-or-fold poker with matrices, reproduced.

All its random tables are drawn again from its seed, bit for bit; the worked example and the table of fitness are
recomputed exactly; the evolution runs as written, and for more than the two generations that the script printed. The
script's question, whether it learns to bluff, is answered in studies/morsomme_mutation_load.py.
"""

from cardwin.papers import Experiment
from cardwin.papers.morsomme import bluffs, hands, history, replay, speed
from cardwin.papers.register import paper_description

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)

EXPERIMENTS: dict[str, Experiment] = {
    "hand": hands.hand,
    "speed": speed.speed,
    "confrontation": hands.confrontation,
    "replay": replay.replay,
    "bluffing": bluffs.bluffing,
    "evolution": history.evolution,
}
