"""An atlas of styles: the best network of each playing style, by MAP-Elites."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment, Share, TomlTable
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.table import SEATS
from cardwin.games.specs import split_spec
from cardwin.players.specs import is_untrusted
from cardwin.runs.problem import no_limit_errors

if TYPE_CHECKING:
    from cardwin.runs.problems.style_atlas.atlas import StyleAtlas

COMMAND = "evolve"

Matches = Annotated[int, Field(ge=2, le=1_000_000)]
Edges = tuple[float, ...]
MAX_CELLS = 10_000


class GridSettings(TomlTable):
    """The inner edges of the atlas's cells.

    Attributes:
        vpip: Edges of the cells in hands played by choice, in percent.
        pfr: Edges of the cells in preflop raises, in percent.
        aggression: Edges of the cells in bets and raises per call.

    """

    vpip: Edges = (10.0, 20.0, 30.0, 40.0, 60.0, 80.0)
    pfr: Edges = (10.0, 20.0, 30.0, 40.0, 60.0, 80.0)
    aggression: Edges = (1.0, 2.0, 4.0)


class FirstSettings(TomlTable):
    """The first generation.

    Attributes:
        size: Networks of the first generation.
        by_hand: Share of the first networks whose three nodes are drawn as in net:by-hand; others have random
            weights.

    """

    size: Annotated[int, Field(ge=1, le=1_000_000)] = 2048
    by_hand: Share = 0.75


class MatchSettings(TomlTable):
    """Matches of a number of deals, each deal once in every seat.

    Attributes:
        deals: Deals of a match, each played in every seat.
        screen: Matches that a child plays to be placed in a cell.
        fresh: Matches of a challenger and its cell's network on the same deals.
        final: Matches of every cell at the end.

    """

    deals: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    screen: Matches = 10
    fresh: Matches = 40
    final: Matches = 400


class VariationSettings(TomlTable):
    """How children differ from their parents.

    Attributes:
        sigma: Largest noise of a child's weights.
        line: Standard deviation of a child's step along the line to a second parent.

    """

    sigma: Annotated[float, Field(gt=0, le=100)] = 0.5
    line: Annotated[float, Field(ge=0, le=10)] = 0.2


class StyleAtlasExperiment(Experiment):
    """An atlas of playing styles: the best network of every cell of a grid.

    A challenger takes a filled cell if the mean of its differences to the incumbent, match by match, is above `margin`
    standard errors. The opponents are compiled players that do not learn.

    Attributes:
        game: The game that is played.
        opponents: Players that every network meets.
        generations: Number of generations.
        children: Networks bred in each generation.
        margin: Standard errors by which a challenger must be better than the network of its cell.

    """

    LENGTH: ClassVar[str] = "generations"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("generations", "children", "first.size", "matches.deals", "seed")

    kind: Literal["style-atlas"] = "style-atlas"
    game: str = "holdem-nl"
    opponents: tuple[str, ...] = ("v1:rollouts=10", "standard", "net:by-hand", "matrix:rollouts=10", "v1:rollouts=10")
    generations: Annotated[int, Field(ge=1, le=100_000_000)] = 40
    children: Annotated[int, Field(ge=1, le=1_000_000)] = 64
    margin: Annotated[float, Field(ge=0, le=10)] = 1.0
    first: FirstSettings = FirstSettings()
    matches: MatchSettings = MatchSettings()
    variation: VariationSettings = VariationSettings()
    grid: GridSettings = GridSettings()

    @property
    def steps(self) -> int:
        """The number of generations; the first one is random."""
        return self.generations

    def differs_when_longer(self) -> str:
        """Return why the digest differs: the final is part of the last generation."""
        return f"generation {self.generations:,} was the last, and all cells were measured again after it"

    @model_validator(mode="after")
    def _validate(self) -> Self:
        wrong, cells = [], 1
        for name, edges in self.grid.model_dump().items():
            cells *= len(edges) + 1
            if list(edges) != sorted(set(edges)) or any(edge <= 0 for edge in edges):
                wrong.append(f"grid.{name} must be edges above 0 that rise, such as 10, 20, 40")
            elif name != "aggression" and any(edge >= 100 for edge in edges):
                wrong.append(f"grid.{name} must be edges in percent, below 100")
        if cells > MAX_CELLS:
            wrong.append(f"grid has {cells:,} cells: at most {MAX_CELLS:,} are possible")
        if not 1 <= len(self.opponents) < SEATS:
            wrong.append(f"opponents must be 1 to {SEATS - 1} players")
        if any(map(is_untrusted, self.opponents)):
            wrong.append("opponents must be players of this package")
        wrong += no_limit_errors(self.game, "networks")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))


EXPERIMENT = StyleAtlasExperiment


def check(experiment: StyleAtlasExperiment) -> None:
    """Raise an InputError unless all opponents exist and can be compiled."""
    from cardwin.analysis.style_matches import field_forms

    field_forms(experiment.opponents)


def trainer(experiment: StyleAtlasExperiment, executor: Executor, folder: Path) -> "StyleAtlas":  # noqa: ARG001
    """Return an empty atlas."""
    from cardwin.runs.problems.style_atlas.atlas import StyleAtlas

    return StyleAtlas(experiment, executor)
