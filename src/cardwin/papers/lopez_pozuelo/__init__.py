"""López Pozuelo (2015), a dissertation on genetic algorithms for strategies of Kuhn poker, reproduced.

Every table and figure of chapter 5 and Appendices A to E, with the exact value beside each printed number. The mistakes
in the document's listings are not copied; the report lists them.
"""

from functools import partial

from cardwin.papers import Context, Experiment
from cardwin.papers.lopez_pozuelo import (
    classic_game,
    coevolution,
    convergence_findings,
    counter_strategies,
    mixed,
    operators,
    published,
    trees_and_models,
    wider_games,
)
from cardwin.papers.register import paper_description
from cardwin.papers.sample import Sample

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)

LISTINGS = """Mistakes in the document's listings, not copied here: player 2 is credited with player 1's payoff; fair \
play deals the queen twice and divides whole numbers; a tournament starts from a best fitness of -1, so that a member \
at -1 or below never wins and member 0 wins if no member is above (its index starts at 0); the mixed evaluation \
halves inside its loop and credits population 2 with Rational's result; rank selection can never choose the fittest; \
roulette lacks the shift that the text describes."""


def listings(context: Context) -> list[Sample]:
    """Add the mistakes in the document's code to the report."""
    context.text(LISTINGS)
    return []


EXPERIMENTS: dict[str, Experiment] = {
    "trees": trees_and_models.trees,
    "models": trees_and_models.models,
    "kuhn": classic_game.kuhn,
    "breadth-2": partial(counter_strategies.counter_strategies, variant=published.BREADTH_2),
    "breadth": partial(counter_strategies.counter_strategies, variant=published.BREADTH),
    "depth": partial(counter_strategies.counter_strategies, variant=published.DEPTH),
    "full": partial(counter_strategies.counter_strategies, variant=published.FULL),
    "settling": convergence_findings.settling,
    "coevolution": coevolution.coevolution,
    "mixed": mixed.mixed,
    "selection": operators.selection,
    "initialisation": operators.initialisation,
    "crossover": operators.crossover,
    "coevolution-variants": wider_games.coevolution_variants,
    "listings": listings,
}
