"""Leaderboards and reproductions: the results of finished runs of these kinds."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request

from cardwin.web.answers import Answer
from cardwin.web.runs import lists_of

router = APIRouter(prefix="/api", tags=["leaderboard and papers"])


@router.get("/leaderboards")
def leaderboards(request: Request) -> Answer:
    """Every finished leaderboard: its players from best to worst, and the cross table."""
    from cardwin.runs.reader import answers_of

    return Answer({"leaderboards": answers_of(lists_of(request).index.finished("leaderboard"))})


@router.get("/papers")
def papers(request: Request) -> Answer:
    """The papers that can be reproduced, and the findings of finished reproductions."""
    from cardwin.papers import PAPERS, paper_of
    from cardwin.runs.reader import answers_of

    finished = lists_of(request).index.finished("reproduction")
    found = [{**answer, "columns": _first_screen(answer)} for answer in answers_of(finished)]
    known: list[dict[str, Any]] = [
        {"name": name, "title": paper_of(name).TITLE, "experiments": list(paper_of(name).EXPERIMENTS)}
        for name in PAPERS
    ]
    return Answer({"papers": known, "reproductions": found})


def _first_screen(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """What holds, what fails and what is open; nothing for runs of versions that had other verdicts."""
    from cardwin.papers import PAPERS, paper_of
    from cardwin.papers.first_screen import first_screen
    from cardwin.papers.register import register
    from cardwin.papers.reproduction import read_finding

    try:
        rows = [{key: value for key, value in row.items() if key != "experiment"} for row in answer["experiments"]]
        findings = [read_finding(row) for row in rows]
        package, matters = PAPERS[answer["paper"]], paper_of(answer["paper"]).MATTERS
    except (KeyError, TypeError, ValueError):
        return []
    return [asdict(column) for column in first_screen(findings, matters, register(package)).columns]
