"""Reveley (2002), A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College.

The document describes the Loki player of Papp (1998), which it needed as an opponent, and did not complete it. It
proposes an XCS with four changes that was to learn against Loki, without any experiment.
"""

from cardwin.papers import Experiment
from cardwin.papers.register import paper_description
from cardwin.papers.reveley import ablation, arithmetic, deception, loki, loki_learners, multiplexer

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)

EXPERIMENTS: dict[str, Experiment] = {
    "arithmetic": arithmetic.experiment,
    "loki": loki.experiment,
    "known-answers": multiplexer.experiment,
    "changes": ablation.changes,
    "settled": loki_learners.experiment,
    "noticing": deception.small_game,
    "deception": deception.holdem,
    "registers": ablation.registers,
    "adaption": ablation.adaption,
}
