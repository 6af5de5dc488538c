"""XCS against Loki, settled: one look at fresh seeds, declared before it (claims.toml, table `plan.settled`).

1. Five learners are trained against Loki without a model: three versions of XCS, a table of the same situations, and a
   small network. All see the same state variables and play the same number of hands; the network plays `SHARE` times as
   many, because it learns from the results of whole hands, which take less time: it learns about as long as XCS with
   one prediction.
2. Each is judged by three Lokis on deals that belong to its seed and to that judge, and gives one number: the mean over
   its judges. Blind players are judged on the same deals.
3. The number of seeds comes from a pilot on other seeds (`tools/loki_pilot.py`): at least 8, and as many as a
   half-width of .05 small bets a hand takes, as far as the time of the machine allows.
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
from cardwin.papers.reveley.trials import LIMIT, Trained, Trial, in_parallel, run_trial, seeds_of, sizes, winnings
from cardwin.papers.reveley.versions import LOKIS, TEACHER, VERSIONS, WITHOUT_GENERALISATION
from cardwin.papers.sample import Sample, by_holm

NETWORK, SHARE = "network", 4
LEARNERS = {name: VERSIONS[name] for name in ("plain", "bit-spread", "all four")}
LEARNERS |= {"table": WITHOUT_GENERALISATION, "network": NETWORK}
PAIRS = (("bit-spread", "plain"), ("bit-spread", "table"), ("bit-spread", "network"), ("all four", "table"),
         ("all four", "network"))  # fmt: skip
Learned = Mapping[str, Sequence[Trained]]  # by the learner's name, a training per seed


def learned(trial: Trial) -> Trained:
    """Train and judge; the network has no rules."""
    if trial.spec != NETWORK:
        return run_trial(trial)
    make = evolved_network(LIMIT, trial.against[0], trial.hands, trial.seed, SHARE)
    won = tuple(winnings(make, table, trial.deals, trial.seed) for table in trial.judges)
    return Trained(trial.training, won, np.array([won[0].mean()]), 0, 0.0)


def learn_all(hands: int, seeds: Sequence[int], deals: int, workers: Workers) -> Learned:
    """Train and judge every learner on every seed."""
    trials = [lesson(spec, hands, seed, deals) for spec in LEARNERS.values() for seed in seeds]
    done = iter(in_parallel(learned, trials, workers))
    return {name: [next(done) for _ in seeds] for name in LEARNERS}


def lesson(spec: str, hands: int, seed: int, deals: int) -> Trial:
    """Return the trial of a learner: hands against the teacher, judged by three Lokis."""
    return Trial(spec, TEACHER, hands, seed, LOKIS, deals, points=1)


def experiments(context: Context) -> Iterator[Sample]:
    """Train five learners; judge them and the baselines by three Lokis."""
    size = sizes(context, "settled")
    seeds = seeds_of(context, size["seeds"])
    done = learn_all(size["hands"], seeds, size["deals"], context.workers)
    found = baselines_of(LOKIS, seeds, size["deals"], context.workers)
    judges = (*range(len(LOKIS)), None)
    rows = [[name, *(text for table in judges for text in result_cells(done[name], table))] for name in LEARNERS]
    means = {name: [found.mean_over(LOKIS, name, seed) for seed in seeds] for name in found.won[LOKIS[0]]}
    rows += [[*row, *mean_cells(means[row[0]])] for row in baseline_rows(found, LOKIS)]
    context.table(
        f"Trained for {size['hands']:,} hands against Loki without a model (the network: {SHARE} times as many), "
        f"judged by three Lokis on {size['deals']:,} duplicate deals each: small bets a hand, {size['seeds']} seeds, "
        "± 95% over seeds. Below: who did not learn, on the same deals",
        [*header_of(LOKIS, "learner"), "mean of the three", "±"], rows,
    )  # fmt: skip
    context.table("The same, training by training: the mean over the three judges",
                  ["learner", *(f"seed {number + 1}" for number in range(size["seeds"])), "rules"],
                  [[name, *(f"{one.mean():+.3f}" for one in trained), f"{trained[0].rules:,}"]
                   for name, trained in done.items()])  # fmt: skip
    yield from _claims(done, found)


def _claims(done: Learned, found: Baselines) -> Iterator[Sample]:
    ours, beyond = done["all four"], "settled: all four changes against Loki, beyond the best blind player"
    rows = {beyond: single(ours, partial(found.beyond, LOKIS)),
            "settled: all four changes against Loki, minus plain": paired(ours, done["plain"])}  # fmt: skip
    yield from family(rows, {beyond: "; ".join(found.best_text(table) for table in LOKIS)})
    won = {f"settled: what {name} wins from Loki": single(trained) for name, trained in done.items()}
    zero = by_holm([(verdicts.above(0.0), list(one.values())) for one in won.values()])
    yield from questions(won, {name: f"zero or not: p {p:.2g}, Holm over {len(won)}"
                               for name, (p, _) in zip(won, zero, strict=True)})  # fmt: skip
    yield from questions({f"settled: {better} minus {worse}, against Loki": paired(done[better], done[worse])
                          for better, worse in PAIRS})  # fmt: skip
