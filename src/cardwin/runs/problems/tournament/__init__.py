"""Evolution of hold'em players by tournaments: networks (Nicolai and Hilderman) and matrix players."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from cardwin.arena.tournament import Structure
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.experiment import Share, TomlTable
from cardwin.evolution import Population
from cardwin.evolution.breeding import unknown_names
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.network.decision import ACTIVATIONS, MAX_HIDDEN, Shape, weights_of
from cardwin.players.network.inputs import ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.runs.problem import no_limit_errors
from cardwin.runs.problems.tournament.mixed_field import FieldSettings, fixed_networks, robot_form
from cardwin.runs.trainers.evolution import Evolution, EvolutionExperiment, HallSettings, PopulationSettings

COMMAND = "evolve"

DEFAULT_STRUCTURE = Structure()


class NetworkSettings(TomlTable):
    """The networks that evolve.

    Attributes:
        hidden: Number of hidden nodes.
        activation: Activation function of the hidden nodes.
        odds: Win odds that are inputs.
        aggression: Whether the opponents' aggression is an input.
        genes: Meaning of the genes: the weights, or those of inputs that are centred and scaled.

    """

    hidden: Annotated[int, Field(ge=1, le=MAX_HIDDEN)] = 20
    activation: str = "tanh"
    odds: str = "power"
    aggression: bool = True
    genes: Literal["weights", "normalised", "shared"] = "weights"


class MatrixSettings(TomlTable):
    """The decision matrices that evolve.

    Attributes:
        rollouts: Simulated hands for each estimate of hand strength.
        head_start: Begin near an expert's matrix; otherwise at random.
        spread: With a head start: distance of the first matrices from the expert's.

    """

    rollouts: Annotated[int, Field(ge=1, le=10_000)] = 20
    head_start: bool = False
    spread: Annotated[float, Field(ge=0, le=1)] = 0.1


class StructureSettings(TomlTable):
    """Seats at a table and growth of the blinds.

    Without growth, two players who always fold would never finish.

    Attributes:
        seats: Seats of each table.
        growth: Factor by which the blinds grow.
        every: Hands between two increases of the blinds.

    """

    seats: Annotated[int, Field(ge=2, le=10)] = DEFAULT_STRUCTURE.seats
    growth: Annotated[float, Field(gt=1, le=100)] = DEFAULT_STRUCTURE.growth
    every: Annotated[int, Field(ge=1, le=1_000_000_000)] = DEFAULT_STRUCTURE.every

    @property
    def structure(self) -> Structure:
        """The structure for the arena."""
        return Structure(self.seats, self.growth, self.every)


class TournamentEvolutionExperiment(EvolutionExperiment):
    """An evolution of hold'em players by tournaments.

    Attributes:
        game: The game that is played.
        player: What is evolved: neural networks or decision matrices.
        populations: Names of the populations that evolve beside each other.
        tournaments: Tournaments in each generation.
        fitness: Value of a tournament to a player.
        final: Fresh tournaments in which the champion is chosen; 0 for the fittest of the last generation.
        keep: Share of a population that survives and breeds.

    """

    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("player", "generations", "population.size", "tournaments", "seed")

    kind: Literal["tournament-evolution"] = "tournament-evolution"
    game: str = "holdem-nl"
    player: Literal["network", "matrix"] = "network"
    populations: tuple[str, ...] = ("red",)
    tournaments: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    fitness: Literal["place", "hands", "chips", "wins", "mixed"] = "place"
    final: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    field: FieldSettings = FieldSettings()
    keep: Share = 0.1
    population: PopulationSettings = PopulationSettings(size=200)
    hall: HallSettings = HallSettings(replaces="futility")
    network: NetworkSettings = NetworkSettings()
    matrix: MatrixSettings = MatrixSettings()
    structure: StructureSettings = StructureSettings()

    @model_validator(mode="after")
    def _validate(self) -> Self:
        wrong = self.search_errors()
        wrong += unknown_names("network.activation", self.network.activation, ACTIVATIONS)
        wrong += unknown_names("network.odds", self.network.odds, ODDS)
        if not self.populations or len(set(self.populations)) < len(self.populations):
            wrong.append("populations must be one name or more, all different")
        if any(not name.isidentifier() for name in self.populations):
            wrong.append("populations must be plain words, such as red and blue")
        if self.fitness == "mixed" and (self.player != "network" or len(self.populations) > 1):
            wrong.append("fitness mixed is for one population of networks")
        if not self.field.seats:
            wrong.append("field.seats must name a number of seats or more")
        if not self.field.robots:
            wrong.append("field.robots must name a robot or more, such as call")
        if self.survivors >= self.population.size:
            wrong.append(f"keep ({self.keep:g}) must leave room for children among {self.population.size} members")
        if self.searcher.endswith("cma-es") and self.player == "matrix" and self.matrix.head_start:
            wrong.append("matrix.head_start needs searcher genetic: CMA-ES begins at one point")
        try:
            for spec in self.field.robots:
                robot_form(spec)
            if self.field.networks:
                fixed_networks(self.field.networks, form_like(self))
        except InputError as error:
            wrong.append(str(error))
        wrong += no_limit_errors(self.game, "tournaments")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    @property
    def survivors(self) -> int:
        """The number of members of a population that survive, breed and are candidates for the hall."""
        return max(1, round(self.keep * self.population.size))

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))


def form_like(experiment: TournamentEvolutionExperiment) -> NetworkForm:
    """Return a network with the experiment's settings, all weights 0."""
    network = experiment.network
    shape, odds = Shape(hidden=network.hidden, activation=network.activation), ODDS.index(network.odds)
    return NetworkForm(np.zeros(shape.weights, np.float32), shape, odds, aggression=network.aggression)


def form_of(experiment: TournamentEvolutionExperiment, genes: Population) -> NetworkForm:
    """Return a member's network, with the experiment's settings."""
    form = form_like(experiment)
    return replace(form, weights=weights_of(genes, form.shape, experiment.network.genes))


EXPERIMENT = TournamentEvolutionExperiment


def check(experiment: TournamentEvolutionExperiment) -> None:
    """Accept the experiment: the schema has checked everything."""


def trainer(experiment: TournamentEvolutionExperiment, executor: Executor, folder: Path) -> Evolution:  # noqa: ARG001
    """Return an evolution of its populations."""
    from cardwin.runs.problems.tournament.problem import TournamentProblem

    return Evolution(experiment, TournamentProblem(experiment), executor)
