"""Test 3: three Standard robots against three AI V1, with bluffs and without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cardwin.arena.session import SessionRecord
from cardwin.lab.papers import AGREES, WRONG_SIGN, Context, Finding
from cardwin.lab.papers.chen import conditions, show
from cardwin.lab.papers.chen.conditions import Setting
from cardwin.stats.intervals import Estimate, mean_interval

LABELS = show.labels_of(("Standard", 3), ("V1", 3))


@dataclass(frozen=True)
class Variant:
    """Another reading of what the document leaves open: both players' further parameters, and what that means."""

    name: str
    standard: str = "reraise=fold"
    v1: str = "size=1,reraise=fold"
    ante: int = 30


VARIANTS = (
    Variant("as in the spec: Standard folds to dear raises, everybody to re-raises"),
    Variant("V1 raises three least bets", v1="size=3,reraise=fold"),
    Variant("re-raises are played", "reraise=play", "size=1,reraise=play"),
    Variant("re-raises are played, Standard calls every raise", "odds=1", "size=1"),
    Variant("the same, and V1 raises three least bets", "odds=1", "size=3"),
    Variant("the same, and the ante is half a blind", "odds=1", "size=3", 50),
    Variant("the same, and V1 simulates as the document did", "odds=1", "size=3,deals=once,ties=lose", 50),
)


def bluffs(context: Context) -> Iterator[Finding]:
    """Three Standard against three V1: the document lost with bluffs and won without."""
    setting = conditions.setting_of(context)
    games = conditions.games_of(context)
    played = {
        bluffing: conditions.play_games(
            context, setting, [f"{setting.standard()}*3", f"{setting.v(1, bluffing)}*3"], games, "games"
        )
        for bluffing in (True, False)
    }
    chips = {bluffing: v1_chips(sessions) for bluffing, sessions in played.items()}
    readings = _readings(context, setting)
    _show(context, played)
    yield Finding(
        "chips won by a V1 with bluffs", "loses", chips[True].mean, conditions.interval(chips[True]), None,
        AGREES if chips[True].high < 0 else WRONG_SIGN,
        "it wins: a Standard robot folds any hand to a raise that costs over a fifth of the pot, so bluffs pay. "
        + _reconstruction(readings),
    )  # fmt: skip
    yield Finding(
        "chips won by a V1 without bluffs", "wins", chips[False].mean, conditions.interval(chips[False]), None,
        AGREES if chips[False].low > 0 else WRONG_SIGN, f"in {games} games",
    )  # fmt: skip
    gone = sum(1 for one in played[False] if (one.stacks[-1, 3:] > 0).all() and (one.stacks[-1, :3] == 0).all())
    yield Finding(
        "games without bluffs that end with all V1 alive and all Standard out", "the game shown", f"{gone} of {games}",
        None, None, AGREES if gone else "not seen",
        f"after {setting.rounds} rounds; how long the document's game was is not published",
    )  # fmt: skip


def v1_chips(sessions: Sequence[SessionRecord]) -> Estimate:
    """The chips that a V1 wins in a game."""
    return mean_interval(conditions.won(sessions)[:, 3:].mean(axis=1))


def _readings(context: Context, setting: Setting) -> list[tuple[Variant, Estimate, Estimate]]:
    """The same test under other readings of the document."""
    games = max(conditions.games_of(context) // 4, 12)
    found = []
    for variant in VARIANTS:
        with_bluffs, without = (
            v1_chips(
                conditions.play_games(
                    context, replace(setting, ante=variant.ante),
                    [f"standard:{variant.standard}*3", f"v1:bluffs={switch},rolls={setting.rolls},{variant.v1}*3"],
                    games, "readings",
                )
            )
            for switch in ("on", "off")
        )  # fmt: skip
        found.append((variant, with_bluffs, without))
    context.table(
        f"Chips that a V1 wins in a game, {games} games each",
        ["reading", "with bluffs", "±", "without", "±"],
        [[one.name, a.mean, a.ci95, b.mean, b.ci95] for one, a, b in found],
    )
    return found


def _reconstruction(readings: Sequence[tuple[Variant, Estimate, Estimate]]) -> str:
    _, with_bluffs, without = readings[-1]
    return (
        "The document calls its Standard not easily scared. Nearest to its result comes a reading in which Standard "
        "calls every raise, re-raises are played, the ante is half a blind, and V1 raises three least bets and "
        "simulates as the document did (opponents dealt once, ties lost): a V1 then wins "
        f"{without.mean:+.0f} ± {without.ci95:.0f} without bluffs and {with_bluffs.mean:+.0f} ± {with_bluffs.ci95:.0f} "
        "with them."
    )


def _show(context: Context, played: dict[bool, list[SessionRecord]]) -> None:
    games = []
    rows: show.Rows = []
    for bluffing, title in ((True, "with bluffs"), (False, "without bluffs")):
        chips = conditions.won(played[bluffing])
        games.append((title, played[bluffing][conditions.typical(chips[:, 3:].mean(axis=1))], LABELS))
        rows += [[f"{label}, {title}", float(chips[:, seat].mean())] for seat, label in enumerate(LABELS)]
    show.picture_of_games(
        context, "chen-3-games", games, "Three Standard against three V1: a typical game with bluffs and one without."
    )
    header = ["robot", f"chips won a game, mean of {len(played[True])}"]
    show.workbook(context, {title: (session, LABELS) for title, session, _ in games}, header, rows)
