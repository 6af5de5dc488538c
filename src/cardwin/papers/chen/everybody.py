"""Test 4: one Call, three Standard, two AI V1 and one AI V2.

">" is a difference in chips between two kinds, game by game, of more than 5% of a stack; ">=" allows as much below. Our
own setting was chosen after short runs; the grid was not, so the grid decides. The result (4.4) has V2 above all; its
stability and how many games tell two robots apart (4.1) are measured in the same games.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cardwin.arena.cash_game import CashGameRules
from cardwin.core.arrays import Floats
from cardwin.papers import Context, verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import ALIKE, Setting
from cardwin.papers.chen.stability import enough_games, stability
from cardwin.papers.sample import Sample, sample
from cardwin.papers.verdicts import Verdict
from cardwin.reports import html
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval

LABELS = show.labels_of(("Call", 1), ("Standard", 3), ("V1", 2), ("V2", 1))
SEATS = {"Call": slice(0, 1), "Standard": slice(1, 4), "V1": slice(4, 6), "V2": slice(6, 7)}
STEPS = {  # of the published order: the better, the worse, and whether they may be equal
    "V2 >= V1": ("V2", "V1", True),
    "V1 > Standard": ("V1", "Standard", False),
    "Standard > Call": ("Standard", "Call", False),
}
CHAIN, ORDER = "V1 > Standard > Call", "V2 >= V1 > Standard > Call"


def rivals(setting: Setting) -> list[str]:
    """All robots but the V2, which has the last seat."""
    return [setting.call(), f"{setting.standard()}*3", f"{setting.v(1)}*2"]


def everybody(context: Context) -> Iterator[Sample]:
    """The published order is V2 >= V1 > Standard > Call."""
    setting = conditions.setting_of(context)
    context.text(f"Setting: {setting.text(setting.final_rounds)}. It was chosen after short runs; the grid was not.")
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
    for better, worse in (("V2", "V1"), ("V1", "Standard"), ("Standard", "Call")):
        yield sample(f"chips of a {better} minus a {worse}, our setting", mean_interval(kinds[better] - kinds[worse]))
    best = max((kind for kind in kinds if kind != "V2"), key=lambda kind: float(kinds[kind].mean()))
    yield sample(
        "chips of a V2 minus the best other kind, our setting", mean_interval(kinds["V2"] - kinds[best]), best=best
    )
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


def _everywhere(context: Context) -> Iterator[Sample]:
    """The signs of the order on the grid, after each length of a game."""
    settings, games = grid.settings_of(context), context.pick(4, 24, 60, 10)
    lengths = ", ".join(map(str, grid.ROUNDS))
    context.text(f"{grid.text_of(settings, games)} Stacks are compared after {lengths} rounds.")
    leads = _leads(context, settings, games)
    over = f"{len(settings) * len(grid.ROUNDS)} settings and lengths, {games} games in each"
    marks = {}
    for what, names in {**{name: [name] for name in STEPS}, CHAIN: list(STEPS)[1:], ORDER: list(STEPS)}.items():
        each = _verdicts(leads, names)
        marks[what] = grid.marks_of(each).reshape(len(settings), -1).mean(axis=1)
        yield sample(f"share of settings with {what}", judged=each, published=what, over=over)
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


def _verdicts(leads: Mapping[str, Floats], names: Sequence[str]) -> list[Verdict]:
    """Every setting's verdict on one step of the order, or on several together: those hold if the least lead does."""
    ends = {name: grid.intervals(leads[name]) for name in names}
    if len(names) == 1:
        rule = verdicts.at_least if STEPS[names[0]][2] else verdicts.above
        return grid.verdicts_of(rule(ALIKE), ends[names[0]])
    least = np.min([ends[name] + (ALIKE if STEPS[name][2] else -ALIKE) for name in names], axis=0)
    return grid.verdicts_of(verdicts.at_least(0.0), least)


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
