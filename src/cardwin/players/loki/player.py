"""Loki as a player: evaluates its hand, weights what the opponents may hold, and bets by readable rules.

This form follows events and explains its decisions. The compiled form (`state`, `play`) decides by the same kernels,
from the table's record; it is used wherever no explanation is asked for.

At no-limit tables the same rules apply with this mapping: a bet or raise is half of the pot after a call, never less
than the least one; bets to call are counted as in `public_hand`; at most four bets a round are made, as in limit.
In the simple game suits are ignored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.cards.holdings import Weights
from cardwin.core.arrays import Ints
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Joined, MatchBegan, Posted, Shown
from cardwin.games.holdem.static_actions import nearest_legal
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm
from cardwin.players.loki import preflop, state
from cardwin.players.loki.model import MODELS, OURS, TWELVE, Contexts, OpponentModel, Readings, field_of
from cardwin.players.loki.play import LOKI
from cardwin.players.loki.postflop import (
    ALL_RULES,
    RULES,
    SEMI_BLUFF,
    Rules,
    bet_size,
    bets_facing,
    decide,
    effective_bet,
    evaluate,
    pot_odds,
    price_of,
)
from cardwin.players.loki.public_hand import PublicHand
from cardwin.players.loki.ranges import likeliest, values_of
from cardwin.players.robots.static import named_action


@dataclass(frozen=True, slots=True)
class LokiSettings:
    """The settings of a Loki.

    `lookahead` is how many cards it looks ahead, `weights` the model's initial weights; with `doubts` it trusts the
    model less for players whose shown hands contradict their actions; `readings` are those of Papp's thesis.
    """

    model: str = "specific"
    tightness: str = "loose"
    lookahead: int = 1
    rules: Rules = ALL_RULES
    weights: str = "uniform"
    doubts: bool = True
    readings: Readings = OURS


class Loki:
    """The player. It forgets its opponents at a new match unless it `keeps` its loaded counts.

    With Papp's contexts and no counts to keep it has a compiled form; other contexts are in `contexts`.
    """

    def __init__(self, settings: LokiSettings | None = None, contexts: Contexts = TWELVE, keeps: bool = False) -> None:
        self.settings = settings or LokiSettings()
        how = self.settings
        self.model = OpponentModel(how.model, how.weights, contexts, how.doubts, how.readings)
        self.keeps = keeps
        if contexts is TWELVE and not keeps:
            self.compiled = CompiledForm(LOKI, self._numbers())
        self._you = -1
        self._suitless = False
        self._begin(PublicHand())

    def _numbers(self) -> tuple[float, ...]:
        """The settings in the order of `state.SETTINGS`."""
        how, rules = self.settings, self.settings.rules
        named = {
            "model": MODELS.index(how.model), "tightness": preflop.TIGHTNESSES.index(how.tightness),
            "lookahead": how.lookahead, **rules._asdict(), "income_weights": how.weights == "income",
            "doubts": how.doubts, **how.readings._asdict(),
        }  # fmt: skip
        return tuple(float(named[name]) for name in state.SETTINGS)

    def attach(self, lokis: state.Lokis, row: int) -> None:
        """Use the counts of the compiled form, in that row, as its own."""
        self.model.counts, self.model.shown = lokis.counts[row], lokis.shown[row]

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
        row = np.array(view.row, np.int64)
        action = self._after_flop(view, row) if view.board else self._before_flop(view, row)
        wish = (action, view.current_bet + bet_size(row), view.to_call > 0, view.min_raise_to, view.max_raise_to)
        return named_action(view, *nearest_legal(*wish))

    def _catch_up(self, view: HoldemView) -> None:
        """Use the view if no events were received."""
        last = self._view
        if last is None or last.hole != view.hole or last.board != view.board[: len(last.board)]:
            self._begin(PublicHand())
        self._hand = _seen_only(view)

    def _before_flop(self, view: HoldemView, row: Ints) -> int:
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
        return preflop.follow_strategy(plan.strategy, view.raises + 1, bets_facing(row), in_by_choice)

    def _after_flop(self, view: HoldemView, row: Ints) -> int:
        ranges = list(self._ranges(view).values())
        field = field_of(ranges, (*view.board, *view.hole), self.settings.readings.normalised)
        value = evaluate(view.hole, view.board, field, len(ranges), self.settings.lookahead, view.suitless)
        price = price_of(row)
        self._bluffing &= not view.to_call
        decision = decide(value, price, self._bluffing, self.settings.rules)
        self._bluffing |= decision.rule == RULES[SEMI_BLUFF]
        self._explained = {
            "hs": value.hs,
            "hs_n": value.hs_n,
            "ppot": value.ppot,
            "npot": value.npot,
            "ehs": effective_bet(value),
            "odds": pot_odds(price),
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
