"""Test 4: one Call, three Standard, two AI V1 and one AI V2.

Fixed before the run: ">" is the sign of the difference in chips between two kinds, game by game; ">=" allows 5% of a
stack below. Our own setting was chosen after short runs; the grid was not, so the grid decides.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from cardwin.analysis.cash_games import mean_curves, won
from cardwin.arena.cash_game import CashGameRules
from cardwin.papers import Context, Finding
from cardwin.papers import old_rules as verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import ALIKE, Floats, Setting
from cardwin.reports import html
from cardwin.stats.intervals import mean_interval

LABELS = show.labels_of(("Call", 1), ("Standard", 3), ("V1", 2), ("V2", 1))
SEATS = {"Call": slice(0, 1), "Standard": slice(1, 4), "V1": slice(4, 6), "V2": slice(6, 7)}
STEPS = {  # of the published order: the better, the worse, and the margin
    "V2 >= V1": ("V2", "V1", ALIKE),
    "V1 > Standard": ("V1", "Standard", 0.0),
    "Standard > Call": ("Standard", "Call", 0.0),
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
    _mean_picture(context, mean_curves(cash_games), games)
    show.workbook(context, LABELS, cash_games, pair, header, rows)
    yield _difference("V2", "V1", kinds, "V2 starts as a V1, and the threshold that it learns hardly matters (test 5)")
    yield _difference("V1", "Standard", kinds, "simulation beats the chart")
    yield _difference("Standard", "Call", kinds, "the chart beats calling")
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
        verdict=verdicts.at_least(ends, ALIKE) if equal_too else verdicts.above(ends),
        reason=f"{why}; margin: {ALIKE:.0f} chips" if equal_too else why,
    )  # fmt: skip


def _everywhere(context: Context) -> Iterator[Finding]:
    """The signs of the order on the grid, after each length of a game."""
    settings, games = grid.settings_of(context), context.pick(2, 12, 40, 10)
    lengths = ", ".join(map(str, grid.ROUNDS))
    context.say(f"{grid.text_of(settings, games)} Stacks are compared after {lengths} rounds.")
    leads = _leads(context, settings, games)
    cells = len(settings) * len(grid.ROUNDS)
    over = f"{cells} settings and lengths, {games} games in each"
    groups = {**{name: [name] for name in STEPS}, "V1 > Standard > Call": list(STEPS)[1:], ORDER: list(STEPS)}
    marks = {}
    for what, names in groups.items():
        chosen = [leads[name] for name in names]
        holds = _all_signs(*chosen)
        marks[what] = holds.reshape(len(settings), -1).mean(axis=1)
        yield Finding(
            PLACE, f"share of settings with {what}", published=what, measured=float(holds.mean()), over=over,
            ci95=conditions.resampled_share(lambda *sample: float(_all_signs(*sample).mean()), *chosen),
            verdict=verdicts.throughout(int(holds.sum()), cells, grid.SHARE), reason=f"{int(holds.sum())} of {cells}",
        )  # fmt: skip
    rows = grid.by_axis(settings, marks)
    context.table("Share of settings with each published sign", ["quantity", "settings", *marks], rows)
    _grid_picture(context, leads)


def _leads(context: Context, settings: Sequence[Setting], games: int) -> dict[str, Floats]:
    """For each step of the order the lead of the better (games, settings x lengths); V2's margin is added."""
    found: dict[str, list[Floats]] = {name: [] for name in STEPS}
    for number, setting in enumerate(settings):
        specs = [*rivals(setting), setting.v(2)]
        rules = CashGameRules(max(grid.ROUNDS))
        cash_games = conditions.play_games(context, setting, specs, games, "grid", str(number), rules=rules)
        for after in grid.ROUNDS:
            kinds = by_kind(won(cash_games, after))
            for name, (better, worse, margin) in STEPS.items():
                found[name].append(kinds[better] - kinds[worse] + margin)
    return {name: np.array(columns).T for name, columns in found.items()}


def _all_signs(*leads: Floats) -> npt.NDArray[np.bool_]:
    """Whether all of the leads (games, settings) have means above zero."""
    holds: npt.NDArray[np.bool_] = np.all([lead.mean(axis=0) > 0 for lead in leads], axis=0)
    return holds


def _grid_picture(context: Context, leads: Mapping[str, Floats]) -> None:
    figure = html.figure(9.6, 3.4)
    means = {name: np.sort(table.mean(axis=0)) for name, table in leads.items()}
    for axes, (name, curve), kind in zip(figure.subplots(1, 3), means.items(), ("V2", "V1", "Standard"), strict=True):
        axes.plot(curve, color=show.COLOURS[kind], label=f"{(curve > 0).mean():.0%} have the published sign")
        axes.axhline(0, color="#667085", linewidth=1)
        show.dress(axes, name, "settings, in order", "chips between them, mean")
    context.picture(
        "chen-4-grid", figure, "The lead of each kind of robot over the next in every setting of the grid and after "
        f"each length of a game, in order of size; V2's with its margin of {ALIKE:.0f} chips.",
        {name: curve.tolist() for name, curve in means.items()},
    )  # fmt: skip


def _mean_picture(context: Context, mean: Floats, games: int) -> None:
    figure = html.figure(6, 3.8)
    axes = figure.subplots()
    curves = {kind: mean[:, seats].mean(axis=1) for kind, seats in SEATS.items()}
    for kind, curve in curves.items():
        axes.plot(curve, color=show.COLOURS[kind], label=kind)
    show.dress(axes, f"mean of {games} games", "round", "chips")
    context.picture(
        "chen-4-mean", figure, f"The mean stack of each kind of robot in {games} games.",
        {kind: curve.tolist() for kind, curve in curves.items()},
    )  # fmt: skip
