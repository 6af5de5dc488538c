"""Leaderboards and reproductions: the results of finished runs of these kinds."""

from typing import Any

from fastapi import APIRouter, Request

from cardwin.web.answers import Answer
from cardwin.web.catalogue import settings_of

router = APIRouter(prefix="/api", tags=["leaderboard and papers"])


@router.get("/leaderboards")
def leaderboards(request: Request) -> Answer:
    """Every finished leaderboard: its players from best to worst, and the cross table."""
    from cardwin.runs.reader import answers_of

    return Answer({"leaderboards": answers_of(settings_of(request).home, "leaderboard")})


@router.get("/papers")
def papers(request: Request) -> Answer:
    """The papers that can be reproduced, and the findings of finished reproductions."""
    from cardwin.papers import PAPERS, paper_of
    from cardwin.runs.reader import answers_of

    known: list[dict[str, Any]] = [
        {"name": name, "title": paper_of(name).TITLE, "experiments": list(paper_of(name).EXPERIMENTS)}
        for name in PAPERS
    ]
    return Answer({"papers": known, "reproductions": answers_of(settings_of(request).home, "reproduction")})
