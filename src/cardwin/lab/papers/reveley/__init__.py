"""Reveley (2002), A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College.

The document describes the Loki player of Papp (1998), which it needed as an opponent, and could not finish it.
"""

from cardwin.lab.papers import Experiment
from cardwin.lab.papers.reveley import loki

TITLE = "A classifier system for limit hold'em, and the player it was to meet"
ABOUT = (
    "Colin Reveley, A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College, University "
    "of London 2002. Its author got Loki's betting to work but not its opponent model, and made no experiment. Here "
    "is Loki whole, in the experiments of its own authors (Denis Papp, Dealing with Imperfect Information in Poker, "
    "MSc thesis, University of Alberta 1998), on limit hold'em, in small bets a hand."
)
EXPERIMENTS: dict[str, Experiment] = {"loki": loki.experiments}
