"""Test 2: Standard robots only. Their number is not published; a full table of eight."""

from collections.abc import Iterator

import numpy as np

from cardwin.lab import html
from cardwin.lab.papers import AGREES, DIFFERS, Context, Finding
from cardwin.lab.papers.chen import conditions, show

SEATS = 8
LABELS = show.labels_of(("Standard", SEATS))


def mirror(context: Context) -> Iterator[Finding]:
    """Eight Standard robots: none should win more than luck explains."""
    setting = conditions.setting_of(context)
    games = 4 * conditions.games_of(context)
    sessions = conditions.play_games(context, setting, [f"{setting.standard()}*{SEATS}"], games, "games")
    chips = conditions.won(sessions)
    means = [conditions.wide_interval(chips[:, seat], SEATS) for seat in range(SEATS)]
    worst = max(range(SEATS), key=lambda seat: abs(means[seat].mean) / means[seat].ci95)
    rows: show.Rows = [[label, one.mean, one.ci95] for label, one in zip(LABELS, means, strict=True)]
    header = ["robot", "chips won a game", "±"]
    context.table(f"Chips won in {games} games, with intervals that hold for all eight together", header, rows)
    middle = conditions.typical(np.abs(chips).max(axis=1))
    show.picture_of_games(
        context, "chen-2-game", [("a typical game", sessions[middle], LABELS)], "Eight Standard robots in one game."
    )
    figure = html.figure(6, 3.4)
    axes = figure.subplots()
    axes.errorbar(
        range(1, SEATS + 1), [one.mean for one in means], [one.ci95 for one in means], fmt="o",
        color=show.COLOURS["Standard"], capsize=3, label="chips won a game",
    )  # fmt: skip
    axes.axhline(0, color="#667085", linewidth=1)
    show.dress(axes, f"{games} games", "robot", "chips")
    context.picture("chen-2-means", figure, "The eight means with their intervals.")
    show.workbook(context, {"typical game": (sessions[middle], LABELS)}, header, rows)
    inside = abs(means[worst].mean) <= means[worst].ci95
    yield Finding(
        "robots that differ from the others", "none but the last", "none" if inside else LABELS[worst], None, "none",
        AGREES if inside else DIFFERS,
        f"the one furthest from zero, {LABELS[worst]}, won {means[worst].mean:+.0f} ± {means[worst].ci95:.0f} chips a "
        f"game; the document's last robot, which stood out in one game, may have been luck",
    )  # fmt: skip
    spread = float(np.median(np.ptp(chips, axis=1)))
    yield Finding(
        "best minus worst robot in one game, chips", "less variation", spread, None, None, AGREES,
        "the middle of all games: this much is luck, so one game says little",
    )  # fmt: skip
