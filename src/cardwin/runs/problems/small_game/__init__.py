"""Evolution of strategies for small games. Fitness is exact or estimated by sampled games."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from cardwin.core.executor import Executor
from cardwin.core.experiment import Share, TomlTable
from cardwin.evolution.genome import VALUES
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.runs.reader import RunData, Series
from cardwin.runs.trainers.evolution import Evolution, EvolutionExperiment, PopulationSettings
from cardwin.solvers.tree import zero_sum_tree_of

COMMAND = "evolve"

POPULATION, HALL = "population", "hall"  # names for the other seat's, among opponents
SEATS = ("first", "second")  # the populations' names


class OpponentsSettings(TomlTable):
    """A seat's opponents, all with equal weight. A seat without opponents does not evolve.

    Attributes:
        against: Opponents: population or hall (those of the other seat), or policies by name.
        mutation_rate: Mutation rate of this seat; empty for the common one.

    """

    against: tuple[str, ...] = ()
    mutation_rate: Share | None = None


class StrategySettings(PopulationSettings):
    """A population of strategies for a small game.

    Attributes:
        seeded: Policies that are members of the first generation, such as rational or genes:0,0,1,0,1/3,1.
        genes: Probabilities (real), or one action for each information set (choice).
        clean: Fix genes for which one action can never be worse than another.

    """

    seeded: tuple[str, ...] = ()
    genes: Literal["real", "choice"] = "real"
    clean: bool = False


class FitnessSettings(TomlTable):
    """How fitness is computed.

    `sampled` plays move by move. `drawn` samples each game's terminal by its exact probability: same noise, but faster.
    Both play one game against each member of another population. `pooled` is `drawn` with `games` games against members
    drawn at random: any number of games, so any noise.

    Attributes:
        play: Exact expectation, or the result of games that are sampled move by move, drawn by outcome, or
            pooled.
        games: Games against each opponent, if play is not exact.
        fair: Sampled play: each game deals every deal once.
        tremble: Chance that a random legal action replaces the chosen one, so that every choice is tested.

    """

    play: Literal["exact", "sampled", "drawn", "pooled"] = "exact"
    games: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    fair: bool = False
    tremble: Share = 0.0


class SmallGameExperiment(EvolutionExperiment):
    """An evolution of strategies for a small game.

    Attributes:
        game: The game; parameters follow a colon, as in kuhn:cards=5.

    """

    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("game", "generations", "population.size", "searcher", "seed")

    kind: Literal["small-game"] = "small-game"
    game: str = "kuhn"
    population: StrategySettings = StrategySettings()
    fitness: FitnessSettings = FitnessSettings()
    first: OpponentsSettings = OpponentsSettings()
    second: OpponentsSettings = OpponentsSettings()

    @model_validator(mode="after")
    def _validate(self) -> Self:
        wrong, population = self.search_errors(), self.population
        if not self.evolving:
            wrong.append("no seat evolves: first.against or second.against must name opponents")
        for seat, opponents in enumerate(self.opponents):
            if {POPULATION, HALL} & set(opponents.against) and not self.opponents[1 - seat].against:
                wrong.append(f"{SEATS[seat]}.against names the other seat's members, but that seat does not evolve")
        if population.start == "uniform" and population.genes == "real" and population.size % VALUES:
            wrong.append(f"population.size must be a multiple of {VALUES} for a uniform start, not {population.size}")
        if self.fitness.fair and self.fitness.play in ("drawn", "pooled"):
            wrong.append(f"fitness.fair deals every hand once: it needs fitness.play sampled, not {self.fitness.play}")
        if population.seeded and population.genes == "choice":
            wrong.append("population.seeded needs real genes: a policy mixes its actions, choices cannot")
        if self.searcher.endswith("cma-es") and (
            population.genes == "choice" or population.clean or population.size < 4
        ):
            wrong.append(
                f"searcher {self.searcher} needs real genes, none held by population.clean, and 4 members or more"
            )
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    @property
    def opponents(self) -> tuple[OpponentsSettings, OpponentsSettings]:
        """Both seats' tables."""
        return self.first, self.second

    @property
    def evolving(self) -> tuple[int, ...]:
        """The seats (0, 1) that evolve."""
        return tuple(seat for seat in (0, 1) if self.opponents[seat].against)

    @cached_property
    def choices(self) -> bool:
        """Whether genes are choices."""
        return self.population.genes == "choice"


EXPERIMENT = SmallGameExperiment


def check(experiment: SmallGameExperiment) -> None:
    """Raise an InputError unless the named game and policies exist and fit."""
    rules = game(experiment.game)
    zero_sum_tree_of(rules)
    for seat in experiment.evolving:
        for spec in experiment.opponents[seat].against:
            if spec not in (POPULATION, HALL):
                policy(rules, spec).exact(1 - seat)
        for spec in experiment.population.seeded:
            policy(rules, spec).exact(seat)


def trainer(experiment: SmallGameExperiment, executor: Executor, folder: Path) -> Evolution:  # noqa: ARG001
    """Return an evolution of the game's seats."""
    from cardwin.runs.problems.small_game.problem import SmallGame

    return Evolution(experiment, SmallGame(experiment), executor)


def experiment_of(data: RunData) -> SmallGameExperiment:
    """Return the experiment of a run of this kind."""
    if not isinstance(data.experiment, SmallGameExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def seats(data: RunData) -> dict[int, Series]:
    """Return the recorded series of each evolving seat (0, 1)."""
    return {SEATS.index(name): series for name, series in data.populations.items()}
