"""A kind of player: everything that matches, the gallery, champions, `explain` and the page know about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from cardwin.core.registry import load
from cardwin.games.holdem.view import HoldemView
from cardwin.games.specs import Parameters
from cardwin.players.base import Player
from cardwin.players.compiled import CompiledKind

HoldemPlayer: TypeAlias = Player[HoldemView]
NICOLAI = "[Nicolai and Hilderman](../papers/nicolai.md)"
CHEN = "[Chen (2018)](../papers/chen.md)"
REVELEY = "[Reveley (2002)](../papers/reveley.md)"


class ForeignKind:
    """A kind of player from outside the package, by the name of its module and its own. Calling it builds a player.

    A plain class builds players too; this one takes parameters, as texts or numbers.
    """

    name: str
    __qualname__: str

    def __call__(self, **values: str | float) -> HoldemPlayer:
        """Return a player with some parameters changed."""
        raise NotImplementedError


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player.

    Attributes:
        title: A line that describes it.
        build: Returns a player from the texts of its parameters.
        parameters: The names that a specification may set.
        main_parameter: The parameter of a value without a name, such as the file in `net:large-hof`.
        compiled: The functions and states by which kernels play it, or the number of a static player; None if it is
            called in Python.
        suffix: Of the files that players of this kind are stored in.
        saved_as: The name of the kind in the metadata of these files, if it is another one.
        needs_file: Whether there is no such player without a file.
        example: For a kind without shipped files: a function as "module:function", which writes a file into a folder
            and returns a specification.
        example_about: A description of that file.
        source: The kind's origin (Markdown, seen from docs/gallery).
        game: The game that the gallery shows.
        games: The games of champions that play another one.
        heads_up: Whether it plays with one opponent only.

    """

    title: str
    build: Callable[[Parameters], HoldemPlayer]
    parameters: tuple[str, ...] = ()
    main_parameter: str = ""
    compiled: CompiledKind | int | None = None
    suffix: str = ""
    saved_as: str = ""
    needs_file: bool = False
    example: str = ""
    example_about: str = ""
    source: str = ""
    game: str = "holdem-nl"
    games: Mapping[str, str] = field(default_factory=dict)
    heads_up: bool = False

    def make_example(self, folder: Path) -> str:
        """Write an example's file into a folder.

        Args:
            folder: The folder that receives the file.

        Returns:
            The specification of a player that reads it.

        """
        spec: str = load(self.example)(folder)
        return spec
