"""Loki's opponent model, after Papp (1998): how often somebody folds, calls and raises, and what it may hold.

1. Every action is counted by its context: the round and the bets to call (0, 1, 2 or more), twelve in all. Contexts
   can be replaced: all that is public about a decision is there to be used (`public_hand.Situation`).
2. The frequencies of a context seen fewer than 20 times are mixed with its default, which is the same context of the
   round before, and before the flop a typical player's.
3. An action tells a threshold mu: who raises with a frequency f holds one of the best f of hands, mu = 1 - f; who calls
   does not hold what it would fold, mu = the frequency of folding. Checks tell nothing.
4. A holding of value h keeps the share clamp((h - mu + sigma) / (2 sigma), .01, 1) of its weight, and no weight falls
   below .01. Before the flop h is the income rate, mu is turned into one by its percentile and sigma is 330, and
   thresholds under the fifth percentile tell nothing; later h is EHS' against any two cards and sigma .4 (1 - mu).
5. Once a round, from the weights at its start: of several actions the one with the highest threshold counts.

A holding's value does not know our cards: they are removed only where the opponent's hand is compared with ours.
Generic models use the defaults for everybody, specific ones what each seat did.

**Trust** is ours, not Papp's: a specific model also looks at the hands that are shown. Somebody whose actions mean what
the model thinks shows hands above mu - sigma, somebody who acts whatever it holds shows them as often as they are
dealt. The share in between is how far the model is trusted, by the same rule of 20 observations with full trust as the
default; the rest of the weight stays as it was before anything was seen. It can be switched off.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.ehs_cache import ANY_TWO, board_ehs, effective_strengths
from cardwin.cards.holdings import HOLDINGS, Weights, holding_index
from cardwin.cards.income import GROUPS, group_of, holding_incomes, sorted_incomes
from cardwin.core.kernel import kernel
from cardwin.games.base import Action
from cardwin.games.holdem.table import SEATS, STREETS
from cardwin.players.loki.public_hand import CALLS, FOLDS, RAISES, LokiSituation, PublicHand, counted

Counts = npt.NDArray[np.int64]
MODELS = ("none", "generic", "specific")
LEAST_WEIGHT = 0.01
ENOUGH = 20  # observations that need no default
INCOME_SPREAD = 330.0
TELLS_NOTHING = 0.05  # the percentile below which a threshold before the flop is ignored
_SPREAD = 0.4
_BETS = 3  # 0, 1, 2 or more
_ALL = np.full(HOLDINGS, True)
_TYPICAL = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])  # fold, call, raise by bets to call


@dataclass(frozen=True)
class Contexts:
    """A way to tell situations apart.

    `number` gives a situation its place, 0 to size - 1; `defaults` (size, 3) are frequencies of folding, calling and
    raising; `before` (size,) is the context that stands in while this one was seen little, -1 for the defaults.
    """

    name: str
    number: Callable[[LokiSituation], int]
    defaults: Weights
    before: Counts

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.defaults)


def _number_of_twelve(situation: LokiSituation) -> int:
    return _BETS * situation.street + min(situation.bets_to_call, _BETS - 1)


TWELVE = Contexts(
    "twelve", _number_of_twelve, np.tile(_TYPICAL, (STREETS, 1)), np.maximum(np.arange(STREETS * _BETS) - _BETS, -1)
)


def frequencies(contexts: Contexts, counts: Counts, context: int) -> Weights:
    """How often (3,) somebody folds, calls and raises in a context, from counts (contexts, 3) and defaults."""
    chain = [context]
    while contexts.before[chain[-1]] >= 0:
        chain.append(int(contexts.before[chain[-1]]))
    result: Weights = contexts.defaults[chain[-1]]
    for each in reversed(chain):
        seen = int(counts[each].sum())
        result = counts[each] / seen if seen >= ENOUGH else (counts[each] + result * (ENOUGH - seen)) / ENOUGH
    return result


def threshold_of(shares: Sequence[float] | Weights, what: int, bets_to_call: int) -> float | None:
    """The least percentile of a hand that an action tells of, or None where it tells nothing."""
    if what == RAISES:
        return 1.0 - float(shares[RAISES])
    return float(shares[FOLDS]) if what == CALLS and bets_to_call else None


@kernel
def reweighted(weights: Weights, values: Weights, mean: float, spread: float) -> Weights:
    """New weights (1326,) after an action that tells of a value about the mean."""
    result = np.empty(HOLDINGS)
    for holding in range(HOLDINGS):
        share = (values[holding] - mean + spread) / (2.0 * spread) if spread > 0.0 else 0.0
        result[holding] = max(weights[holding] * min(max(share, LEAST_WEIGHT), 1.0), LEAST_WEIGHT)
    return result


def first_weights(name: str, players: int) -> Weights:
    """The weights (1326,) before anything is seen: all alike (`uniform`), or rising with the income rate (`income`)."""
    if name == "uniform":
        return ANY_TWO
    rates = holding_incomes(GROUPS[group_of(players)])
    weights: Weights = np.maximum((rates - rates.min()) / (rates.max() - rates.min()), LEAST_WEIGHT)
    return weights


class Evidence(NamedTuple):
    """What an action tells: values (1326,) of holdings, which are possible, mean and spread of what it takes."""

    values: Weights
    possible: npt.NDArray[np.bool_]
    mean: float
    spread: float


class OpponentModel:
    """What is known of the seats at a table: counts (10, contexts, 3), and this hand's thresholds by street."""

    def __init__(
        self, kind: str = "specific", first: str = "uniform", contexts: Contexts = TWELVE, doubts: bool = True
    ) -> None:
        self.kind, self.first, self.contexts, self.doubts = kind, first, contexts, doubts
        self.counts = np.zeros((SEATS, contexts.size, 3), np.int64)
        self.shown = np.zeros((SEATS, 3))  # thresholds with a hand shown, hands inside beyond chance, the most possible
        self._thresholds: dict[int, list[float | None]] = {}
        nobody = np.zeros((contexts.size, 3), np.int64)
        self._generic = [frequencies(contexts, nobody, context).tolist() for context in range(contexts.size)]

    def forget(self, seat: int | None = None) -> None:
        """Forget what a seat did, or all of them."""
        which = slice(None) if seat is None else seat
        self.counts[which] = 0
        self.shown[which] = 0

    def begin_hand(self) -> None:
        """Everybody may hold anything again."""
        self._thresholds.clear()

    def observe(self, seat: int, situation: LokiSituation, action: Action) -> None:
        """Count an action, and remember what it tells."""
        context, what = self.contexts.number(situation), counted(action)
        self.counts[seat, context, what] += 1
        specific = self.kind == "specific"
        shares = frequencies(self.contexts, self.counts[seat], context) if specific else self._generic[context]
        evidence = threshold_of(shares, what, situation.bets_to_call)
        thresholds = self._thresholds.setdefault(seat, [None] * STREETS)
        if evidence is not None and evidence > (thresholds[situation.street] or 0.0):
            thresholds[situation.street] = evidence

    def reveal(self, seat: int, cards: tuple[int, int], hand: PublicHand, suitless: bool) -> None:
        """Compare a hand that was shown with what the seat's actions told."""
        if self.kind != "specific" or min(cards) < 0:
            return
        holding = holding_index(*cards)
        for evidence in self._evidence(seat, hand, suitless):
            outside = float((evidence.values[evidence.possible] < evidence.mean - evidence.spread).mean())
            inside = float(evidence.values[holding] >= evidence.mean - evidence.spread)
            self.shown[seat] += (1, inside - (1.0 - outside), outside)

    def trust(self, seat: int) -> float:
        """How far a seat's actions are taken to mean what the model thinks, 0 to 1."""
        seen, beyond, most = map(float, self.shown[seat])
        if not self.doubts or self.kind != "specific" or most <= 0.0:
            return 1.0
        found = min(max(beyond / most, 0.0), 1.0)
        return found if seen >= ENOUGH else (found * seen + ENOUGH - seen) / ENOUGH

    def _evidence(self, seat: int, hand: PublicHand, suitless: bool) -> Iterator[Evidence]:
        """What a seat's actions tell on the streets so far."""
        if self.kind == "none":
            return
        for threshold, board in zip(self._thresholds.get(seat, ()), hand.boards, strict=False):
            if threshold is None or (not board and threshold < TELLS_NOTHING):
                continue
            if board:
                possible = board_ehs(board, suitless).ranks > 0
                yield Evidence(effective_strengths(board, suitless), possible, threshold, _SPREAD * (1.0 - threshold))
            else:
                table = GROUPS[group_of(hand.players)]
                mean = float(sorted_incomes(table)[round(threshold * (HOLDINGS - 1))])
                yield Evidence(holding_incomes(table), _ALL, mean, INCOME_SPREAD)

    def weights(self, seat: int, hand: PublicHand, suitless: bool = False) -> Weights:
        """What a seat may hold (1326,). Holdings that touch the board keep a weight, which nobody asks for."""
        first = first_weights(self.first, hand.players)
        weights = first
        for evidence in self._evidence(seat, hand, suitless):
            weights = reweighted(weights, evidence.values, evidence.mean, evidence.spread)
        trust = self.trust(seat)
        return weights if trust == 1.0 else trust * weights + (1.0 - trust) * first
