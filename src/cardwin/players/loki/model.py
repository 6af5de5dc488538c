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

Three readings of Papp differ from this and can be switched on (`Readings`): income rates for seven players whatever
the number of players, ranges that are normalised before their mean is taken, and thresholds of 0 that count.

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

from cardwin.cards.ehs import ANY_TWO, board_ehs, effective_strengths
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, Weights, holding_index
from cardwin.cards.preflop import GROUPS, group_of, holding_incomes, sorted_incomes
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
SPREAD = 0.4
NO_THRESHOLD = -1.0
BETS = 3  # 0, 1, 2 or more
SEVEN = 2  # the group whose table is for seven players
_ALL = np.full(HOLDINGS, True)
_TYPICAL = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])  # fold, call, raise by bets to call


class Readings(NamedTuple):
    """Which of three readings of Papp are used: see docs/loki.md."""

    seven: bool = False  # before the flop the income rate is that of seven players
    normalised: bool = False  # ranges are divided by their sums before their mean is taken
    zero: bool = False  # a threshold of 0 re-weights too


OURS = Readings()


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


@kernel
def context_of(street: int, bets_to_call: int) -> int:
    """The number of one of Papp's twelve contexts."""
    return BETS * street + min(bets_to_call, BETS - 1)


def _number_of_twelve(situation: LokiSituation) -> int:
    return context_of(situation.street, situation.bets_to_call)


DEFAULTS: Weights = np.tile(_TYPICAL, (STREETS, 1))
BEFORE: Counts = np.maximum(np.arange(STREETS * BETS) - BETS, -1)
TWELVE = Contexts("twelve", _number_of_twelve, DEFAULTS, BEFORE)


@kernel
def write_frequencies(
    counts: Counts, defaults: Weights, before: Counts, context: int, known: bool, shares: Weights
) -> None:
    """Write how often a player folds, calls and raises in a context into shares (3,), as `frequencies`.

    Counts (contexts, 3) are used if they are `known`, otherwise the defaults alone.
    """
    depth, each = 0, context
    while before[each] >= 0:
        depth, each = depth + 1, before[each]
    for what in range(3):
        shares[what] = defaults[each, what]
    for level in range(depth, -1, -1):
        each = context
        for _ in range(level):
            each = before[each]
        seen = counts[each, 0] + counts[each, 1] + counts[each, 2] if known else 0
        for what in range(3):
            count = counts[each, what] if known else 0
            shares[what] = count / seen if seen >= ENOUGH else (count + shares[what] * (ENOUGH - seen)) / ENOUGH


def frequencies(contexts: Contexts, counts: Counts, context: int) -> Weights:
    """How often (3,) a player folds, calls and raises in a context, from counts (contexts, 3) and defaults."""
    shares = np.empty(3)
    write_frequencies(counts, contexts.defaults, contexts.before, context, True, shares)
    return shares


@kernel
def implied_threshold(shares: Weights, what: int, bets_to_call: int) -> float:
    """The least percentile of a hand that an action implies by frequencies (3,), NO_THRESHOLD if nothing."""
    if what == RAISES:
        return 1.0 - float(shares[RAISES])
    return float(shares[FOLDS]) if what == CALLS and bets_to_call > 0 else NO_THRESHOLD


@kernel
def higher_threshold(before: float, implied: float, zero: bool) -> float:
    """The threshold of a street after an action that implies another one; 0 implies nothing unless `zero`."""
    return implied if implied > (before if zero else max(before, 0.0)) else before


@kernel
def reweight(weights: Weights, values: Weights, mean: float, spread: float) -> None:
    """Change weights (1326,) after an action that implies a value about the mean."""
    for holding in range(HOLDINGS):
        share = (values[holding] - mean + spread) / (2.0 * spread) if spread > 0.0 else 0.0
        weights[holding] = max(weights[holding] * min(max(share, LEAST_WEIGHT), 1.0), LEAST_WEIGHT)


def reweighted(weights: Weights, values: Weights, mean: float, spread: float) -> Weights:
    """The same as new weights (1326,)."""
    result = weights.copy()
    reweight(result, values, mean, spread)
    return result


@kernel
def income_place(threshold: float) -> int:
    """The place, among the sorted income rates, of a threshold before the flop."""
    return round(threshold * (HOLDINGS - 1))


@kernel
def trust_in(seen: float, beyond: float, most: float) -> float:
    """How far the reading of a player's actions is trusted, by what it has shown (see `OpponentModel.shown`)."""
    if most <= 0.0:
        return 1.0
    found = min(max(beyond / most, 0.0), 1.0)
    return found if seen >= ENOUGH else (found * seen + ENOUGH - seen) / ENOUGH


@kernel
def write_field(ranges: Weights, count: int, known: int, normalised: bool, field: Weights) -> None:
    """Write the mean of the first ranges (count, 1326) into field (1326,).

    If normalised, each is divided by its sum over the holdings without the known cards, given as bits.
    """
    for holding in range(HOLDINGS):
        field[holding] = ranges[0, holding]
    if count == 1:
        return
    if normalised:
        for number in range(count):
            total = 0.0
            for holding in range(HOLDINGS):
                if (known >> HOLDING_CARDS[holding, 0] | known >> HOLDING_CARDS[holding, 1]) & 1 == 0:
                    total += ranges[number, holding]
            for holding in range(HOLDINGS):
                field[holding] = (field[holding] if number else 0.0) + ranges[number, holding] / total
    else:
        for number in range(1, count):
            for holding in range(HOLDINGS):
                field[holding] += ranges[number, holding]
    for holding in range(HOLDINGS):
        field[holding] /= count


def field_of(ranges: Sequence[Weights], cards: Sequence[int], normalised: bool = False) -> Weights:
    """The mean of ranges (1326,); `cards` are known to us: those on the board and our own."""
    field = np.empty(HOLDINGS)
    write_field(np.array(ranges), len(ranges), sum(1 << card for card in cards), normalised, field)
    return field


def threshold_of(shares: Sequence[float] | Weights, what: int, bets_to_call: int) -> float | None:
    """The least percentile of a hand that an action implies, or None if it implies nothing."""
    found = implied_threshold(np.array(shares, np.float64), what, bets_to_call)
    return None if found == NO_THRESHOLD else float(found)


def first_weights(name: str, players: int) -> Weights:
    """The weights (1326,) before any action: all equal (`uniform`), or rising with the income rate (`income`)."""
    return ANY_TWO if name == "uniform" else income_weights(group_of(players))


def income_weights(group: int) -> Weights:
    """Weights (1326,) that rise with the income rate of a group of players."""
    rates = holding_incomes(GROUPS[group])
    weights: Weights = np.maximum((rates - rates.min()) / (rates.max() - rates.min()), LEAST_WEIGHT)
    return weights


class Evidence(NamedTuple):
    """What an action implies: values (1326,) of holdings, which are possible, mean and spread of the threshold."""

    values: Weights
    possible: npt.NDArray[np.bool_]
    mean: float
    spread: float


class OpponentModel:
    """The model of all players at a table: counts (10, contexts, 3), and this hand's thresholds by seat and street.

    Counts are by the players' numbers, which stay the same when they change seats.
    """

    def __init__(
        self, kind: str = "specific", first: str = "uniform", contexts: Contexts = TWELVE, doubts: bool = True,
        readings: Readings = OURS,
    ) -> None:  # fmt: skip
        self.kind, self.first, self.contexts, self.doubts, self.readings = kind, first, contexts, doubts, readings
        self.counts = np.zeros((SEATS, contexts.size, 3), np.int64)
        self.shown = np.zeros((SEATS, 3))  # thresholds tested, hands above them less chance, its maximum
        self._numbers: Sequence[int] = range(SEATS)
        self._thresholds = np.full((SEATS, STREETS), NO_THRESHOLD)

    def forget(self, seat: int | None = None) -> None:
        """Forget the counts of a seat, or of all."""
        which = slice(None) if seat is None else self._numbers[seat]
        self.counts[which] = 0
        self.shown[which] = 0

    def begin_hand(self, numbers: Sequence[int] = ()) -> None:
        """Reset all ranges. `numbers` are the players in the seats; if there are none, players are known by seat."""
        self._numbers = numbers or range(SEATS)
        self._thresholds[:] = NO_THRESHOLD

    def observe(self, seat: int, situation: LokiSituation, action: Action) -> None:
        """Count an action, and store its threshold."""
        context, what, player = self.contexts.number(situation), counted(action), self._numbers[seat]
        counts, contexts, shares = self.counts[player], self.contexts, np.empty(3)
        counts[context, what] += 1
        write_frequencies(counts, contexts.defaults, contexts.before, context, self.kind == "specific", shares)
        implied = implied_threshold(shares, what, situation.bets_to_call)
        place = seat, situation.street
        self._thresholds[place] = higher_threshold(self._thresholds[place], implied, self.readings.zero)

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
        if not self.doubts or self.kind != "specific":
            return 1.0
        return float(trust_in(*map(float, self.shown[self._numbers[seat]])))

    def _evidence(self, seat: int, hand: PublicHand, suitless: bool) -> Iterator[Evidence]:
        """What a seat's actions imply on the streets so far."""
        if self.kind == "none":
            return
        for threshold, board in zip(self._thresholds[seat].tolist(), hand.boards, strict=False):
            if threshold == NO_THRESHOLD or (not board and threshold < TELLS_NOTHING):
                continue
            if board:
                possible = board_ehs(board, suitless).ranks > 0
                yield Evidence(effective_strengths(board, suitless), possible, threshold, SPREAD * (1.0 - threshold))
            else:
                table = GROUPS[SEVEN if self.readings.seven else group_of(hand.players)]
                yield Evidence(
                    holding_incomes(table), _ALL, float(sorted_incomes(table)[income_place(threshold)]), INCOME_SPREAD
                )

    def weights(self, seat: int, hand: PublicHand, suitless: bool = False) -> Weights:
        """What a seat may hold (1326,). Holdings with a board card keep a weight, which is never used."""
        first = first_weights(self.first, hand.players)
        weights = first
        for evidence in self._evidence(seat, hand, suitless):
            weights = reweighted(weights, evidence.values, evidence.mean, evidence.spread)
        trust = self.trust(seat)
        return weights if trust == 1.0 else trust * weights + (1.0 - trust) * first
