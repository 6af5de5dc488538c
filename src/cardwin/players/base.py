"""The noun of this room: a view in, an action out."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from cardwin.games.base import Action
from cardwin.rng import Stream

V = TypeVar("V", contravariant=True)


class Player(Protocol[V]):
    """Anything that can sit at a table: it is shown a view and its own stream of luck, and acts.

    It may also have
    - `watch(event)`, to be told public events (a new match and a new hand are announced there);
    - `explain()`, to say why it did what it did;
    - `compiled`, a CompiledForm, with which kernels play it where they can, and `remember(parameters, memory)`, to be
      told afterwards what its form has learnt and kept in memory;
    - `stateless = True` if it decides from the view and its stream alone: its hands may then be shared out.
    """

    def act(self, view: V, rng: Stream) -> Action:
        """One of the legal actions."""


@dataclass(frozen=True, slots=True)
class CompiledForm:
    """A player as kernels know it: its kind in `players.kinds`, and what that kind reads.

    Parameters are a robot's. One that learns has steps, (down, up, least, most) for each parameter, counts those hands
    (`learner_kernels`), and may begin again among new opponents.
    """

    kind: int
    parameters: tuple[float, ...] = ()
    steps: tuple[tuple[float, float, float, float], ...] = ()
    counts: int = 0
    forgets: bool = False
