"""The noun of this room: a view in, an action out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cardwin.core.rng import Stream
from cardwin.games.base import Action

if TYPE_CHECKING:
    from cardwin.players.network.networks import NetworkForm

V = TypeVar("V", contravariant=True)


class Player(Protocol[V]):
    """Anything that can sit at a table: it is shown a view and its own stream of luck, and acts.

    It may also have

    - `watch(event)`, to be told public events (a new match and a new hand are announced there);
    - `explain()`, to say why it did what it did last: a line of text, or a mapping of its own thoughts by name, each a
      number, a text, None, or a list or mapping of such (see `thoughts_of`);
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
    (`learner_kernels`), and may begin again among new opponents. A network has its weights in a form of its own.
    """

    kind: int
    parameters: tuple[float, ...] = ()
    steps: tuple[tuple[float, float, float, float], ...] = ()
    counts: int = 0
    forgets: bool = False
    network: "NetworkForm | None" = None


def explanation_of(player: object) -> dict[str, Any]:
    """A player's thoughts at its last decision, by name: a line of text is its `thought`; nothing where it has none."""
    explain = getattr(player, "explain", None)
    said = explain() if explain is not None else {}
    return dict(said) if isinstance(said, Mapping) else {"text": str(said)}


def explanation_line(explanation: Mapping[str, Any]) -> str:
    """The thoughts that are single numbers or texts, in one line."""
    plain = {name: one for name, one in explanation.items() if isinstance(one, int | float | str)}
    texts = {name: f"{one:.3g}" if isinstance(one, float) else str(one) for name, one in plain.items()}
    return ", ".join(text if name == "text" else f"{name} {text}" for name, text in texts.items())
