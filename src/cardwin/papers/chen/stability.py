"""Two remarks on test 4's games: V2 is relatively stable (4.2), and how many games tell two robots apart (4.1).

The document has no measure of stability. Two are taken, each as V2's over the mean of the other kinds': the spread of
results over games, and the spread of changes from round to round. A claim about both holds if both hold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt

import numpy as np
from scipy.special import ndtr

from cardwin.arena.cash_game import CashGameRecord
from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.chen import conditions
from cardwin.papers.chen.conditions import Interval
from cardwin.papers.sample import Sample, sample
from cardwin.results.cash_game import won


def stability(cash_games: Sequence[CashGameRecord], seats: Mapping[str, slice]) -> Sample:
    """How much V2's results and its changes from round to round vary, beside those of the other kinds."""
    rounds = np.array([(np.diff(one.stacks, axis=0) ** 2).mean(axis=0) for one in cash_games])
    ends, texts = [], []
    measures: dict[str, tuple[Floats, Callable[[Floats], Floats]]] = {
        "results of games": (won(cash_games), lambda rows: rows.std(axis=0)),
        "changes of a round": (rounds, lambda rows: np.sqrt(rows.mean(axis=0))),
    }
    for what, (numbers, spreads) in measures.items():
        value = _excess(spreads(numbers), seats)
        low, high = conditions.resampled(_excess_of(spreads, seats), numbers)
        ends.append((low, high))
        texts.append(f"{what} {value:+.2f} ({low:.2f} to {high:.2f})")
    name = "V2's spread over that of the other kinds, minus 1"
    return sample(name, "; ".join(texts), judged=ends, over=f"{len(cash_games)} games")


def _excess_of(spreads: Callable[[Floats], Floats], seats: Mapping[str, slice]) -> Callable[[Floats], float]:
    return lambda rows: _excess(spreads(rows), seats)


def _excess(spreads: Floats, seats: Mapping[str, slice]) -> float:
    """V2's spread over the mean of the other kinds', minus 1; spreads are (seats,)."""
    kinds = {kind: float(spreads[place].mean()) for kind, place in seats.items()}
    return kinds["V2"] / float(np.mean([one for kind, one in kinds.items() if kind != "V2"])) - 1


def enough_games(context: Context, leads: Mapping[str, Floats]) -> Iterator[Sample]:
    """How often the mean of ten games, and of a hundred, has the right sign, for pairs of robots that differ."""
    rows: list[list[str | float]] = []
    for games in (10, 100):
        ends = [right_sign(lead, games) for lead in leads.values()]
        rows += [[pair, games, *both] for pair, both in zip(leads, ends, strict=True)]
        pairs = f"pairs {', '.join(leads)}"
        yield sample(f"the right sign from {games} games, test 4", "{verdicts}", judged=ends, over=pairs)
    context.table("How often the better robot is ahead in some games", ["pair", "games", "from", "to"], rows)


def right_sign(lead: Floats, games: int) -> Interval:
    """The probability that the mean of so many games has the sign of the true mean, normal, with its 95% interval."""
    n, effect = len(lead), abs(float(lead.mean() / lead.std(ddof=1)))
    half = 1.96 * sqrt(1 / n + effect**2 / (2 * n))
    low, high = (float(ndtr(sqrt(games) * max(end, 0.0))) for end in (effect - half, effect + half))
    return low, high
