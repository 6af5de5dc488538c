"""Test 3: three Standard robots against three AI V1, with bluffs and without.

In the end one side has all the chips, however small its advantage. So a V1 is judged by its chips per round until one
side is eliminated, which also measures how fast it wins. It loses or wins if that is beyond the register's margin: 5%
of a stack over the longest game. Playing without bluffs is an improvement if the same deals bring more without them.
All of it is measured again on the grid.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.cash_game import CashGameRecord
from cardwin.core.arrays import Floats
from cardwin.papers import Context, verdicts
from cardwin.papers.chen import game_settings, grid, pictures
from cardwin.papers.chen.game_settings import Setting
from cardwin.papers.register import register
from cardwin.papers.sample import Sample, sample
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval, share_of

LABELS = pictures.seat_labels(("Standard", 3), ("V1", 3))
LONGEST = 600
MARGIN = register(__package__).margin("V1's chips per round with bluffs")


@dataclass(frozen=True)
class Reading:
    """Another reading of what the document does not specify: a description, both robots' options and the ante."""

    name: str
    standard: str = "reraise=fold"
    v1: str = "size=1,reraise=fold"
    ante: int = 30


READINGS = (
    Reading("as in the spec: Standard folds to dear raises, everybody to re-raises"),
    Reading("V1 raises three minimum bets", v1="size=3,reraise=fold"),
    Reading("Standard calls raises with good hands at any price", "reraise=fold,good-hands=call"),
    Reading("re-raises are played", "reraise=play", "size=1,reraise=play"),
    Reading("re-raises are played, Standard calls every raise", "odds=1", "size=1"),
    Reading("the same, and V1 raises three minimum bets", "odds=1", "size=3"),
    Reading("the same, and the ante is half a blind", "odds=1", "size=3", 50),
    Reading("the same, and V1 simulates as the document did", "odds=1", "size=3,deals=once,ties=lose", 50),
)
GamesByBluffing = Mapping[bool, list[CashGameRecord]]  # with bluffs and without, on the same deals


def experiment(context: Context) -> Iterator[Sample]:
    """Play three Standard against three V1: in the document V1 lost with bluffs and won without."""
    setting = replace(game_settings.setting_of(context), final_rounds=LONGEST)
    context.text(f"Setting: {setting.describe(LONGEST)}; a game counts until one side is eliminated.")
    games = context.pick(24, 150, 1000, 100)
    played = {bluffing: _play(context, setting, bluffing, games, "games") for bluffing in (True, False)}
    _show_games(context, played)
    paces = {bluffing: _paces(cash_games) for bluffing, cash_games in played.items()}
    readings = _compare_readings(context, setting)
    yield sample("V1's chips per round with bluffs", mean_interval(paces[True]), readings=readings)
    yield sample("V1's chips per round without bluffs", mean_interval(paces[False]))
    yield sample("V1's chips per round without bluffs minus with", mean_interval(paces[False] - paces[True]))
    yield from _eliminations(played)
    yield from _grid_claims(context)


def _play(context: Context, setting: Setting, bluffing: bool, games: int, *names: str) -> list[CashGameRecord]:
    specs = [f"{setting.standard()}*3", f"{setting.ai(1, bluffing)}*3"]
    return game_settings.play_games(context, setting, specs, games, *names, rules=setting.final_rules)


def deciding_round(cash_game: CashGameRecord) -> int:
    """Return the round after which one of the two sides had no chips, or the last round."""
    sides = np.stack([cash_game.stacks[:, :3].sum(axis=1), cash_game.stacks[:, 3:].sum(axis=1)])
    over = np.flatnonzero((sides == 0).any(axis=0))
    return int(over[0]) if len(over) else cash_game.rounds


def _paces(cash_games: list[CashGameRecord]) -> Floats:
    """Return the chips per round that a V1 wins until one side is eliminated (games,)."""
    return np.array([_pace(cash_game) for cash_game in cash_games])


def _pace(cash_game: CashGameRecord) -> float:
    last = deciding_round(cash_game)
    return float((cash_game.stacks[last] - cash_game.stacks[0])[3:].mean() / last)


def _eliminations(played: GamesByBluffing) -> Iterator[Sample]:
    """Measure the rounds until one side is out, and how often all V1 are alive then."""
    for bluffing, word in ((True, "with"), (False, "without")):
        rounds = np.array([deciding_round(cash_game) for cash_game in played[bluffing]], dtype=np.float64)
        yield sample(
            f"rounds until one side is out, {word} bluffs",
            float(np.median(rounds)),
            over=f"{len(rounds)} games",
            ci95=game_settings.resampled(game_settings.median, rounds),
            long=int((rounds >= LONGEST).sum()),
            longest=LONGEST,
        )
    last_stacks = [cash_game.stacks[deciding_round(cash_game)] for cash_game in played[False]]
    alive = sum(bool((stacks[3:] > 0).all() and (stacks[:3] == 0).all()) for stacks in last_stacks)
    name = "share of games without bluffs with all V1 alive when the last Standard is out"
    yield sample(name, share_of(alive, len(last_stacks)))


def _grid_claims(context: Context) -> Iterator[Sample]:
    """Judge the published signs in every setting of the grid."""
    settings, games = grid.grid_settings(context), context.pick(4, 12, 40, 10)
    context.text(grid.describe(settings, games, "games with bluffs and without"))
    paces = {bluffing: _grid_paces(context, settings, bluffing, games) for bluffing in (True, False)}
    marks: dict[str, Floats] = {}
    for claim, published, gaps in (
        ("V1 loses with bluffs", "loses", -paces[True]),
        ("V1 wins without bluffs", "wins", paces[False]),
        ("V1 does better without bluffs than with", "an improvement", paces[False] - paces[True]),
    ):
        judged = grid.judge_settings(verdicts.above(MARGIN), grid.mean_intervals(gaps))
        marks[claim] = grid.marks_of(judged)
        over = f"{len(settings)} settings, {games} games in each"
        yield sample(f"share of settings in which {claim}", judged=judged, published=published, over=over)
    loses, wins, _ = marks.values()
    marks["both published signs"] = loses * wins
    rows = grid.rows_by_axis(settings, marks)
    context.table("V1 with bluffs and without: share of settings", ["quantity", "settings", *marks], rows)


def _grid_paces(context: Context, settings: list[Setting], bluffing: bool, games: int) -> Floats:
    """Return the chips per round that a V1 wins in every setting (games, settings)."""
    cash_games = (
        _play(context, setting, bluffing, games, "grid", str(number)) for number, setting in enumerate(settings)
    )
    return np.array([_paces(in_setting) for in_setting in cash_games]).T


def _compare_readings(context: Context, setting: Setting) -> str:
    """Play other readings of the document; return the result of the last one, which is nearest to it, in words."""
    games = context.pick(12, 40, 150, 25)
    rows: list[list[str | float]] = []
    for reading in READINGS:
        row: list[str | float] = [reading.name]
        for switch in ("on", "off"):
            specs = [f"standard:{reading.standard}*3", f"v1:bluffs={switch},rollouts={setting.rollouts},{reading.v1}*3"]
            table, rules = replace(setting, ante=reading.ante), setting.final_rules
            cash_games = game_settings.play_games(context, table, specs, games, "readings", rules=rules)
            pace = mean_interval(_paces(cash_games))
            row += [pace.mean, pace.ci95]
        rows.append(row)
    title = f"V1's chips per round until one side is out, {games} games each"
    context.table(title, ["reading", "with bluffs", "±", "without", "±"], rows)
    _, bluffing, bluffing_error, plain, plain_error = rows[-1]
    return (
        "The document calls its Standard hard to scare if it has good hands, which is on the grid. In a reading found "
        "by searching, Standard calls every raise, re-raises are played, the ante is half a blind, and V1 raises three "
        f"minimum bets and simulates as the document did; a V1 then wins {plain:+.1f} ± {plain_error:.1f} a round "
        f"without bluffs, {bluffing:+.1f} ± {bluffing_error:.1f} with them."
    )


def _show_games(context: Context, played: GamesByBluffing) -> None:
    examples = []
    rows: pictures.Rows = []
    for bluffing, title in ((True, "with bluffs"), (False, "without bluffs")):
        cash_games = played[bluffing]
        typical = cash_games[game_settings.median_game(_paces(cash_games))]
        examples.append((title, CashGameRecord(typical.stacks[: deciding_round(typical) + 1])))
        chips = won(cash_games)
        rows += [[f"{label}, {title}", float(chips[:, seat].mean())] for seat, label in enumerate(LABELS)]
    caption = "Three Standard against three V1 until one side is out: a typical game with bluffs and one without."
    pictures.save_games(context, "chen-3-games", examples, LABELS, caption)
    header = ["robot", f"chips won a game, mean of {len(played[True])}"]
    for bluffing, example in zip((True, False), examples, strict=True):
        name = f"bluffs-{example[0].replace(' ', '-')}"
        pictures.save_workbook(context, LABELS, played[bluffing], [example], header, rows, name)
