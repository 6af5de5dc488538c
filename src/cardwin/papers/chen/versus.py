"""Test 3: three Standard robots against three AI V1, with bluffs and without.

In the end one side has all the chips, however small its advantage; so a V1 is judged by its chips a round until one
side is eliminated, which also measures how fast it wins. Losing and winning are signs of that, beyond the register's
margin of 5% of a stack over the longest game; leaving out the bluffs is an improvement if the same deals bring more
without them. All of it again on the grid.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.cash_game import CashGameRecord
from cardwin.core.arrays import Floats
from cardwin.papers import Context, verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import Setting
from cardwin.papers.register import register
from cardwin.papers.sample import Sample, sample
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval, share_of

LABELS = show.labels_of(("Standard", 3), ("V1", 3))
LONGEST = 600
MARGIN = register(__package__).margin("V1's chips a round with bluffs")


@dataclass(frozen=True)
class Variant:
    """Another reading of what the document does not specify: both players' parameters, and a description."""

    name: str
    standard: str = "reraise=fold"
    v1: str = "size=1,reraise=fold"
    ante: int = 30


VARIANTS = (
    Variant("as in the spec: Standard folds to dear raises, everybody to re-raises"),
    Variant("V1 raises three least bets", v1="size=3,reraise=fold"),
    Variant("Standard calls raises with good hands at any price", "reraise=fold,good-hands=call"),
    Variant("re-raises are played", "reraise=play", "size=1,reraise=play"),
    Variant("re-raises are played, Standard calls every raise", "odds=1", "size=1"),
    Variant("the same, and V1 raises three least bets", "odds=1", "size=3"),
    Variant("the same, and the ante is half a blind", "odds=1", "size=3", 50),
    Variant("the same, and V1 simulates as the document did", "odds=1", "size=3,deals=once,ties=lose", 50),
)


def bluffs(context: Context) -> Iterator[Sample]:
    """Three Standard against three V1: in the document V1 lost with bluffs and won without."""
    setting = replace(conditions.setting_of(context), final_rounds=LONGEST)
    context.text(f"Setting: {setting.text(LONGEST)}; a game counts until one side is eliminated.")
    games = context.pick(24, 150, 1000, 100)
    played = {bluffing: _play(context, setting, bluffing, games, "games") for bluffing in (True, False)}
    _show(context, played)
    pace = {bluffing: np.array([_pace(one) for one in cash_games]) for bluffing, cash_games in played.items()}
    readings = _readings(context, setting)
    yield sample("V1's chips a round with bluffs", mean_interval(pace[True]), readings=readings)
    yield sample("V1's chips a round without bluffs", mean_interval(pace[False]))
    yield sample("V1's chips a round without bluffs minus with", mean_interval(pace[False] - pace[True]))
    yield from _ends(played)
    yield from _everywhere(context)


def _play(context: Context, setting: Setting, bluffing: bool, games: int, *names: str) -> list[CashGameRecord]:
    specs = [f"{setting.standard()}*3", f"{setting.v(1, bluffing)}*3"]
    return conditions.play_games(context, setting, specs, games, *names, rules=setting.final_rules)


def decided(cash_game: CashGameRecord) -> int:
    """The round after which one of the two sides had no chips, or the last round."""
    sides = np.stack([cash_game.stacks[:, :3].sum(axis=1), cash_game.stacks[:, 3:].sum(axis=1)])
    over = np.flatnonzero((sides == 0).any(axis=0))
    return int(over[0]) if len(over) else cash_game.rounds


def _pace(cash_game: CashGameRecord) -> float:
    """The chips a round that a V1 wins until one side is eliminated."""
    last = decided(cash_game)
    return float((cash_game.stacks[last] - cash_game.stacks[0])[3:].mean() / last)


def _ends(played: dict[bool, list[CashGameRecord]]) -> Iterator[Sample]:
    for bluffing, word in ((True, "with"), (False, "without")):
        rounds = np.array([decided(one) for one in played[bluffing]], dtype=np.float64)
        yield sample(
            f"rounds until one side is out, {word} bluffs", float(np.median(rounds)), over=f"{len(rounds)} games",
            ci95=conditions.resampled(conditions.median, rounds), long=int((rounds >= LONGEST).sum()), longest=LONGEST,
        )  # fmt: skip
    ends = [one.stacks[decided(one)] for one in played[False]]
    gone = sum(bool((last[3:] > 0).all() and (last[:3] == 0).all()) for last in ends)
    name = "share of games without bluffs with all V1 alive when the last Standard is out"
    yield sample(name, share_of(gone, len(ends)))


def _everywhere(context: Context) -> Iterator[Sample]:
    """The published signs on the grid."""
    settings, games = grid.settings_of(context), context.pick(4, 12, 40, 10)
    context.text(grid.text_of(settings, games, "games with bluffs and without"))
    paces = {
        bluffing: np.array([
            [_pace(one) for one in _play(context, setting, bluffing, games, "grid", str(number))]
            for number, setting in enumerate(settings)
        ]).T
        for bluffing in (True, False)
    }  # fmt: skip
    marks: dict[str, Floats] = {}
    for what, published, gaps in (
        ("V1 loses with bluffs", "loses", -paces[True]),
        ("V1 wins without bluffs", "wins", paces[False]),
        ("V1 does better without bluffs than with", "an improvement", paces[False] - paces[True]),
    ):
        each = grid.verdicts_of(verdicts.above(MARGIN), grid.intervals(gaps))
        marks[what] = grid.marks_of(each)
        over = f"{len(settings)} settings, {games} games in each"
        yield sample(f"share of settings in which {what}", judged=each, published=published, over=over)
    names = list(marks)
    marks["both published signs"] = marks[names[0]] * marks[names[1]]
    rows = grid.by_axis(settings, marks)
    context.table("V1 with bluffs and without: share of settings", ["quantity", "settings", *marks], rows)


def _readings(context: Context, setting: Setting) -> str:
    """The same test under other readings of the document, the last one nearest to it; the result of that one."""
    games = context.pick(12, 40, 150, 25)
    rows: list[list[str | float]] = []
    for variant in VARIANTS:
        row: list[str | float] = [variant.name]
        for switch in ("on", "off"):
            specs = [f"standard:{variant.standard}*3", f"v1:bluffs={switch},rollouts={setting.rollouts},{variant.v1}*3"]
            table = replace(setting, ante=variant.ante)
            cash_games = conditions.play_games(context, table, specs, games, "readings", rules=setting.final_rules)
            one = mean_interval(np.array([_pace(cash_game) for cash_game in cash_games]))
            row += [one.mean, one.ci95]
        rows.append(row)
    context.table(
        f"V1's chips a round until one side is out, {games} games each",
        ["reading", "with bluffs", "±", "without", "±"], rows,
    )  # fmt: skip
    _, on, on_error, off, off_error = rows[-1]
    return (
        "The document calls its Standard hard to scare if it has good hands, which is on the grid. In a reading found "
        "by searching, Standard calls every raise, re-raises are played, the ante is half a blind, and V1 raises three "
        f"least bets and simulates as the document did; a V1 then wins {off:+.1f} ± {off_error:.1f} a round without "
        f"bluffs, {on:+.1f} ± {on_error:.1f} with them."
    )


def _show(context: Context, played: dict[bool, list[CashGameRecord]]) -> None:
    games = []
    rows: show.Rows = []
    for bluffing, title in ((True, "with bluffs"), (False, "without bluffs")):
        cash_games = played[bluffing]
        paces = np.array([_pace(one) for one in cash_games])
        middle = cash_games[conditions.typical(paces)]
        games.append((title, CashGameRecord(middle.stacks[: decided(middle) + 1])))
        chips = won(cash_games)
        rows += [[f"{label}, {title}", float(chips[:, seat].mean())] for seat, label in enumerate(LABELS)]
    show.picture_of_games(
        context, "chen-3-games", games, LABELS,
        "Three Standard against three V1 until one side is out: a typical game with bluffs and one without.",
    )  # fmt: skip
    header = ["robot", f"chips won a game, mean of {len(played[True])}"]
    for bluffing, title in ((True, "with-bluffs"), (False, "without-bluffs")):
        show.workbook(context, LABELS, played[bluffing], [games[0 if bluffing else 1]], header, rows, f"bluffs-{title}")
