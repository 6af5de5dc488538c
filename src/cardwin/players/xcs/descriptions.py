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
    expected_payoff,
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
    """Return one rule as text."""
    counts, values = rules.counts, rules.values
    tested = zip(fields.all, fields.allowed(rules.condition[:, i]), strict=True)
    tests = [f"{field.name} is {_values(field, allowed)}" for field, allowed in tested if not all(allowed)]
    return RuleText(
        f"if {' and '.join(tests)}" if tests else "whatever is seen",
        " and ".join([actions[counts[ACTION, i]], *_writes(int(counts[INTERNAL, i]), fields.register)]),
        _expects(rules, i),
        float(expected_payoff(rules, i)),
        float(values[ERROR, i]),
        float(values[FITNESS, i]),
        int(counts[NUMEROSITY, i]),
        int(counts[EXPERIENCE, i]),
    )


def fittest(rules: Rules, fields: Fields, actions: Sequence[str], count: int) -> list[RuleText]:
    """Return the `count` fittest rules as text, the fittest first; `actions` are the names of external actions."""
    order = np.argsort(-rules.values[FITNESS, : rules.totals[SIZE]], kind="stable")[:count]
    return [rule_text(rules, int(i), fields, actions) for i in order]


def _values(field: Field, allowed: Sequence[bool]) -> str:
    """Return the values that a rule allows; of an ordered field as ranges."""
    if field.ordered:
        return " or ".join(_range_text(field, first, last) for first, last in _ranges(allowed))
    return " or ".join(name for name, is_allowed in zip(field.values, allowed, strict=True) if is_allowed)


def _ranges(allowed: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of every run of allowed values."""
    first = -1
    for index, is_allowed in enumerate([*allowed, False]):
        if is_allowed and first < 0:
            first = index
        elif not is_allowed and first >= 0:
            yield first, index - 1
            first = -1


def _range_text(field: Field, first: int, last: int) -> str:
    if not field.edges:
        return field.values[first] if first == last else f"{field.values[first]} to {field.values[last]}"
    low, high = f"{field.edges[first]:.4g}", f"{field.edges[last + 1]:.4g}"
    if first == 0:
        return f"below {high}"
    return f"{low} or more" if last == field.width - 1 else f"between {low} and {high}"


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
