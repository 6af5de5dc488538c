"""Cash games as a workbook, in the form of Chen (2018): results, the average trend, and single games by round."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.arena.cash_game import CashGameRecord
from cardwin.results.cash_game import mean_curves

Rows = Sequence[Sequence[str | float]]
CREATED = datetime(2018, 4, 1)  # a fixed date: the same games give the same bytes


def write_workbook(
    path: Path,
    labels: Sequence[str],
    cash_games: Sequence[CashGameRecord],
    games: Mapping[str, CashGameRecord],
    header: Sequence[str],
    rows: Rows,
) -> None:
    """Write a sheet of results, one of the average stacks of all cash games, and one for each named game.

    Args:
        path: The file.
        labels: The players.
        cash_games: All games, for the average.
        games: The games that have a sheet, by name.
        header: The titles of the results' columns.
        rows: The results.

    """
    import xlsxwriter

    content = BytesIO()  # so that a file that cannot be written raises OSError
    book = xlsxwriter.Workbook(content)
    book.set_properties({"created": CREATED})
    sheet = book.add_worksheet("results")
    sheet.write_row(0, 0, header, book.add_format({"bold": True}))
    for number, row in enumerate(rows):
        sheet.write_row(number + 1, 0, row)
    sheet.set_column(0, 0, 34)
    _sheet(book, "average trend", f"mean of {len(cash_games)} games", labels, mean_curves(cash_games).round(2).tolist())
    for name, cash_game in games.items():
        _sheet(book, name, name, labels, cash_game.stacks.tolist())
    book.close()
    path.write_bytes(content.getvalue())


def save_cash_games(path: Path, answer: Mapping[str, Any], cash_games: Sequence[CashGameRecord], shown: int) -> None:
    """Write the workbook of some cash games and their answer, with the first `shown` games round by round."""
    header = ["player", "chips won per game", "±", "trend, chips per round", "alive at the end"]
    players = answer["players"]
    rows = [[row["spec"], row["mean"], row["ci95"] or 0.0, row["trend"], row["alive"]] for row in players]
    games = {f"game {number + 1}": cash_game for number, cash_game in enumerate(cash_games[:shown])}
    write_workbook(path, [row["spec"] for row in players], cash_games, games, header, rows)


def _sheet(book: Any, name: str, title: str, labels: Sequence[str], stacks: Sequence[Sequence[float]]) -> None:
    """Write stacks by round, the slope of each trend (chips per round), and their chart with trend lines."""
    bold = book.add_format({"bold": True})
    sheet = book.add_worksheet(name)
    sheet.write_row(0, 0, ["round", *labels], bold)
    for number, row in enumerate(stacks):
        sheet.write_row(number + 1, 0, [number, *row])
    last = len(stacks)
    trends = np.polynomial.polynomial.polyfit(np.arange(last), np.array(stacks, float), 1)[1] if last > 1 else []
    chart = book.add_chart({"type": "line"})
    for column in range(1, len(labels) + 1):
        chart.add_series(
            {
                "name": [name, 0, column],
                "categories": [name, 1, 0, last, 0],
                "values": [name, 1, column, last, column],
                "line": {"width": 1.25},
                "trendline": {"type": "linear", "line": {"width": 0.75, "dash_type": "dash"}},
            }
        )
    chart.set_legend({"delete_series": list(range(len(labels), 2 * len(labels)))})  # the entries of the trend lines
    chart.set_title({"name": title})
    chart.set_x_axis({"name": "round", "interval_unit": max(last // 10, 1)})
    chart.set_y_axis({"name": "chips"})
    chart.set_size({"width": 900, "height": 420})
    sheet.write_row(0, len(labels) + 2, ["trend, chips per round", *np.round(trends, 3).tolist()], bold)
    sheet.insert_chart(2, len(labels) + 2, chart)
