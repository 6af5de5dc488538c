"""Rules as text: their conditions, their actions and their predictions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.rules import (
    ACTION,
    ERROR,
    EXPERIENCE,
    FITNESS,
    INTERNAL,
    LOSS,
    NUMEROSITY,
    PREDICTION,
    SEEN,
    SIZE,
    WIN,
    Rules,
    completed,
)


@dataclass(frozen=True)
class RuleText:
    """One rule: its text, and its numbers for sorting."""

    condition: str
    action: str
    expects: str
    prediction: float
    error: float
    fitness: float
    numerosity: int
    experience: int

    def __str__(self) -> str:
        return f"{self.condition}, then {self.action}; expects {self.expects}"


def rule_text(rules: Rules, i: int, fields: Fields, actions: Sequence[str]) -> RuleText:
    """One rule as text."""
    counts, values = rules.counts, rules.values
    asks = list(_asked(fields, rules.condition[:, i]))
    return RuleText(
        f"if {' and '.join(asks)}" if asks else "whatever is seen",
        " and ".join([actions[counts[ACTION, i]], *_writes(int(counts[INTERNAL, i]), fields.register)]),
        _expects(rules, i),
        float(completed(rules, i)),
        float(values[ERROR, i]),
        float(values[FITNESS, i]),
        int(counts[NUMEROSITY, i]),
        int(counts[EXPERIENCE, i]),
    )


def fittest(rules: Rules, fields: Fields, actions: Sequence[str], count: int) -> list[RuleText]:
    """The fittest rules, as text, best first."""
    order = np.argsort(-rules.values[FITNESS, : rules.totals[SIZE]], kind="stable")[:count]
    return [rule_text(rules, int(i), fields, actions) for i in order]


def _asked(fields: Fields, condition: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Iterator[str]:
    for field, allowed in zip(fields.all, fields.allowed(condition), strict=True):
        if not all(allowed):
            yield f"{field.name} is {_values(field, allowed)}"


def _values(field: Field, allowed: Sequence[bool]) -> str:
    if not field.ordered:
        return " or ".join(name for name, lets in zip(field.values, allowed, strict=True) if lets)
    return " or ".join(_run(field, first, last) for first, last in _runs(allowed))


def _runs(allowed: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The first and the last of every stretch of values allowed."""
    first = -1
    for place, lets in enumerate([*allowed, False]):
        if lets and first < 0:
            first = place
        elif not lets and first >= 0:
            yield first, place - 1
            first = -1


def _run(field: Field, first: int, last: int) -> str:
    end = len(field.values) - 1
    if not field.edges:
        if first == last:
            return field.values[first]
        return f"{field.values[first]} to {field.values[last]}"
    low, high = f"{field.edges[first]:.4g}", f"{field.edges[last + 1]:.4g}"
    if first == 0:
        return f"below {high}"
    return f"{low} or more" if last == end else f"between {low} and {high}"


def _writes(internal: int, bits: int) -> Iterator[str]:
    for number in range(bits):
        if internal % 3 < 2:
            yield f"write {internal % 3} into register {number + 1}"
        internal //= 3


def _expects(rules: Rules, i: int) -> str:
    values = rules.values
    if len(values) == 5:
        return f"{values[PREDICTION, i]:+.4g}"
    wins, losses = values[SEEN + WIN, i], values[SEEN + LOSS, i]
    won = f", won {wins / (wins + losses):.0%}" if wins + losses > 0 else ""
    return f"{values[PREDICTION + WIN, i]:+.4g} winning, {values[PREDICTION + LOSS, i]:+.4g} losing{won}"
