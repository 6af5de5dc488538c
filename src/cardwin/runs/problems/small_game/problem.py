"""A small game as a problem: a population for each evolving seat, evaluated by expected value.

Members are evaluated as realisation plans; the halls store plans too, because plans can be averaged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor
from cardwin.core.files import write_atomic
from cardwin.core.trainer import PrimaryMetric, State
from cardwin.evolution import Archive, Genome, Hall, Population, RunningAverage, SearchSettings
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.players.small_games.policy_files import as_file
from cardwin.runs import checkpoint
from cardwin.runs.problem import Champion, Evaluation, Figures
from cardwin.runs.problems.small_game import fitness
from cardwin.runs.problems.small_game.fitness import Opponents, Plans
from cardwin.runs.problems.small_game.settings import HALL, POPULATION, SEATS, SmallGameExperiment
from cardwin.solvers import plans
from cardwin.solvers.equilibria import game_value
from cardwin.solvers.plans import behaviour_of
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Tree, tree_of

BySeat = dict[int, Floats]

if TYPE_CHECKING:
    from cardwin.arena.sampled_games import Outcomes


class SmallGame:
    """The evolving seats of a game."""

    def __init__(self, experiment: SmallGameExperiment) -> None:
        self.experiment = experiment
        self.tree: Tree = tree_of(game(experiment.game))
        self.fair = float(game_value(self.tree.game))
        self.seats = {SEATS[seat]: seat for seat in experiment.evolving}
        self.opponents = {
            name: Opponents(self.tree, seat, experiment.opponents[seat].against) for name, seat in self.seats.items()
        }

    @property
    def populations(self) -> tuple[str, ...]:
        """The evolving seats' names."""
        return tuple(self.seats)

    @property
    def coevolves(self) -> bool:
        """Whether both seats evolve; then the halls' averages are champions."""
        return len(self.seats) == 2

    def genome(self, name: str) -> Genome:
        """Real genes for probabilities, or a choice for each information set."""
        return fitness.genome_of(self.tree, self.seats[name], self.experiment.choices, self.experiment.population.clean)

    def given(self, name: str) -> Population:
        """The experiment's `seeded` policies, as genes."""
        seat, genome = self.seats[name], self.genome(name)
        rows = [policy(self.tree.game, spec).genes(seat) for spec in self.experiment.population.seeded]
        return genome.hold(np.array([[float(gene) for gene in row] for row in rows]).reshape(-1, genome.genes))

    def settings(self, name: str) -> SearchSettings:
        """The experiment's settings with the seat's mutation rate; the fitness minimum is the game's largest loss."""
        seat, common = self.seats[name], self.experiment.search
        own = self.experiment.opponents[seat].mutation_rate
        return replace(
            common,
            shift=common.shift + fitness.largest_loss(self.tree, seat),
            mutation_rate=common.mutation_rate if own is None else own,
        )

    def hall(self, name: str, key: int) -> Archive:
        """A hall of plans; where all members stay, only their average is stored."""
        how, width = self.experiment.hall, self.tree.sequences[self.seats[name]].count
        if how.capacity == 0:
            return RunningAverage(width, how.growth)
        return Hall(width, how.capacity, how.replaces, growth=how.growth, key=key)

    def fixed(self, name: str) -> bool:
        """Whether a seat's opponents are policies only."""
        return not {POPULATION, HALL} & set(self.opponents[name].names)

    def evaluate(
        self, asked: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> "SmallGameEvaluation":
        """Every seat's plans and their values against the seat's opponents."""
        choices = self.experiment.choices
        made = {
            name: fitness.plans_of(self.tree.sequences[seat], asked[name], choices, executor)
            for name, seat in self.seats.items()
        }
        exact, action_values = {}, {}
        drawn = self.experiment.fitness.play in ("drawn", "pooled")
        judged = self._drawn(asked, halls, key) if drawn else {}
        for name, seat in self.seats.items():
            rival = SEATS[1 - seat]
            opponents_plan = self.opponents[name].plan(made.get(rival), halls.get(rival))
            action_values[name] = plans.gradient(self.tree, seat, opponents_plan)
            exact[name] = fitness.expected_values(made[name].rows, action_values[name], executor)
            if not drawn:
                judged[name] = self._judged(name, asked, exact[name], action_values[name], halls, key, executor)
        return SmallGameEvaluation(self, made, judged, exact, action_values, halls)

    def _judged(
        self, name: str, asked: Mapping[str, Population], exact: Floats, action_values: Floats,
        halls: Mapping[str, Archive], key: int, executor: Executor,
    ) -> Floats:  # fmt: skip
        """A seat's fitness as selection uses it, (members,)."""
        seat, how, own = self.seats[name], self.experiment.fitness, asked[name]
        rival = SEATS[1 - seat]
        if how.play == "exact" and how.tremble == 0:
            return exact
        if how.play == "exact":
            seqs, choices = self.tree.sequences[seat], self.experiment.choices
            return fitness.trembling_values(seqs, own, choices, how.tremble, action_values, executor)
        rivals = self._behaviours(1 - seat, asked[rival]) if rival in asked else None
        met = self.opponents[name], how, self._behaviours(seat, own), rivals, halls.get(rival)
        return fitness.sampled_values(*met, key, executor)

    @cached_property
    def outcomes(self) -> "Outcomes":
        """The possible outcomes of a game."""
        from cardwin.arena.sampled_games import outcomes_of

        return outcomes_of(self.tree)

    def _drawn(self, asked: Mapping[str, Population], halls: Mapping[str, Archive], key: int) -> dict[str, Floats]:
        """All seats' fitness in games whose terminals are sampled directly."""
        members = {
            seat: plans.plans(self.tree.sequences[seat], self._behaviours(seat, asked[name]))
            for name, seat in self.seats.items()
        }
        met = {self.seats[name]: own for name, own in self.opponents.items()}
        kept = {self.seats[name]: hall for name, hall in halls.items()}
        found = fitness.drawn_values(members, met, kept, self.outcomes, self.experiment.fitness, key)
        return {name: found[seat] for name, seat in self.seats.items()}

    def _behaviours(self, seat: int, genomes: Population) -> Floats:
        """Behaviours as played in sampled games, with trembling if set."""
        seqs, chance = self.tree.sequences[seat], self.experiment.fitness.tremble
        made = fitness.behaviours_of(seqs, genomes, self.experiment.choices)
        return plans.trembling(seqs, made, chance) if chance > 0 else made

    def exploitable_by(self, seat: int, plan: Floats) -> float:
        """Exploitability of a seat's plan: the game's value for the seat, minus the plan's guaranteed value."""
        fair = self.fair if seat == 0 else -self.fair
        return fair + plans.best_response_value(self.tree, 1 - seat, plan)

    def primary(
        self,
        judged: Evaluation,  # noqa: ARG002  exploitability needs no opponents
        champions: Mapping[str, Champion],
        halls: Mapping[str, Archive],
    ) -> PrimaryMetric:
        """Exploitability of the main champion: the halls' averages (NashConv / 2), or one seat's champion."""
        if self.coevolves:
            found = plans.exploitability(self.tree, *(halls[name].average for name in SEATS))
        else:
            ((name, seat),) = self.seats.items()
            behaviour = fitness.behaviours_of(
                self.tree.sequences[seat], champions[name].genes[None], self.experiment.choices
            )
            found = self.exploitable_by(seat, plans.plans(self.tree.sequences[seat], behaviour)[0])
        return PrimaryMetric("exploitability", found)

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write the halls' averages if both seats evolved, and the champions."""
        genes = {seat: champions[name].genes for name, seat in self.seats.items()}
        behaviours = {
            seat: fitness.behaviours_of(self.tree.sequences[seat], own[None], self.experiment.choices)[0]
            for seat, own in genes.items()
        }
        averages = {seat: halls[name].average for name, seat in self.seats.items()} if self.coevolves else {}
        return write_policies(folder, self.tree, genes, behaviours, averages)

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """The game, and each seat's champion."""
        best = [
            {"seat": seat + 1, "fitness": one.fitness, "value": one.value, "genes": one.genes.tolist()}
            for name, seat in self.seats.items()
            for one in [champions[name]]
        ]
        return {"game": self.experiment.game, "best": best}


@dataclass(frozen=True)
class SmallGameEvaluation:
    """One evaluated generation: each seat's plans, its fitness for selection and exact, and its action values.

    Action values (sequences,) are the value of each of a seat's sequences against the seat's opponents.
    """

    problem: SmallGame
    plans: Mapping[str, Plans]
    fitness: Mapping[str, Floats]
    values: Mapping[str, Floats]
    action_values: Mapping[str, Floats]
    halls: Mapping[str, Archive]

    @cached_property
    def best(self) -> dict[str, int]:
        """The index of each seat's fittest member."""
        return {name: int(np.argmax(fitness)) for name, fitness in self.fitness.items()}

    def admit(self, name: str, hall: Archive) -> None:
        """Admit the best member, or the average of all."""
        best = self.best[name]
        enters_best = self.problem.experiment.hall.enters == "best"
        member = self.plans[name].rows[best] if enters_best else self.plans[name].average
        hall.set_fitness((hall.members * self.action_values[name]).sum(axis=1))  # against this generation's opponents
        hall.add(member[None], self.fitness[name][best : best + 1])

    def figures(self, name: str) -> Figures:
        """Exact values, and exploitability of the champion, of the population's average and of the hall.

        hall_value: against the other seat's hall, or against the seat's opponents.
        """
        problem, seat, best, own = self.problem, self.problem.seats[name], self.best[name], self.plans[name]
        hall, rival = self.halls[name].average, self.halls.get(SEATS[1 - seat])
        against = self.action_values[name] if rival is None else plans.gradient(problem.tree, seat, rival.average)
        metrics = {
            "best_value": float(self.values[name][best]),
            "best_exploitability": problem.exploitable_by(seat, own.rows[best]),
            "average_value": float(self.values[name].mean()),
            "average_exploitability": problem.exploitable_by(seat, own.average),
            "hall_value": float((hall * against).sum()),
            "hall_exploitability": problem.exploitable_by(seat, hall),
        }
        return Figures(metrics, {"average": own.average})


def write_policies(folder: Path, tree: Tree, genes: BySeat, behaviours: BySeat, halls: BySeat) -> list[Path]:
    """Write the champions' genes and behaviours (sequences,), and the halls' average plans (sequences,) if any.

    Returns the files, the main one first: the halls' policy if both seats have halls, else the champion.
    """
    averages = {seat: behaviour_of(tree.sequences[seat], plan) for seat, plan in halls.items()}
    policies = {"hall.json": averages, "champions.json": behaviours} if halls else {"champions.json": behaviours}
    for name, seats in policies.items():
        write_atomic(folder / name, as_file(policy_of(tree, seats, name)).encode())
    written = [folder / name for name in policies]
    for seat in genes:
        arrays: State = {"genes": genes[seat], "behaviour": behaviours[seat]}
        arrays |= {"hall": halls[seat]} if halls else {}
        written.append(folder / f"seat-{seat + 1}.safetensors")
        checkpoint.write(written[-1], arrays, {"game": tree.game.name, "seat": str(seat + 1)})
    return written


def policy_of(tree: Tree, behaviours: BySeat, name: str) -> Policy:
    """A policy from the behaviours (sequences,) of one seat or both."""
    both = [behaviours.get(seat, np.ones(tree.sequences[seat].count)) for seat in (0, 1)]
    made = from_arrays(tree, both[0], both[1], name)
    first, second = (made.behaviours[seat] if seat in behaviours else None for seat in (0, 1))
    return Policy(tree, (first, second), name)
