"""López Pozuelo (2015), a dissertation on genetic algorithms for strategies of Kuhn poker, reproduced.

Every table and figure of chapter 5 and Appendices A to E, with the exact value beside each printed number. The
mistakes in the document's listings are not copied: they are listed in the report.
"""

from functools import partial

from cardwin.papers import Context, Experiment, Finding
from cardwin.papers.lopez_pozuelo import (
    classic,
    counter,
    mixed,
    operators,
    published,
    rivalry,
    rules,
    settling,
    wider,
)

TITLE = "López Pozuelo (2015): evolving strategies for Kuhn poker"
ABOUT = """A dissertation evolved strategies for Kuhn poker and three wider games with a genetic algorithm: against \
fixed models, and in two co-evolving populations. Its fitness was the mean of sampled games. Here the same algorithm \
runs on the exact expected payoff, and on sampled games where the printed results depend on their noise; exact values \
are beside both."""
MATTERS = (
    f"{settling.RESTS}, {settling.PLAYED_OUT}",
    "kuhn, fittest Rational, player 1",
    mixed.MORE_ON_AVERAGE,
    "population 1's average fitness over the last fifth",
    mixed.MORE_KINDS,
    mixed.LOSS,
    "co-evolved player 1 bluffs, share of the jacks bet",
    "co-evolved player 1 sandbags, share of the kings checked",
    "kuhn-breadth, co-evolution comes to rest, share of runs",
    "kuhn-breadth, co-evolved player 1 bluffs, share of the jacks bet",
    "tournament has converged after 100 generations against Rational, what it gains later",
    "roulette's lag against Rational",
    "rank and tournament against Rational",
    "uniform or random against Bluffer",
    "uniform or one-point against Rational",
)

LISTINGS = """Mistakes in the document's listings, not copied here: player 2 is credited with player 1's payoff; fair \
play deals the queen twice and divides whole numbers; a tournament starts from a best fitness of -1, so that a member \
at -1 or below never wins and member 0 wins if no member is above (its index starts at 0); the mixed evaluation \
halves inside its loop and credits population 2 with Rational's result; rank selection can never choose the fittest; \
roulette lacks the shift that the text describes."""


def listings(context: Context) -> list[Finding]:
    """The mistakes in the code, as text."""
    context.say(LISTINGS)
    return []


HEADINGS = {
    "trees": "4.3 Betting trees and their genes, Figures 4.1 to 4.4",
    "models": "5.1.1 The opponent models among themselves, Figure 5.2",
    "kuhn": "5.1.1 Evolution against opponent models, and Appendix A",
    "breadth-2": "5.3.1 Added breadth: bets of one and two",
    "breadth": "5.3.1 Added breadth: bets of one, two and ten",
    "depth": "5.3.2 Added depth: a raise",
    "full": "5.3.3 Added breadth and depth, and Appendix D",
    "settling": "5.1.2 and 6.1 Co-evolution: does it come to rest? Figure 5.3",
    "coevolution": "5.1.2 Co-evolution: the printed champions",
    "mixed": "5.1.3 The mixed approach, Figure 5.5",
    "selection": "5.2.1 Selection, Figure 5.6 and Appendix B",
    "initialisation": "5.2.2 Randomisation of the first generation, Figures 5.7 and 5.8",
    "crossover": "5.2.3 Crossover, Figure 5.9 and Appendix C",
    "coevolution-variants": "5.3.3, 5.3.4 and Appendix E: co-evolution in the wider games",
    "listings": "Appendices: mistakes in the listings",
}
EXPERIMENTS: dict[str, Experiment] = {
    "trees": rules.trees,
    "models": rules.models,
    "kuhn": classic.kuhn,
    "breadth-2": partial(counter.counter_strategies, variant=published.BREADTH_2),
    "breadth": partial(counter.counter_strategies, variant=published.BREADTH),
    "depth": partial(counter.counter_strategies, variant=published.DEPTH),
    "full": partial(counter.counter_strategies, variant=published.FULL),
    "settling": settling.settling,
    "coevolution": rivalry.coevolution,
    "mixed": mixed.mixed,
    "selection": operators.selection,
    "initialisation": operators.initialisation,
    "crossover": operators.crossover,
    "coevolution-variants": wider.variants,
    "listings": listings,
}
