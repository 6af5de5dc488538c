"""Reveley (2002), 2.2.5: XCS beside two other learners on the same inputs, and beside itself.

The two are a table (the same learner without generalisation, one row for each situation and action, which is
Q-learning) and a small evolved network. Baselines that do not learn stand beside every row. The document calls XCS
suitable for poker and speaks of neither.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from cardwin.core.rng import key_of
from cardwin.papers import Context
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, header_of, mean_cells, result_cells
from cardwin.papers.reveley.claims import by_opponent, leads, questions, single
from cardwin.papers.reveley.loki import measured
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trainings import (
    LIMIT,
    NAMES,
    SIMPLE,
    WITHOUT_GENERALISATION,
    Table,
    TrainingResult,
    Trial,
    in_parallel,
    run_all,
    seeds_of,
    sizes,
    train_each,
    winnings,
)
from cardwin.papers.sample import Sample
from cardwin.players.registry import player
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.stats.intervals import mean_interval
from study import main

PLAN = {"hands": (2_000, 20_000, 60_000, 2_000_000), "deals": (20, 200, 400, 4_000), "seeds": (2, 3, 8, 10)}


def yardsticks(context: Context) -> Iterator[Sample]:
    """Train a table without generalisation and a small network on the inputs of XCS; self-play is the control."""
    size = sizes(context, PLAN)
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, {"XCS": "xcs", "table": WITHOUT_GENERALISATION}, SIMPLE, size, seeds)
    jobs = [(table, size["hands"], seed, size["deals"]) for table in SIMPLE for seed in seeds]
    results = in_parallel(_network, jobs, context.workers)
    won = {(job[0], job[2]): one for job, one in zip(jobs, results, strict=True)}
    found = baselines_of(SIMPLE, seeds, size["deals"], context.workers)
    rows = [[name, *(text for table in SIMPLE for text in result_cells(done[name][NAMES[table]]))] for name in done]
    nets = [text for table in SIMPLE for text in mean_cells([won[table, seed] for seed in seeds])]
    rows += [["evolved network", *nets], *baseline_rows(found, SIMPLE)]
    context.table(f"Yardsticks on the same {size['hands']:,} hands (the network: ten times as many), {size['seeds']} "
                  "seeds, ± over seeds", header_of(SIMPLE, ""), rows)  # fmt: skip
    yield from questions(by_opponent("XCS minus the table of the same situations", leads(done, "XCS", "table")))
    more = {NAMES[table]: single(done["XCS"][NAMES[table]], partial(_beyond, table, won)) for table in SIMPLE}
    yield from questions(by_opponent("XCS minus the evolved network", more))
    yield from _self_play(context, size)


def _network(job: tuple[Table, int, int, int]) -> float:
    """Return what a network evolved against an opponent wins from it, on the deals of a seed."""
    table, hands, seed, deals = job
    make = evolved_network(LIMIT, table[0], hands, seed)
    return float(winnings(make, table, deals, seed).mean())


def _beyond(table: Table, won: Mapping[tuple[Table, int], float], result: TrainingResult) -> float:
    """Return how much more a training won than the network of the same seed."""
    return result.mean() - won[table, result.training.seed]


def _self_play(context: Context, size: Mapping[str, int]) -> Iterator[Sample]:
    """Measure rules trained against themselves; and two copies of one rule set, which must be even at a fair table."""
    seed = seeds_of(context, 1)[0]
    (trained,) = run_all([Trial("xcs", ("self",), size["hands"], seed, SIMPLE, size["deals"])], 1)
    even = won_by_deal(
        LIMIT, partial(player, "xcs:caller-beater"), ("xcs:caller-beater",), size["deals"], key_of(seed, "even")
    )
    estimate = mean_interval(even)
    fair = "even, as it must be" if estimate.low <= 0 <= estimate.high else "not even: the table is not fair"
    yield measured("control: the shipped rules against themselves", estimate,
               f"{fair}; both do the same, and every deal is played from both seats: 0 exactly")  # fmt: skip
    for number, table in enumerate(SIMPLE):
        estimate = mean_interval(trained.won[number])
        yield measured(f"rules of self-play, never trained against {NAMES[table]}", estimate,
                   f"{size['hands']:,} hands against itself, one seed, interval over deals")  # fmt: skip


if __name__ == "__main__":
    main(yardsticks)
