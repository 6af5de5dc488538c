"""Five learners against Loki: one look at fresh seeds, declared before it (claims.toml, table `plan.settled`).

1. The learners are trained against Loki without a model: three versions of XCS, a table of the same situations, and a
   small network. All have the same state variables and play the same number of hands, except the network. It plays
   `SHARE` times as many: it learns from the results of whole hands, which take less time, so it learns about as long as
   XCS with one prediction.
2. Each is judged by three Lokis on deals that belong to its seed and to that judge, and gives one number: the mean over
   its judges. Blind players are judged on the same deals.
3. The number of seeds comes from a pilot on other seeds (`tools/loki_pilot.py`): at least 8, and as many as a
   half-width of .05 small bets per hand takes, as far as the time of the machine allows.
4. Two claims are judged together (family `settled`): the system as presented, all four changes, wins more than the best
   blind player; and more than plain XCS. What each learner wins is a question: the p of "clear of zero" is corrected
   for the number of learners.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.core.executor import Workers
from cardwin.papers import Context, verdicts
from cardwin.papers.reveley.baselines import Baselines, baseline_rows, baselines_of, header_of, mean_cells, result_cells
from cardwin.papers.reveley.claims import family, paired, questions, single
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trainings import (
    LIMIT,
    LOKIS,
    TEACHER,
    VERSIONS,
    WITHOUT_GENERALISATION,
    TrainingResult,
    Trial,
    in_parallel,
    run_trial,
    seeds_of,
    sizes,
    winnings,
)
from cardwin.papers.sample import Sample, by_holm

NETWORK, SHARE = "network", 4
LEARNERS = {name: VERSIONS[name] for name in ("plain", "bit-spread", "all four")}
LEARNERS |= {"table": WITHOUT_GENERALISATION, "network": NETWORK}
PAIRS = (
    ("bit-spread", "plain"),
    ("bit-spread", "table"),
    ("bit-spread", "network"),
    ("all four", "table"),
    ("all four", "network"),
)
Results = Mapping[str, Sequence[TrainingResult]]  # by the learner's name, a training per seed


def loki_trial(spec: str, hands: int, seed: int, deals: int) -> Trial:
    """Return the trial of a learner: hands against the teacher, judged by three Lokis."""
    return Trial(spec, TEACHER, hands, seed, LOKIS, deals, points=1)


def run_learner(trial: Trial) -> TrainingResult:
    """Train and evaluate a version of XCS, or the network, which has no rules."""
    if trial.spec != NETWORK:
        return run_trial(trial)
    make = evolved_network(LIMIT, trial.against[0], trial.hands, trial.seed, SHARE)
    won = tuple(winnings(make, table, trial.deals, trial.seed) for table in trial.judges)
    return TrainingResult(trial.training, won, np.array([won[0].mean()]), 0, 0.0)


def run_learners(hands: int, seeds: Sequence[int], deals: int, workers: Workers) -> Results:
    """Train and evaluate every learner on every seed."""
    trials = [loki_trial(spec, hands, seed, deals) for spec in LEARNERS.values() for seed in seeds]
    results = iter(in_parallel(run_learner, trials, workers))
    return {name: [next(results) for _ in seeds] for name in LEARNERS}


def experiment(context: Context) -> Iterator[Sample]:
    """Train five learners; three Lokis judge them and the baselines."""
    size = sizes(context, "settled")
    seeds = seeds_of(context, size["seeds"])
    results = run_learners(size["hands"], seeds, size["deals"], context.workers)
    baselines = baselines_of(LOKIS, seeds, size["deals"], context.workers)
    _show_results(context, size, results, baselines)
    yield from _claims(results, baselines)


def _claims(results: Results, baselines: Baselines) -> Iterator[Sample]:
    all_four = results["all four"]
    beyond, minus_plain = (
        "settled: all four changes against Loki, beyond the best blind player",
        "settled: all four changes against Loki, minus plain",
    )
    rows = {
        beyond: single(all_four, partial(baselines.beyond, LOKIS)),
        minus_plain: paired(all_four, results["plain"]),
    }
    yield from family(rows, {beyond: "; ".join(baselines.best_text(table) for table in LOKIS)})
    won = {f"settled: what {name} wins from Loki": single(trained) for name, trained in results.items()}
    corrected = by_holm([(verdicts.above(0.0), list(by_training.values())) for by_training in won.values()])
    reasons = {
        name: f"zero or not: p {p:.2g}, Holm over {len(won)}" for name, (p, _) in zip(won, corrected, strict=True)
    }
    yield from questions(won, reasons)
    yield from questions(
        {
            f"settled: {better} minus {worse}, against Loki": paired(results[better], results[worse])
            for better, worse in PAIRS
        }
    )


def _show_results(context: Context, size: Mapping[str, int], results: Results, baselines: Baselines) -> None:
    seeds = [result.training.seed for result in results["plain"]]
    judges = (*range(len(LOKIS)), None)
    rows = [[name, *(text for table in judges for text in result_cells(results[name], table))] for name in LEARNERS]
    means = {name: [baselines.mean_over(LOKIS, name, seed) for seed in seeds] for name in baselines.won[LOKIS[0]]}
    rows += [[*row, *mean_cells(means[row[0]])] for row in baseline_rows(baselines, LOKIS)]
    context.table(
        f"Trained for {size['hands']:,} hands against Loki without a model (the network: {SHARE} times as many), "
        f"judged by three Lokis on {size['deals']:,} duplicate deals each: small bets a hand, {size['seeds']} seeds, "
        "± 95% over seeds. Below: who did not learn, on the same deals",
        [*header_of(LOKIS, "learner"), "mean of the three", "±"],
        rows,
    )
    context.table(
        "The same, training by training: the mean over the three judges",
        ["learner", *(f"seed {number + 1}" for number in range(size["seeds"])), "rules"],
        [
            [name, *(f"{result.mean():+.3f}" for result in trained), f"{trained[0].rules:,}"]
            for name, trained in results.items()
        ],
    )
