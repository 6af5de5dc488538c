"""XCS against Loki, settled: one look at fresh seeds, declared before it (claims.toml, table `plan.settled`).

1. Five learners (`learners`) are trained against Loki without a model and judged by three Lokis, each with deals of its
   own. Blind players are judged on the same deals.
2. The number of seeds comes from a pilot on other seeds (`pilot`, `tools/loki_pilot.py`): at least 8, and as many as a
   half-width of .05 small bets a hand takes, as far as the time of the machine allows.
3. Two claims are judged together (family `settled`): the system as presented, all four changes, wins more than the best
   blind player; and more than plain XCS. What each learner wins is a question: the p of "clear of zero" is corrected
   for the number of learners.
"""

from collections.abc import Iterator
from functools import partial

from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.reveley.baselines import Baselines, baseline_rows, baselines_of, mean_cells
from cardwin.papers.reveley.claims import Row, decisive_p, family, paired, questions, single
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.settled.learners import LEARNERS, SHARE, Learned, learn_all
from cardwin.papers.reveley.versions import LOKIS, blind_text, header_of, result_cells
from cardwin.stats.comparisons import holm

OURS = "all four"
PAIRS = (("bit-spread", "plain"), ("bit-spread", "table"), ("bit-spread", "network"), ("all four", "table"),
         ("all four", "network"))  # fmt: skip


def experiments(context: Context) -> Iterator[Finding]:
    """Five learners, three judges, the baselines, and the claims."""
    size = sizes(context, "settled")
    seeds = seeds_of(context, size["seeds"])
    done = learn_all(size["hands"], seeds, size["deals"], context.workers)
    found = baselines_of(LOKIS, seeds, size["deals"], context.workers)
    rows = [
        [name, *(text for table in range(len(LOKIS)) for text in result_cells(done[name], table)),
         *result_cells(done[name])]
        for name in LEARNERS
    ]  # fmt: skip
    means = {name: [found.mean_over(LOKIS, name, seed) for seed in seeds] for name in found.won[LOKIS[0]]}
    rows += [[*row, *mean_cells(means[row[0]])] for row in baseline_rows(found, LOKIS)]
    context.table(
        f"Trained for {size['hands']:,} hands against Loki without a model (the network: {SHARE} times as many), "
        f"judged by three Lokis on {size['deals']:,} duplicate deals each: small bets a hand, {size['seeds']} seeds, "
        "± 95% over seeds. Below: who did not learn, on the same deals",
        [*header_of(LOKIS, "learner"), "mean of the three", "±"], rows,
    )  # fmt: skip
    _by_seed(context, done)
    yield from _claims(done, found)


def _by_seed(context: Context, done: Learned) -> None:
    """Every training's number, so that nobody has to trust a mean."""
    count = len(next(iter(done.values())))
    context.table("The same, training by training: the mean over the three judges",
                  ["learner", *(f"seed {number + 1}" for number in range(count)), "rules"],
                  [[name, *(f"{one.mean():+.3f}" for one in trained), f"{trained[0].rules:,}"]
                   for name, trained in done.items()])  # fmt: skip


def _claims(done: Learned, found: Baselines) -> Iterator[Finding]:
    blind = "; ".join(blind_text(found, table) for table in LOKIS)
    yield from family([
        Row("section 4", "settled: all four changes against Loki, beyond the best blind player",
            "able to learn the poker task", single(done[OURS], partial(found.beyond, LOKIS)), blind),
        Row("2.3", "settled: all four changes against Loki, minus plain",
            "capable of performing well at the poker task", paired(done[OURS], done["plain"])),
    ])  # fmt: skip
    won = {name: single(trained) for name, trained in done.items()}
    p_values = holm([decisive_p(verdicts.above(0.0), sample.values) for sample in won.values()])
    yield from questions(
        Row("section 3", f"settled: what {name} wins from Loki", "Loki is to assess what is learned", sample,
            f"zero or not: p {p:.2g}, Holm over {len(won)}")
        for (name, sample), p in zip(won.items(), p_values, strict=True)
    )  # fmt: skip
    yield from questions(
        Row("2.2.5", f"settled: {better} minus {worse}, against Loki", "suitable for poker, beside other systems",
            paired(done[better], done[worse]))
        for better, worse in PAIRS
    )  # fmt: skip
