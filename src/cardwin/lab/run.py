"""A run: a folder, an experiment, a seed. `step()` is one generation.

experiment.toml   the experiment as resolved, seed and all
run.db            what happened, generation by generation (store.py)
checkpoints/      the last two states to go on from (checkpoint.py)
champions/        what the run hands over: policies as JSON, genes as safetensors
result.json       the answer, once it is finished
report.html       the same for people

Rows are committed, then the checkpoint is renamed into place: whatever moment the power fails, a resumed run goes on
from the last checkpoint and ends with the same digest, a hash chained from generation to generation.
"""

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from cardwin.errors import InputError
from cardwin.evolution import SEARCHERS, Averaged, Hall, Population, RunningAverage, Searcher, first_population
from cardwin.evolution.genome import describe
from cardwin.games import game
from cardwin.lab import champions, checkpoint, fitness
from cardwin.lab.compute import Workers
from cardwin.lab.experiment import FAMOUS, LIVING, Experiment
from cardwin.lab.run_folder import lock
from cardwin.lab.store import Members, Row, Store
from cardwin.players.policies import policy
from cardwin.rng import child, key_of
from cardwin.solvers import plans, populations
from cardwin.solvers.answers import game_value
from cardwin.solvers.tree import Floats, Tree, tree_of

SCHEMA = 1
LARGEST_LINEAGE = 5_000_000  # members times generations whose parents are all kept unasked; beyond, champions' only


@dataclass(frozen=True)
class Glimpse:
    """What a watcher sees after each generation: one best fitness a seat, and how exploitable the hand-over is."""

    generation: int
    generations: int
    best: dict[int, float]
    exploitability: float
    seconds: float


@dataclass
class Best:
    """The champion that a seat hands over: its genes, its fitness as judged, and its exact value."""

    genes: Floats
    fitness: float
    value: float


class Run:
    """An experiment under way in its folder."""

    def __init__(self, folder: Path, plan: Experiment, workers: Workers) -> None:
        if plan.seed is None:
            raise ValueError("a run needs a seed")
        self.folder, self.plan, self.workers, self.seed = folder, plan, workers, plan.seed
        self.tree: Tree = tree_of(game(plan.game))
        self.fair = float(game_value(self.tree.game))
        self.choices = plan.population.genes == "choice"
        self.seats = plan.evolving
        self.searchers = {seat: self._searcher(seat) for seat in self.seats}
        self.oppositions = {seat: fitness.Opposition(self.tree, seat, plan.seats[seat].against) for seat in self.seats}
        self.halls = {seat: self._hall(seat) for seat in self.seats}
        self.best: dict[int, Best] = {}
        self.before: dict[int, Population] = {}
        self.generation = 0
        self.chain = b""
        self.seconds = 0.0
        members = plan.population.size * plan.generations * len(self.seats)
        self.keeps_parents = plan.record_members or (plan.record_every == 1 and members <= LARGEST_LINEAGE)
        self.lock = lock(folder)
        try:
            self.store = Store(folder / "run.db")
        except InputError:
            self.lock.close()
            raise

    def _searcher(self, seat: int) -> Searcher:
        plan, people = self.plan, self.plan.population
        genome = replace(fitness.genome_of(self.tree, seat, self.choices, people.clean), start=people.start)
        own = plan.seats[seat].mutation_rate
        settings = replace(
            plan.search,
            shift=plan.search.shift + fitness.largest_loss(self.tree, seat),
            mutation_rate=plan.search.mutation_rate if own is None else own,
        )
        seeded = [[float(gene) for gene in policy(self.tree.game, spec).genes(seat)] for spec in people.seeded]
        first = first_population(genome, people.size, key_of(self.seed, "first generation", seat), seeded or None)
        return SEARCHERS[plan.searcher](genome, first, settings, key_of(self.seed, "search", seat), self.workers.chunks)

    def _hall(self, seat: int) -> Averaged:
        fame, width = self.plan.hall, self.tree.sides[seat].sequences
        if fame.capacity == 0:
            return RunningAverage(width, fame.growth)
        key = key_of(self.seed, "hall", seat)
        return Hall(width, fame.capacity, fame.replaces, growth=fame.growth, key=key)

    @property
    def finished(self) -> bool:
        """Whether all generations have been lived."""
        return self.generation >= self.plan.generations

    @property
    def coevolves(self) -> bool:
        """Whether both seats evolve: then the run hands over their halls."""
        return len(self.seats) == 2

    def exploitability(self) -> float:
        """Of what the run hands over: the halls' averages (NashConv / 2), or the one champion's seat."""
        if self.coevolves:
            return plans.exploitability(self.tree, self.halls[0].average, self.halls[1].average)
        seat = self.seats[0]
        return self._gives_away(seat, self._plans(seat, self.best[seat].genes[None])[0])

    def _gives_away(self, seat: int, plan: Floats) -> float:
        """What a seat's plan gives away: the game's value for the seat, minus the plan's guarantee."""
        fair = self.fair if seat == 0 else -self.fair
        return fair + plans.best_response_value(self.tree, 1 - seat, plan)

    def _plans(self, seat: int, genomes: Population) -> Floats:
        return fitness.crowd_of(self.tree.sides[seat], genomes, self.choices, self.workers).plans

    def step(self) -> None:
        """One generation: judge, record, admit to the halls, breed."""
        genomes = {seat: self.searchers[seat].ask() for seat in self.seats}
        sides = self.tree.sides
        crowds = {s: fitness.crowd_of(sides[s], genomes[s], self.choices, self.workers) for s in self.seats}
        judged = {seat: self._judge(seat, genomes, crowds) for seat in self.seats}
        for seat in self.seats:
            self._admit(seat, crowds[seat], judged[seat][0], judged[seat][2])
        chain = hashlib.blake2b(self.chain + self.generation.to_bytes(8), digest_size=16)
        for seat in self.seats:
            self._remember_best(seat, genomes[seat], *judged[seat][:2])
            chain.update(judged[seat][0].tobytes())
            if self.records(self.generation):
                row = self._row(seat, genomes[seat], crowds[seat], *judged[seat])
                self._keep(row, genomes[seat], judged[seat][0])
                chain.update(b"".join(v if isinstance(v, bytes) else np.float64(v).tobytes() for v in row.values()))
        self.chain = chain.digest()
        for seat in self.seats:
            self.searchers[seat].tell(judged[seat][0])
        self.before = genomes
        self.generation += 1

    def _judge(
        self, seat: int, genomes: dict[int, Population], crowds: dict[int, fitness.Crowd]
    ) -> tuple[Floats, Floats, Floats]:
        """A seat's fitness as selection sees it, its exact fitness, and its sequences' gains against whom it met."""
        other = 1 - seat
        faced = self.oppositions[seat].plan(crowds.get(other), self.halls.get(other))
        gains = plans.gradient(self.tree, seat, faced)
        exact = fitness.worth(crowds[seat].plans, gains, self.workers)
        side, play, own = self.tree.sides[seat], self.plan.fitness, genomes[seat]
        if play.play == "exact":
            shaken = play.tremble > 0
            seen = (side, own, self.choices, play.tremble, gains, self.workers)
            return fitness.trembling_worth(*seen) if shaken else exact, exact, gains
        rivals = self._behaviours(other, genomes[other]) if other in genomes else None
        rng = child(key_of(self.seed, "games"), self.generation)
        met = (self.oppositions[seat], play, self._behaviours(seat, own), rivals, self.halls.get(other))
        return fitness.sampled(*met, rng, self.workers), exact, gains

    def _behaviours(self, seat: int, genomes: Population) -> Floats:
        """As they are judged in games: with a hand that trembles, if it does."""
        side, chance = self.tree.sides[seat], self.plan.fitness.tremble
        made = fitness.behaviours_of(side, genomes, self.choices)
        return populations.trembling(side, made, chance) if chance > 0 else made

    def _admit(self, seat: int, crowd: fitness.Crowd, judged: Floats, gains: Floats) -> None:
        """Let the best, or the average of all, into the hall, every so many generations."""
        if (self.generation + 1) % self.plan.hall.every == 0 or not self.halls[seat].count:
            best, hall = int(np.argmax(judged)), self.halls[seat]
            member = crowd.plans[best] if self.plan.hall.enters == "best" else crowd.average
            if isinstance(hall, Hall):  # its members are judged against this generation's opponents too
                hall.judge(fitness.worth(hall.members, gains, self.workers))
            hall.add(member[None], judged[best : best + 1])

    def _row(
        self, seat: int, genomes: Population, crowd: fitness.Crowd, judged: Floats, exact: Floats, gains: Floats
    ) -> Row:
        best = int(np.argmax(judged))
        gene_mean, gene_spread = describe(genomes)
        hall, other = self.halls[seat].average, self.halls.get(1 - seat)
        hall_gains = gains if other is None else plans.gradient(self.tree, seat, other.average)
        parents = self.searchers[seat].parents[best]
        before = self.before.get(seat)
        parent_genes = np.full((2, genomes.shape[1]), np.nan)
        if before is not None:
            parent_genes[parents >= 0] = before[parents[parents >= 0]]
        return Row(
            generation=self.generation,
            seat=seat,
            mean=float(judged.mean()),
            best=float(judged[best]),
            best_value=float(exact[best]),
            best_exploitability=self._gives_away(seat, crowd.plans[best]),
            average_value=float(exact.mean()),
            average_exploitability=self._gives_away(seat, crowd.average),
            hall_value=_dot(hall, hall_gains),
            hall_exploitability=self._gives_away(seat, hall),
            place=best,
            champion=genomes[best].copy(),
            gene_mean=gene_mean,
            gene_spread=gene_spread,
            average=crowd.average,
            parents=parents.copy(),
            parent_genes=parent_genes,
        )

    def _remember_best(self, seat: int, genomes: Population, judged: Floats, exact: Floats) -> None:
        """Against fixed opponents the best ever; where opponents change, figures of other times say nothing."""
        best = int(np.argmax(judged))
        changing = {LIVING, FAMOUS} & set(self.plan.seats[seat].against)
        if changing or seat not in self.best or judged[best] > self.best[seat].fitness:
            self.best[seat] = Best(genomes[best].copy(), float(judged[best]), float(exact[best]))

    def records(self, generation: int) -> bool:
        """Whether a generation is recorded."""
        return generation % self.plan.record_every == 0 or generation == self.plan.generations - 1

    def _recorded(self) -> int:
        """How many of the generations lived so far are."""
        regular = -(-self.generation // self.plan.record_every)
        return regular + (self.finished and (self.plan.generations - 1) % self.plan.record_every != 0)

    def _keep(self, row: Row, genomes: Population, judged: Floats) -> None:
        self.store.rows.append(row)
        if self.keeps_parents:
            nothing = np.zeros(0)
            told, whole = (judged, genomes.copy()) if self.plan.record_members else (nothing, nothing)
            self.store.members.append(Members(row.generation, row.seat, self.searchers[row.seat].parents, told, whole))

    def save(self) -> None:
        """Commit the rows, then put the checkpoint in place."""
        arrays: checkpoint.Arrays = {}
        for seat in self.seats:
            arrays |= {f"search.{seat}.{name}": array for name, array in self.searchers[seat].state().items()}
            arrays |= {f"hall.{seat}.{name}": array for name, array in self.halls[seat].state().items()}
            if seat in self.best:
                best = self.best[seat]
                arrays[f"best.{seat}"] = np.concatenate([[best.fitness, best.value], best.genes])
                arrays[f"before.{seat}"] = self.before[seat]
        notes = {"generation": str(self.generation), "chain": self.chain.hex(), "seconds": f"{self.seconds:.3f}"}
        folder = self.folder / "checkpoints"
        try:
            self.store.commit()
            checkpoint.write(folder / checkpoint.name_of(self.generation), arrays, notes)
            checkpoint.drop_old(folder)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot save to {self.folder}: {getattr(error, 'strerror', None) or error}; the last checkpoint is "
                f"whole, and cardwin evolve --resume {self.folder} goes on from it"
            ) from None

    def load(self) -> None:
        """Go on from the last checkpoint, if there is one."""
        saved = checkpoint.newest(self.folder / "checkpoints")
        if saved is None:
            self.store.rewind(0, 0)
            return
        for seat in self.seats:
            self.searchers[seat].load(_under(f"search.{seat}.", saved.arrays))
            self.halls[seat].load(_under(f"hall.{seat}.", saved.arrays))
            best = saved.arrays[f"best.{seat}"].astype(np.float64)
            self.best[seat] = Best(best[2:], float(best[0]), float(best[1]))
            self.before[seat] = saved.arrays[f"before.{seat}"].astype(np.float64)
        self.generation, self.chain = int(saved.notes["generation"]), bytes.fromhex(saved.notes["chain"])
        self.seconds = float(saved.notes["seconds"])
        self.store.rewind(self.generation, self._recorded())
        self.store.event(self.generation, "resumed")

    def go(self, watch: Callable[[Glimpse], object], asked_to_stop: Callable[[], bool]) -> bool:
        """Live all generations that are left, saving now and then. False where it was asked to stop before the end."""
        start = saved = time.monotonic()
        pause = self.plan.save_seconds
        earlier = self.seconds
        while not self.finished and not asked_to_stop():
            self.step()
            now = time.monotonic()
            self.seconds = earlier + now - start
            watch(self.glimpse())
            if now - saved >= pause:
                self.save()
                saved = time.monotonic()
                # Saving a large run takes a while itself: it may take a twentieth of the time.
                pause = max(self.plan.save_seconds, 20 * (saved - now))
        self.save()
        return self.finished

    def glimpse(self) -> Glimpse:
        """How things stand."""
        best = {seat: self.best[seat].fitness for seat in self.seats}
        return Glimpse(self.generation, self.plan.generations, best, self.exploitability(), self.seconds)

    def finish(self) -> dict[str, Any]:
        """Write the champions and the answer."""
        answer = {
            "schema": SCHEMA,
            "run": str(self.folder),
            "game": self.plan.game,
            "generations": self.generation,
            "best": [
                {
                    "seat": seat + 1,
                    "fitness": self.best[seat].fitness,
                    "value": self.best[seat].value,
                    "genes": self.best[seat].genes.tolist(),
                }
                for seat in self.seats
            ],
            "exploitability": self.exploitability(),
            "champions": [str(path) for path in self._hand_over()],
            "digest": self.chain.hex(),
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
        }
        self.store.event(self.generation, "finished")
        self.store.commit()
        checkpoint.write_whole(self.folder / "result.json", (json.dumps(answer, indent=1) + "\n").encode())
        return answer

    def _hand_over(self) -> list[Path]:
        """The halls' averages where both seats evolved, and the champions."""
        genes = {seat: self.best[seat].genes for seat in self.seats}
        behaviours = {
            seat: fitness.behaviours_of(self.tree.sides[seat], genes[seat][None], self.choices)[0]
            for seat in self.seats
        }
        halls = {seat: hall.average for seat, hall in self.halls.items()} if self.coevolves else {}
        return champions.write(self.folder / "champions", self.tree, genes, behaviours, halls)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self.lock.close()


def _dot(plan: Floats, gains: Floats) -> float:
    return float((plan * gains).sum())


def _under(prefix: str, arrays: checkpoint.Arrays) -> checkpoint.Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
