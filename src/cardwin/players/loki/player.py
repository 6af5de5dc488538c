"""Loki as a player: evaluates its hand, weights what the opponents may hold, and bets by readable rules.

At no-limit tables the same rules apply with this mapping: a bet or raise is half of the pot after a call, never less
than the least one; bets to call are counted as in `public_hand`; at most four bets a round are made, as in limit.
In the simple game suits are ignored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.cards.holdings import Weights
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Joined, MatchBegan, Posted, Shown
from cardwin.games.holdem.table import BOARD
from cardwin.games.holdem.view import LIMIT, MIN_RAISE, HoldemView
from cardwin.players.loki import preflop
from cardwin.players.loki.model import TWELVE, Contexts, OpponentModel
from cardwin.players.loki.postflop import ALL_RULES, SEMI_BLUFF, Price, Rules, decide, evaluate
from cardwin.players.loki.public_hand import PublicHand, count_bets
from cardwin.players.loki.ranges import likeliest, values_of
from cardwin.players.robots.static import named_action, nearest_legal


@dataclass(frozen=True, slots=True)
class LokiSettings:
    """The settings of a Loki.

    `lookahead` is how many cards it looks ahead, `weights` the model's initial weights; with `doubts` it trusts the
    model less for players whose shown hands contradict their actions.
    """

    model: str = "specific"
    tightness: str = "loose"
    lookahead: int = 1
    rules: Rules = ALL_RULES
    weights: str = "uniform"
    doubts: bool = True


class Loki:
    """The player. It forgets its opponents at a new match unless it `keeps` its loaded counts."""

    def __init__(self, settings: LokiSettings | None = None, contexts: Contexts = TWELVE, keeps: bool = False) -> None:
        self.settings = settings or LokiSettings()
        self.model = OpponentModel(self.settings.model, self.settings.weights, contexts, self.settings.doubts)
        self.keeps = keeps
        self._you = -1
        self._suitless = False
        self._begin(PublicHand())

    def _begin(self, hand: PublicHand, numbers: Sequence[int] = ()) -> None:
        self.model.begin_hand(numbers)
        self._hand = hand
        self._plan: preflop.Plan | None = None
        self._posted = 0
        self._bluffing = False
        self._view: HoldemView | None = None
        self._explained: dict[str, Any] = {}

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
                if event.seat != self._you and self.settings.model != "none":
                    self.model.observe(event.seat, self._hand.situation(event.seat), event.action)
                self._hand.follow(event)
            case Posted() | BoardDealt():
                self._hand.follow(event)
            case Shown() if event.seat != self._you:
                self.model.reveal(event.seat, event.cards, self._hand, self._suitless)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """The decision of the round's expert, made legal."""
        followed = self._hand.players > 0 and self._hand.boards[-1] == view.board
        if not followed or (self._view is not None and self._view.hole != view.hole):
            self._catch_up(view)
        self._view, self._suitless = view, view.suitless
        bet = _bet_size(view)
        action = self._after_flop(view, bet) if view.board else self._before_flop(view)
        wish = (action, view.current_bet + bet, view.to_call > 0, view.min_raise_to, view.max_raise_to)
        return named_action(view, *nearest_legal(*wish))

    def _catch_up(self, view: HoldemView) -> None:
        """Use the view if no events were received."""
        last = self._view
        if last is None or last.hole != view.hole or last.board != view.board[: len(last.board)]:
            self._begin(PublicHand())
        self._hand = _seen_only(view)

    def _before_flop(self, view: HoldemView) -> int:
        if self._plan is None:
            self._plan, self._posted = preflop.plan_round(view, self.settings.tightness), view.bets[view.seat]
        plan = self._plan
        self._explained = {
            **dict.fromkeys(("hs", "hs_n", "ppot", "npot", "ehs")),  # undefined without a board
            "income": plan.income,
            "position": plan.position,
            "players": plan.players,
            "odds": view.to_call / (view.pot + view.to_call),
            "threshold": plan.threshold,
            "rule": plan.strategy,
        }
        in_by_choice = view.bets[view.seat] > self._posted
        return preflop.follow_strategy(plan.strategy, view.raises + 1, _bets_to_call(view), in_by_choice)

    def _after_flop(self, view: HoldemView, bet: int) -> int:
        ranges = list(self._ranges(view).values())
        field: Weights = ranges[0] if len(ranges) == 1 else np.mean(ranges, axis=0)
        value = evaluate(view.hole, view.board, field, len(ranges), self.settings.lookahead, view.suitless)
        price = _price_of(view, bet)
        self._bluffing &= not view.to_call
        decision = decide(value, price, self._bluffing, self.settings.rules)
        self._bluffing |= decision.rule == SEMI_BLUFF
        self._explained = {
            "hs": value.hs,
            "hs_n": value.hs_n,
            "ppot": value.ppot,
            "npot": value.npot,
            "ehs": value.ehs_bet,
            "odds": price.odds,
            "threshold": decision.threshold,
            "rule": decision.rule,
        }
        return decision.action

    def _ranges(self, view: HoldemView) -> dict[int, Weights]:
        """The range of each opponent still in the hand."""
        return {
            seat: self.model.weights(seat, self._hand, view.suitless)
            for seat, active in enumerate(view.active)
            if active and seat != view.seat
        }

    def explain(self) -> Mapping[str, Any]:
        """The last decision: the evaluation of the hand, the rule that fired, and each opponent's range."""
        view = self._view
        if view is None:
            return {}
        shown = {key: round(one, 6) if isinstance(one, float) else one for key, one in self._explained.items()}
        values, gone = values_of(view.board, self._hand.players, view.suitless), (*view.board, *view.hole)
        opponents = [
            {"seat": seat + 1, "likely": likeliest(weights, values, gone)}
            for seat, weights in self._ranges(view).items()
        ]
        return {**shown, "opponents": opponents}


def _seen_only(view: HoldemView) -> PublicHand:
    """A hand of which only the view is known."""
    players = sum(stack > 0 for stack in view.starting_stacks)
    boards = [view.board[:size] for size in (0, 3, 4, 5) if size <= len(view.board)]
    return PublicHand(players=players, boards=boards)


def _bets_to_call(view: HoldemView) -> int:
    return count_bets(view.to_call, view.row[MIN_RAISE], view.pot, view.street)


def _bet_size(view: HoldemView) -> int:
    """The size of a bet or raise: fixed in limit, half of the pot after a call elsewhere."""
    least = view.row[MIN_RAISE]
    return least if view.row[LIMIT] else max(least, (view.pot + view.to_call) // 2)


def _price_of(view: HoldemView, bet: int) -> Price:
    """The price of a decision after the flop; one bet is expected on every round to come, in limit a big one."""
    missing = BOARD - len(view.board)
    to_come = min(missing, 1) if view.suitless else missing  # the simple game deals its last two cards at once
    big = 2 if view.row[LIMIT] and to_come == 2 else 1
    return Price(
        pot=view.pot,
        to_call=view.to_call,
        bets_made=view.raises,
        bets_to_call=_bets_to_call(view),
        called=view.bets[view.seat] > 0,
        bet=bet,
        future=to_come * big * bet,
        last_round=not to_come,
    )
