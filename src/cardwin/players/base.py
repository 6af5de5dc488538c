"""The noun of this room: a view in, an action out."""

from typing import Protocol, TypeVar

from cardwin.games.base import Action
from cardwin.luck import Stream

V = TypeVar("V", contravariant=True)


class Player(Protocol[V]):
    """Anything that can sit at a table: it is shown a view and its own stream of luck, and acts.

    It may also have `watch(event)`, to be told public events, and `explain()`, to say why it did what it did.
    """

    def act(self, view: V, luck: Stream) -> Action:
        """One of the legal actions."""
