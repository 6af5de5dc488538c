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
Generic models use the defaults for all players, specific ones each player's actions.

Three readings of Papp differ from this and can be switched on (see docs/loki.md): income rates for seven players
whatever the number of players, ranges that are normalised before their mean is taken, and thresholds of 0 that count.

**Trust** is ours, not Papp's: a specific model also uses the hands that are shown. A player whose actions match the
model shows hands above mu - sigma; a player who acts regardless of its cards shows them as often as they are
dealt. The position between the two is the trust in the model, by the same rule of 20 observations, with full trust as
the default; the rest of the weight keeps its initial value. It can be switched off.

**Contexts.** Papp (1998) used the round and the bets to call. Reveley (2002) named others as a direction of research:
the pot odds, the number of players, what the player did last. Here each replaces or refines the bets to call:

- `bets`: round x bets to call (0, 1, 2 or more), Papp's twelve;
- `pot-odds`: round x price of a call (nothing, up to a fifth of the final pot, more), twelve;
- `players`: `bets` x players still in (2, 3 or 4, 5 or more), thirty-six;
- `last-action`: `bets` x what the player did before on this street (nothing, check or call, bet or raise), thirty-six.

The default frequencies are those of Papp's table for the same bets to call; a call above a fifth of the pot has those
of two bets. While a context has few observations, that of the round before is used.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, Weights
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.table import STREETS
from cardwin.players.loki.public_hand import CALLS, FOLDS, RAISES, LokiSituation

MODELS = ("none", "generic", "specific")
MIN_WEIGHT = 0.01
MIN_OBSERVATIONS = 20  # from which the default is not used
INCOME_SPREAD = 330.0
MIN_INCOME_THRESHOLD = 0.05  # the percentile below which a threshold before the flop is ignored
SPREAD = 0.4
NO_THRESHOLD = -1.0
BETS = 3  # 0, 1, 2 or more
PARTS = 3  # of each bets to call, in the contexts `players` and `last-action`
HIGH_PRICE = 0.2  # the share of the final pot from which a call counts as two bets
_TYPICAL = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])  # fold, call, raise by bets to call


@dataclass(frozen=True)
class Contexts:
    """A partition of situations.

    Attributes:
        name: For messages and files.
        number: Returns a situation's context, 0 to size - 1.
        defaults: Frequencies (size, 3) of folding, calling and raising.
        before: The context (size,) used while this one has few observations, -1 for the defaults.

    """

    name: str
    number: Callable[[LokiSituation], int]
    defaults: Floats
    before: Ints

    @property
    def size(self) -> int:
        """The number of contexts."""
        return len(self.defaults)


def _by_round(name: str, parts: int, number_in_round: Callable[[LokiSituation], int]) -> Contexts:
    """Return contexts by round and bets to call, each in a number of parts; numbers in a round are by bets first."""
    size = BETS * parts
    defaults = np.tile(np.repeat(_TYPICAL, parts, axis=0), (STREETS, 1))
    before = np.maximum(np.arange(STREETS * size) - size, -1)
    return Contexts(name, lambda situation: size * situation.street + number_in_round(situation), defaults, before)


def _price(situation: LokiSituation) -> int:
    return 0 if situation.to_call <= 0 else 1 + int(situation.pot_odds > HIGH_PRICE)


def _bets(situation: LokiSituation) -> int:
    return min(situation.bets_to_call, BETS - 1)


def _players(situation: LokiSituation) -> int:
    group = 0 if situation.players <= 2 else (1 if situation.players <= 4 else 2)
    return PARTS * _bets(situation) + group


def _last_action(situation: LokiSituation) -> int:
    action = 0 if situation.last < 0 else (2 if situation.last == RAISES else 1)
    return PARTS * _bets(situation) + action


TWELVE = _by_round("bets", 1, _bets)
CONTEXTS = {
    "bets": TWELVE,
    "pot-odds": _by_round("pot-odds", 1, _price),
    "players": _by_round("players", PARTS, _players),
    "last-action": _by_round("last-action", PARTS, _last_action),
}


@kernel(refcount=False)
def context_of(street: int, bets_to_call: int) -> int:
    """Return the number of one of Papp's twelve contexts."""
    return BETS * street + min(bets_to_call, BETS - 1)


@kernel(refcount=False)
def write_frequencies(
    counts: Ints, defaults: Floats, before: Ints, context: int, is_specific: bool, frequencies: Floats
) -> None:
    """Write how often a player folds, calls and raises in a context into frequencies (3,).

    Counts (contexts, 3) are used if the model is specific, otherwise the defaults alone.
    """
    depth, level_context = 0, context
    while before[level_context] >= 0:
        depth, level_context = depth + 1, before[level_context]
    for action in range(3):
        frequencies[action] = defaults[level_context, action]
    for level in range(depth, -1, -1):
        level_context = context
        for _ in range(level):
            level_context = before[level_context]
        total = counts[level_context, 0] + counts[level_context, 1] + counts[level_context, 2] if is_specific else 0
        for action in range(3):
            count = counts[level_context, action] if is_specific else 0
            if total >= MIN_OBSERVATIONS:
                frequencies[action] = count / total
            else:
                frequencies[action] = (count + frequencies[action] * (MIN_OBSERVATIONS - total)) / MIN_OBSERVATIONS


@kernel(refcount=False)
def implied_threshold(frequencies: Floats, action: int, bets_to_call: int) -> float:
    """Return the lowest percentile of a hand that an action implies by frequencies (3,), NO_THRESHOLD if none."""
    if action == RAISES:
        return 1.0 - float(frequencies[RAISES])
    return float(frequencies[FOLDS]) if action == CALLS and bets_to_call > 0 else NO_THRESHOLD


@kernel(refcount=False)
def higher_threshold(before: float, implied: float, zero_counts: bool) -> float:
    """Return a street's threshold after an action that implies another one; 0 implies nothing unless it counts."""
    return implied if implied > (before if zero_counts else max(before, 0.0)) else before


@kernel(refcount=False)
def reweight(weights: Floats, values: Floats, mean: float, spread: float) -> None:
    """Change weights (1326,) after an action that implies a value about the mean."""
    for holding in range(HOLDINGS):
        share = (values[holding] - mean + spread) / (2.0 * spread) if spread > 0.0 else 0.0
        weights[holding] = max(weights[holding] * min(max(share, MIN_WEIGHT), 1.0), MIN_WEIGHT)


@kernel(refcount=False)
def income_index(threshold: float) -> int:
    """Return the index, among the sorted income rates, of a threshold before the flop."""
    return round(threshold * (HOLDINGS - 1))


@kernel(refcount=False)
def trust_in(tested: float, above_chance: float, max_above_chance: float) -> float:
    """Return how far a player's actions are trusted, 0 to 1, from a row of `Lokis.shown`."""
    if max_above_chance <= 0.0:
        return 1.0
    trust = min(max(above_chance / max_above_chance, 0.0), 1.0)
    return trust if tested >= MIN_OBSERVATIONS else (trust * tested + MIN_OBSERVATIONS - tested) / MIN_OBSERVATIONS


@kernel(refcount=False)
def write_field(ranges: Weights, count: int, known_cards: int, normalised: bool, field: Weights) -> None:
    """Write the mean of the first ranges (count, 1326) into field (1326,).

    If normalised, each is divided by its sum over the holdings without the known cards, given as bits.
    """
    for holding in range(HOLDINGS):
        field[holding] = ranges[0, holding]
    if count == 1:
        return
    for opponent in range(0 if normalised else 1, count):
        total = 0.0
        for holding in range(HOLDINGS if normalised else 0):
            if (known_cards >> HOLDING_CARDS[holding, 0] | known_cards >> HOLDING_CARDS[holding, 1]) & 1 == 0:
                total += ranges[opponent, holding]
        for holding in range(HOLDINGS):
            weight = ranges[opponent, holding] / total if normalised else ranges[opponent, holding]
            field[holding] = weight if opponent == 0 else field[holding] + weight
    for holding in range(HOLDINGS):
        field[holding] /= count


def income_weights(rates: Weights) -> Weights:
    """Return weights (1326,) that rise with income rates (1326,)."""
    weights: Weights = np.maximum((rates - rates.min()) / (rates.max() - rates.min()), MIN_WEIGHT)
    return weights
