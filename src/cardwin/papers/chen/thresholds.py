"""Test 5: the thresholds that AI V2 learns for target shares of hands won.

In the document's rule a hand counts if V2 calls or raises (3.3); its simulation deals opponents once and counts ties as
losses (3.4). Its V2 forgets between games: what is judged are single games from 1.3, and because neither their length
nor a floor is published, every length and both floors are settings with a verdict of their own. Trainings over many
games (AI V3, which the document did not finish) are beside them. Margins are in the register.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from cardwin.core.executor import executor_of
from cardwin.core.rng import child
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import DOCUMENTS, Floats, Interval, Setting
from cardwin.papers.chen.everybody import rivals
from cardwin.papers.chen.learning import (
    AS_OURS,
    AS_PUBLISHED,
    FLOOR,
    HALF,
    LENGTHS,
    LOW,
    THIRD,
    WANTED,
    WAYS,
    Singles,
    Wanted,
    Way,
    learner_for,
    learner_of,
    single_game,
    single_games,
)
from cardwin.papers.register import register
from cardwin.papers.trials import SHARES, Spread, mean_over, spread
from cardwin.papers.verdicts import Regions, Verdict
from cardwin.players.robots.learner import Learner, save
from cardwin.players.robots.training import Training, held, train
from cardwin.reports import html

SCANNED = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 3.0, 5.0)
SHOWN = LENGTHS.index(100)  # the length of which a finding shows the numbers
PUBLISHED = (
    ("4.2, test 5", LOW, 1.18, ""),
    ("4.2, test 5", THIRD, 1.38, ""),
    ("4.2, test 5", HALF, 1.5, ""),
    ("3.3", LOW, 1.14, ", as 3.3 has it"),
)
Trained = dict[Wanted, list[Training]]
Floors = dict[bool, dict[Wanted, Singles]]  # single games with the floor and without


def thresholds(context: Context) -> Iterator[Finding]:
    """Thresholds learnt at test 4's table for targets of 20, 33 and 50 percent, and whether any reaches its target."""
    setting = conditions.setting_of(context)
    table = replace(setting, simulation=DOCUMENTS)
    context.say(f"Setting: {table.text(setting.final_rounds)}, as the document did, unless the other way is named.")
    games = context.pick(8, 60, 400, 20)
    singles: Floors = {
        floor: {wanted: single_games(setting, AS_PUBLISHED, wanted, games, context.key("single"), floor=floor,
                                     workers=context.workers) for wanted in WANTED}
        for floor in (True, False)
    }  # fmt: skip
    trained = {way: {wanted: _train(context, setting, way, wanted) for wanted in WANTED} for way in WAYS}
    shares = {way: scan(context, setting, way) for way in (AS_PUBLISHED, AS_OURS)}
    first = {wanted: _first_game(context, setting, wanted) for wanted in WANTED}
    _show(context, first, shares)
    _table_of_singles(context, singles)
    _tables(context, trained, shares)
    yield from _learnt(singles)
    yield from _trend(singles)
    yield _more_hands(singles)
    yield from balance(singles)
    yield from _by_training(trained[AS_PUBLISHED])
    yield from _scanned(shares)
    yield from _everywhere(context)


def margin_of(name: str) -> float:
    """The margin of a claim in the register."""
    return register(__package__).margin(name)


# --- single games, as the document ran them


def _over_lengths(regions: Regions, samples: Mapping[bool, Floats]) -> list[Verdict]:
    """The verdict at each length, with the floor and without, from samples (games, lengths)."""
    return [one for sample in samples.values() for one in grid.own_verdicts(regions, grid.intervals(sample))]


def _over_text(singles: Floors) -> str:
    return f"{len(LENGTHS)} lengths of 50 to 500 rounds, with a floor and without, {_games(singles)} single games each"


def _games(singles: Floors) -> int:
    return len(singles[True][LOW].thresholds)


def _shown(sample: Floats, bounds: tuple[float, float] = (-math.inf, math.inf)) -> tuple[float, Interval]:
    """The mean and its interval at the length that is shown."""
    low, high = grid.intervals(sample, bounds)[:, SHOWN].tolist()
    return float(sample[:, SHOWN].mean()), (low, high)


def _learnt(singles: Floors) -> Iterator[Finding]:
    """The published thresholds, each over all lengths."""
    for place, wanted, published, remark in PUBLISHED:
        name = f"threshold learnt for {wanted.text}{remark}"
        samples = {floor: games[wanted].thresholds for floor, games in singles.items()}
        found = _over_lengths(verdicts.within(published, margin_of(name)), samples)
        mean, ends = _shown(samples[True])
        yield Finding(
            place, name, published=published, measured=mean, ci95=ends, over=_over_text(singles),
            verdict=verdicts.in_most(found, grid.SHARE),
            reason=f"measured: after {LENGTHS[SHOWN]} rounds, with the floor; {grid.counted(found)}; margin "
            f"{margin_of(name):g}; {floored(mean)}",
        )  # fmt: skip


def floored(value: float) -> str:
    """Whether a value is at our lower limit: the document had none, and would have fallen further."""
    if value < FLOOR + 0.05:
        return (
            f"this is our floor of {FLOOR:.1f} and no place of rest: below it a row of the decision table would be "
            "empty, and without it the threshold would go on falling"
        )
    return f"above our floor of {FLOOR:.1f}"


def _trend(singles: Floors) -> Iterator[Finding]:
    """The trend, which the document calls worth mentioning although the values may be imperfect."""
    printed = {wanted: value for place, wanted, value, _ in PUBLISHED if place != "3.3"}
    for low, high in (*pairwise(WANTED), (LOW, HALF)):
        name = f"the trend: threshold for {high.share:.0%} minus threshold for {low.share:.0%}"
        samples = {floor: games[high].thresholds - games[low].thresholds for floor, games in singles.items()}
        found = _over_lengths(verdicts.above(margin_of(name)), samples)
        mean, ends = _shown(samples[True])
        yield Finding(
            "4.2, test 5", name, published=round(printed[high] - printed[low], 2), measured=mean, ci95=ends,
            over=_over_text(singles), verdict=verdicts.in_most(found, grid.SHARE),
            reason=f"measured: after {LENGTHS[SHOWN]} rounds, with the floor; {grid.counted(found)}; margin "
            f"{margin_of(name):g}. All begin at 1.3, and larger steps leave it faster: that is the trend",
        )  # fmt: skip


def _more_hands(singles: Floors) -> Finding:
    name = "hands a game that V2 plays when it wants 20%, minus those when it wants 50%"
    samples = {floor: games[LOW].hands - games[HALF].hands for floor, games in singles.items()}
    found = _over_lengths(verdicts.above(margin_of(name)), samples)
    mean, ends = _shown(samples[True])
    return Finding(
        "4.2, test 5", name, published="more rounds", measured=mean, ci95=ends, over=_over_text(singles),
        verdict=verdicts.in_most(found, grid.SHARE),
        reason=f"measured: after {LENGTHS[SHOWN]} rounds, with the floor; {grid.counted(found)}; margin "
        f"{margin_of(name):g} hand; the threshold decides between call and raise, not on playing",
    )  # fmt: skip


def balance(singles: Floors) -> Iterator[Finding]:
    """The share at which steps balance, and whether that share of hands is won."""
    for steps, published in ((HALF, 1 / 3), (LOW, 0.2)):
        exact = steps.up / (steps.up + steps.down)
        regions = verdicts.calculated(exact, 0.0005)  # .333 is printed to three places
        yield Finding(
            "3.3", f"share at which steps of -{steps.down:g}/+{steps.up:g} balance", published=round(published, 3),
            measured=exact, exact=exact, verdict=verdicts.judge(regions, published),
            reason="steps of -d/+u balance at u/(u+d)",
        )  # fmt: skip
    name = "share won of hands that counted, steps of -0.01/+0.01"
    samples = {floor: games[HALF].won / np.maximum(games[HALF].hands, 1) for floor, games in singles.items()}
    found = _over_lengths(verdicts.within(1 / 3, margin_of(name)), samples)
    mean, ends = _shown(samples[True], SHARES)
    yield Finding(
        "3.3", name, published=round(1 / 3, 3), measured=mean, ci95=ends, over=_over_text(singles),
        verdict=verdicts.in_most(found, grid.SHARE),
        reason=f"measured: in {LENGTHS[SHOWN]} rounds, with the floor; {grid.counted(found)}; margin "
        f"{margin_of(name):g}",
    )  # fmt: skip


def _table_of_singles(context: Context, singles: Floors) -> None:
    rows: list[list[str | float]] = []
    for floor, games in singles.items():
        for place, length in enumerate(LENGTHS):
            means = [float(games[wanted].thresholds[:, place].mean()) for wanted in WANTED]
            rows.append([f"floor of {FLOOR:.1f}" if floor else "none", length, *means, means[-1] - means[0]])
    context.table(
        f"Single games from 1.3, {_games(singles)} each: the threshold after some rounds",
        ["floor", "rounds", *(wanted.text for wanted in WANTED), "50% minus 20%"], rows,
    )  # fmt: skip


# --- trainings over many games, and fixed thresholds: ours


def scan(context: Context, setting: Setting, way: Way) -> list[tuple[float, Interval]]:
    """The share of counted hands won with the threshold fixed at each of SCANNED, with its interval."""
    games = context.pick(12, 40, 150, 100)
    table = replace(setting, simulation=way.simulation)

    def play(threshold: float) -> tuple[float, Interval]:
        learner = learner_of(setting, way, f",threshold={threshold}")
        tally = held(table.game, learner, rivals(table), games, context.key("scan"), table.final_rules).astype(float)
        return share_won(tally), conditions.resampled(share_won, tally)

    with executor_of(context.workers) as executor:
        return list(executor.map(play, SCANNED))


def share_won(tally: Floats) -> float:
    """The share of counted hands that were won, from their numbers (games, 2)."""
    hands, won = tally.sum(axis=0)
    return float(won / hands) if hands else 0.0


def _train(context: Context, setting: Setting, way: Way, wanted: Wanted) -> list[Training]:
    """Independent trainings; the first one's V3 is saved."""
    chains, games = context.pick((4, 6), (8, 12), (16, 24), (4, 50))
    table = replace(setting, simulation=way.simulation)

    def run(number: int) -> tuple[Training, Learner]:
        learner = learner_for(setting, way, wanted)
        key = child(context.key("train"), number)
        return train(table.game, learner, rivals(table), games, key, table.final_rules), learner

    with executor_of(context.workers) as executor:
        done = list(executor.map(run, range(chains)))
    if way == AS_PUBLISHED:
        save(context.folder / f"v3-{round(100 * wanted.share)}.json", done[0][1])
    return [training for training, _ in done]


def _first_game(context: Context, setting: Setting, wanted: Wanted) -> Floats:
    """The threshold (games, rounds + 1) in some games of a V2 that begins at 1.3 and learns as published."""
    rounds = setting.final_rounds

    def play(number: int) -> Floats:
        return single_game(setting, AS_PUBLISHED, wanted, child(context.key("first"), number), rounds)[:, 0]

    with executor_of(context.workers) as executor:
        games = list(executor.map(play, range(context.pick(4, 12, 40, 12))))
    shortest = min(map(len, games))
    return np.array([values[:shortest] for values in games])


def _settled(trainings: Sequence[Training]) -> Floats:
    return np.array([one.settled()[0] for one in trainings])


def _won(trainings: Sequence[Training]) -> Spread:
    return spread([one.share_won() for one in trainings], SHARES)


def _by_training(trained: Trained) -> Iterator[Finding]:
    """Where the thresholds end if V2 does not forget, as the unfinished AI V3."""
    for wanted in WANTED:
        value, share = spread(_settled(trained[wanted])), _won(trained[wanted])
        yield Finding(
            "ours", f"threshold after many games without forgetting, {wanted.text}", **mean_over(value, "trainings"),
            verdict=None, reason=f"{floored(value.mean)}; {share.mean:.0%} of the hands that counted were won, "
            f"{wanted.share:.0%} were wanted",
        )  # fmt: skip


def _scanned(shares: Mapping[Way, Sequence[tuple[float, Interval]]]) -> Iterator[Finding]:
    for way, found in shares.items():
        low, high = min(found), max(found)
        yield Finding(
            "ours", f"share won of hands that count, thresholds held from 1 to 5; {way.name}",
            measured=f"{low[0]:.1%} to {high[0]:.1%}", ci95=(low[1][0], high[1][1]), over="the games of the scan",
            verdict=None,
            reason="where this lies above every wanted share no threshold has one of them, and nothing balances: the "
            "threshold hardly changes which hands are played, and most raises win because the others fold",
        )  # fmt: skip


def _everywhere(context: Context) -> Iterator[Finding]:
    """Single games on the grid: whether each setting has the published trend."""
    settings, games = grid.settings_of(context), context.pick(4, 10, 40, 20)
    context.say(grid.text_of(settings, games, f"single games for each wanted share, after {grid.ROUNDS} rounds"))
    values = _grid_values(context, settings, games)  # (wanted, games, settings x lengths)
    margin = margin_of("the trend: threshold for 50% minus threshold for 20%")
    steps = [grid.intervals(values[high] - values[low]) for low, high in pairwise(range(len(WANTED)))]
    claims = {
        "50% above 20%": grid.intervals(values[2] - values[0]),
        "each threshold above the one before": np.min(steps, axis=0),
    }
    over = f"{len(settings) * len(grid.ROUNDS)} settings and lengths, {games} games in each"
    marks = {}
    for what, ends in claims.items():
        found = grid.own_verdicts(verdicts.above(margin), ends)
        marks[what] = grid.marks_of(found).reshape(len(settings), -1).mean(axis=1)
        yield Finding(
            "4.2, test 5", f"share of settings with the trend: {what}", published="20% < 33% < 50%",
            measured=grid.share_that_holds(found), over=over, verdict=verdicts.in_most(found, grid.SHARE),
            reason=f"{grid.counted(found)}; margin {margin:g}",
        )  # fmt: skip
    near = np.all([np.abs(values[place].mean(axis=0) - value) <= margin_of(f"threshold learnt for {wanted.text}")
                   for place, (_, wanted, value, _) in enumerate(PUBLISHED[:3])], axis=0)  # fmt: skip
    yield Finding(
        "ours", "share of settings with all three thresholds near the published ones", measured=float(near.mean()),
        over=over, verdict=None, reason=f"{int(near.sum())} of {len(near)}, by the means of the games",
    )  # fmt: skip
    context.table("Thresholds on the grid: share of settings", ["quantity", "settings", *marks],
                  grid.by_axis(settings, marks))  # fmt: skip


def _grid_values(context: Context, settings: Sequence[Setting], games: int) -> Floats:
    """The threshold (wanted, games, settings x lengths) of single games in each setting, by the document's rule."""

    def run(number: int) -> list[Floats]:
        setting = settings[number]
        way, key = Way("", "play", setting.simulation), context.key("grid", number)
        return [single_games(setting, way, wanted, games, key, lengths=grid.ROUNDS).thresholds for wanted in WANTED]

    with executor_of(context.workers) as executor:
        found = np.array(list(executor.map(run, range(len(settings)))))  # (settings, wanted, games, lengths)
    values: Floats = found.transpose(1, 2, 0, 3).reshape(len(WANTED), games, -1)
    return values


def _show(context: Context, first: Mapping[Wanted, Floats],
          shares: Mapping[Way, Sequence[tuple[float, Interval]]]) -> None:  # fmt: skip
    figure = html.figure(10.4, 4.8)
    left, right = figure.subplots(1, 2)
    curves: dict[str, list[float]] = {}
    published = {wanted: value for place, wanted, value, _ in PUBLISHED if place != "3.3"}
    for colour, (wanted, values) in zip(("#1f77b4", "#e07b00", "#b3152a"), first.items(), strict=True):
        mean, (low, high) = values.mean(axis=0), grid.intervals(values)
        curves |= {
            wanted.text: mean.tolist(),
            f"{wanted.text}, from": low.tolist(),
            f"{wanted.text}, to": high.tolist(),
        }
        left.plot(mean, color=colour, label=f"{wanted.text} wanted")
        left.fill_between(range(len(mean)), low, high, color=colour, alpha=0.2, linewidth=0)
        left.axhline(published[wanted], color=colour, linestyle=":", linewidth=1)
        right.axhline(wanted.share, color=colour, linestyle=":", linewidth=1)
    left.axhline(FLOOR, color="#667085", linewidth=1, label=f"our lower limit of {FLOOR:.1f}")
    show.dress(left, "learnt in a single game from 1.3 (dotted: published)", "round", "threshold")
    html.legend_outside(figure, left, 1, "outside lower left")
    for (way, found), colour in zip(shares.items(), ("#20242c", "#667085"), strict=True):
        curves[f"won, {way.name}"] = [share for share, _ in found]
        errors = np.abs(np.array([[share - low, high - share] for share, (low, high) in found]).T)
        right.errorbar(SCANNED, curves[f"won, {way.name}"], errors, color=colour, marker="o", markersize=4, capsize=2,
                       label=way.name)  # fmt: skip
    right.set_ylim(0, 1)
    show.dress(right, "share won of hands that count (dotted: wanted)", "threshold, fixed", "share")
    html.legend_outside(figure, right, 1, "outside lower right")
    context.picture(
        "chen-5-thresholds", figure,
        "Left: V2's threshold by round, the mean of single games by the document's rule. Right: why it falls: with a "
        "threshold that is fixed, the share of hands won is above the wanted shares. All with 95% intervals.",
        {**curves, "threshold, fixed": list(SCANNED)},
    )  # fmt: skip


def _tables(context: Context, trained: Mapping[Way, Trained],
            shares: Mapping[Way, Sequence[tuple[float, Interval]]]) -> None:  # fmt: skip
    rows: list[list[str | float]] = []
    for way, ones in trained.items():
        for wanted, trainings in ones.items():
            value, won = spread(_settled(trainings)), _won(trainings)
            low, high = value.ci95 or (value.mean, value.mean)
            rows.append([way.name, wanted.text, value.mean, (high - low) / 2, won.mean])
    context.table(
        f"Four ways to learn: the threshold over the second half of the games (lower limit {FLOOR:.1f})",
        ["way", "wanted", "threshold", "±", "share won"], rows,
    )  # fmt: skip
    context.table(
        "Share won of the hands that count, with a fixed threshold",
        ["threshold", *(text for way in shares for text in (way.name, "from", "to"))],
        [
            [held_at, *(cell for found in shares.values() for cell in (found[place][0], *found[place][1]))]
            for place, held_at in enumerate(SCANNED)
        ],
    )
    context.say("The robots trained as published are saved as v3-20.json, v3-33.json and v3-50.json: v3:file=….")
