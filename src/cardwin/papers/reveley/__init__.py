"""Reveley (2002), A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College.

The document describes the Loki player of Papp (1998), which it needed as an opponent, and did not complete it; and an
XCS with four changes that was to learn against it, without any experiment.
"""

from cardwin.papers import Experiment
from cardwin.papers.register import paper_description
from cardwin.papers.reveley import arithmetic, changes, deception, known_answers, loki, settled

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)

EXPERIMENTS: dict[str, Experiment] = {
    "arithmetic": arithmetic.experiments,
    "loki": loki.experiments,
    "known-answers": known_answers.experiments,
    "changes": changes.changes,
    "settled": settled.experiments,
    "noticing": deception.small_game,
    "deception": deception.holdem,
    "registers": changes.registers,
    "adaption": changes.adaption,
}
