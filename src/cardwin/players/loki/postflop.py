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
from typing import NamedTuple

import numpy as np

from cardwin.cards.all_combos import potentials, rank_holdings, strengths
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import HOLDINGS, Weights
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import BOARD
from cardwin.games.holdem.view import (
    BETS,
    BOARD_SIZE,
    LIMIT,
    MIN_RAISE,
    RAISES,
    SEAT,
    STREET,
    SUITLESS,
    TO_CALL,
)
from cardwin.players.loki.preflop import MAKE1, MAKE2, follow
from cardwin.players.loki.public_hand import count_bets
from cardwin.players.view_numbers import pot_of

RAISING, BETTING = 0.85, 0.50
# The rules by number, in their order.
RULES = ("raise while fewer than two bets", "bet if nobody has, else call", "semi-bluff", "semi-bluff kept up",
         "nothing to bet with", "pot odds", "showdown odds", "nothing to call with")  # fmt: skip
RAISE_RULE, BET_RULE, SEMI_BLUFF, KEPT_UP, NO_BET, POT_ODDS, SHOWDOWN_ODDS, NO_CALL = range(len(RULES))


class Rules(NamedTuple):
    """Which of the rules 3 to 5 are used; all, except to measure the value of one."""

    semi_bluffs: bool = True
    pot_odds: bool = True
    showdown_odds: bool = True


ALL_RULES = Rules()


class Evaluation(NamedTuple):
    """How good a hand is: strength against one and against all, and how often that changes."""

    hs: float
    hs_n: float
    ppot: float
    npot: float


class Price(NamedTuple):
    """The cost of a decision after the flop and the possible gain: chips, and bets as counted this round.

    `bet` is the size of a bet here, `future` the expected cost of staying in on the rounds to come.
    """

    pot: int
    to_call: int
    bets_made: int
    bets_to_call: int
    called: bool
    bet: int
    future: int
    last_round: bool


@dataclass(frozen=True, slots=True)
class LokiDecision:
    """FOLD (or check), CALL or RAISE (or bet), the rule that applied, and its threshold."""

    action: int
    rule: str
    threshold: float


@kernel
def effective_bet(value: Evaluation) -> float:
    """EHS', which decides on bets."""
    return value.hs_n + (1.0 - value.hs_n) * value.ppot


@kernel
def effective(value: Evaluation) -> float:
    """EHS, the probability to have the best hand in the end."""
    return effective_bet(value) - value.hs_n * value.npot


@kernel
def pot_odds(price: Price) -> float:
    """The share of the final pot that a call pays."""
    return price.to_call / (price.pot + price.to_call) if price.to_call else 0.0


@kernel
def showdown_odds(price: Price) -> float:
    """The same including the bets to come, ours and one opponent's."""
    return (price.to_call + price.future) / (price.pot + price.to_call + 2 * price.future)


@kernel
def semi_bluff(price: Price) -> float:
    """The potential at which a bet and a raise could be called."""
    return 2 * price.bet / (price.pot + 4 * price.bet + 2 * price.bet)


@kernel
def bets_facing(row: Ints) -> int:
    """The number of bets to call, from a view's row."""
    return count_bets(row[TO_CALL], row[MIN_RAISE], pot_of(row), row[STREET])


@kernel
def bet_size(row: Ints) -> int:
    """The size of a bet or raise: fixed in limit, half of the pot after a call elsewhere."""
    least = row[MIN_RAISE]
    return int(least if row[LIMIT] else max(least, (pot_of(row) + row[TO_CALL]) // 2))


@kernel
def price_of(row: Ints) -> Price:
    """The price of a decision after the flop; one bet is expected on every round to come, in limit a big one."""
    missing, bet = BOARD - row[BOARD_SIZE], bet_size(row)
    to_come = min(missing, 1) if row[SUITLESS] else missing  # the simple game deals its last two cards at once
    big = 2 if row[LIMIT] and to_come == 2 else 1
    return Price(pot_of(row), int(row[TO_CALL]), int(row[RAISES]), bets_facing(row), row[BETS + row[SEAT]] > 0, bet,
                 int(to_come * big * bet), to_come == 0)  # fmt: skip


@kernel
def evaluate_one(a: int, b: int, board: Ints, suitless: bool, field: Weights, opponents: int, ahead: int) -> Evaluation:
    """Cards a and b on a board (3..5,) against a field (1326,), looking ahead by so many cards."""
    if suitless:
        holding, ranks, order = holding_at(a, b), np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
        hs = strengths(ranks, order, rank_holdings(board, True, ranks, order), field)[holding]
        found = potentials(board, True, field, ahead)
        ppot, npot = found[0, holding], found[1, holding]
    else:
        hs = hand_strength(a, b, board, field)
        ppot, npot = hand_potential(a, b, board, field, ahead)
    return Evaluation(hs, against_all(hs, opponents), ppot, npot)


@kernel
def against_all(hs: float, opponents: int) -> float:
    """HS_n; a power with an exponent that is not whole for the compiler, so that it is Python's."""
    return float(hs ** float(opponents))


@kernel
def holding_at(a: int, b: int) -> int:
    """The number of the holding of two cards."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


@kernel
def choose_action(value: Evaluation, price: Price, bluffing: bool, rules: Rules) -> tuple[int, int, float]:
    """The action, the first rule that applies, and its threshold; `bluffing` means a semi-bluff is in progress."""
    if effective_bet(value) >= RAISING:
        return follow(MAKE2, price.bets_made, price.bets_to_call, price.called), RAISE_RULE, RAISING
    if effective_bet(value) >= BETTING:
        action = follow(MAKE1, price.bets_made, price.bets_to_call, price.called)
        if action != FOLD:
            return action, BET_RULE, BETTING
    if not price.to_call:
        if rules.semi_bluffs and not price.last_round and value.ppot >= semi_bluff(price):
            return RAISE, SEMI_BLUFF, semi_bluff(price)
        if bluffing:
            return RAISE, KEPT_UP, semi_bluff(price)
        return FOLD, NO_BET, BETTING
    chance = value.hs_n if price.last_round else value.ppot
    if rules.pot_odds and chance >= pot_odds(price):
        return CALL, POT_ODDS, pot_odds(price)
    if rules.showdown_odds and effective(value) >= showdown_odds(price):
        return CALL, SHOWDOWN_ODDS, showdown_odds(price)
    return FOLD, NO_CALL, pot_odds(price)


def evaluate(
    hole: tuple[int, ...], board: tuple[int, ...], field: Weights, opponents: int, lookahead: int, suitless: bool
) -> Evaluation:
    """A hand against a number of opponents whose mean weights are the field (1326,)."""
    (a, b), ahead = hole, min(lookahead, BOARD - len(board))
    return evaluate_one(a, b, np.array(board, np.int64), suitless, field, opponents, ahead)


def decide(value: Evaluation, price: Price, bluffing: bool, rules: Rules = ALL_RULES) -> LokiDecision:
    """`choose_action`, with the rule's name."""
    action, rule, threshold = choose_action(value, price, bluffing, rules)
    return LokiDecision(action, RULES[rule], threshold)
