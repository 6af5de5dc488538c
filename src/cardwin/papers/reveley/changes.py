"""The thesis's four changes to XCS, alone and together: the ablation and its claims.

Versions differ only in the change: settings, seeds and deals are the same. Plain XCS has ternary bits that number the
bins, one prediction, no register and no counter. Versions are trained against Caller, against Random, and against Loki
without a model; the last are judged by three Lokis, and a training's number is the mean over them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.papers import Context, Finding
from cardwin.papers.reveley.baselines import Baselines, baseline_rows, baselines_of
from cardwin.papers.reveley.claims import Row, Sample, by_opponent, family, paired, questions, single
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.trials import Trained, Trial, run_all
from cardwin.papers.reveley.versions import (
    AGAINST_LOKI,
    LITERATURE,
    LOKIS,
    NAMES,
    SIMPLE,
    VERSIONS,
    Done,
    blind_text,
    header_of,
    leads,
    result_cells,
    train_each,
)
from cardwin.papers.trials import spread
from cardwin.reports import html

USUAL = "literature's settings"


def changes(context: Context) -> Iterator[Finding]:
    """Plain, each change alone, all; against Caller, Random and three Lokis; baselines; the claims."""
    size, loki = sizes(context, "changes"), sizes(context, "changes-loki")
    simple_seeds, loki_seeds = seeds_of(context, size["seeds"]), seeds_of(context, loki["seeds"])
    done = train_each(context, {**VERSIONS, USUAL: LITERATURE}, SIMPLE, size, simple_seeds)
    trials = [
        Trial(spec, LOKIS[0], loki["hands"], seed, LOKIS, loki["deals"])
        for spec in VERSIONS.values() for seed in loki_seeds
    ]  # fmt: skip
    results = iter(run_all(trials, context.workers))
    for name in VERSIONS:
        done[name][AGAINST_LOKI] = [next(results) for _ in loki_seeds]
    found = Baselines({
        **baselines_of(SIMPLE, simple_seeds, size["deals"], context.workers).won,
        **baselines_of(LOKIS, loki_seeds, loki["deals"], context.workers).won,
    })  # fmt: skip
    rows = [[name, *_cells(done[name])] for name in done]
    context.table(
        f"Ablation: {size['hands']:,} hands against Caller and Random, {size['seeds']} seeds, {size['deals']} "
        f"duplicate deals each; {loki['hands']:,} hands against Loki without a model, {loki['seeds']} seeds, then "
        f"{loki['deals']} deals against each Loki. Below: who did not learn, on the same deals. ±: 95% over seeds",
        header_of((*SIMPLE, *LOKIS), "small bets a hand against"),
        [*rows, *baseline_rows(found, (*SIMPLE, *LOKIS))],
    )
    _picture(context, {name: done[name]["Caller"] for name in done}, size["hands"])
    yield from _claims(done, found)


def _cells(by_opponent: Mapping[str, Sequence[Trained]]) -> list[str]:
    """Two cells for each opponent; empty where a version was not trained against Loki."""
    cells = [text for table in SIMPLE for text in result_cells(by_opponent[NAMES[table]])]
    lokis = by_opponent.get(AGAINST_LOKI)
    return cells + [text for table in range(len(LOKIS)) for text in (result_cells(lokis, table) if lokis else ["", ""])]


def _claims(done: Done, found: Baselines) -> Iterator[Finding]:
    yield from family(_learns(done, found))
    yield from questions(_best_versions(done))
    yield from family([
        *by_opponent("2.3 a", "two predictions: alone, minus plain", "removes the noise of winning or losing",
                     leads(done, "two predictions", "plain")),
        *by_opponent("2.3 a", "two predictions: all four minus all but these", "removes the noise of winning or losing",
                     leads(done, "all four", "all but two predictions")),
        *by_opponent("2.3", "all four changes, minus plain", "capable of performing well at the poker task",
                     leads(done, "all four", "plain")),
    ])  # fmt: skip
    cuts = {who: paired(done["two predictions"][who], done["plain"][who], _deals_won) for who in done["plain"]}
    yield from family(by_opponent("1.4 e", "death by a thousand cuts: share of deals won, two predictions minus plain",
                                  "small amounts in a large number of games", cuts))  # fmt: skip
    for place, change, said in (
        ("2.3 b", "bit-spread", "real numbers as input"),
        ("2.3 c", "register", "gives intentions"),
        ("2.3 c", "bluff counter", "keeps track of bluffs"),
    ):
        yield from questions(by_opponent(place, f"{change}: alone, minus plain", said, leads(done, change, "plain")))
    yield from _noise(done)


def _deals_won(one: Trained) -> float:
    """The share of deals on which a training won, the mean over its judges."""
    return float(np.mean([(won > 0).mean() for won in one.won]))


def _learns(done: Done, found: Baselines) -> list[Row]:
    """What all four changes together win beyond the best blind player."""
    samples: dict[str, Sample] = {}
    for table in SIMPLE:
        samples[NAMES[table]] = single(done["all four"][NAMES[table]], partial(found.beyond, (table,)))
    samples[AGAINST_LOKI] = single(done["all four"][AGAINST_LOKI], partial(found.beyond, LOKIS))
    blind = "; ".join(blind_text(found, table) for table in (*SIMPLE, LOKIS[0]))
    return by_opponent("section 4", "XCS learns poker: beyond the best blind player", "able to learn the poker task",
                       samples, f"all four changes; {blind}")  # fmt: skip


def _best_versions(done: Done) -> Iterator[Row]:
    """The best version against each Loki."""
    lokis = {name: by_opponent[AGAINST_LOKI] for name, by_opponent in done.items() if AGAINST_LOKI in by_opponent}
    for table, loki in enumerate(LOKIS):
        top = max(lokis, key=lambda name: float(np.mean([one.mean(table) for one in lokis[name]])))
        yield Row("section 3", f"XCS learns poker: the best version against {NAMES[loki]}",
                  "Loki is to assess what is learned", single(lokis[top], partial(Trained.mean, table=table)),
                  f"the best of {len(lokis)} is {top}, which flatters it")  # fmt: skip


def _noise(done: Done) -> Iterator[Finding]:
    """The literature's settings against ours, both on bit-spreads: over-general rules, and what they cost."""
    ours = "bit-spread"
    opponents = [NAMES[table] for table in SIMPLE]
    general = {who: paired(done[USUAL][who], done[ours][who], lambda one: one.general) for who in opponents}
    yield from family(by_opponent(
        "2.2.5", "noise makes rules over-general: share of bits let through, the literature's settings minus ours",
        "the population fills with over-general classifiers", general,
    ))  # fmt: skip
    yield from family(by_opponent("2.2.2", "and those play worse: ours minus the literature's settings",
                                  "the pressure toward generalisation", leads(done, ours, USUAL)))  # fmt: skip


def _picture(context: Context, done: Mapping[str, Sequence[Trained]], hands: int) -> None:
    figure = html.figure(8, 4)
    axes, curves = figure.subplots(), {}
    for name, trained in done.items():
        curves[name] = np.mean([one.curve for one in trained], axis=0)
        ends = [spread(column).ci95 or (np.nan, np.nan) for column in np.transpose([one.curve for one in trained])]
        points = len(curves[name])
        shift = 0.012 * hands * (list(done).index(name) - len(done) / 2)  # so that no interval covers another
        axes.errorbar(
            hands * np.arange(1, points + 1) / points + shift, curves[name],
            np.abs(np.transpose(ends) - curves[name]), label=name, lw=1.5, elinewidth=0.8, capsize=2,
        )  # fmt: skip
    axes.axhline(0, color="#667085", lw=0.8)
    axes.set(xlabel="hands of training", ylabel="small bets a hand won from Caller")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    context.picture("xcs-curves", figure, "Learning against Caller: mean of all seeds with its 95% interval.",
                    {name: curve.tolist() for name, curve in curves.items()})  # fmt: skip
