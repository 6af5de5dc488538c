"""Loki after the flop, after Papp (1998): how good the hand is, and the betting rules in their order.

With n opponents in, HS_n = HS^n against the mean of their weights, PPot and NPot against the same, and
EHS' = HS_n + (1 - HS_n) PPot, EHS = EHS' - HS_n NPot; b is a bet, c the expected cost of staying to the end:

1. EHS' >= .85: bet or raise while fewer than two bets were made, else call.
2. EHS' >= .50: bet if there is no bet; call, but not two bets or more at once.
3. Nothing to call and PPot >= 2b / (pot + 4b + 2b): a semi-bluff, continued on later rounds until an opponent bets.
4. PPot (on the last round HS_n) >= to_call / (pot + to_call): call on pot odds.
5. EHS >= (to_call + c) / (pot + to_call + 2c): call on showdown odds, which can be switched off.
6. Otherwise check or fold.
"""

from dataclasses import dataclass

import numpy as np

from cardwin.cards.all_combos import potentials
from cardwin.cards.ehs_cache import board_ehs
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import Weights, holding_index
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.players.loki.preflop import follow_strategy

RAISING, BETTING = 0.85, 0.50
SEMI_BLUFF = "semi-bluff"


@dataclass(frozen=True, slots=True)
class Rules:
    """Which of the rules 3 to 5 are used; all, except to measure the value of one."""

    semi_bluffs: bool = True
    pot_odds: bool = True
    showdown_odds: bool = True


ALL_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a hand is: strength against one and against all, and how often that changes."""

    hs: float
    hs_n: float
    ppot: float
    npot: float

    @property
    def ehs_bet(self) -> float:
        """EHS', which decides on bets."""
        return self.hs_n + (1.0 - self.hs_n) * self.ppot

    @property
    def ehs(self) -> float:
        """EHS, the probability to have the best hand in the end."""
        return self.ehs_bet - self.hs_n * self.npot


def evaluate(
    hole: tuple[int, ...], board: tuple[int, ...], field: Weights, opponents: int, lookahead: int, suitless: bool
) -> Evaluation:
    """A hand against a number of opponents whose mean weights are the field (1326,)."""
    (a, b), cards = hole, np.array(board)
    ahead = min(lookahead, 5 - len(board))
    if suitless:
        holding = holding_index(a, b)
        hs = float(board_ehs(board, True).strengths(field)[holding])
        ppot, npot = potentials(cards, True, field, ahead)[:, holding].tolist()
    else:
        hs = hand_strength(a, b, cards, field)
        ppot, npot = hand_potential(a, b, cards, field, ahead)
    return Evaluation(hs, hs**opponents, ppot, npot)


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of a decision after the flop and the possible gain: chips, and bets as counted this round.

    `bet` is the size of a bet here, `future` the expected cost of staying in on the rounds to come.
    """

    pot: int
    to_call: int
    bets_made: int
    bets_to_call: int
    called: bool
    bet: float
    future: float
    last_round: bool

    @property
    def odds(self) -> float:
        """The share of the final pot that a call pays."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0

    @property
    def showdown_odds(self) -> float:
        """The same including the bets to come, ours and one opponent's."""
        return (self.to_call + self.future) / (self.pot + self.to_call + 2 * self.future)

    @property
    def semi_bluff(self) -> float:
        """The potential at which a bet and a raise could be called."""
        return 2 * self.bet / (self.pot + 4 * self.bet + 2 * self.bet)


@dataclass(frozen=True, slots=True)
class LokiDecision:
    """FOLD (or check), CALL or RAISE (or bet), the rule that applied, and its threshold."""

    action: int
    rule: str
    threshold: float


def decide(value: Evaluation, price: Price, bluffing: bool, rules: Rules = ALL_RULES) -> LokiDecision:
    """The first rule that applies; `bluffing` means that a semi-bluff is in progress."""
    if value.ehs_bet >= RAISING:
        action = follow_strategy("Make2", price.bets_made, price.bets_to_call, price.called)
        return LokiDecision(action, "raise while fewer than two bets", RAISING)
    if value.ehs_bet >= BETTING:
        action = follow_strategy("Make1", price.bets_made, price.bets_to_call, price.called)
        if action != FOLD:
            return LokiDecision(action, "bet if nobody has, else call", BETTING)
    if not price.to_call:
        if rules.semi_bluffs and not price.last_round and value.ppot >= price.semi_bluff:
            return LokiDecision(RAISE, SEMI_BLUFF, price.semi_bluff)
        if bluffing:
            return LokiDecision(RAISE, "semi-bluff kept up", price.semi_bluff)
        return LokiDecision(FOLD, "nothing to bet with", BETTING)
    chance = value.hs_n if price.last_round else value.ppot
    if rules.pot_odds and chance >= price.odds:
        return LokiDecision(CALL, "pot odds", price.odds)
    if rules.showdown_odds and value.ehs >= price.showdown_odds:
        return LokiDecision(CALL, "showdown odds", price.showdown_odds)
    return LokiDecision(FOLD, "nothing to call with", price.odds)
