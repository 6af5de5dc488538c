"""The report of a series of tournaments: standings, and which pairs differ significantly."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cardwin.core.display import number_duplicates, seed_text
from cardwin.core.report_parts import Cell, Grid, Part, Text
from cardwin.runs.reader import RunData

MOST_SHOWN = 100  # players


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  only tables
    """The parts of the report."""
    if data.answer is None:
        return iter([Text(f"The series is {data.state} steps.")])
    return _finished_parts(data.answer)


def _finished_parts(answer: dict[str, Any]) -> Iterator[Part]:
    yield Text(
        f"{answer['tournaments']:,} tournaments of {len(answer['players']):,} players, {answer['game']}, "
        f"{seed_text(answer['seed'])}, digest {answer['digest']}."
    )
    names = number_duplicates([one["spec"] for one in answer["players"]])
    ranked = sorted(zip(names, answer["players"], strict=True), key=lambda pair: pair[1]["mean_rank"])
    rows: list[list[Cell]] = [
        [name, one["mean_rank"], one["ci95"], one["wins"], round(one["mbb_per_hand"], 1)]
        for name, one in ranked[:MOST_SHOWN]
    ]
    yield Grid("Standings", ["player", "mean rank", "± 95%", "wins", "mbb/h"], rows)
    settled = [test for test in answer["tests"] if test["significant"]]
    tests: list[list[Cell]] = [
        [names[test["first"] - 1], names[test["second"] - 1], test["difference"], test["ci95"], test["p_corrected"]]
        for test in settled
    ]
    if answer["tests"]:
        pairs = f"{len(settled)} of {len(answer['tests'])} pairs differ significantly at 5%, corrected for their number"
        by = f": {answer['tests'][0]['test']}" if "test" in answer["tests"][0] else ""
        yield Text(f"{pairs}{by}. Means and differences have a {answer['method']}.")
        yield Grid("Places between them", ["player", "and", "difference", "± 95%", "p, corrected"], tests)
    if answer["faults"]:
        yield Grid("Faults", ["first ones"], [[fault] for fault in answer["faults"]])
