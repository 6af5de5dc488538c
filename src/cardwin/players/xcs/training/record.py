"""What a run records of its rules, so that they can be watched: a sketch of all, and the fittest as text.

Neither affects the learning or the run's digest.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from cardwin.core.trainer import Array
from cardwin.evolution.sketch import MEMBERS, sketched, spaced
from cardwin.players.xcs.descriptions import fittest
from cardwin.players.xcs.fields import Fields
from cardwin.players.xcs.rules import ERROR, EXPERIENCE, FITNESS, NUMEROSITY, SIZE, Rules, completed

NOTE = "rules"
MOST_RULES = 12


def watched(
    rules: Rules, fields: Fields, actions: Sequence[str], step: int, steps: int
) -> tuple[dict[str, Mapping[str, Array]], dict[str, str]]:
    """The arrays and notes of a step, by population and name; few of the steps of a long run have them."""
    size = int(rules.totals[SIZE])
    if not size or not sketched(step, steps):
        return {}, {}
    order = np.argsort(-rules.values[FITNESS, :size], kind="stable")[spaced(size, MEMBERS)]
    found = np.array([_features(rules, int(i), fields) for i in order], np.float32)
    arrays = {"sketch": found, "sketch_fitness": rules.values[FITNESS, order].astype(np.float32)}
    text = json.dumps([asdict(one) for one in fittest(rules, fields, actions, MOST_RULES)], ensure_ascii=False)
    return {"rules": arrays}, {NOTE: text}


def _features(rules: Rules, i: int, fields: Fields) -> list[float]:
    """A rule in five numbers: prediction, error, experience, numerosity (both by their logarithm) and generality."""
    allowed = fields.allowed(rules.condition[:, i])
    general = sum(map(all, allowed)) / len(allowed)
    counts = (1 + rules.counts[EXPERIENCE, i], rules.counts[NUMEROSITY, i])
    return [completed(rules, i), float(rules.values[ERROR, i]), *np.log(counts).tolist(), general]
