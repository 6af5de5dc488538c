"""Runs: list, watch live, start from a preset, stop, resume, compare."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from cardwin.core.errors import InputError
from cardwin.web.answers import Answer, NotHereError, text_of
from cardwin.web.catalogue import settings_of

router = APIRouter(prefix="/api", tags=["runs"])
PAUSE = 0.5  # seconds between two checks of a run
REPORT_WITHIN = 120.0  # seconds after the end of a run
STAMP = re.compile(r"-\d{8}-\d{6}(-\d+)?$")  # the time in the name of a run's folder
MOST_WORKERS = os.cpu_count() or 1


class NewTitle(BaseModel):
    """Another title of a run."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(max_length=400)]


class NewRun(BaseModel):
    """A preset, or a run that is repeated, and the changed fields of its form, by dotted key."""

    model_config = ConfigDict(extra="forbid")
    preset: Annotated[str, Field(max_length=100)] = ""
    run: Annotated[str, Field(max_length=100)] = ""
    values: dict[Annotated[str, Field(max_length=100)], Any] = Field(default_factory=dict, max_length=200)
    workers: Annotated[int, Field(ge=1, le=MOST_WORKERS)] = 1


def _folder(request: Request, name: str) -> Path:
    from cardwin.runs.processes import find

    try:
        return find(settings_of(request).home, name)
    except InputError as error:
        raise NotHereError(str(error)) from None


@router.get("/runs")
def list_runs(request: Request) -> Answer:
    """Every run with its game, state, progress, primary metric and a small curve."""
    from cardwin.runs import processes, views

    processes.reap()
    return Answer({"runs": views.rows(settings_of(request).home)})


@router.post("/runs", status_code=201)
def start_run(new: NewRun, request: Request) -> Answer:
    """Start a preset in its own process; errors are reported field by field."""
    from cardwin.runs import forms, processes
    from cardwin.runs.experiment import flat, mistakes

    if bool(new.preset) == bool(new.run):
        raise InputError("a new run needs a preset, or a run to repeat, and not both")
    again = _folder(request, new.run) if new.run else None
    before = forms.preset_values(new.preset) if again is None else forms.run_values(again)
    values = forms.filled(before, new.values)
    wrong = [*_unsafe(flat(values)), *mistakes(values)]
    if wrong:
        return Answer({"error": "; ".join(one["said"] for one in wrong), "fields": wrong}, 422)
    short = STAMP.sub("", new.run) if new.run else new.preset
    folder = processes.start(settings_of(request).home, short, values, new.workers)
    return Answer({"name": folder.name}, 201)


def _unsafe(values: dict[str, Any]) -> list[dict[str, str]]:
    """Fields that name files or code, which is not allowed from the page."""
    found = []
    for key, value in values.items():
        texts = [text for text in (value if isinstance(value, list | tuple) else [value]) if isinstance(text, str)]
        if key not in ("title", "about") and any(_names_a_file(text) for text in texts):
            found.append({"field": key, "said": f"{key}: files and code cannot be named from the page"})
    return found


def _names_a_file(text: str) -> bool:
    from cardwin.players.adapters.specs import is_program

    return (
        (any(sign in text for sign in ("/", "\\", "python:", "file=")) and not text.startswith("genes:"))
        or is_program(text)
        or text.endswith((".json", ".toml", ".safetensors"))
    )


@router.get("/presets/{name}")
def preset_form(name: str) -> Answer:
    """A preset as a form: one field for each key of its schema."""
    from cardwin.runs.forms import form_of

    return Answer(form_of(name))


@router.get("/runs/{name}/form")
def run_form(name: str, request: Request) -> Answer:
    """The form of a run, to repeat it with changes."""
    from cardwin.runs.forms import repeat_form

    return Answer(repeat_form(_folder(request, name)))


@router.post("/runs/{name}/title")
def rename_run(name: str, new: NewTitle, request: Request) -> Answer:
    """Give a run another title."""
    from cardwin.runs.reader import rename

    rename(_folder(request, name), new.title)
    return Answer({"name": name})


@router.post("/runs/{name}/discard")
def discard_run(name: str, request: Request) -> Answer:
    """Move a run into the bin; nothing is deleted."""
    from cardwin.runs.reader import discard

    return Answer({"name": discard(_folder(request, name)).name})


@router.get("/bin")
def list_bin(request: Request) -> Answer:
    """The runs in the bin."""
    from cardwin.runs import views
    from cardwin.runs.reader import BIN

    return Answer({"runs": views.rows(settings_of(request).home / BIN)})


@router.post("/bin/{name}/restore")
def restore_run(name: str, request: Request) -> Answer:
    """Move a run out of the bin."""
    from cardwin.runs.reader import restore

    return Answer({"name": restore(settings_of(request).home, name).name})


@router.get("/compare")
def compare(request: Request, run: Annotated[list[str], Query(max_length=8)]) -> Answer:
    """Up to eight runs on one chart, and the settings in which they differ."""
    from cardwin.runs.views import compared

    return Answer(compared([_folder(request, name) for name in run]))


@router.get("/runs/{name}")
def show_run(name: str, request: Request) -> Answer:
    """One run: its row, experiment, populations and answer."""
    from cardwin.runs.views import whole

    return Answer(whole(_folder(request, name)))


@router.get("/runs/{name}/curves")
def run_curves(name: str, request: Request, since: int = -1) -> Answer:
    """The primary metric and every population's metrics, after the generation `since`."""
    from cardwin.runs.views import curves

    return Answer(curves(_folder(request, name), since))


@router.get("/runs/{name}/champion")
def run_champion(name: str, request: Request, generation: Annotated[int | None, Query(ge=0)] = None) -> Answer:
    """The champions of a generation with the best response and the nearest equilibrium, where these are exact."""
    from cardwin.runs.views import champion

    return Answer(champion(_folder(request, name), generation))


@router.get("/runs/{name}/pedigree")
def run_pedigree(name: str, request: Request) -> Answer:
    """The ancestors of the champions."""
    from cardwin.runs.views import pedigree

    return Answer(pedigree(_folder(request, name)))


@router.get("/runs/{name}/memory")
def run_memory(name: str, request: Request) -> Answer:
    """Champions of all generations against each other, which shows what the populations have forgotten."""
    from cardwin.runs.views import memory

    return Answer(memory(_folder(request, name)))


@router.get("/runs/{name}/atlas")
def run_atlas(name: str, request: Request) -> Answer:
    """The cells of an atlas of styles: measured again with intervals, and playable, once the run is finished."""
    from cardwin.runs.views import atlas

    return Answer(atlas(_folder(request, name)))


@router.get("/runs/{name}/report")
def run_report(name: str, request: Request) -> FileResponse:
    """The run's HTML report."""
    path = _folder(request, name) / "report.html"
    if path.is_symlink() or not path.is_file():  # a link could lead to any file of this machine
        raise NotHereError("this run has no report yet")
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": "sandbox"})


@router.post("/runs/{name}/stop")
def stop_run(name: str, request: Request) -> Answer:
    """Ask a run to save and stop."""
    from cardwin.runs.processes import stop

    stop(_folder(request, name))
    return Answer({"name": name})


@router.post("/runs/{name}/resume")
def resume_run(name: str, request: Request) -> Answer:
    """Resume a stopped run in its own process."""
    from cardwin.runs.processes import go_on

    go_on(_folder(request, name))
    return Answer({"name": name})


@router.get("/runs/{name}/events")
async def watch_run(name: str, request: Request, since: int = -1) -> StreamingResponse:
    """Server-sent events: `row` whenever the run's state or progress changes, `curves` with the new generations."""
    folder = _folder(request, name)
    return StreamingResponse(
        _news(folder, since, request), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _news(folder: Path, since: int, request: Request) -> AsyncIterator[str]:
    from cardwin.runs import processes, views

    last, finished = "", 0
    while not await request.is_disconnected():
        processes.reap()
        try:
            row = await asyncio.to_thread(views.row, folder)
            text = text_of({key: value for key, value in row.items() if key != "curve"})
            if text != last:
                last = text
                yield f"event: row\ndata: {text}\n\n"
                found = await asyncio.to_thread(views.curves, folder, since)
                if found["generation"]:
                    since = max(since, *found["generation"])
                    yield f"event: curves\ndata: {text_of(found)}\n\n"
        except InputError as error:
            yield f"event: gone\ndata: {text_of({'error': str(error)})}\n\n"
            return
        # A finished run writes its report after its answer, or none.
        finished += row["state"] == "finished"
        if finished and (row["report"] or finished > REPORT_WITHIN / PAUSE):
            yield "event: done\ndata: {}\n\n"
            return
        await asyncio.sleep(PAUSE)
