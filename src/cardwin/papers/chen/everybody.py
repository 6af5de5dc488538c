"""Test 4: one Call, three Standard, two AI V1 and one AI V2.

">" is a difference in chips between two kinds, game by game, of more than 5% of a stack; ">=" allows as much below. Our
own setting was chosen after short runs; the grid was not, so the grid decides. The result (4.4) has V2 above all; its
stability and how many games tell two robots apart (4.1) are measured in the same games.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cardwin.analysis.cash_games import won
from cardwin.arena.cash_game import CashGameRules
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import ALIKE, Floats, Setting
from cardwin.papers.chen.stability import enough_games, stability
from cardwin.papers.register import register
from cardwin.papers.verdicts import Regions, Verdict
from cardwin.reports import html
from cardwin.stats.intervals import mean_interval

LABELS = show.labels_of(("Call", 1), ("Standard", 3), ("V1", 2), ("V2", 1))
SEATS = {"Call": slice(0, 1), "Standard": slice(1, 4), "V1": slice(4, 6), "V2": slice(6, 7)}
STEPS = {  # of the published order: the better, the worse, and whether they may be equal
    "V2 >= V1": ("V2", "V1", True),
    "V1 > Standard": ("V1", "Standard", False),
    "Standard > Call": ("Standard", "Call", False),
}
ORDER = "V2 >= V1 > Standard > Call"
PLACE = "4.2, test 4"


def rivals(setting: Setting) -> list[str]:
    """All robots but the V2, which has the last seat."""
    return [setting.call(), f"{setting.standard()}*3", f"{setting.v(1)}*2"]


def everybody(context: Context) -> Iterator[Finding]:
    """The published order is V2 >= V1 > Standard > Call."""
    setting = conditions.setting_of(context)
    context.say(f"Setting: {setting.text(setting.final_rounds)}. It was chosen after short runs; the grid was not.")
    games = conditions.games_of(context) // context.pick(1, 1, 2, 1)
    specs = [*rivals(setting), setting.v(2)]
    cash_games = conditions.play_games(context, setting, specs, games, "games", rules=setting.final_rules)
    kinds = by_kind(won(cash_games))
    rows: show.Rows = [[kind, *_mean_and_width(sample)] for kind, sample in kinds.items()]
    header = ["robot", "chips won a game", "±"]
    context.table(f"Chips won in {games} games", header, rows)
    middle = conditions.typical(kinds["V2"])
    other = conditions.typical(kinds["V2"] - kinds["V1"])
    pair = [("V2's typical game", cash_games[middle]), ("another game", cash_games[other])]
    caption = "One Call, three Standard, two V1 and one V2: two games."
    show.picture_of_games(context, "chen-4-games", pair, LABELS, caption)
    show.picture_of_means(
        context, "chen-4-mean", cash_games, SEATS,
        f"The mean stack of each kind of robot in {games} games, with 95% intervals over games.",
    )  # fmt: skip
    show.workbook(context, LABELS, cash_games, pair, header, rows)
    yield _difference("V2", "V1", kinds, "V2 starts as a V1, and the threshold that it learns hardly matters (test 5)")
    yield _difference("V1", "Standard", kinds, "simulation beats the chart")
    yield _difference("Standard", "Call", kinds, "the chart beats calling")
    yield _above_all(kinds)
    yield stability(cash_games, SEATS)
    pairs = {f"{one} and {two}": kinds[one] - kinds[two] for one, two in (("V1", "Standard"), ("Standard", "Call"))}
    yield from enough_games(context, pairs)
    yield from _everywhere(context)


def by_kind(chips: Floats) -> dict[str, Floats]:
    """Chips (games, seats) as those of one robot of each kind (games,)."""
    return {kind: chips[:, seats].mean(axis=1) for kind, seats in SEATS.items()}


def _mean_and_width(sample: Floats) -> tuple[float, float]:
    one = mean_interval(sample)
    return one.mean, one.ci95


def _difference(better: str, worse: str, kinds: Mapping[str, Floats], why: str) -> Finding:
    """One step of the published order: the difference in chips between two kinds, game by game."""
    gap = mean_interval(kinds[better] - kinds[worse])
    ends = conditions.interval(gap)
    equal_too = better == "V2"
    return Finding(
        PLACE, f"chips of a {better} minus a {worse}, our setting", published=">= 0" if equal_too else "> 0",
        measured=gap.mean, ci95=ends, over=f"{gap.n} games",
        verdict=verdicts.judge(_region(equal_too), ends), reason=f"{why}; margin: {ALIKE:.0f} chips",
    )  # fmt: skip


def _region(equal_too: bool) -> Regions:
    margin = register(__package__).margin("chips of a V1 minus a Standard, our setting")
    return verdicts.at_least(margin) if equal_too else verdicts.above(margin)


def _above_all(kinds: Mapping[str, Floats]) -> Finding:
    """V2's lead over the best of the other kinds."""
    best = max((kind for kind in kinds if kind != "V2"), key=lambda kind: float(kinds[kind].mean()))
    gap = mean_interval(kinds["V2"] - kinds[best])
    ends = conditions.interval(gap)
    return Finding(
        "4.4", "chips of a V2 minus the best other kind, our setting", published="better than all", measured=gap.mean,
        ci95=ends, over=f"{gap.n} games", verdict=verdicts.judge(_region(False), ends),
        reason=f"the best of the others is {best}; here equal is not enough, where test 4 writes >=",
    )  # fmt: skip


def _everywhere(context: Context) -> Iterator[Finding]:
    """The signs of the order on the grid, after each length of a game."""
    settings, games = grid.settings_of(context), context.pick(4, 24, 60, 10)
    lengths = ", ".join(map(str, grid.ROUNDS))
    context.say(f"{grid.text_of(settings, games)} Stacks are compared after {lengths} rounds.")
    leads = _leads(context, settings, games)
    cells = len(settings) * len(grid.ROUNDS)
    over = f"{cells} settings and lengths, {games} games in each"
    groups = {**{name: [name] for name in STEPS}, "V1 > Standard > Call": list(STEPS)[1:], ORDER: list(STEPS)}
    marks = {}
    for what, names in groups.items():
        found = _own_verdicts(leads, names)
        marks[what] = grid.marks_of(found).reshape(len(settings), -1).mean(axis=1)
        yield Finding(
            PLACE, f"share of settings with {what}", published=what, measured=grid.share_that_holds(found), over=over,
            verdict=verdicts.in_most(found, grid.SHARE), reason=grid.counted(found),
        )  # fmt: skip
    rows = grid.by_axis(settings, marks)
    context.table("Share of settings with each published sign", ["quantity", "settings", *marks], rows)
    _grid_picture(context, leads)


def _leads(context: Context, settings: Sequence[Setting], games: int) -> dict[str, Floats]:
    """For each step of the order the lead of the better (games, settings x lengths)."""
    found: dict[str, list[Floats]] = {name: [] for name in STEPS}
    for number, setting in enumerate(settings):
        specs = [*rivals(setting), setting.v(2)]
        rules = CashGameRules(max(grid.ROUNDS))
        cash_games = conditions.play_games(context, setting, specs, games, "grid", str(number), rules=rules)
        for after in grid.ROUNDS:
            kinds = by_kind(won(cash_games, after))
            for name, (better, worse, _) in STEPS.items():
                found[name].append(kinds[better] - kinds[worse])
    return {name: np.array(columns).T for name, columns in found.items()}


def _own_verdicts(leads: Mapping[str, Floats], names: Sequence[str]) -> list[Verdict]:
    """Every setting's verdict on one step of the order, or on several together: those hold if the least lead does."""
    ends = {name: grid.intervals(leads[name]) for name in names}
    if len(names) == 1:
        return grid.own_verdicts(_region(STEPS[names[0]][2]), ends[names[0]])
    least = np.min([ends[name] + (ALIKE if STEPS[name][2] else -ALIKE) for name in names], axis=0)
    return grid.own_verdicts(verdicts.at_least(0.0), least)


def _grid_picture(context: Context, leads: Mapping[str, Floats]) -> None:
    figure = html.figure(9.6, 3.4)
    curves: dict[str, list[float]] = {}
    for axes, (name, table), kind in zip(figure.subplots(1, 3), leads.items(), ("V2", "V1", "Standard"), strict=True):
        order = np.argsort(table.mean(axis=0))
        mean, (low, high) = table.mean(axis=0)[order], grid.intervals(table)[:, order]
        axes.plot(mean, color=show.COLOURS[kind])
        axes.fill_between(range(len(mean)), low, high, color=show.COLOURS[kind], alpha=0.2, linewidth=0)
        axes.axhline(0, color="#667085", linewidth=1)
        show.dress(axes, f"{name}: {(mean > 0).mean():.0%} above 0", "settings, in order", "chips of lead")
        curves |= {name: mean.tolist(), f"{name}, from": low.tolist(), f"{name}, to": high.tolist()}
    context.picture(
        "chen-4-grid", figure, "The lead of each kind of robot over the next in every setting of the grid and after "
        "each length of a game, in order of size: means over games with 95% intervals.", curves,
    )  # fmt: skip
