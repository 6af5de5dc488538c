"""Rules to play with in tests, without training any."""

import numpy as np

from cardwin.core.rng import generator_of, key_of
from cardwin.players.xcs.encoding import ACTIONS, Encoding
from cardwin.players.xcs.files import RuleSet
from cardwin.players.xcs.player import GAME
from cardwin.players.xcs.rules import (
    ACTION,
    EXPERIENCE,
    FITNESS,
    INTERNAL,
    MICRO,
    NUMEROSITY,
    PREDICTION,
    SIZE,
    Rules,
    internal_actions,
)


def random_rules(encoding: Encoding, count: int, seed: int) -> RuleSet:
    """Rules that each let three quarters of all values through and expect anything."""
    draws, fields = generator_of(key_of(seed)), encoding.fields
    condition = np.zeros((len(fields.layout.full), count), np.int64)
    for word, first, width in fields.layout.places.tolist():
        for place in range(width):
            condition[word] |= (draws.random(count) < 0.75).astype(np.int64) << (first + place)
    counts, values = np.ones((5, count), np.int64), draws.random((5, count))
    counts[ACTION] = draws.integers(0, len(ACTIONS), count)
    counts[INTERNAL] = draws.integers(0, internal_actions(fields), count)
    values[PREDICTION] = draws.normal(0, 20, count)
    totals = np.zeros(3, np.int64)
    totals[[SIZE, MICRO]] = count
    assert counts[NUMEROSITY].sum() == count
    assert counts[EXPERIENCE].min() == 1
    assert values[FITNESS].min() > 0
    return RuleSet(fields, ACTIONS, Rules(condition, counts, values, totals), about_of(encoding))


def about_of(encoding: Encoding) -> dict[str, object]:
    """What a rule file for hold'em says of itself."""
    return {"game": GAME, "encoding": encoding.as_dict()}
