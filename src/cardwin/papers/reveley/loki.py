"""Loki against its own versions and against simple players: the value of opponent models, by opponent.

1. Papp's generic experiment: four players with the generic model and two each without one, tight, moderate and loose.
2. His specific experiment: two of four with the specific model.
3. His betting experiment: all rules, and versions with one rule removed; the simplest bets by hand strength alone.
4. Our own experiment on the document's open question: every model heads-up against players of every kind.

Intervals are over deals, each played once from every seat. Margins were fixed beforehand. The document made no
experiment: these claims are Papp's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from cardwin.arena.match import MatchOptions, match
from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.reveley.trainings import LIMIT, sizes
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.stats.intervals import Estimate, mean_interval

_PLAIN = {
    "tight": ("loki:model=none,tightness=tight", 2),
    "moderate": ("loki:model=none,tightness=moderate", 2),
    "loose": ("loki:model=none,tightness=loose", 2),
}
GENERIC = {"generic model": ("loki:model=generic", 4), **_PLAIN}
SPECIFIC = {
    "specific model": ("loki:model=specific,doubts=off", 2),
    "generic model": ("loki:model=generic", 2),
    **_PLAIN,
}
_BASE = "loki:model=generic,tightness=moderate"
RULES = {
    "all rules": (_BASE, 2),
    "no showdown odds": (f"{_BASE},showdown-odds=off", 2),
    "no pot odds": (f"{_BASE},pot-odds=off", 2),
    "no semi-bluffs": (f"{_BASE},semi-bluffs=off", 2),
    "strength alone": (f"{_BASE},showdown-odds=off,pot-odds=off,semi-bluffs=off,lookahead=0", 2),
}
MODELS = {
    "no model": "loki:model=none",
    "generic": "loki:model=generic",
    "specific": "loki:model=specific,doubts=off",
    "specific with doubts": "loki:model=specific,doubts=on",
}
OPPONENTS = {
    "always calls": "call",
    "always raises": "raise",
    "calls or raises": "call-or-raise",
    "plays at random": "random",
    "a chart and pot odds": "standard",
    "Loki without a model": "loki:model=none",
    "Loki, generic model": "loki:model=generic",
}
CARELESS = ("always calls", "always raises", "plays at random")
ENOUGH = 0.5  # small bets per hand that a Loki should win from players that ignore their cards
Versions = Mapping[str, tuple[str, int]]  # a specification and its copies, by name


@dataclass(frozen=True)
class VersionResults:
    """Small bets per hand of each version by deal (deals,), the mean of its copies and of all seats."""

    winnings: dict[str, Floats]

    def mean(self, name: str) -> Estimate:
        """Return the mean result of a version."""
        return mean_interval(self.winnings[name])

    def lead(self, name: str, *others: str) -> Estimate:
        """Return the result of a version minus the mean of others, deal by deal."""
        return mean_interval(self.winnings[name] - np.mean([self.winnings[other] for other in others], axis=0))


def play(context: Context, versions: Versions, deals: int, *names: str) -> VersionResults:
    """Play every deal with each player in every seat.

    As in the authors' experiments, all players move round the table in one order. Copies are spread over it, so that
    equal players are neighbours as rarely as possible.

    Args:
        context: The experiment, with its seed and workers.
        versions: The players at the table.
        deals: The number of deals.
        names: The purpose of the deals: the same names give the same deals.

    """
    turns = max(copies for _, copies in versions.values())
    order = [name for turn in range(turns) for name, (_, copies) in versions.items() if turn < copies]
    record = match(
        LIMIT,
        [versions[name][0] for name in order],
        deals * len(order),
        context.key(*names) % 2**31,
        context.workers,
        options=MatchOptions(duplicate=True, seating="rotation"),
    )
    by_deal = record.by_deal / LIMIT.chips_per_unit
    seats = {name: [seat for seat, seated in enumerate(order) if seated == name] for name in versions}
    return VersionResults({name: by_deal[:, columns].mean(axis=1) for name, columns in seats.items()})


def experiment(context: Context) -> Iterator[Sample]:
    """Play all four experiments."""
    deals = sizes(context, "loki")
    title = "Four generic models at a table with six players that have none"
    results = _play_and_show(context, "generic", title, GENERIC, deals["models"])
    yield measured("generic model, small bets a hand", results.mean("generic model"))
    for better, worse in (("generic model", "tight"), ("tight", "moderate"), ("moderate", "loose")):
        yield measured(f"{better} minus {worse}", results.lead(better, worse))
    title = "Two specific and two generic models, and six players without"
    results = _play_and_show(context, "specific", title, SPECIFIC, deals["models"])
    yield measured("specific model minus the players without one", results.lead("specific model", *_PLAIN))
    yield measured("specific minus generic model", results.lead("specific model", "generic model"))
    results = _play_and_show(context, "rules", "Betting rules left out one at a time", RULES, deals["rules"])
    yield measured("showdown odds removed, what that wins", results.lead("no showdown odds", "all rules"))
    for name in ("no pot odds", "no semi-bluffs", "strength alone"):
        yield measured(f"all rules minus {name}", results.lead("all rules", name))
    yield from _models_by_opponent(context, deals["heads-up"])


def measured(name: str, estimate: Estimate, reason: str = "") -> Sample:
    """Return the sample of an estimate over deals, which is judged unrounded."""
    ends, over = (round(estimate.low, 4), round(estimate.high, 4)), f"{estimate.n:,} deals"
    return sample(name, round(estimate.mean, 4), ci95=ends, over=over, reason=reason, judged=estimate)


def _models_by_opponent(context: Context, deals: int) -> Iterator[Sample]:
    """Play every model against every opponent, on the same deals, so that models are compared hand by hand."""
    won: dict[str, dict[str, Floats]] = {
        opponent: {
            model: play(context, {"us": (ours, 1), "them": (theirs, 1)}, deals, "against", opponent).winnings["us"]
            for model, ours in MODELS.items()
        }
        for opponent, theirs in OPPONENTS.items()
    }
    rows = [
        [opponent, *(text for model in MODELS for text in cells(mean_interval(row[model])))]
        for opponent, row in won.items()
    ]
    header = ["small bets a hand against", *(text for model in MODELS for text in (model, "±"))]
    context.table(f"Heads-up, {deals} deals twice each", header, rows)
    for opponent in CARELESS:
        estimate = mean_interval(won[opponent]["specific with doubts"])
        reason = f"our own mark: at least {ENOUGH}, {'reached' if estimate.mean >= ENOUGH else 'missed'}"
        yield measured(f"loki against one who {opponent}", estimate, reason)
    for model in list(MODELS)[1:]:
        gains = {opponent: mean_interval(row[model] - row["no model"]) for opponent, row in won.items()}
        yield sample(f"is the {model} model worth it, and against whom", gains_text(gains), over=f"{deals:,} deals")


def gains_text(gains: Mapping[str, Estimate]) -> str:
    """Return against which opponents a model gains, costs and makes no difference, each with the estimate."""
    groups: dict[str, list[str]] = {"pays against": [], "costs against": [], "undecided against": []}
    for opponent, gain in gains.items():
        verb = "pays against" if gain.low > 0 else "costs against" if gain.high < 0 else "undecided against"
        groups[verb].append(f"{opponent} ({gain.mean:+.2f} ± {gain.ci95:.2f})")
    return "; ".join(f"{verb} {', '.join(names)}" for verb, names in groups.items() if names)


def cells(estimate: Estimate) -> tuple[str, str]:
    """Return a mean and the half-width of its interval, for a table."""
    return f"{estimate.mean:+.3f}", f"{estimate.ci95:.3f}"


def _play_and_show(context: Context, name: str, title: str, versions: Versions, deals: int) -> VersionResults:
    """Play versions at one table; show a table of their results, and a picture of their course."""
    results = play(context, versions, deals, name)
    estimates = {version: results.mean(version) for version in versions}
    ranking = sorted(estimates.items(), key=lambda item: -item[1].mean)
    rows = [[version, *cells(estimate)] for version, estimate in ranking]
    context.table(f"{title}: {deals} deals, each player in every seat", ["version", "small bets a hand", "±"], rows)
    figure = html.figure(7.2, 4.0)
    axes = figure.subplots()
    curves = {version: np.cumsum(won) for version, won in results.winnings.items()}
    for number, (version, curve) in enumerate(curves.items()):
        (line,) = axes.plot(np.arange(1, len(curve) + 1), curve, label=version, linewidth=1.6)
        beyond = len(curve) * (1.01 + 0.015 * number)  # side by side, so that no interval covers another
        axes.errorbar([beyond], [curve[-1]], [len(curve) * estimates[version].ci95], color=line.get_color(), capsize=3)
    axes.axhline(0, color="#667085", linewidth=0.8)
    axes.set(xlabel="deals, each played from every seat", ylabel="small bets won by a copy, mean of its seats")
    html.legend_outside(figure, axes, 3)
    caption = f"{title}. Bars beyond the end: 95% intervals of the sums."
    context.picture(f"loki-{name}", figure, caption, {version: curve.tolist() for version, curve in curves.items()})
    return results
