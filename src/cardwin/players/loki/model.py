"""Loki's opponent model, after Papp (1998): how often a player folds, calls and raises, and what it may hold.

1. Every action is counted by its context: the round and the bets to call (0, 1, 2 or more), twelve in all. Contexts
   can be replaced: any public fact of a decision may be used (`public_hand.LokiSituation`).
2. The frequencies of a context seen fewer than 20 times are mixed with its default, which is the same context of the
   round before, and before the flop that of a typical player.
3. An action implies a threshold mu: a player that raises with frequency f holds one of the best f of hands, mu = 1 - f;
   a caller does not hold what it would fold, mu = the frequency of folding. Checks imply nothing.
4. A holding of value h keeps the share clamp((h - mu + sigma) / (2 sigma), .01, 1) of its weight, and no weight falls
   below .01. Before the flop h is the income rate, mu is converted to one by its percentile and sigma is 330, and
   thresholds under the fifth percentile imply nothing; later h is EHS' against any two cards and sigma .4 (1 - mu).
5. Once a round, from the weights at its start: of several actions the highest threshold counts.

A holding's value ignores our cards: they are removed only where the opponent's hand is compared with ours.
Generic models use the defaults for all players, specific ones each seat's actions.

**Trust** is ours, not Papp's: a specific model also uses the hands that are shown. A player whose actions match the
model shows hands above mu - sigma; a player who acts regardless of its cards shows them as often as they are
dealt. The position between the two is the trust in the model, by the same rule of 20 observations, with full trust as
the default; the rest of the weight keeps its initial value. It can be switched off.
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
ENOUGH = 20  # observations from which the default is not used
INCOME_SPREAD = 330.0
TELLS_NOTHING = 0.05  # the percentile below which a threshold before the flop is ignored
_SPREAD = 0.4
_BETS = 3  # 0, 1, 2 or more
_ALL = np.full(HOLDINGS, True)
_TYPICAL = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])  # fold, call, raise by bets to call


@dataclass(frozen=True)
class Contexts:
    """A partition of situations.

    `number` is a situation's context, 0 to size - 1; `defaults` (size, 3) are frequencies of folding, calling and
    raising; `before` (size,) is the context used while this one has few observations, -1 for the defaults.
    """

    name: str
    number: Callable[[LokiSituation], int]
    defaults: Weights
    before: Counts

    @property
    def size(self) -> int:
        """The number of contexts."""
        return len(self.defaults)


def _number_of_twelve(situation: LokiSituation) -> int:
    return _BETS * situation.street + min(situation.bets_to_call, _BETS - 1)


TWELVE = Contexts(
    "twelve", _number_of_twelve, np.tile(_TYPICAL, (STREETS, 1)), np.maximum(np.arange(STREETS * _BETS) - _BETS, -1)
)


def frequencies(contexts: Contexts, counts: Counts, context: int) -> Weights:
    """How often (3,) a player folds, calls and raises in a context, from counts (contexts, 3) and defaults."""
    chain = [context]
    while contexts.before[chain[-1]] >= 0:
        chain.append(int(contexts.before[chain[-1]]))
    result: Weights = contexts.defaults[chain[-1]]
    for each in reversed(chain):
        seen = int(counts[each].sum())
        result = counts[each] / seen if seen >= ENOUGH else (counts[each] + result * (ENOUGH - seen)) / ENOUGH
    return result


def threshold_of(shares: Sequence[float] | Weights, what: int, bets_to_call: int) -> float | None:
    """The least percentile of a hand that an action implies, or None if it implies nothing."""
    if what == RAISES:
        return 1.0 - float(shares[RAISES])
    return float(shares[FOLDS]) if what == CALLS and bets_to_call else None


@kernel
def reweighted(weights: Weights, values: Weights, mean: float, spread: float) -> Weights:
    """New weights (1326,) after an action that implies a value about the mean."""
    result = np.empty(HOLDINGS)
    for holding in range(HOLDINGS):
        share = (values[holding] - mean + spread) / (2.0 * spread) if spread > 0.0 else 0.0
        result[holding] = max(weights[holding] * min(max(share, LEAST_WEIGHT), 1.0), LEAST_WEIGHT)
    return result


def first_weights(name: str, players: int) -> Weights:
    """The weights (1326,) before any action: all equal (`uniform`), or rising with the income rate (`income`)."""
    if name == "uniform":
        return ANY_TWO
    rates = holding_incomes(GROUPS[group_of(players)])
    weights: Weights = np.maximum((rates - rates.min()) / (rates.max() - rates.min()), LEAST_WEIGHT)
    return weights


class Evidence(NamedTuple):
    """What an action implies: values (1326,) of holdings, which are possible, mean and spread of the threshold."""

    values: Weights
    possible: npt.NDArray[np.bool_]
    mean: float
    spread: float


class OpponentModel:
    """The model of all players at a table: counts (10, contexts, 3), and this hand's thresholds by street.

    Counts are by the players' numbers, which stay the same when they change seats.
    """

    def __init__(
        self, kind: str = "specific", first: str = "uniform", contexts: Contexts = TWELVE, doubts: bool = True
    ) -> None:
        self.kind, self.first, self.contexts, self.doubts = kind, first, contexts, doubts
        self.counts = np.zeros((SEATS, contexts.size, 3), np.int64)
        self.shown = np.zeros((SEATS, 3))  # thresholds tested, hands above them less chance, its maximum
        self._numbers: Sequence[int] = range(SEATS)
        self._thresholds: dict[int, list[float | None]] = {}
        nobody = np.zeros((contexts.size, 3), np.int64)
        self._generic = [frequencies(contexts, nobody, context).tolist() for context in range(contexts.size)]

    def forget(self, seat: int | None = None) -> None:
        """Forget the counts of a seat, or of all."""
        which = slice(None) if seat is None else self._numbers[seat]
        self.counts[which] = 0
        self.shown[which] = 0

    def begin_hand(self, numbers: Sequence[int] = ()) -> None:
        """Reset all ranges. `numbers` are the players in the seats; if there are none, players are known by seat."""
        self._numbers = numbers or range(SEATS)
        self._thresholds.clear()

    def observe(self, seat: int, situation: LokiSituation, action: Action) -> None:
        """Count an action, and store its threshold."""
        context, what, player = self.contexts.number(situation), counted(action), self._numbers[seat]
        self.counts[player, context, what] += 1
        specific = self.kind == "specific"
        shares = frequencies(self.contexts, self.counts[player], context) if specific else self._generic[context]
        evidence = threshold_of(shares, what, situation.bets_to_call)
        thresholds = self._thresholds.setdefault(seat, [None] * STREETS)
        if evidence is not None and evidence > (thresholds[situation.street] or 0.0):
            thresholds[situation.street] = evidence

    def reveal(self, seat: int, cards: tuple[int, int], hand: PublicHand, suitless: bool) -> None:
        """Compare a hand that was shown with what the seat's actions implied."""
        if self.kind != "specific" or min(cards) < 0:
            return
        holding = holding_index(*cards)
        for evidence in self._evidence(seat, hand, suitless):
            outside = float((evidence.values[evidence.possible] < evidence.mean - evidence.spread).mean())
            inside = float(evidence.values[holding] >= evidence.mean - evidence.spread)
            self.shown[self._numbers[seat]] += (1, inside - (1.0 - outside), outside)

    def trust(self, seat: int) -> float:
        """How far the model's reading of a seat's actions is trusted, 0 to 1."""
        seen, beyond, most = map(float, self.shown[self._numbers[seat]])
        if not self.doubts or self.kind != "specific" or most <= 0.0:
            return 1.0
        found = min(max(beyond / most, 0.0), 1.0)
        return found if seen >= ENOUGH else (found * seen + ENOUGH - seen) / ENOUGH

    def _evidence(self, seat: int, hand: PublicHand, suitless: bool) -> Iterator[Evidence]:
        """What a seat's actions imply on the streets so far."""
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
        """What a seat may hold (1326,). Holdings with a board card keep a weight, which is never used."""
        first = first_weights(self.first, hand.players)
        weights = first
        for evidence in self._evidence(seat, hand, suitless):
            weights = reweighted(weights, evidence.values, evidence.mean, evidence.spread)
        trust = self.trust(seat)
        return weights if trust == 1.0 else trust * weights + (1.0 - trust) * first
