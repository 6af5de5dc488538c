"""Lists of games, players and presets, and the health of the server."""

import os
import time
from typing import Any

from fastapi import APIRouter, Request

from cardwin import __version__
from cardwin.web.answers import Answer
from cardwin.web.settings import ServerSettings

router = APIRouter(prefix="/api", tags=["catalogue"])
STARTED = time.time()


def settings_of(request: Request) -> ServerSettings:
    """The server's settings."""
    settings: ServerSettings = request.app.state.settings
    return settings


@router.get("/health")
async def health(request: Request) -> Answer:
    """Health: the version, the start time, whether the kernels are compiled, and for how long that has taken."""
    ready = request.app.state.ready.is_set()
    return Answer(
        {
            "ok": True,
            "version": __version__,
            "started": STARTED,
            "process": os.getpid(),
            "ready": ready,
            "preparing": None if ready else time.time() - STARTED,
            "tables": len(request.app.state.room.tables),
        }
    )


@router.get("/games")
def games() -> Answer:
    """Every game with its title, its numbers of seats, and its named policies if it is small."""
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
    return Answer({"games": rows})


@router.get("/players")
def players(request: Request) -> Answer:
    """Every registered player, the programs that the operator seats, and the champions written by runs."""
    from cardwin.players.registry import PLAYERS
    from cardwin.players.registry import champions as shipped
    from cardwin.runs.champions import run_champions

    rows = [
        {"spec": name, "title": entry.title, "parameters": list(entry.parameters), "needs_file": entry.needs_file}
        for name, entry in PLAYERS.items()
    ]
    for spec in shipped():
        kind, _, name = spec.partition(":")
        rows.append({"spec": spec, "title": f"{PLAYERS[kind].title}: {name}", "parameters": [], "needs_file": False})
    champions = [
        {"spec": one.spec, "run": one.run, "game": one.game, "title": f"champion of {one.run}"}
        for one in run_champions(settings_of(request).home)
    ]
    programs = [
        {
            "spec": spec,
            "title": "a program that this page's operator seats",
            "parameters": [],
            "needs_file": False,
            "program": True,
        }
        for spec in settings_of(request).seats
    ]
    return Answer({"players": [*rows, *programs], "champions": champions})


@router.get("/presets")
def presets() -> Answer:
    """The experiments included in Cardwin, grouped by publication."""
    from cardwin.runs.experiment import families

    return Answer(
        {
            "families": [
                {
                    "title": family.title,
                    "presets": [
                        {"name": name, "title": values.get("title", ""), "game": values.get("game", "kuhn")}
                        for name, values in family.presets.items()
                    ],
                }
                for family in families()
            ]
        }
    )
