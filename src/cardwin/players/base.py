"""The noun of this room: a view in, an action out."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from cardwin.games.base import Action
from cardwin.rng import Stream

V = TypeVar("V", contravariant=True)


class Player(Protocol[V]):
    """Anything that can sit at a table: it is shown a view and its own stream of luck, and acts.

    It may also have `watch(event)`, to be told public events (a new match and a new hand are announced there), and
    `explain()`, to say why it did what it did. One with `compiled`, a CompiledForm, is played by kernels where it can.
    """

    def act(self, view: V, rng: Stream) -> Action:
        """One of the legal actions."""


@dataclass(frozen=True, slots=True)
class CompiledForm:
    """A player as kernels know it: its kind in `players.compiled`, and its row of parameters."""

    kind: int
    parameters: tuple[float, ...] = ()
