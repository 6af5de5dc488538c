"""XCS at limit hold'em: the thesis's four changes alone and together, its register, and what it learns in a session.

1. **Changes.** Versions differ only in the change: settings, seeds and deals are the same. Plain XCS has ternary bits
   that number the bins, one prediction, no register and no counter. Versions are trained against Caller, against
   Random, and against Loki without a model; the last are judged by three Lokis, and a training's number is the mean
   over them.
2. **Registers** of one to six bits, and counters of their bits.
3. **Adaption in real time**, which the document says is impossible. A person plays fifty to a thousand hands; to adapt
   means to win more by then than a player who ignores his cards and always does the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import Baselines, baseline_rows, baselines_of, header_of, result_cells
from cardwin.papers.reveley.claims import Done, by_opponent, family, leads, paired, questions, single
from cardwin.papers.reveley.trials import Trained, Trial, run_all, seeds_of, sizes, train_each
from cardwin.papers.reveley.versions import (
    AGAINST_LOKI,
    CALLER,
    LITERATURE,
    LOKIS,
    NAMES,
    SIMPLE,
    STANDARD,
    TEACHER,
    VERSIONS,
    WITH_COUNTERS,
)
from cardwin.papers.sample import Sample, spread
from cardwin.reports import html

USUAL = "literature's settings"
HANDS = (50, 200, 1_000, 5_000)
SESSION = 1_000


def changes(context: Context) -> Iterator[Sample]:
    """Train plain XCS, each change alone, and all; against Caller, Random and Loki; then the baselines."""
    size, loki = sizes(context, "changes"), sizes(context, "changes-loki")
    simple_seeds, loki_seeds = seeds_of(context, size["seeds"]), seeds_of(context, loki["seeds"])
    done = train_each(context, {**VERSIONS, USUAL: LITERATURE}, SIMPLE, size, simple_seeds)
    trials = [
        Trial(spec, TEACHER, loki["hands"], seed, LOKIS, loki["deals"])
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


def _claims(done: Done, found: Baselines) -> Iterator[Sample]:
    all_four = done["all four"]
    beyond = {NAMES[table]: single(all_four[NAMES[table]], partial(found.beyond, (table,))) for table in SIMPLE}
    beyond[AGAINST_LOKI] = single(all_four[AGAINST_LOKI], partial(found.beyond, LOKIS))
    blind = "; ".join(found.best_text(table) for table in (*SIMPLE, TEACHER))
    learns = by_opponent("XCS learns poker: beyond the best blind player", beyond)
    yield from family(learns, dict.fromkeys(learns, f"all four changes; {blind}"))
    yield from _best_versions(done)
    yield from family(
        by_opponent("two predictions: alone, minus plain", leads(done, "two predictions", "plain"))
        | by_opponent("two predictions: all four minus all but these",
                      leads(done, "all four", "all but two predictions"))
        | by_opponent("all four changes, minus plain", leads(done, "all four", "plain"))
    )  # fmt: skip
    two, plain = done["two predictions"], done["plain"]
    cuts = {who: paired(two[who], plain[who], Trained.deals_won) for who in plain}
    yield from family(by_opponent("death by a thousand cuts: share of deals won, two predictions minus plain", cuts))
    for change in ("bit-spread", "register", "bluff counter"):
        yield from questions(by_opponent(f"{change}: alone, minus plain", leads(done, change, "plain")))
    # The literature's settings against ours, both on bit-spreads: over-general rules, and what they cost.
    ours, theirs = done["bit-spread"], done[USUAL]
    general = {who: paired(theirs[who], ours[who], lambda one: one.general) for who in theirs}
    name = "noise makes rules over-general: share of bits let through, the literature's settings minus ours"
    yield from family(by_opponent(name, general))
    yield from family(
        by_opponent("and those play worse: ours minus the literature's settings", leads(done, "bit-spread", USUAL))
    )


def _best_versions(done: Done) -> Iterator[Sample]:
    """The best version against each Loki."""
    lokis = {name: by_opponent[AGAINST_LOKI] for name, by_opponent in done.items() if AGAINST_LOKI in by_opponent}
    for table, loki in enumerate(LOKIS):
        top = max(lokis, key=lambda name: float(np.mean([one.mean(table) for one in lokis[name]])))
        name = f"XCS learns poker: the best version against {NAMES[loki]}"
        best = single(lokis[top], partial(Trained.mean, table=table))
        yield from questions({name: best}, {name: f"the best of {len(lokis)} is {top}, which flatters it"})


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
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    context.picture("xcs-curves", figure, "Learning against Caller: mean of all seeds with its 95% interval.",
                    {name: curve.tolist() for name, curve in curves.items()})  # fmt: skip


def registers(context: Context) -> Iterator[Sample]:
    """Train with registers of one to six bits, and with counters of their bits."""
    versions = {"no register": "xcs"} | {f"{bits}-bit register": f"xcs:register_bits={bits}" for bits in range(1, 7)}
    versions |= {
        f"{bits}-bit register and its counters": f"xcs:register_bits={bits},see={WITH_COUNTERS}" for bits in (1, 2, 6)
    }
    size = sizes(context, "registers")
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, versions, (CALLER,), size, seeds)
    found = baselines_of((CALLER,), seeds, size["deals"], context.workers)
    rows = [[name, *result_cells(done[name]["Caller"]), f"{done[name]['Caller'][0].rules:,}"] for name in versions]
    rows += [[*row, ""] for row in baseline_rows(found, (CALLER,))]
    context.table(f"Registers, against Caller: small bets a hand, {size['hands']:,} hands, {size['seeds']} seeds, ± "
                  "over seeds", ["register", "won", "±", "rules"], rows)  # fmt: skip
    for bits in (1, 3, 6):
        more = leads(done, f"{bits}-bit register", "no register")
        yield from questions(by_opponent(f"{bits}-bit register, minus none", more))
    slower = leads(done, "6-bit register", "6-bit register and its counters")
    yield from family(by_opponent("counters of six register bits slow learning: without minus with", slower))
    more = leads(done, "2-bit register and its counters", "2-bit register")
    yield from questions(by_opponent("counters of two register bits, minus the same register alone", more))


def adaption(context: Context) -> Iterator[Sample]:
    """Train for as many hands as people play in a session."""
    size, tables = sizes(context, "adaption"), (*SIMPLE, STANDARD)
    seeds = seeds_of(context, size["seeds"])
    done = {hands: train_each(context, {"xcs": "xcs"}, tables, {**size, "hands": hands}, seeds)["xcs"]
            for hands in HANDS}  # fmt: skip
    found = baselines_of(tables, seeds, size["deals"], context.workers)
    rows = [[f"{hands:,} hands", *(text for one in done[hands].values() for text in result_cells(one))]
            for hands in HANDS]  # fmt: skip
    context.table(f"XCS after few hands: small bets a hand, {size['seeds']} seeds, {size['deals']} deals, ± over seeds",
                  header_of(tables, "after"), [*rows, *baseline_rows(found, tables)])  # fmt: skip
    beyond = {NAMES[table]: single(done[SESSION][NAMES[table]], partial(found.beyond, (table,))) for table in tables}
    yield from family(
        by_opponent(f"no adaption in real time: beyond the best blind player after {SESSION:,} hands", beyond)
    )
