"""What a Loki does with every holding at once, for yardsticks that keep its range.

Its model of the opponents does not depend on its own cards, so that it is followed once. Before the flop each holding
has its own strategy, chosen at the first turn; after it strength and potential are computed for all holdings together
(`cards.all_combos`), and whether a semi-bluff is in progress is kept for each.
"""

from copy import deepcopy
from typing import Self

import numpy as np

from cardwin.cards.all_combos import potentials
from cardwin.cards.ehs import board_ehs
from cardwin.cards.holdings import HOLDINGS, Weights
from cardwin.cards.preflop import GROUPS, group_of, holding_incomes
from cardwin.core.arrays import Bools, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.events import Event, HandBegan
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import BOARD
from cardwin.games.holdem.view import HoldemView
from cardwin.players.loki import preflop
from cardwin.players.loki.model import field_of
from cardwin.players.loki.player import Loki
from cardwin.players.loki.postflop import (
    SEMI_BLUFF,
    Evaluation,
    Rules,
    against_all,
    bet_size,
    bets_facing,
    choose_action,
    price_of,
)


class LokiHoldings:
    """A Loki with all holdings at once."""

    def __init__(self, loki: Loki) -> None:
        self.loki = loki
        self._strategies: list[str] = []
        self._posted = 0
        self._bluffing = np.zeros(HOLDINGS, np.bool_)

    def same(self) -> Self:
        """Another one in the same state, to ask what it would do."""
        return deepcopy(self)

    def watch(self, event: Event) -> None:
        """Follow the hand."""
        self.loki.watch(event)
        if isinstance(event, HandBegan):
            self._strategies, self._bluffing = [], np.zeros(HOLDINGS, np.bool_)

    def raise_to(self, view: HoldemView) -> int:
        """The total bet of its raises, with any holding."""
        return min(max(view.current_bet + bet_size(np.array(view.row, np.int64)), view.min_raise_to), view.max_raise_to)

    def act(self, view: HoldemView) -> Ints:
        """Its action (1326,) with each holding: fold, call or raise, always legal. What it has decided is kept."""
        actions = self._after_flop(view) if view.board else self._before_flop(view)
        if not view.to_call:
            actions[actions == FOLD] = CALL
        if not view.max_raise_to:
            actions[actions == RAISE] = CALL
        return actions

    def _before_flop(self, view: HoldemView) -> Ints:
        if not self._strategies:
            group, position = group_of(preflop.expected_players(view)), preflop.position_of(view)
            incomes = holding_incomes(GROUPS[group]).tolist()
            chosen = {
                income: preflop.choose_strategy(income, group, position, self.loki.settings.tightness)[0]
                for income in set(incomes)
            }
            self._strategies, self._posted = [chosen[income] for income in incomes], view.bets[view.seat]
        by_choice, facing = view.bets[view.seat] > self._posted, bets_facing(np.array(view.row, np.int64))
        found = {
            name: preflop.follow_strategy(name, view.raises + 1, facing, by_choice) for name in set(self._strategies)
        }
        return np.array([found[name] for name in self._strategies], np.int64)

    def _after_flop(self, view: HoldemView) -> Ints:
        loki, board = self.loki, np.array(view.board)
        ranges = list(loki._ranges(view).values())
        field = field_of(ranges, view.board, loki.settings.readings.normalised)
        strengths = board_ehs(view.board, view.suitless).strengths(field)
        ahead = min(loki.settings.lookahead, BOARD - len(view.board))
        better, worse = potentials(board, view.suitless, field, ahead)
        if view.to_call:
            self._bluffing[:] = False
        actions = np.empty(HOLDINGS, np.int64)
        row, rules = np.array(view.row, np.int64), loki.settings.rules
        choose_all(strengths, better, worse, len(ranges), row, rules, self._bluffing, actions)
        return actions


@kernel
def choose_all(
    strengths: Weights, better: Weights, worse: Weights, opponents: int, row: Ints, rules: Rules, bluffing: Bools,
    actions: Ints,
) -> None:  # fmt: skip
    """The action (1326,) with each holding of a strength and potentials (1326,); bluffing (1326,) is updated."""
    price = price_of(row)
    for holding in range(HOLDINGS):
        hs = strengths[holding]
        value = Evaluation(hs, against_all(hs, opponents), better[holding], worse[holding])
        actions[holding], rule, _ = choose_action(value, price, bluffing[holding], rules)
        if rule == SEMI_BLUFF:
            bluffing[holding] = True
