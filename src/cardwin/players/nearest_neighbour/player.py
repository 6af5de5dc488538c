"""A nearest-neighbour player (the last idea of Reveley 2002): the recorded decision of the nearest situation.

`nearest-neighbour:FILE.phh,player=NAME` reads the hands of one player and stores each decision with its situation. At
the table it searches for the nearest stored situation by one of three distances. A situation is the state variables of
`players.xcs.encoding` as numbers: round, hand strength, potential, the pot (its logarithm), bets to call, players
behind, opponents in, their raises.

| `distance` | definition |
|---|---|
| `euclid` | root of the sum of squares, every variable divided by its standard deviation in the record |
| `city` | sum of absolute differences, scaled in the same way |
| `ordered` | the round first, then bets to call, then hand strength, the rest only if these are equal |

Decisions with unrecorded cards are excluded. Ties go to the decision that was recorded first. A raise has the
recorded size, as a share of the pot after calling.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError, unknown_name
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream
from cardwin.games.base import NOBODY, Action
from cardwin.games.formats.phh import histories_of
from cardwin.games.holdem.events import Event, HandBegan
from cardwin.games.holdem.history import CALL as CALLED
from cardwin.games.holdem.history import FOLD as FOLDED
from cardwin.games.holdem.history import RAISE as RAISED
from cardwin.games.holdem.history import History, positions
from cardwin.games.holdem.hooks import nearest_legal
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.holdem.view import HoldemView
from cardwin.players.kind import REVELEY, PlayerKind
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.encoding import (
    LAST_STREET,
    MEMORY,
    POT,
    THEIR_RAISES,
    begin_hand,
    record_action,
    update_memory,
    variable,
)
from cardwin.players.xcs.player import strength_of

VARIABLES = THEIR_RAISES + 1  # hs, ppot, pot, to_call, round, position, opponents, raises, in the order of `encoding`
DISTANCES = ("euclid", "city", "ordered")
# The weight of each variable for `ordered`: round, bets to call, strength, then the others.
_ORDERED = np.array([1.0, 0.01, 0.01, 100.0, 10_000.0, 0.01, 0.01, 0.01])
_CODES = {FOLDED: FOLD, CALLED: CALL, RAISED: RAISE}


@dataclass(frozen=True)
class RecordedDecisions:
    """Recorded decisions.

    Attributes:
        situations: (n, 8).
        actions: (n,).
        raises: (n,), as shares of the pot.
        hands: (n,), the numbers of the hands.

    """

    situations: Floats
    actions: Ints
    raises: Floats
    hands: Ints

    def first(self, hands: int) -> "RecordedDecisions":
        """Return the decisions of the first hands only."""
        rows = self.hands < hands
        return RecordedDecisions(self.situations[rows], self.actions[rows], self.raises[rows], self.hands[rows])


@kernel
def situation_row(row: Ints, strength: float, potential: float, memory: Ints, situation: Floats) -> None:
    """Write the current situation as numbers (8,)."""
    for kind in range(VARIABLES):
        value = variable(kind, row, strength, potential, memory, 0)
        situation[kind] = np.log(value + 1.0) if kind == POT else value


@kernel
def nearest(situations: Floats, weights: Floats, squared: bool, seen: Floats) -> int:
    """Return the row of situations (n, 8) nearest to `seen` (8,), each difference times its weight (8,)."""
    best, shortest = 0, np.inf
    for row in range(len(situations)):
        distance = 0.0
        for kind in range(len(seen)):
            part = abs(situations[row, kind] - seen[kind]) * weights[kind]
            distance += part * part if squared else part
        if distance < shortest:
            best, shortest = row, distance
    return best


def weights_of(decisions: RecordedDecisions, distance: str) -> Floats:
    """Return the weight of a difference in each variable, (8,)."""
    if distance == "ordered":
        return _ORDERED
    spread = decisions.situations.std(axis=0)
    weights: Floats = np.where(spread > 0, 1.0 / np.where(spread > 0, spread, 1.0), 0.0)
    return weights


class Encoder:
    """An encoder of views as numbers, hand after hand."""

    def __init__(self) -> None:
        self.memory = np.zeros(MEMORY, np.int64)

    def begin_hand(self) -> None:
        """Begin a new hand."""
        begin_hand(self.memory)

    def encode(self, view: HoldemView) -> Floats:
        """Return the current situation, (8,)."""
        if view.street < self.memory[LAST_STREET]:
            self.begin_hand()
        row, situation = np.array(view.row, np.int64), np.zeros(VARIABLES)
        update_memory(self.memory, row)
        situation_row(row, *strength_of(view), self.memory, situation)
        return situation

    def record(self, action: int) -> None:
        """Record the player's action."""
        record_action(self.memory, action, 0.0, 0.0, 0)


def decisions_of(histories: Iterable[History], name: str) -> RecordedDecisions:
    """Return all decisions of a player whose cards are recorded.

    Raises:
        InputError: the histories have no such player, or no cards of it.

    """
    situations, actions, raises, hands, names = [], [], [], [], dict[str, None]()
    for number, history in enumerate(histories):
        names |= dict.fromkeys(history.names)
        seat = history.names.index(name) if name in history.names else NOBODY
        if seat == NOBODY or UNKNOWN in history.hole[seat]:
            continue
        encoder = Encoder()
        for state, step in positions(history):
            if state.actor == seat:
                view = state.view(seat)
                situations.append(encoder.encode(view))
                actions.append(_CODES[step.kind])
                after = view.pot + view.to_call
                raises.append((step.amount - view.current_bet) / after if step.kind == RAISED else 0.0)
                hands.append(number)
                encoder.record(actions[-1])
    if name not in names:
        raise unknown_name("player", name, names)
    if not situations:
        raise InputError(f"{name} has no decisions with recorded cards, expected at least one")
    return RecordedDecisions(np.array(situations), np.array(actions), np.array(raises), np.array(hands))


class NearestNeighbour:
    """A player that imitates the nearest recorded decision.

    Args:
        decisions: the recorded decisions.
        distance: a name in `DISTANCES`.

    Raises:
        InputError: the distance is unknown.

    """

    def __init__(self, decisions: RecordedDecisions, distance: str = "euclid") -> None:
        if distance not in DISTANCES:
            raise unknown_name("distance", distance, DISTANCES)
        self.decisions, self.distance = decisions, distance
        self.weights = weights_of(decisions, distance)
        self.encoder = Encoder()
        self._last: dict[str, Any] = {}

    def predict(self, seen: Floats) -> int:
        """Return the index of the nearest recorded decision."""
        return nearest(self.decisions.situations, self.weights, self.distance == "euclid", seen)

    def watch(self, event: Event) -> None:
        """Begin a hand, if the event does."""
        if isinstance(event, HandBegan):
            self.encoder.begin_hand()

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Return the recorded action, or the nearest legal one."""
        seen = self.encoder.encode(view)
        index = self.predict(seen)
        action, share = int(self.decisions.actions[index]), float(self.decisions.raises[index])
        self._last = {
            "nearest hand": int(self.decisions.hands[index]) + 1,
            "hs": round(float(seen[0]), 4),
            "hs then": round(float(self.decisions.situations[index, 0]), 4),
        }
        amount = view.current_bet + round(share * (view.pot + view.to_call))
        wish = nearest_legal(action, amount, view.to_call > 0, view.min_raise_to, view.max_raise_to)
        self.encoder.record(wish[0])
        return named_action(view, *wish)

    def explain(self) -> Mapping[str, Any]:
        """Return the nearest recorded hand and both hand strengths."""
        return self._last


def read_decisions(path: Path, name: str | None) -> RecordedDecisions:
    """Read the decisions of a player in a PHH or PHHS file.

    Raises:
        InputError: the file cannot be read, or has no decisions of that player.

    """
    if not name:
        raise InputError(f"nearest-neighbour: no player's name, expected nearest-neighbour:{path},player=NAME")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: expected a hand history, .phh or .phhs") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a hand history: {error}") from None
    try:
        return decisions_of(histories_of(text), name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def build_nearest_neighbour(texts: Mapping[str, str]) -> NearestNeighbour:
    """Build the player from a file."""
    if "file" not in texts:
        raise InputError("nearest-neighbour: no file, expected nearest-neighbour:FILE.phh,player=NAME")
    decisions = read_decisions(Path(texts["file"]), texts.get("player"))
    return NearestNeighbour(decisions, texts.get("distance", DISTANCES[0]))


KIND = PlayerKind(
    "does what a player of recorded hands did in the nearest situation, nearest-neighbour:FILE.phh,player=NAME",
    build_nearest_neighbour,
    ("file", "player", "distance"),
    "file",
    needs_file=True,
    example="cardwin.players.nearest_neighbour.training:example",
    example_about="an imitation of `standard`, after 300 hands of it against `call`",
    source=f"the last idea of {REVELEY}, section 4",
)
