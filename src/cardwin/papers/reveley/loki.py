"""Loki against its own versions and against simple players: the value of opponent models, by opponent.

1. Papp's generic experiment: four players with the generic model and two each without one, tight, moderate and loose.
2. His specific experiment: two of four with the specific model.
3. His betting experiment: all rules, and versions with one rule removed; the simplest bets by hand strength alone.
4. Our own experiment on the document's open question: every model heads-up against players of every kind.
5. Other contexts of the model (pot odds, players, the last action), which the document called a direction of research:
   what they win more than Papp's twelve, on the same deals (`contexts`, an experiment of its own).

Intervals are over deals; the rules are `duplicate.ahead` and `duplicate.comparable`, whose margin was fixed beforehand.
The document made no experiment: these claims are Papp's.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from cardwin.papers import Context, Finding
from cardwin.papers.reveley.duplicate import Floats, Played, ahead, comparable, ours, play
from cardwin.papers.reveley.plan import sizes
from cardwin.players.loki.contexts import CONTEXTS
from cardwin.reports import html
from cardwin.stats.intervals import Estimate, mean_interval

PAPP = "Papp (1998)"
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
_SPECIFIC = "loki:model=specific,doubts=off"
PAPPS, *OTHERS = CONTEXTS
COUNTED = ("calls or raises", "a chart and pot odds", "Loki without a model", "Loki, generic model")
ENOUGH = 0.5  # small bets a hand that a Loki should win from players that ignore their cards
_CARELESS = ("always calls", "always raises", "plays at random")


def experiments(context: Context) -> Iterator[Finding]:
    """All four experiments."""
    deals = deals_of(context)
    yield from _generic(context, deals["models"])
    yield from _specific(context, deals["models"])
    yield from _rules(context, deals["rules"])
    yield from _against_whom(context, deals["heads-up"])


def contexts(context: Context) -> Iterator[Finding]:
    """Specific models that count actions in other contexts: heads-up against several players, and at a full table."""
    size = sizes(context, "contexts")
    table: dict[str, list[str]] = {name: [] for name in CONTEXTS}
    for opponent in COUNTED:
        won = {
            name: play(context, {"us": (f"{_SPECIFIC},contexts={name}", 1), "them": (OPPONENTS[opponent], 1)},
                       size["deals"], "contexts", opponent).winnings["us"]
            for name in CONTEXTS
        }  # fmt: skip
        for name, one in won.items():
            table[name] += _cell(mean_interval(one))
        yield from (_more(f"heads-up against {opponent}", name, mean_interval(won[name] - won[PAPPS]))
                    for name in OTHERS if name != "players")  # fmt: skip
    header = ["contexts", *(text for opponent in COUNTED for text in (opponent, "±"))]
    context.table(f"Contexts of the specific model, heads-up: small bets a hand, {size['deals']:,} deals twice each. "
                  "Heads-up two players are always in, so that `players` counts as `bets` does", header,
                  [[name, *cells] for name, cells in table.items()])  # fmt: skip
    for name in OTHERS:
        versions = {PAPPS: (_SPECIFIC, 5), name: (f"{_SPECIFIC},contexts={name}", 5)}
        played = play(context, versions, size["tables"], "contexts", "table", name)
        yield _more("at a table with five of each", name, played.lead(name, PAPPS))


def _more(where: str, name: str, lead: Estimate) -> Finding:
    """What a model with other contexts wins more than one with Papp's; a question of the document, not judged."""
    return Finding("section 3 b", f"contexts of the model, {name} minus {PAPPS}, {where}",
                   published="a direction of research", measured=round(lead.mean, 4),
                   ci95=(round(lead.low, 4), round(lead.high, 4)), over=f"{lead.n:,} deals", verdict=None)  # fmt: skip


def deals_of(context: Context) -> dict[str, int]:
    """How many deals are played, with ten seats each ten times, heads-up each twice; Papp played 10,000 of ten."""
    sizes = context.pick((20, 20, 40), (1_000, 500, 600), (6_000, 3_000, 10_000), (10_000, 10_000, 20_000))
    return dict(zip(("models", "rules", "heads-up"), sizes, strict=True))


def _generic(context: Context, deals: int) -> Iterator[Finding]:
    played = play(context, GENERIC, deals, "generic")
    _show(context, "generic", "Four generic models at a table with six players that have none", played, deals)
    won = played.mean("generic model")
    yield ahead(PAPP, "generic model, small bets a hand", "clear dominance", won)
    for better, worse in (("generic model", "tight"), ("tight", "moderate"), ("moderate", "loose")):
        lead = played.lead(better, worse)
        claim = "dominates" if better == "generic model" else "ranked by tightness"
        yield ahead(PAPP, f"{better} minus {worse}", claim, lead)


def _specific(context: Context, deals: int) -> Iterator[Finding]:
    played = play(context, SPECIFIC, deals, "specific")
    _show(context, "specific", "Two specific and two generic models, and six players without", played, deals)
    lead = played.lead("specific model", *_PLAIN)
    yield ahead(PAPP, "specific model minus the players without one", "superior", lead)
    lead = played.lead("specific model", "generic model")
    yield comparable(PAPP, "specific minus generic model", "comparable", lead)


def _rules(context: Context, deals: int) -> Iterator[Finding]:
    played = play(context, RULES, deals, "rules")
    _show(context, "rules", "Betting rules left out one at a time", played, deals)
    lead = played.lead("no showdown odds", "all rules")
    yield ahead(PAPP, "showdown odds removed, what that wins", "won by a large margin", lead)
    for name in ("no pot odds", "no semi-bluffs", "strength alone"):
        lead = played.lead("all rules", name)
        yield ahead(PAPP, f"all rules minus {name}", "every other feature is a gain", lead)


def _against_whom(context: Context, deals: int) -> Iterator[Finding]:
    """Every model against every opponent, on the same deals, so that models are compared hand by hand."""
    won: dict[str, dict[str, Floats]] = {
        opponent: {
            model: play(context, {"us": (ours, 1), "them": (theirs, 1)}, deals, "against", opponent).winnings["us"]
            for model, ours in MODELS.items()
        }
        for opponent, theirs in OPPONENTS.items()
    }
    _table_of_models(context, won, deals)
    for opponent in _CARELESS:
        estimate = mean_interval(won[opponent]["specific with doubts"])
        reason = f"our own mark: at least {ENOUGH}, {'reached' if estimate.mean >= ENOUGH else 'missed'}"
        yield ours(f"loki against one who {opponent}", estimate, reason)
    for model in list(MODELS)[1:]:
        value = {opponent: mean_interval(row[model] - row["no model"]) for opponent, row in won.items()}
        yield Finding("ours", f"is the {model} model worth it, and against whom", measured=answer(value), verdict=None,
                      over=f"{deals:,} deals",
                      reason="small bets a hand more than without a model, on the same deals")  # fmt: skip


def answer(value: Mapping[str, Estimate]) -> str:
    """Against which opponents a model gains, costs and makes no difference, each with the estimate."""
    groups = {
        "pays against": [name for name, one in value.items() if one.low > 0],
        "costs against": [name for name, one in value.items() if one.high < 0],
        "undecided against": [name for name, one in value.items() if one.low <= 0 <= one.high],
    }
    return "; ".join(
        f"{verb} " + ", ".join(f"{name} ({value[name].mean:+.2f} ± {value[name].ci95:.2f})" for name in names)
        for verb, names in groups.items()
        if names
    )


def _table_of_models(context: Context, won: Mapping[str, Mapping[str, Floats]], deals: int) -> None:
    rows = [
        [opponent, *(text for model in MODELS for text in _cell(mean_interval(row[model])))]
        for opponent, row in won.items()
    ]
    header = ["small bets a hand against", *(text for model in MODELS for text in (model, "±"))]
    context.table(f"Heads-up, {deals} deals twice each", header, rows)


def _cell(estimate: Estimate) -> tuple[str, str]:
    return f"{estimate.mean:+.3f}", f"{estimate.ci95:.3f}"


def _show(context: Context, name: str, title: str, played: Played, deals: int) -> None:
    """A table of the results of each version, and a picture of their course."""
    estimates = {version: played.mean(version) for version in played.winnings}
    context.table(
        f"{title}: {deals} deals, each player in every seat",
        ["version", "small bets a hand", "±"],
        [[version, *_cell(one)] for version, one in sorted(estimates.items(), key=lambda item: -item[1].mean)],
    )
    figure = html.figure(7.2, 4.0)
    axes = figure.subplots()
    curves = {version: np.cumsum(won) for version, won in played.winnings.items()}
    for place, (version, curve) in enumerate(curves.items()):
        (line,) = axes.plot(np.arange(1, len(curve) + 1), curve, label=version, linewidth=1.6)
        beyond = len(curve) * (1.01 + 0.015 * place)  # side by side, so that no interval covers another
        axes.errorbar([beyond], [curve[-1]], [len(curve) * estimates[version].ci95], color=line.get_color(), capsize=3)
    axes.axhline(0, color="#667085", linewidth=0.8)
    axes.set_xlabel("deals, each played from every seat")
    axes.set_ylabel("small bets won by a copy, mean of its seats")
    axes.spines[["top", "right"]].set_visible(False)
    html.legend_outside(figure, axes, 3)
    caption = f"{title}. Bars beyond the end: 95% intervals of the sums."
    context.picture(f"loki-{name}", figure, caption, {version: curve.tolist() for version, curve in curves.items()})
