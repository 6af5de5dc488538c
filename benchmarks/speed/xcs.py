"""The classifier system compared with the packages `xcs` (Python) and `xcsf` (C), and on problems with known optima.

All learn the 11-multiplexer with the same settings (N 800) and the same exploration probability, in processor time.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cardwin.core.rng import generator_of, key_of
from cardwin.players.xcs.learning.problems import XcsLearner, explore_trials_to, problem_of, share_right
from speed import Result

TRIALS = 200_000
PEER_TRIALS = {"xcs": 3_000, "xcsf": 20_000}
NAME = "11-multiplexer"


def speed(peers: bool) -> Iterator[Result]:
    """Measure trials per second over a whole training; the peers' shorter trainings end while rules are many."""
    XcsLearner(problem_of("multiplexer-11"), 1).run(10)

    def rate(trials: int) -> float:
        learner, start = XcsLearner(problem_of("multiplexer-11"), key_of(1)), time.process_time()
        learner.run(trials)
        return trials / (time.process_time() - start)

    yield Result(f"{NAME}, {TRIALS:,} trials", rate(TRIALS), "trials/s")
    if peers:
        for peer, job in (("xcs", _xcs), ("xcsf", _xcsf)):
            trials = PEER_TRIALS[peer]
            theirs, right = job(trials)
            yield Result(f"{NAME}, first {trials:,} trials", rate(trials), "trials/s", peer, theirs)
            ours = XcsLearner(problem_of("multiplexer-11"), key_of(1)).run(trials)
            yield Result(
                f"{NAME}, right after {trials:,} trials", 100 * share_right(ours, trials // 10), "%", peer, right
            )


def answers(peers: bool) -> Iterator[Result]:  # noqa: ARG001  known optima need no peer
    """Measure how soon multiplexers are learned, on how many seeds; how long walks to food are."""
    for length, seeds, within in ((6, 10, 2_500), (11, 10, 10_000), (20, 3, 60_000)):
        soon = [
            explore_trials_to(XcsLearner(problem_of(f"multiplexer-{length}"), key_of(seed, "bench")), 0.99, within)
            for seed in range(seeds)
        ]
        known = [trials for trials in soon if trials is not None]
        yield Result(f"{length}-multiplexer: seeds of {seeds} at 99% by {within:,}", len(known), "seeds")
        yield Result(f"{length}-multiplexer: explore trials to 99%, median", float(np.median(known)), "trials")
    for name in ("woods1", "woods101", "woods101-register"):
        problem = problem_of(name)
        trials = 200_000 if problem.fields.register else 24_000
        walks = [
            XcsLearner(problem, key_of(seed, "bench")).run(trials).exploited()[-2_000:].mean() for seed in range(8)
        ]
        yield Result(f"{name}, mean of 8 seeds", float(np.mean(walks)), "steps", "best possible", problem.best)
    for noise in ("stakes", "odds"):
        for two in (False, True):
            problem = problem_of(f"multiplexer-6-{noise}")
            right = [
                share_right(XcsLearner(problem, key_of(seed, "bench"), {}, two).run(20_000), 2_000) for seed in range(5)
            ]
            described = "two predictions" if two else "one prediction"
            yield Result(f"6-multiplexer, noise in the {noise}, {described}", 100 * float(np.mean(right)), "% right")


def _situations(trials: int) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], list[int], list[bool]]:
    """Return inputs, answers, and which trials explore."""
    draws = generator_of(1)
    bits = draws.integers(0, 2, (trials, 11))
    named = bits[np.arange(trials), 3 + bits[:, 0] * 4 + bits[:, 1] * 2 + bits[:, 2]]
    return bits.astype(np.float64), named.tolist(), (draws.random(trials) < 0.5).tolist()


def _xcs(trials: int) -> tuple[float, float]:
    """Return trials per second of the pure-Python package, and its accuracy in % over the last tenth of exploits."""
    import xcs
    from xcs.bitstrings import BitString

    random.seed(1)
    bits, named, explores = _situations(trials)
    algorithm = xcs.XCSAlgorithm()
    algorithm.max_population_size, algorithm.learning_rate, algorithm.ga_threshold = 800, 0.2, 25
    algorithm.crossover_probability, algorithm.mutation_probability = 0.8, 0.04
    algorithm.error_threshold, algorithm.minimum_actions = 0.01, 2
    algorithm.do_ga_subsumption = algorithm.do_action_set_subsumption = True
    model = xcs.ClassifierSet(algorithm, (True, False))
    inputs = [BitString(row.astype(int).tolist()) for row in bits]
    right, start = [], time.process_time()
    for situation, answer, explores_now in zip(inputs, named, explores, strict=True):
        match_set = model.match(situation)
        action = random.choice(list(match_set)) if explores_now else match_set.best_actions[0]
        if explores_now:
            match_set.selected_action = action
            match_set.payoff = float(action == bool(answer))
            match_set.apply_payoff()
        else:
            right.append(action == bool(answer))
    return trials / (time.process_time() - start), 100 * float(np.mean(right[-len(right) // 10 :]))


def _xcsf(trials: int) -> tuple[float, float]:
    """Return trials per second of the C library, called from Python on one thread, and its final accuracy in %."""
    import xcsf

    bits, named, explores = _situations(trials)
    learner = xcsf.XCS(
        x_dim=11, y_dim=1, n_actions=2, omp_num_threads=1, random_state=1, pop_init=False, pop_size=800,
        loss_func="mae", e0=0.01, alpha=0.1, nu=5, beta=0.2, delta=0.1, theta_del=20, theta_sub=20, init_fitness=0.01,
        set_subsumption=True, action={"type": "integer"}, prediction={"type": "constant"},
        condition={"type": "ternary", "args": {"bits": 1, "p_dontcare": 0.33}},
        ea={"select_type": "roulette", "theta_ea": 25, "p_crossover": 0.8, "err_reduc": 0.25, "fit_reduc": 0.1,
            "subsumption": True},
    )  # fmt: skip
    right, start = [], time.process_time()
    for situation, answer, explores_now in zip(bits, named, explores, strict=True):
        learner.init_trial()
        learner.init_step()
        reward = float(learner.decision(situation, explores_now) == answer)
        if explores_now:
            learner.update(reward, True)
        else:
            right.append(reward)
        learner.end_step()
        learner.end_trial()
    return trials / (time.process_time() - start), 100 * float(np.mean(right[-len(right) // 10 :]))


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {"speed": speed, "answers": answers}
