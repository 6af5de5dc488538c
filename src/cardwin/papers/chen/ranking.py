"""Test 4: one Call, three Standard, two AI V1 and one AI V2.

">" is a difference in chips between two kinds, game by game, of more than 5% of a stack; ">=" allows as much below. Our
own setting was chosen after short runs. The grid was not, so the grid decides. The result (4.4) ranks V2 above all.

Two remarks are measured in the same games. How many games tell two robots apart (4.1): the probability that their mean
has the right sign. V2 is relatively stable (4.2): the document has no measure of stability, so two are taken, the
spread of results over games and the spread of changes from round to round, each as V2's over the mean of the other
kinds'. The claim holds if it holds for both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import ndtr

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.core.arrays import Floats
from cardwin.papers import Context, verdicts
from cardwin.papers.chen import game_settings, grid, pictures
from cardwin.papers.chen.game_settings import CHIP_MARGIN, Interval, Setting
from cardwin.papers.sample import Sample, sample
from cardwin.papers.verdicts import Verdict
from cardwin.reports import html
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval

LABELS = pictures.seat_labels(("Call", 1), ("Standard", 3), ("V1", 2), ("V2", 1))
SEATS = {"Call": slice(0, 1), "Standard": slice(1, 4), "V1": slice(4, 6), "V2": slice(6, 7)}


@dataclass(frozen=True)
class Step:
    """A step of the published order: the better and the worse kind, and whether they may be equal."""

    better: str
    worse: str
    may_be_equal: bool = False

    def holds(self) -> verdicts.Regions:
        """Return the rule for the lead of the better kind."""
        return verdicts.at_least(CHIP_MARGIN) if self.may_be_equal else verdicts.above(CHIP_MARGIN)


STEPS = {
    "V2 >= V1": Step("V2", "V1", may_be_equal=True),
    "V1 > Standard": Step("V1", "Standard"),
    "Standard > Call": Step("Standard", "Call"),
}
CHAIN, ORDER = "V1 > Standard > Call", "V2 >= V1 > Standard > Call"


def experiment(context: Context) -> Iterator[Sample]:
    """Play all robots at one table; the published order is V2 >= V1 > Standard > Call."""
    setting = game_settings.setting_of(context)
    context.text(
        f"Setting: {setting.describe(setting.final_rounds)}. It was chosen after short runs; the grid was not."
    )
    games = game_settings.games_of(context) // context.pick(1, 1, 2, 1)
    specs = [*setting.v2_rivals(), setting.ai(2)]
    cash_games = game_settings.play_games(context, setting, specs, games, "games", rules=setting.final_rules)
    chips = chips_by_kind(won(cash_games))
    _show_games(context, cash_games, chips)
    for step in STEPS.values():
        lead = mean_interval(chips[step.better] - chips[step.worse])
        yield sample(f"chips of a {step.better} minus a {step.worse}, our setting", lead)
    best = max((kind for kind in chips if kind != "V2"), key=lambda kind: float(chips[kind].mean()))
    name = "chips of a V2 minus the best other kind, our setting"
    yield sample(name, mean_interval(chips["V2"] - chips[best]), best=best)
    yield _stability(cash_games)
    pairs = (("V1", "Standard"), ("Standard", "Call"))
    yield from _enough_games(
        context, {f"{first} and {second}": chips[first] - chips[second] for first, second in pairs}
    )
    yield from _grid_claims(context)


def chips_by_kind(chips: Floats) -> dict[str, Floats]:
    """Return the chips of one robot of each kind (games,), from the chips of all seats (games, seats)."""
    return {kind: chips[:, seats].mean(axis=1) for kind, seats in SEATS.items()}


# --- the published order on the grid


def _grid_claims(context: Context) -> Iterator[Sample]:
    """Judge the signs of the order in every setting of the grid, after each length of a game."""
    settings, games = grid.grid_settings(context), context.pick(4, 24, 60, 10)
    lengths = ", ".join(map(str, grid.ROUNDS))
    context.text(f"{grid.describe(settings, games)} Stacks are compared after {lengths} rounds.")
    leads = _grid_leads(context, settings, games)
    over = f"{len(settings) * len(grid.ROUNDS)} settings and lengths, {games} games in each"
    marks = {}
    claims = {name: [name] for name in STEPS} | {CHAIN: list(STEPS)[1:], ORDER: list(STEPS)}
    for claim, steps in claims.items():
        judged = _judge_steps(leads, steps)
        marks[claim] = grid.marks_of(judged).reshape(len(settings), -1).mean(axis=1)
        yield sample(f"share of settings with {claim}", judged=judged, published=claim, over=over)
    rows = grid.rows_by_axis(settings, marks)
    context.table("Share of settings with each published sign", ["quantity", "settings", *marks], rows)
    _draw_grid(context, leads)


def _grid_leads(context: Context, settings: Sequence[Setting], games: int) -> dict[str, Floats]:
    """Return for each step of the order the lead of the better kind (games, settings x lengths)."""
    leads: dict[str, list[Floats]] = {name: [] for name in STEPS}
    for number, setting in enumerate(settings):
        specs = [*setting.v2_rivals(), setting.ai(2)]
        rules = CashGameRules(max(grid.ROUNDS))
        cash_games = game_settings.play_games(context, setting, specs, games, "grid", str(number), rules=rules)
        for length in grid.ROUNDS:
            chips = chips_by_kind(won(cash_games, length))
            for name, step in STEPS.items():
                leads[name].append(chips[step.better] - chips[step.worse])
    return {name: np.array(columns).T for name, columns in leads.items()}


def _judge_steps(leads: Mapping[str, Floats], names: Sequence[str]) -> list[Verdict]:
    """Return every setting's verdict on one step of the order, or on several: those hold if the smallest lead does."""
    ends = {name: grid.mean_intervals(leads[name]) for name in names}
    if len(names) == 1:
        return grid.judge_settings(STEPS[names[0]].holds(), ends[names[0]])
    beyond = [ends[name] + (CHIP_MARGIN if STEPS[name].may_be_equal else -CHIP_MARGIN) for name in names]
    return grid.judge_settings(verdicts.at_least(0.0), np.min(beyond, axis=0))


# --- two remarks on the games at our setting


def _stability(cash_games: Sequence[CashGameRecord]) -> Sample:
    """Compare how much V2's results, and its changes from round to round, vary to those of the other kinds."""
    changes = np.array([(np.diff(cash_game.stacks, axis=0) ** 2).mean(axis=0) for cash_game in cash_games])
    ends, texts = [], []
    measures: dict[str, tuple[Floats, Callable[[Floats], Floats]]] = {
        "results of games": (won(cash_games), lambda rows: rows.std(axis=0)),
        "changes of a round": (changes, lambda rows: np.sqrt(rows.mean(axis=0))),
    }
    for measure, (rows, spreads) in measures.items():
        excess = _excess_of(spreads)
        low, high = game_settings.resampled(excess, rows)
        ends.append((low, high))
        texts.append(f"{measure} {excess(rows):+.2f} ({low:.2f} to {high:.2f})")
    name = "V2's spread over that of the other kinds, minus 1"
    return sample(name, "; ".join(texts), judged=ends, over=f"{len(cash_games)} games")


def _excess_of(spreads: Callable[[Floats], Floats]) -> Callable[[Floats], float]:
    """Return a function of rows (games, seats): V2's spread over the mean of the other kinds', minus 1."""

    def excess(rows: Floats) -> float:
        by_seat = spreads(rows)
        by_kind = {kind: float(by_seat[seats].mean()) for kind, seats in SEATS.items()}
        return by_kind["V2"] / float(np.mean([spread for kind, spread in by_kind.items() if kind != "V2"])) - 1

    return excess


def _enough_games(context: Context, leads: Mapping[str, Floats]) -> Iterator[Sample]:
    """Measure how often the mean of ten games, and of a hundred, has the right sign, for pairs of unequal robots."""
    rows: list[list[str | float]] = []
    for games in (10, 100):
        ends = [right_sign(lead, games) for lead in leads.values()]
        rows += [[pair, games, *interval] for pair, interval in zip(leads, ends, strict=True)]
        pairs = f"pairs {', '.join(leads)}"
        yield sample(f"the right sign from {games} games, test 4", "{verdicts}", judged=ends, over=pairs)
    context.table("How often the better robot is ahead in some games", ["pair", "games", "from", "to"], rows)


def right_sign(lead: Floats, games: int) -> Interval:
    """Return the 95% interval of the probability that a mean of games has the sign of the true mean.

    The mean is taken as normal.

    Args:
        lead: One robot's chips minus the other's (n,), per game.
        games: The number of games in the mean.

    """
    n, effect = len(lead), abs(float(lead.mean() / lead.std(ddof=1)))
    half = 1.96 * sqrt(1 / n + effect**2 / (2 * n))
    low, high = (float(ndtr(sqrt(games) * max(end, 0.0))) for end in (effect - half, effect + half))
    return low, high


# --- tables and pictures


def _show_games(context: Context, cash_games: Sequence[CashGameRecord], chips: Mapping[str, Floats]) -> None:
    estimates = {kind: mean_interval(by_game) for kind, by_game in chips.items()}
    rows: pictures.Rows = [[kind, estimate.mean, estimate.ci95] for kind, estimate in estimates.items()]
    header = ["robot", "chips won a game", "±"]
    context.table(f"Chips won in {len(cash_games)} games", header, rows)
    typical = cash_games[game_settings.median_game(chips["V2"])]
    other = cash_games[game_settings.median_game(chips["V2"] - chips["V1"])]
    examples = [("V2's typical game", typical), ("another game", other)]
    caption = "One Call, three Standard, two V1 and one V2: two games."
    pictures.save_games(context, "chen-4-games", examples, LABELS, caption)
    caption = f"The mean stack of each kind of robot in {len(cash_games)} games, with 95% intervals over games."
    pictures.save_means(context, "chen-4-mean", cash_games, SEATS, caption)
    pictures.save_workbook(context, LABELS, cash_games, examples, header, rows)


def _draw_grid(context: Context, leads: Mapping[str, Floats]) -> None:
    figure = html.figure(9.6, 3.4)
    curves: dict[str, list[float]] = {}
    for axes, (name, lead) in zip(figure.subplots(1, 3), leads.items(), strict=True):
        colour, order = pictures.COLOURS[STEPS[name].better], np.argsort(lead.mean(axis=0))
        mean, (low, high) = lead.mean(axis=0)[order], grid.mean_intervals(lead)[:, order]
        axes.plot(mean, color=colour)
        axes.fill_between(range(len(mean)), low, high, color=colour, alpha=0.2, linewidth=0)
        axes.axhline(0, color="#667085", linewidth=1)
        title = f"{name}: {(mean > 0).mean():.0%} above 0"
        pictures.style_axes(axes, title, "settings, in order", "chips of lead")
        curves |= {name: mean.tolist(), f"{name}, from": low.tolist(), f"{name}, to": high.tolist()}
    caption = (
        "The lead of each kind of robot over the next in every setting of the grid and after each length of a game, in "
        "order of size: means over games with 95% intervals."
    )
    context.picture("chen-4-grid", figure, caption, curves)
