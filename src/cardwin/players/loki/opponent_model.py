"""A Loki's state in Python, with its model of the opponents: the compiled form's kernels, called from Python.

The state is a structure of one row (`state.Lokis`), updated by the same kernels as at compiled tables. What these read
of a hand is copied from a `PublicHand` into a table's record.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cardwin.cards.holdings import HOLDINGS, Weights, holding_index
from cardwin.core.arrays import Bools, Floats, Ints
from cardwin.core.intrinsics import address_of, function_at
from cardwin.core.kernel import COMPILED, kernel
from cardwin.games.base import Action
from cardwin.games.holdem.hooks import DECIDE, SIGNATURES
from cardwin.games.holdem.table import SEATS, Tables, new_tables
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import Slot
from cardwin.players.loki import play, state
from cardwin.players.loki.model import NO_THRESHOLD, TWELVE, Contexts
from cardwin.players.loki.preflop import group_at
from cardwin.players.loki.public_hand import ACTION_KINDS, LokiSituation, PublicHand
from cardwin.players.loki.state import LokiSettings

_decide = function_at(SIGNATURES[DECIDE])
_NO_STREAMS = np.zeros((SEATS, 2), np.int64)  # a Loki draws nothing


@kernel
def decide_at(function: Any, address: Any, ids: Ints, tables: Tables, streams: Ints) -> tuple[int, int]:
    """Call a Loki's function `decide` for the first table."""
    return _decide(function, (address, 0, ids, tables[0], streams))  # type: ignore[no-any-return]


@kernel
def reveal_at(address: Any, seat: int, player_id: int, tables: Tables, holding: int) -> None:
    """Call `reveal` for the first table."""
    play.reveal(address, 0, seat, player_id, tables[0], holding)


@kernel
def write_range_at(address: Any, seat: int, player_id: int, tables: Tables, out: Floats) -> None:
    """Call `write_range` for the first table."""
    play.write_range(address, 0, seat, player_id, tables[0], out)


@kernel
def read_board_at(address: Any, tables: Tables, street: int) -> None:
    """Call `read_board` for the first table."""
    play.read_board(address, tables[0], street)


class OpponentModel:
    """The state of a Loki in Python, with its model of all players at a table.

    Counts are by the players' numbers, which stay the same when they change seats.

    Attributes:
        settings: The settings.
        contexts: The situations in which actions are counted together.
        player_ids: The players' numbers by seat.

    """

    def __init__(self, settings: LokiSettings | None = None, contexts: Contexts = TWELVE) -> None:
        self.settings, self.contexts = settings or LokiSettings(), contexts
        self.player_ids = np.arange(SEATS)
        self._lokis = state.new_lokis([self.settings.numbers], contexts)
        self._lokis.notes[0, state.FILLED] = 1
        self._lokis.notes[0, state.PLACES :] = self.player_ids
        self._tables = new_tables(1)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for copies, which have their own tables and scratch."""
        return {name: value for name, value in vars(self).items() if name != "slot"}

    @cached_property
    def slot(self) -> Slot:
        """The state with tables, which are loaded at the first decision."""
        return Slot(play.LOKI, play.with_tables(self._lokis))

    @property
    def address(self) -> Any:
        """The address of the state; with the compiler off, the state."""
        return self.slot.words.ctypes.data if COMPILED else self.slot.state

    @property
    def counts(self) -> Ints:
        """The counted actions (players, contexts, 3)."""
        counts: Ints = self._lokis.counts[0]
        return counts

    @property
    def shown(self) -> Floats:
        """What was shown (players, 3), as in `Lokis`."""
        shown: Floats = self._lokis.shown[0]
        return shown

    def use_memory(self, counts: Ints, shown: Floats) -> None:
        """Use these arrays as counts and shown, without a copy."""
        self._lokis = self._lokis._replace(counts=counts[None], shown=shown[None])
        vars(self).pop("slot", None)

    def forget(self, seat: int | None = None) -> None:
        """Forget the counts of a seat, or of all."""
        players = slice(None) if seat is None else self.player_ids[seat]
        self.counts[players] = 0
        self.shown[players] = 0

    def begin_hand(self, player_ids: Sequence[int] = ()) -> None:
        """Begin a hand. Without the numbers of the players in the seats, players are known by seat."""
        self.player_ids = np.array(player_ids or range(SEATS))
        self._lokis.notes[0, state.STRATEGY : state.BLUFFING + 1] = state.NOT_CHOSEN, 0, 0
        self._lokis.thresholds[:] = NO_THRESHOLD

    def observe(self, seat: int, situation: LokiSituation, action: Action) -> None:
        """Count an action, and store its threshold."""
        if self.settings.model != "none":
            context, player_id = self.contexts.number(situation), int(self.player_ids[seat])
            kind, bets = ACTION_KINDS[action.name], situation.bets_to_call
            play.observe(self.address, 0, seat, player_id, situation.street, context, bets, kind)

    def reveal(self, seat: int, cards: tuple[int, int], hand: PublicHand, suitless: bool) -> None:
        """Compare a hand that was shown with what the seat's actions implied."""
        if self.settings.model == "specific" and min(cards) >= 0:
            self._follow(hand, suitless)
            holding = int(holding_index(*cards))
            reveal_at(self.address, seat, int(self.player_ids[seat]), self._tables, holding)

    def weights(self, seat: int, hand: PublicHand, suitless: bool = False) -> Weights:
        """Return what a seat may hold (1326,). Holdings with a board card keep a weight, which is never used."""
        self._follow(hand, suitless)
        weights = np.empty(HOLDINGS)
        write_range_at(self.address, seat, int(self.player_ids[seat]), self._tables, weights)
        return weights

    def values(self, hand: PublicHand, suitless: bool = False) -> Weights:
        """Return the values that order holdings (1326,): the income rate before the flop, EHS' after it."""
        self._follow(hand, suitless)
        lokis = self.slot.state
        if hand.street == 0:
            return lokis.rates[state.RATES + lokis.notes[0, state.GROUP]].copy()  # type: ignore[no-any-return]
        read_board_at(self.address, self._tables, hand.street)
        return lokis.values[hand.street - 1].copy()  # type: ignore[no-any-return]

    def decide(self, view: HoldemView, hand: PublicHand) -> tuple[int, int]:
        """Return the action, and the total bet of a raise."""
        self._follow(hand, view.suitless)
        self.slot.state.seen[:] = view.row
        function = address_of(play.LOKI.functions.decide)
        return decide_at(function, self.address, self.player_ids, self._tables, _NO_STREAMS)

    def decide_all(self, view: HoldemView, hand: PublicHand, strategies: Ints, bluffing: Bools) -> Ints:
        """Return the actions (1326,) with each holding; `play.decide_all` describes strategies and bluffing."""
        self._follow(hand, view.suitless)
        self.slot.state.seen[:] = view.row
        actions = np.empty(HOLDINGS, np.int64)
        play.decide_all(self.address, self.player_ids, self._tables, strategies, bluffing, actions)
        return actions

    def _follow(self, hand: PublicHand, suitless: bool) -> None:
        """Copy what the kernels read of a hand."""
        table, board = self._tables, hand.boards[-1]
        table["street"], table["suitless"] = hand.street, suitless
        table["board_size"][0, : len(hand.boards)] = [len(each) for each in hand.boards]
        table["board"][0, : len(board)] = board
        self._lokis.notes[0, state.GROUP] = group_at(float(hand.players))
