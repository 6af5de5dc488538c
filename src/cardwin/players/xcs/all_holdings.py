"""A classifier system's actions with all holdings at once, for yardsticks that track its range.

Each holding has its own memory of the hand (the register and its actions), because the rules read it. Every hand
begins with the memory of a new match.
"""

from copy import copy as shallow_copy
from typing import Self

import numpy as np

from cardwin.cards.ehs import EHSTable, ehs_table, strength_and_potential
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.games.holdem.events import Event, HandBegan, MatchBegan
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.view import HOLE, HoldemView
from cardwin.players.xcs.encoding import Coded, begin_hand, reset_memory
from cardwin.players.xcs.player import XcsPlayer, decide_by_rules
from cardwin.players.xcs.rules import Rules

_CARDS = HOLDING_CARDS.astype(np.int64)


@kernel
def measure_all(table: EHSTable, cards: Ints, board: Ints, measures: Floats) -> None:
    """Compute strength and potential (1326, 2) of all holdings, cards (1326, 2); -1 if one shares a board card."""
    for holding in range(len(cards)):
        free = True
        for card in board:
            free = free and card not in (cards[holding, 0], cards[holding, 1])
        measures[holding, 0] = measures[holding, 1] = -1.0
        if free:
            strength, potential = strength_and_potential(table, cards[holding, 0], cards[holding, 1], board)
            measures[holding, 0], measures[holding, 1] = strength, potential


@kernel
def decide_all(
    rules: Rules, coded: Coded, row: Ints, cards: Ints, measures: Floats, memories: Ints, situation: Ints,
    members: Ints, expected: Floats, actions: Ints,
) -> None:  # fmt: skip
    """Decide the actions (1326,) of all holdings, cards (1326, 2), whose strength is not negative.

    measures (1326, 2): strength and potential. The other arguments are those of `decide_by_rules`.
    """
    for holding in range(len(cards)):
        if measures[holding, 0] >= 0.0:
            row[HOLE], row[HOLE + 1] = cards[holding, 0], cards[holding, 1]
            action, _, _ = decide_by_rules(
                rules,
                coded,
                row,
                measures[holding, 0],
                measures[holding, 1],
                memories[holding],
                situation,
                members,
                expected,
            )
            actions[holding] = action


class XcsHoldings:
    """A rule set playing all holdings at once."""

    def __init__(self, player: XcsPlayer) -> None:
        self.player = player
        self._memories = np.stack([player._memory.copy() for _ in range(HOLDINGS)])
        self._measures = np.full((HOLDINGS, 2), -1.0)
        self._board: tuple[int, ...] = (-1,)  # of the measures

    def copy(self) -> Self:
        """Return a copy, to compute actions without changing this one."""
        other = shallow_copy(self)
        other._memories = self._memories.copy()
        return other

    def watch(self, event: Event) -> None:
        """Begin a match or a hand, if the event does."""
        if isinstance(event, MatchBegan | HandBegan):
            (reset_memory if isinstance(event, MatchBegan) else begin_hand)(self._memories[0])
            self._memories[:] = self._memories[0]

    def raise_to(self, view: HoldemView) -> int:
        """Return the total bet of its raises, with any holding."""
        return view.min_raise_to

    def act(self, view: HoldemView) -> Ints:
        """Return its action (1326,) with each holding: fold, call or raise, always legal; memories are updated."""
        if view.suitless:
            raise InputError("classifier systems: actions for all holdings are available only in games with suits")
        if view.board != self._board:
            self._measures, self._board = np.empty((HOLDINGS, 2)), view.board
            measure_all(ehs_table(), _CARDS, np.array(view.board, np.int64), self._measures)
        actions, player = np.full(HOLDINGS, CALL), self.player
        decide_all(
            player.rule_set.rules,
            player.encoding.coded,
            np.array(view.row, np.int64),
            _CARDS,
            self._measures,
            self._memories,
            player._situation,
            player._members,
            player._expected,
            actions,
        )
        if not view.to_call:
            actions[actions == FOLD] = CALL
        if not view.max_raise_to:
            actions[actions == RAISE] = CALL
        return actions
