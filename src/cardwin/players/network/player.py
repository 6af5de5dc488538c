"""A network as a Python player: the same kernels as at compiled tables, from a view and the events it watched.

A network reads only fields that a view has: the view is written into a table's record. The aggressiveness of all
players comes from the events that the player receives. At one table this equals the memory of compiled tables. A player
that came from another table has no history here, while compiled tables have that of its whole tournament.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem import view as at
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Joined, MatchBegan, Posted
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import ACTIVE, BOARD, EMPTY, SEATS, Tables, new_tables
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm
from cardwin.players.network.decision import OUTPUTS, SIZES, size_of, typical_ranges
from cardwin.players.network.inputs import (
    BY_SEAT,
    DECISIONS,
    INPUTS,
    NO_ODDS,
    RECENT_DECISIONS,
    RECENT_TOTAL,
    TOTAL,
    aggressiveness,
    begin_hand,
    hands_to_button,
    record_aggression,
    reset_memory,
    winnable,
)
from cardwin.players.network.networks import (
    NetworkForm,
    Networks,
    compute_outputs,
    draw_action,
    draw_bet,
    population_networks,
)
from cardwin.players.robots.static import named_action

Row = npt.NDArray[np.int64]

_CODES = {"fold": FOLD, "check": CALL, "call": CALL}


@kernel
def fill_table(row: Row, tables: Tables) -> None:
    """Fill the first table from a view's row (VIEW_SIZE,), as far as inputs are read from it."""
    t = tables[0]
    t.seats, t.button, t.street, t.actor = row[at.SEAT_COUNT], row[at.BUTTON], row[at.STREET], row[at.SEAT]
    t.current_bet, t.dead, t.big_blind, t.live = row[at.CURRENT_BET], row[at.DEAD], row[at.BIG_BLIND], 0
    t.board_size[t.street] = row[at.BOARD_SIZE]
    for seat in range(SEATS):
        t.stack[seat] = row[at.STACKS + seat]
        t.bet[seat] = row[at.BETS + seat]
        t.start[seat], t.dead_paid[seat] = t.stack[seat] + row[at.CONTRIBUTED + seat], 0
        t.status[seat] = row[at.STATUSES + seat]
        if seat < t.seats:
            t.live += t.status[seat] == ACTIVE
    t.hole[2 * t.actor], t.hole[2 * t.actor + 1] = row[at.HOLE], row[at.HOLE + 1]
    for index in range(BOARD):
        t.board[index] = row[at.BOARD_AT + index]


@kernel
def compute_outputs_in_view(networks: Networks, ids: Row, tables: Tables, row: Row) -> None:
    """Fill the first table from a view's row and compute the network's outputs there; ids (seats,)."""
    fill_table(row, tables)
    compute_outputs(networks, 0, ids, tables[0])


@kernel
def decide_in_view(networks: Networks, ids: Row, tables: Tables, row: Row, rng: Stream) -> tuple[int, int]:
    """Return the network's action in a view, and the total bet if it raises; always legal. ids (seats,)."""
    compute_outputs_in_view(networks, ids, tables, row)
    action = draw_action(networks.out, rng)
    if action == FOLD and row[at.TO_CALL] > 0:
        return FOLD, 0
    if action != RAISE or row[at.MAX_RAISE_TO] == 0:
        return CALL, 0
    seat = row[at.SEAT]
    amount = draw_bet(networks.sizes, networks.out[RAISE], row[at.BETS + seat], row[at.STACKS + seat], rng)
    return RAISE, min(max(amount, row[at.MIN_RAISE_TO]), row[at.MAX_RAISE_TO])


@kernel
def pot_and_position(tables: Tables, row: Row) -> tuple[int, int]:
    """Return two raw inputs in a view: the chips that its seat can win, and the hands until it has the button."""
    fill_table(row, tables)
    return winnable(tables[0], tables[0].actor), hands_to_button(tables[0], tables[0].actor)


class NetworkPlayer:
    """A network in a seat.

    Args:
        form: the network.
        lineage: a description of its origin.

    """

    def __init__(self, form: NetworkForm, lineage: Mapping[str, str] | None = None) -> None:
        self.form, self.lineage = form, dict(lineage or {})
        table = NO_TABLE if form.odds == NO_ODDS else win_odds_store.load()
        self._networks = population_networks(form.weights[None], form, SEATS, table)
        self._tables = new_tables(1)
        self._ids = np.arange(SEATS)
        self._bet = self._big_blind = 0  # the bet to match on this street, from events
        self._view: HoldemView | None = None
        self._did = Action("")

    @property
    def compiled(self) -> CompiledForm:
        """The same network, for kernels."""
        return self.form.compiled

    def watch(self, event: Event) -> None:
        """Update the aggressiveness of all players."""
        memory, ids = self._networks.memory, self._ids
        match event:
            case MatchBegan():
                for seat in range(SEATS):
                    reset_memory(memory, seat)
            case Joined():
                reset_memory(memory, ids[event.seat])
            case HandBegan():
                self._bet, self._big_blind = 0, event.big_blind
                ids[:] = np.arange(SEATS)
                ids[: len(event.players)] = event.players
                for seat, stack in enumerate(event.stacks):
                    if stack > 0:
                        begin_hand(memory, ids[seat])
            case Posted(kind="blind"):
                self._bet = max(self._bet, event.chips)
            case BoardDealt():
                self._bet = 0
            case Acted() if self.form.aggression:
                code, amount = _CODES.get(event.action.name, RAISE), event.action.amount
                record_aggression(memory, ids[event.seat], aggressiveness(code, self._bet, amount, self._big_blind))
                if code == RAISE:
                    self._bet = amount

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Decide as the kernel does."""
        row = np.array(view.row, np.int64)
        action, amount = decide_in_view(self._networks, self._ids, self._tables, row, rng)
        self._view, self._did = view, named_action(view, action, amount)
        return self._did

    def chances(self, view: HoldemView) -> tuple[float, float, float]:
        """Return the probabilities of fold, call and raise in a view; illegal actions count as a check or call."""
        compute_outputs_in_view(self._networks, self._ids, self._tables, np.array(view.row, np.int64))
        fold, call, _ = map(float, self._networks.out)
        if view.to_call == 0:
            fold, call = 0.0, fold + call
        return (fold, call, 1.0 - fold - call) if view.max_raise_to else (fold, 1.0 - fold, 0.0)

    def explain(self) -> Mapping[str, Any]:
        """Return every input of the last decision, raw and scaled, the probabilities, and the range of a raise."""
        view = self._view
        if view is None:
            return {}
        outputs = dict(zip(OUTPUTS, map(float, self._networks.out), strict=True))
        stack, bet = view.stacks[view.seat], view.bets[view.seat]
        explanation: dict[str, Any] = {
            "text": ", ".join(f"{name} {chance:.0%}" for name, chance in outputs.items()),
            "inputs": self._raw(view),
            "scaled": self._networks.inputs[: len(INPUTS)].astype(float).tolist(),
            "outputs": outputs,
        }
        if view.max_raise_to:
            explanation["size"] = SIZES[size_of(self.form.sizes, self._networks.out[RAISE])]
            explanation["sizes"] = {
                name: [_within(view, bet + share * stack) for share in shares]
                for name, shares in typical_ranges(self.form.sizes).items()
            }
        return explanation

    def _raw(self, view: HoldemView) -> dict[str, float]:
        """Return the inputs before scaling, by name."""
        pot, position = pot_and_position(self._tables, np.array(view.row, np.int64))
        odds = float(self._networks.inputs[INPUTS.index("win_odds")])
        raw: dict[str, float] = dict(zip(INPUTS, (pot, view.to_call, view.opponents, odds, position), strict=False))
        for number in range(SEATS):
            seat = (view.seat + number) % view.seats
            is_seated = number < view.seats and view.row[at.STATUSES + seat] != EMPTY
            memory = self._networks.memory[self._ids[seat]]
            means = (_mean(memory[TOTAL], memory[DECISIONS]), _mean(memory[RECENT_TOTAL], memory[RECENT_DECISIONS]))
            values = (float(view.stacks[seat]), *means) if is_seated else (0.0, 0.0, 0.0)
            raw |= {f"{name}_{number}": value for name, value in zip(BY_SEAT, values, strict=True)}
        return {name: raw[name] for name in INPUTS}


def _mean(total: float, count: float) -> float:
    """Return a mean aggressiveness; a player without decisions counts as a caller."""
    return float(total / count) if count else 1.0


def _within(view: HoldemView, amount: float) -> int:
    return int(min(max(round(amount), view.min_raise_to), view.max_raise_to))
