"""Reveley (2002), A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College.

The document describes the Loki player of Papp (1998), which it needed as an opponent, and did not complete it; and an
XCS with four changes that was to learn against it, without any experiment.
"""

from cardwin.papers import Experiment
from cardwin.papers.reveley import arithmetic, changes, deception, known_answers, loki, settled

TITLE = "A classifier system for limit hold'em, and the player it was to meet"
ABOUT = (
    "Colin Reveley, A Learning Classifier System adapted for Hold'em Poker, MSc report, Birkbeck College, University "
    "of London 2002. Its author got Loki's betting to work but not its opponent model, and made no experiment. Here "
    "is Loki whole, in the experiments of its own authors (Denis Papp, Dealing with Imperfect Information in Poker, "
    "MSc thesis, University of Alberta 1998), and XCS with all that the document proposed, each of its claims marked "
    "by a margin written down beforehand (claims.toml); on limit hold'em, in small bets a hand."
)
MATTERS = (
    "XCS learns poker: beyond the best blind player, Caller",
    "XCS learns poker: beyond the best blind player, Loki",
    "all four changes, minus plain, pooled",
)
HEADINGS = {
    "arithmetic": "2.1.3 and 3 Printed counts and formulas",
    "loki": "3 The Alberta algorithm: Loki, after Papp (1998)",
    "known-answers": "2.2.5 and 2.3 a Noise on problems with known answers",
    "changes": "2.3 Alterations to XCS, alone and together",
    "settled": "3 and 4 XCS, a table and a network against Loki, settled",
    "noticing": "1.4 d A small game with an opponent who notices",
    "deception": "2.3 c Deception, against the specific Loki",
    "registers": "2.3 c The bit register and its counters",
    "adaption": "2.2.4 Adaption in real time",
}
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
