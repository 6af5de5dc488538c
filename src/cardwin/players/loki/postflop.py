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

from typing import NamedTuple

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import BOARD
from cardwin.games.holdem.view import BETS, BOARD_SIZE, LIMIT, MIN_RAISE, RAISES, SEAT, STREET, SUITLESS, TO_CALL
from cardwin.players.loki.preflop import MAKE1, MAKE2, follow
from cardwin.players.loki.public_hand import count_bets
from cardwin.players.view_numbers import pot_of

RAISING, BETTING = 0.85, 0.50
# The rules by number, in their order.
RULES = (
    "raise while fewer than two bets",
    "bet if nobody has, else call",
    "semi-bluff",
    "semi-bluff kept up",
    "nothing to bet with",
    "pot odds",
    "showdown odds",
    "nothing to call with",
)
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

    `bet` is the size of a bet now, `future` the expected cost of staying in on the rounds to come.
    """

    pot: int
    to_call: int
    bets_made: int
    bets_to_call: int
    called: bool
    bet: int
    future: int
    last_round: bool


@kernel(refcount=False)
def effective_bet(value: Evaluation) -> float:
    """Return EHS', which decides on bets."""
    return value.hs_n + (1.0 - value.hs_n) * value.ppot


@kernel(refcount=False)
def effective(value: Evaluation) -> float:
    """Return EHS, the probability to have the best hand in the end."""
    return effective_bet(value) - value.hs_n * value.npot


@kernel(refcount=False)
def pot_odds(price: Price) -> float:
    """Return the share of the final pot that a call pays."""
    return price.to_call / (price.pot + price.to_call) if price.to_call else 0.0


@kernel(refcount=False)
def bets_facing(row: Ints) -> int:
    """Return the number of bets to call, from a view's row (VIEW_SIZE,)."""
    return count_bets(row[TO_CALL], row[MIN_RAISE], pot_of(row), row[STREET])


@kernel(refcount=False)
def bet_size(row: Ints) -> int:
    """Return the size of a bet or raise in chips: fixed in limit, half of the pot after a call elsewhere."""
    min_bet = row[MIN_RAISE]
    return int(min_bet if row[LIMIT] else max(min_bet, (pot_of(row) + row[TO_CALL]) // 2))


@kernel(refcount=False)
def price_of(row: Ints) -> Price:
    """Return the price of a decision after the flop from a view's row (VIEW_SIZE,).

    One bet is expected on every round to come, in limit a big one.
    """
    missing, bet = BOARD - row[BOARD_SIZE], bet_size(row)
    to_come = min(missing, 1) if row[SUITLESS] else missing  # the simple game deals its last two cards at once
    big = 2 if row[LIMIT] and to_come == 2 else 1
    called = row[BETS + row[SEAT]] > 0
    future = int(to_come * big * bet)
    return Price(pot_of(row), int(row[TO_CALL]), int(row[RAISES]), bets_facing(row), called, bet, future, to_come == 0)


@kernel(refcount=False)
def against_all(hs: float, opponents: int) -> float:
    """Return HS_n. The compiler gets an exponent that is not whole, so that the power is Python's."""
    return float(hs ** float(opponents))


@kernel(refcount=False)
def choose_action(value: Evaluation, price: Price, bluffing: bool, rules: Rules) -> tuple[int, int, float]:
    """Return the action, the first rule that applies, and its threshold.

    Args:
        value: how good the hand is.
        price: the cost of the decision.
        bluffing: whether a semi-bluff is in progress.
        rules: which rules are used.

    Returns:
        FOLD (or check), CALL or RAISE (or bet); the number of the rule in RULES; the rule's threshold.

    """
    if effective_bet(value) >= RAISING:
        return follow(MAKE2, price.bets_made, price.bets_to_call, price.called), RAISE_RULE, RAISING
    if effective_bet(value) >= BETTING:
        action = follow(MAKE1, price.bets_made, price.bets_to_call, price.called)
        if action != FOLD:
            return action, BET_RULE, BETTING
    if not price.to_call:
        # The potential at which a bet and a raise could be called.
        semi_bluff = 2 * price.bet / (price.pot + 4 * price.bet + 2 * price.bet)
        if rules.semi_bluffs and not price.last_round and value.ppot >= semi_bluff:
            return RAISE, SEMI_BLUFF, semi_bluff
        if bluffing:
            return RAISE, KEPT_UP, semi_bluff
        return FOLD, NO_BET, BETTING
    odds = pot_odds(price)
    if rules.pot_odds and (value.hs_n if price.last_round else value.ppot) >= odds:
        return CALL, POT_ODDS, odds
    # The same including the bets to come, ours and one opponent's.
    showdown_odds = (price.to_call + price.future) / (price.pot + price.to_call + 2 * price.future)
    if rules.showdown_odds and effective(value) >= showdown_odds:
        return CALL, SHOWDOWN_ODDS, showdown_odds
    return FOLD, NO_CALL, odds
