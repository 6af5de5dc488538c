"""The protocol of a player: a view in, an action out; and when a player that keeps failing is disqualified.

After `IN_A_ROW` faults in a row, or as many in total if they are more than `SHARE` of its decisions, a player is not
asked again: it checks or folds to the end. The rule is the same for programs and for compiled players.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream
from cardwin.games.base import Action

V = TypeVar("V", contravariant=True)

IN_A_ROW = 10
SHARE = 0.01
FAULTS_KEPT = 20  # for the report; all are counted
FORFEIT_RULE = (
    "a player forfeits if its process is killed from outside 6 times in a row, if it cannot be started 3 times in a "
    "row, or if it computes more than 2 s and a quarter of the time in which it is not asked; from then on it is not "
    "asked, and checks or folds to the end of the pair, as after 10 faults in a row"
)
LATE_RULE = (
    "a decision is late if the seat's processor time exceeds the limit, or if the wall clock exceeds 4 times the limit "
    "without the time in which the seat waited for a core, or 20 times the limit"
)


@kernel(refcount=False)
def too_many(faults: int, in_a_row: int, decisions: int) -> bool:
    """Return whether these faults disqualify."""
    return in_a_row >= IN_A_ROW or (faults >= IN_A_ROW and faults > SHARE * decisions)


class Player(Protocol[V]):
    """A player at a table: it receives a view and its own random stream, and acts.

    It may also have

    - `watch(event)`, to be notified of public events (including a new match and a new hand);
    - `explain()`, which explains its last decision: a line of text, or a mapping with names, whose values are each a
      number, a text, None, or a list or mapping of such (see `explanation_of`);
    - `compiled`, a `players.compiled.CompiledForm`, which kernels play; `attach(state, row)`, which receives the state
      of its kind and its row there before play, and `remember(state, row)`, which receives them after it;
    - `chances(view)`, the chances of fold, call (or check) and raise (or bet) with which `act` draws a legal action:
      results can then be corrected for its decisions (see `arena.corrections`);
    - `check_table(game, seats)`, which raises an InputError if it cannot play that game with `seats` seats;
    - `stateless = True` if it decides from the view and its stream alone: its hands may then be played in parallel.
    """

    def act(self, view: V, rng: Stream) -> Action:
        """Return one of the legal actions.

        Args:
            view: What the seat may know, with `legal_actions`.
            rng: The player's own random stream.

        Returns:
            An element of `view.legal_actions`; the amount of a bet or raise may be larger, up to the seat's maximum.

        """


class EndedError(Exception):
    """The player's process ended, failed, or sent an invalid answer."""


class ForfeitError(EndedError):
    """The player forfeits by `FORFEIT_RULE`, for the reason in the text."""


class StartError(InputError):
    """A player's process ended, or took too long, before the player was built."""


class OverdueError(Exception):
    """The player did not answer in time."""


class KilledError(InputError):
    """A process outside a pid namespace was killed again and again, maybe by a rival: there is no match."""


class FailedError(InputError):
    """The function of a compiled player from outside the package raised an exception, and there is no match."""


class AbsentPlayer:
    """The seat of an untrusted player that cannot be started: it forfeits."""

    own_timer = True  # the referee needs no alarm
    restarts = 0

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def act(self, view: object, rng: Stream) -> Action:  # noqa: ARG002  the protocol of a player
        """Forfeit."""
        raise ForfeitError(self._reason)


class ProcessPlayer(Protocol):
    """A player in its own process (`players.sandbox.process.IsolatedPlayer`), as the arena asks it.

    `restarts` counts how often the process was killed from outside and started again.
    """

    restarts: int

    def act_many(self, rows: npt.NDArray[np.int64], streams: npt.NDArray[np.int64]) -> list[Any]:
        """Return the answers to many questions, for players that are stateless.

        Args:
            rows: The numbers of each question's view (questions, VIEW_SIZE).
            streams: Key and counter of each question's random stream (questions, 2); the counters are updated.

        Returns:
            One answer per question; an exception instead of an answer if the player failed.

        """


def has_own_process(player: object) -> TypeGuard[ProcessPlayer]:
    """Return whether a player is in its own process (a check of the whole protocol takes microseconds)."""
    return hasattr(player, "act_many")


def explanation_of(player: object) -> dict[str, Any]:
    """Return a player's explanation of its last decision by name; empty if it has none."""
    return explanation_dict(getattr(player, "explain", dict)())


def explanation_dict(explanation: object) -> dict[str, Any]:
    """Return what a player's `explain` returned as a dictionary: a line of text is its `text`."""
    return dict(explanation) if isinstance(explanation, Mapping) else {"text": str(explanation)}


def explanation_line(explanation: Mapping[str, Any]) -> str:
    """Return the single numbers and texts of an explanation in one line."""
    single = {name: value for name, value in explanation.items() if isinstance(value, int | float | str)}
    texts = {name: f"{value:.3g}" if isinstance(value, float) else str(value) for name, value in single.items()}
    return ", ".join(text if name == "text" else f"{name} {text}" for name, text in texts.items())
