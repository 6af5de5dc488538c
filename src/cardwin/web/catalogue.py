"""Lists: games, players, presets, leaderboards and reproductions; and the health of the server."""

import os
import time
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request

from cardwin import __version__
from cardwin.web.responses import JsonResponse
from cardwin.web.runs import lists_of
from cardwin.web.settings import settings_of

router = APIRouter(prefix="/api", tags=["catalogue"])
START_TIME = time.time()


@router.get("/health")
async def health(request: Request) -> JsonResponse:
    """Return the version, the start time, whether the kernels are compiled, and for how long that has taken."""
    ready = request.app.state.ready.is_set()
    return JsonResponse(
        {
            "ok": True,
            "version": __version__,
            "started": START_TIME,
            "process": os.getpid(),
            "ready": ready,
            "preparing": None if ready else time.time() - START_TIME,
            "tables": len(request.app.state.room.tables),
        }
    )


@router.get("/games")
def games() -> JsonResponse:
    """Return every game with its title, its numbers of seats, and its named policies if it is small."""
    from cardwin.games import GAMES, SMALL_GAMES, game
    from cardwin.players.registry import policy_names

    rows: list[dict[str, Any]] = []
    for name in GAMES:
        rules, small = game(name), name in SMALL_GAMES
        rows.append(
            {
                "name": name,
                "title": rules.title,
                "small": small,
                "seats": [2, 2] if small else [2, 10],
                "policies": policy_names(rules) if small else [],
                "stack": getattr(rules, "stack", None),
                "big_blind": getattr(rules, "min_bet", None),
            }
        )
    return JsonResponse({"games": rows})


@router.get("/players")
def players(request: Request) -> JsonResponse:
    """Return every registered player, the programs that the operator seats, and the champions written by runs."""
    from cardwin.players.registry import PLAYERS
    from cardwin.players.registry import champions as included
    from cardwin.runs.champions import run_champions

    rows = [
        {"spec": name, "title": entry.title, "parameters": list(entry.parameters), "needs_file": entry.needs_file}
        for name, entry in PLAYERS.items()
    ]
    without_file: dict[str, Any] = {"parameters": [], "needs_file": False}
    for spec in included():
        kind, _, name = spec.partition(":")
        rows.append({"spec": spec, "title": f"{PLAYERS[kind].title}: {name}", **without_file})
    program = {"title": "a program that this page's operator seats", **without_file, "program": True}
    rows += [{"spec": spec, **program} for spec in settings_of(request).seats]
    champions = [
        {"spec": champion.spec, "run": champion.run, "game": champion.game, "title": f"champion of {champion.run}"}
        for champion in run_champions(settings_of(request).home)
    ]
    return JsonResponse({"players": rows, "champions": champions})


@router.get("/presets")
def presets() -> JsonResponse:
    """Return the experiments included in Cardwin, grouped by publication."""
    from cardwin.runs.experiment import families

    rows = [
        {
            "title": family.title,
            "presets": [
                {"name": name, "title": values.get("title", ""), "game": values.get("game", "kuhn")}
                for name, values in family.presets.items()
            ],
        }
        for family in families()
    ]
    return JsonResponse({"families": rows})


@router.get("/leaderboards")
def leaderboards(request: Request) -> JsonResponse:
    """Return every finished leaderboard: its players from best to worst, and the cross table."""
    from cardwin.runs.reader import answers_of

    return JsonResponse({"leaderboards": answers_of(lists_of(request).index.finished("leaderboard"))})


@router.get("/papers")
def papers(request: Request) -> JsonResponse:
    """Return the papers that can be reproduced, and the findings of finished reproductions."""
    from cardwin.papers import PAPERS, paper_of
    from cardwin.runs.reader import answers_of

    answers = answers_of(lists_of(request).index.finished("reproduction"))
    rows = []
    for name in PAPERS:
        paper = paper_of(name)
        rows.append({"name": name, "title": paper.TITLE, "experiments": list(paper.EXPERIMENTS)})
    reproductions = [{**answer, "columns": _first_screen(answer)} for answer in answers]
    return JsonResponse({"papers": rows, "reproductions": reproductions})


def _first_screen(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what holds, what fails and what is open; nothing for runs of versions that had other verdicts."""
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
