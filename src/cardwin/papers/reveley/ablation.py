"""XCS at limit hold'em: the document's four changes alone and together, its register, and learning in a session.

1. **Changes.** Versions differ in the change only: settings, seeds and deals are the same. Plain XCS has ternary bits
   that number the bins, one prediction, no register and no counter. Versions are trained against Caller, against
   Random, and against Loki without a model. The last are judged by three Lokis, and a training's number is the mean
   over them.
2. **Registers** of one to six bits, and counters of their bits.
3. **Adaption in real time**, which the document calls impossible. A person plays fifty to a thousand hands. To adapt
   means to win more by then than a blind player, who always does the same whatever it holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import Baselines, baseline_rows, baselines_of, header_of, result_cells
from cardwin.papers.reveley.claims import Numbers, Results, by_opponent, family, leads, questions, single
from cardwin.papers.reveley.trainings import (
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
    TrainingResult,
    Trial,
    run_all,
    seeds_of,
    sizes,
    train_each,
)
from cardwin.papers.sample import Sample, spread
from cardwin.reports import html

BY_THE_LITERATURE = "literature's settings"
HANDS = (50, 200, 1_000, 5_000)
SESSION = 1_000


# --- the four changes


def changes(context: Context) -> Iterator[Sample]:
    """Train plain XCS, each change alone, and all; against Caller, Random and Loki; then play the baselines."""
    size, loki = sizes(context, "changes"), sizes(context, "changes-loki")
    simple_seeds, loki_seeds = seeds_of(context, size["seeds"]), seeds_of(context, loki["seeds"])
    results = train_each(context, {**VERSIONS, BY_THE_LITERATURE: LITERATURE}, SIMPLE, size, simple_seeds)
    for version, trained in _train_against_loki(context, loki, loki_seeds).items():
        results[version][AGAINST_LOKI] = trained
    simple = baselines_of(SIMPLE, simple_seeds, size["deals"], context.workers)
    lokis = baselines_of(LOKIS, loki_seeds, loki["deals"], context.workers)
    baselines = Baselines({**simple.won, **lokis.won})
    context.table(
        f"Ablation: {size['hands']:,} hands against Caller and Random, {size['seeds']} seeds, {size['deals']} "
        f"duplicate deals each; {loki['hands']:,} hands against Loki without a model, {loki['seeds']} seeds, then "
        f"{loki['deals']} deals against each Loki. Below: who did not learn, on the same deals. ±: 95% over seeds",
        header_of((*SIMPLE, *LOKIS), "small bets a hand against"),
        [
            *([version, *_cells(trained)] for version, trained in results.items()),
            *baseline_rows(baselines, (*SIMPLE, *LOKIS)),
        ],
    )
    _draw_curves(context, {version: trained["Caller"] for version, trained in results.items()}, size["hands"])
    yield from _change_claims(results, baselines)


def _train_against_loki(
    context: Context, size: Mapping[str, int], seeds: Sequence[int]
) -> dict[str, list[TrainingResult]]:
    """Train every version against Loki without a model; three Lokis judge it."""
    trials = [
        Trial(spec, TEACHER, size["hands"], seed, LOKIS, size["deals"]) for spec in VERSIONS.values() for seed in seeds
    ]
    results = iter(run_all(trials, context.workers))
    return {version: [next(results) for _ in seeds] for version in VERSIONS}


def _cells(trained: Mapping[str, Sequence[TrainingResult]]) -> list[str]:
    """Return two cells for each opponent; empty ones if a version was not trained against Loki."""
    cells = [text for table in SIMPLE for text in result_cells(trained[NAMES[table]])]
    lokis = trained.get(AGAINST_LOKI)
    return cells + [text for table in range(len(LOKIS)) for text in (result_cells(lokis, table) if lokis else ["", ""])]


def _change_claims(results: Results, baselines: Baselines) -> Iterator[Sample]:
    """Judge what the document says of its changes."""
    all_four = results["all four"]
    beyond = {NAMES[table]: single(all_four[NAMES[table]], partial(baselines.beyond, (table,))) for table in SIMPLE}
    beyond[AGAINST_LOKI] = single(all_four[AGAINST_LOKI], partial(baselines.beyond, LOKIS))
    blind = "; ".join(baselines.best_text(table) for table in (*SIMPLE, TEACHER))
    learns = by_opponent("XCS learns poker: beyond the best blind player", beyond)
    yield from family(learns, dict.fromkeys(learns, f"all four changes; {blind}"))
    yield from _best_versions(results)
    comparisons = {
        "two predictions: alone, minus plain": ("two predictions", "plain"),
        "two predictions: all four minus all but these": ("all four", "all but two predictions"),
        "all four changes, minus plain": ("all four", "plain"),
    }
    rows: dict[str, Numbers] = {}
    for name, (better, worse) in comparisons.items():
        rows |= by_opponent(name, leads(results, better, worse))
    yield from family(rows)
    yield from family(
        by_opponent(
            "death by a thousand cuts: share of deals won, two predictions minus plain",
            leads(results, "two predictions", "plain", TrainingResult.deals_won),
        )
    )
    for change in ("bit-spread", "register", "bluff counter"):
        yield from questions(by_opponent(f"{change}: alone, minus plain", leads(results, change, "plain")))
    # The literature's settings against ours, both on bit-spreads: over-general rules, and what they cost.
    general = leads(results, BY_THE_LITERATURE, "bit-spread", lambda result: result.general)
    name = "noise makes rules over-general: share of bits let through, the literature's settings minus ours"
    yield from family(by_opponent(name, general))
    worse_play = leads(results, "bit-spread", BY_THE_LITERATURE)
    yield from family(by_opponent("and those play worse: ours minus the literature's settings", worse_play))


def _best_versions(results: Results) -> Iterator[Sample]:
    """Measure the best version against each Loki."""
    lokis = {version: trained[AGAINST_LOKI] for version, trained in results.items() if AGAINST_LOKI in trained}
    for table, loki in enumerate(LOKIS):
        means = {version: np.mean([result.mean(table) for result in trained]) for version, trained in lokis.items()}
        best = max(means, key=lambda version: float(means[version]))
        name = f"XCS learns poker: the best version against {NAMES[loki]}"
        won = single(lokis[best], partial(TrainingResult.mean, table=table))
        yield from questions({name: won}, {name: f"the best of {len(lokis)} is {best}, which flatters it"})


def _draw_curves(context: Context, results: Mapping[str, Sequence[TrainingResult]], hands: int) -> None:
    figure = html.figure(8, 4)
    axes, curves = figure.subplots(), {}
    for number, (version, trained) in enumerate(results.items()):
        values = np.array([result.curve for result in trained])
        curve = curves[version] = values.mean(axis=0)
        ends = [spread(column).ci95 or (np.nan, np.nan) for column in values.T]
        errors = np.abs(np.transpose(ends) - curve)
        shift = 0.012 * hands * (number - len(results) / 2)  # so that no interval covers another
        played = hands * np.arange(1, len(curve) + 1) / len(curve) + shift
        axes.errorbar(played, curve, errors, label=version, lw=1.5, elinewidth=0.8, capsize=2)
    axes.axhline(0, color="#667085", lw=0.8)
    axes.set(xlabel="hands of training", ylabel="small bets a hand won from Caller")
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    caption = "Learning against Caller: mean of all seeds with its 95% interval."
    context.picture("xcs-curves", figure, caption, {version: curve.tolist() for version, curve in curves.items()})


# --- registers


def registers(context: Context) -> Iterator[Sample]:
    """Train with registers of one to six bits, and with counters of their bits."""
    versions = {"no register": "xcs"}
    versions |= {f"{bits}-bit register": f"xcs:register_bits={bits}" for bits in range(1, 7)}
    versions |= {
        f"{bits}-bit register and its counters": f"xcs:register_bits={bits},see={WITH_COUNTERS}" for bits in (1, 2, 6)
    }
    size = sizes(context, "registers")
    seeds = seeds_of(context, size["seeds"])
    results = train_each(context, versions, (CALLER,), size, seeds)
    baselines = baselines_of((CALLER,), seeds, size["deals"], context.workers)
    trained = {version: by_table["Caller"] for version, by_table in results.items()}
    rows = [[version, *result_cells(by_seed), f"{by_seed[0].rules:,}"] for version, by_seed in trained.items()]
    rows += [[*row, ""] for row in baseline_rows(baselines, (CALLER,))]
    title = (
        f"Registers, against Caller: small bets a hand, {size['hands']:,} hands, {size['seeds']} seeds, ± over seeds"
    )
    context.table(title, ["register", "won", "±", "rules"], rows)
    for bits in (1, 3, 6):
        better = leads(results, f"{bits}-bit register", "no register")
        yield from questions(by_opponent(f"{bits}-bit register, minus none", better))
    slower = leads(results, "6-bit register", "6-bit register and its counters")
    yield from family(by_opponent("counters of six register bits slow learning: without minus with", slower))
    better = leads(results, "2-bit register and its counters", "2-bit register")
    yield from questions(by_opponent("counters of two register bits, minus the same register alone", better))


# --- adaption in real time


def adaption(context: Context) -> Iterator[Sample]:
    """Train for as many hands as people play in a session."""
    size, tables = sizes(context, "adaption"), (*SIMPLE, STANDARD)
    seeds = seeds_of(context, size["seeds"])
    results = {
        hands: train_each(context, {"xcs": "xcs"}, tables, {**size, "hands": hands}, seeds)["xcs"] for hands in HANDS
    }
    baselines = baselines_of(tables, seeds, size["deals"], context.workers)
    rows = [
        [f"{hands:,} hands", *(text for trained in by_table.values() for text in result_cells(trained))]
        for hands, by_table in results.items()
    ]
    title = f"XCS after few hands: small bets a hand, {size['seeds']} seeds, {size['deals']} deals, ± over seeds"
    context.table(title, header_of(tables, "after"), [*rows, *baseline_rows(baselines, tables)])
    beyond = {
        NAMES[table]: single(results[SESSION][NAMES[table]], partial(baselines.beyond, (table,))) for table in tables
    }
    name = f"no adaption in real time: beyond the best blind player after {SESSION:,} hands"
    yield from family(by_opponent(name, beyond))
