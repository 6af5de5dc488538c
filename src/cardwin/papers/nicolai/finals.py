"""The fitness that a champion is stated to have, beside fresh tournaments in the same field.

The best of a generation by its own tournaments is mostly the luckiest. A champion that was chosen in a final has its
fitness from tournaments after the choice: fresh ones must give the same, within their error.
"""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child
from cardwin.papers import Context
from cardwin.papers.evolutions import Evolved
from cardwin.papers.nicolai.controls import size_of
from cardwin.papers.sample import Sample, sample
from cardwin.runs import checkpoint, run_folder
from cardwin.runs.kinds import kind_of
from cardwin.runs.problems.tournament.problem import TournamentProblem, play_generation
from cardwin.runs.trainers.evolution import Evolution

BATCHES = 20  # whose means give the error


def fresh_fitness(run: Evolved, population: str, tournaments: int, key: int, workers: Workers = 1) -> Floats:
    """The champion's fitness in batches (batches,) of fresh tournaments, among its last generation and the halls."""
    experiment, saved = run_folder.reopen(run.folder), checkpoint.newest(run.folder / "checkpoints")
    batches = min(BATCHES, tournaments)
    with open_executor(workers) as executor:
        trainer = kind_of(experiment.kind).trainer(experiment, executor, run.folder)
        if saved is None or not isinstance(trainer, Evolution) or not isinstance(trainer.problem, TournamentProblem):
            raise TypeError(f"{run.folder} is no finished evolution by tournaments")
        trainer.load(saved.arrays)
        problem, champion = trainer.problem, trainer.champions[population].genes[None]
        others = [trainer.before[population], *(trainer.halls[name].members for name in problem.populations)]
        everybody = np.ascontiguousarray(np.concatenate([champion, *others]))
        found = [
            problem.value(play_generation(problem.game, problem.structure, problem.reading, everybody,
                                          child(key, number), tournaments // batches, executor)[0])[0]
            for number in range(batches)
        ]  # fmt: skip
    return np.array(found)


def stated_fitness(context: Context, runs: Mapping[str, Evolved]) -> Iterator[Sample]:
    """Yield the stated fitness of every champion beside a fresh one."""
    from scipy.stats import t

    tournaments = size_of(context).final
    for name, run in runs.items():
        for population, stated in run.fitness.items():
            fresh = fresh_fitness(run, population, tournaments, context.key("fresh", name, population), context.workers)
            mean, error = float(fresh.mean()), float(fresh.std(ddof=1)) / math.sqrt(len(fresh))
            half = float(t.ppf(0.975, len(fresh) - 1)) * error
            # Both are means of as many tournaments, so their difference has twice the variance.
            within = abs(stated - mean) <= float(t.ppf(0.995, len(fresh) - 1)) * math.sqrt(2) * error
            yield sample(f"{name} {population}: mean place in fresh tournaments", -mean,
                         ci95=(-mean - half, -mean + half), tournaments=tournaments, stated=-stated,
                         covers="covers" if within else "does not cover")  # fmt: skip
