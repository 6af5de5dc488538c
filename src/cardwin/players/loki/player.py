"""Loki as a player: evaluates its hand, weights what the opponents may hold, and bets by readable rules.

In Python it decides by the hooks of its compiled form (`play`) on a state of its own, which it updates from events, and
explains its decisions by the numbers that they leave there.

At no-limit tables the same rules apply with this mapping: a bet or raise is half of the pot after a call, never less
than the minimum; bets to call are counted as in `public_hand`; at most four bets a round are made, as in limit.
In the simple game suits are ignored.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

import numpy as np

from cardwin.cards.holdings import HOLDINGS
from cardwin.core.arrays import Ints
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Joined, MatchBegan, Posted, Shown
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm
from cardwin.players.loki import play, state
from cardwin.players.loki.model import TWELVE, Contexts
from cardwin.players.loki.opponent_model import OpponentModel
from cardwin.players.loki.postflop import RULES, bet_size
from cardwin.players.loki.preflop import STRATEGIES
from cardwin.players.loki.public_hand import PublicHand
from cardwin.players.loki.ranges import likeliest
from cardwin.players.loki.state import LokiSettings
from cardwin.players.robots.static import named_action


class Loki:
    """The player. It forgets its opponents at a new match unless it `keeps` its loaded counts.

    With Papp's contexts and no counts to keep it has a compiled form; other contexts are in `model`.
    """

    def __init__(self, settings: LokiSettings | None = None, contexts: Contexts = TWELVE, keeps: bool = False) -> None:
        self.settings = settings or LokiSettings()
        self.model = OpponentModel(self.settings, contexts)
        self.keeps = keeps
        if contexts is TWELVE and not keeps:
            self.compiled = CompiledForm(play.LOKI, self.settings.numbers)
        self.hand = PublicHand()
        self._you = -1
        self._suitless = False
        self._view: HoldemView | None = None

    def attach(self, lokis: state.Lokis, row: int) -> None:
        """Use the counts of the compiled form, in that row, as its own."""
        self.model.use_memory(lokis.counts[row], lokis.shown[row])

    def _begin(self, hand: PublicHand, player_ids: Sequence[int] = ()) -> None:
        self.model.begin_hand(player_ids)
        self.hand, self._view = hand, None

    def watch(self, event: Event) -> None:
        """Follow the hand, and learn from the opponents' actions."""
        match event:
            case MatchBegan() if not self.keeps:
                self.model.forget()
            case Joined():
                self.model.forget(event.seat)
            case HandBegan():
                self._you = event.you
                self._begin(PublicHand.begun(event), event.players)
            case Acted():
                if event.seat != self._you:
                    self.model.observe(event.seat, self.hand.situation(event.seat), event.action)
                self.hand.follow(event)
            case Posted() | BoardDealt():
                self.hand.follow(event)
            case Shown() if event.seat != self._you:
                self.model.reveal(event.seat, event.cards, self.hand, self._suitless)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Return the decision of the round's expert, made legal."""
        followed = self.hand.players > 0 and self.hand.boards[-1] == view.board
        last = self._view
        if not followed or (last is not None and last.hole != view.hole):
            # Without events everything that is known is in the view.
            if last is None or last.hole != view.hole or last.board != view.board[: len(last.board)]:
                self._begin(PublicHand())
            self.hand = PublicHand.seen_in(view)
        self._view, self._suitless = view, view.suitless
        return named_action(view, *self.model.decide(view, self.hand))

    def explain(self) -> Mapping[str, Any]:
        """Return the last decision: the evaluation of the hand, the rule that fired, and each opponent's range."""
        view = self._view
        if view is None:
            return {}
        numbers = [round(number, 6) for number in self.model.slot.state.explained.tolist()]
        evaluation = numbers[state.HS : state.EHS + 1] if view.board else [None] * 5  # undefined without a board
        explanation: dict[str, Any] = dict(zip(("hs", "hs_n", "ppot", "npot", "ehs"), evaluation, strict=True))
        if not view.board:
            explanation["income"], explanation["position"] = numbers[state.INCOME], int(numbers[state.POSITION])
            explanation["players"] = numbers[state.EXPECTED_PLAYERS]
        explanation["odds"], explanation["threshold"] = numbers[state.ODDS], numbers[state.THRESHOLD]
        explanation["rule"] = (RULES if view.board else STRATEGIES)[int(numbers[state.RULE])]
        values, gone = self.model.values(self.hand, view.suitless), (*view.board, *view.hole)
        explanation["opponents"] = [
            {"seat": seat + 1, "likely": likeliest(self.model.weights(seat, self.hand, view.suitless), values, gone)}
            for seat, active in enumerate(view.active)
            if active and seat != view.seat
        ]
        return explanation


class LokiHoldings:
    """What a Loki does with every holding at once, for yardsticks that keep its range.

    Its model of the opponents does not depend on its own cards, so that it is followed once. Each holding has its own
    strategy before the flop, and its own semi-bluff in progress after it.
    """

    def __init__(self, loki: Loki) -> None:
        self.loki = loki
        self._begin()

    def _begin(self) -> None:
        self._strategies = np.full(HOLDINGS, state.NOT_CHOSEN)
        self._bluffing = np.zeros(HOLDINGS, np.bool_)

    def copy(self) -> Self:
        """Return a copy in the same state, to ask what it would do."""
        return deepcopy(self)

    def watch(self, event: Event) -> None:
        """Follow the hand."""
        self.loki.watch(event)
        if isinstance(event, HandBegan):
            self._begin()

    def raise_to(self, view: HoldemView) -> int:
        """Return the total bet of its raises, with any holding."""
        return min(max(view.current_bet + bet_size(np.array(view.row, np.int64)), view.min_raise_to), view.max_raise_to)

    def act(self, view: HoldemView) -> Ints:
        """Return its legal action (1326,) with each holding: fold, call or raise. What it has decided is stored."""
        return self.loki.model.decide_all(view, self.loki.hand, self._strategies, self._bluffing)
