"""Whether XCS adapts to an opponent in real time: what it wins after as many hands as people play in a session.

The document says that it cannot. A person plays fifty to a thousand hands; to adapt means to win more by then than a
player who ignores his cards and always does the same.
"""

from collections.abc import Iterator
from functools import partial

from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of
from cardwin.papers.reveley.claims import by_opponent, family, single
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.trials import Trial, run_all
from cardwin.papers.reveley.versions import CALLER, RANDOM, header_of, result_cells

HANDS = (50, 200, 1_000, 5_000)
SESSION = 1_000
STANDARD = ("standard",)
TABLES = {"Caller": CALLER, "Random": RANDOM, "Chen's Standard": STANDARD}


def experiments(context: Context) -> Iterator[Finding]:
    """Trainings of a few hands."""
    size = sizes(context, "adaption")
    seeds, tables = seeds_of(context, size["seeds"]), list(TABLES.values())
    trials = [
        Trial("xcs", table, hands, seed, (table,), size["deals"]) for hands in HANDS for table in tables
        for seed in seeds
    ]  # fmt: skip
    done = iter(run_all(trials, context.workers))
    trained = {hands: {who: [next(done) for _ in seeds] for who in TABLES} for hands in HANDS}
    found = baselines_of(tables, seeds, size["deals"], context.workers)
    rows = [[f"{hands:,} hands", *(text for who in TABLES for text in result_cells(trained[hands][who]))]
            for hands in HANDS]  # fmt: skip
    context.table(f"XCS after few hands: small bets a hand, {size['seeds']} seeds, {size['deals']} deals, ± over seeds",
                  [*header_of(tables, "after")[:-2], "Chen's Standard", "±"],
                  [*rows, *baseline_rows(found, tables)])  # fmt: skip
    samples = {who: single(trained[SESSION][who], partial(found.beyond, (table,))) for who, table in TABLES.items()}
    yield from family(by_opponent(
        "2.2.4", f"no adaption in real time: beyond the best blind player after {SESSION:,} hands",
        "cannot achieve this goal either", samples, rule=verdicts.below,
    ))  # fmt: skip
