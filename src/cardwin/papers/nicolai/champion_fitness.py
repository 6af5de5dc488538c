"""The stated fitness of a champion, beside its fitness in fresh tournaments against the same field.

The best of a generation by its own tournaments is mostly the luckiest. The fitness of a champion from a final comes
from tournaments after the choice: fresh ones must give the same, within their error.
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
from cardwin.runs.problems.tournament.problem import TournamentProblem
from cardwin.runs.trainers.evolution import Evolution

BATCHES = 20  # whose means give the error


def fresh_fitness(run: Evolved, population: str, tournaments: int, key: int, workers: Workers = 1) -> Floats:
    """Play fresh tournaments of a champion among its last generation and the halls.

    Args:
        run: The finished evolution.
        population: The champion's population.
        tournaments: The number of tournaments.
        key: The random key.
        workers: The number of threads, or an executor.

    Returns:
        The champion's fitness in each batch of tournaments, (batches,).

    Raises:
        TypeError: If the run is not a finished evolution by tournaments.

    """
    experiment, saved = run_folder.reopen(run.folder), checkpoint.newest(run.folder / "checkpoints")
    batches = min(BATCHES, tournaments)
    with open_executor(workers) as executor:
        trainer = kind_of(experiment.kind).trainer(experiment, executor, run.folder)
        if saved is None or not isinstance(trainer, Evolution) or not isinstance(trainer.problem, TournamentProblem):
            raise TypeError(f"expected a finished evolution by tournaments, got {run.folder}")
        trainer.load(saved.arrays)
        problem, champion = trainer.problem, trainer.champions[population].genes[None]
        others = [trainer.before[population], *(trainer.halls[name].members for name in problem.populations)]
        everybody = np.ascontiguousarray(np.concatenate([champion, *others]))

        def fitness_in(batch: int) -> float:
            sums, _ = problem.series.play(everybody, child(key, batch), tournaments // batches, executor)
            return float(problem.value(sums)[0])

        return np.array([fitness_in(batch) for batch in range(batches)])


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
            yield sample(
                f"{name} {population}: mean place in fresh tournaments",
                -mean,
                ci95=(-mean - half, -mean + half),
                tournaments=tournaments,
                stated=-stated,
                covers="covers" if within else "does not cover",
            )
