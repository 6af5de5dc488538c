"""Reports of matches and of series of tournaments: results with their intervals, and which pairs differ."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.display import number_duplicates, seed_text
from cardwin.core.report_parts import Cell, Grid, Part, Text
from cardwin.reports import plots
from cardwin.runs.reader import RunData
from cardwin.runs.trainers.match import TABLE

MAX_SHOWN = 100  # players of a series


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Return the parts of the report."""
    answer, is_match = data.answer, data.experiment.kind == "match"
    if answer is None:
        yield Text(f"The match is {data.state} blocks of hands." if is_match else f"The series is {data.state} steps.")
        return
    players = answer["players"]
    count = (
        f"{answer['hands']:,} hands of " if is_match else f"{answer['tournaments']:,} tournaments of {len(players):,} "
    )
    game = answer["game"] if is_match else f"players, {answer['game']}"
    yield Text(f"{count}{game}, {seed_text(answer['seed'])}, digest {answer['digest']}.")
    if is_match and not answer["fair"]:
        yield Text("Not fair: an untrusted player could have known the cards, from the seed or in its own process.")
    names = number_duplicates([player["spec"] for player in players])
    results = list(zip(names, players, strict=True))
    yield from _match_parts(data, answer, results, pictures) if is_match else _series_parts(answer, results)
    if answer["faults"]:
        yield Grid("Faults", ["first ones"], [[fault] for fault in answer["faults"]])


Results = list[tuple[str, dict[str, Any]]]  # names and results of players, in the order of the answer


def _match_parts(data: RunData, answer: dict[str, Any], results: Results, pictures: Path) -> Iterator[Part]:
    names = [name for name, _ in results]
    rows: list[list[Cell]] = [
        [name, "disqualified", None, None, ""]
        if player["disqualified"]
        else [name, player["mean"], *player["interval"], player["unit"]]
        for name, player in sorted(results, key=lambda pair: (pair[1]["disqualified"], -pair[1]["mean"]))
    ]
    yield Grid("Results", ["player", "mean", "95% from", "to", "unit"], rows)
    won = np.concatenate(data.store.arrays(TABLE, "chips")).cumsum(axis=0)
    points = plots.thinned(len(won))
    yield plots.winnings(pictures, names, points + 1, won[points])
    tests = [[*_pair(names, test), *test["interval"], test["p_corrected"]] for test in answer["tests"]]
    if tests:
        yield Grid("Differences", ["player", "and", "difference", "95% from", "to", "p, corrected"], tests)


def _series_parts(answer: dict[str, Any], results: Results) -> Iterator[Part]:
    names = [name for name, _ in results]
    rows: list[list[Cell]] = [
        [name, "disqualified", None, None, None]
        if player["disqualified"]
        else [name, player["mean_rank"], player["ci95"], player["wins"], round(player["mbb_per_hand"], 1)]
        for name, player in sorted(results, key=lambda pair: (pair[1]["disqualified"], pair[1]["mean_rank"]))[
            :MAX_SHOWN
        ]
    ]
    yield Grid("Standings", ["player", "mean rank", "± 95%", "wins", "mbb/h"], rows)
    if answer["tests"]:
        significant = [test for test in answer["tests"] if test["significant"]]
        pairs = f"{len(significant)} of {len(answer['tests'])} pairs differ significantly at 5%, corrected for their"
        by = f": {answer['tests'][0]['test']}" if "test" in answer["tests"][0] else ""
        yield Text(f"{pairs} number{by}, from which their intervals come. Means have the {answer['method']}.")
        tests = [[*_pair(names, test), test["ci95"], test["p_corrected"]] for test in significant]
        yield Grid("Places between them", ["player", "and", "difference", "± 95%", "p, corrected"], tests)


def _pair(names: list[str], test: dict[str, Any]) -> list[Cell]:
    """Return the two players of a test and their difference."""
    return [names[test["first"] - 1], names[test["second"] - 1], test["difference"]]
