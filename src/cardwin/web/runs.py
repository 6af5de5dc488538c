"""Runs: list, watch live, start from a preset, stop, resume, compare."""

import asyncio
import math
import os
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from cardwin.core.errors import InputError
from cardwin.runs import reader
from cardwin.runs.reader import BIN
from cardwin.web import processes, run_views
from cardwin.web.population_map import line_of, map_of
from cardwin.web.processes import Queue
from cardwin.web.responses import JsonResponse, NotFoundError, json_text
from cardwin.web.run_list import Index, RunQuery, select_runs
from cardwin.web.settings import ServerSettings, settings_of

router = APIRouter(prefix="/api", tags=["runs"])
PAUSE = 0.5  # seconds between two checks of a run
READ_SECONDS = 0.1  # for reading runs that are not in the index; the next request continues
REPORT_SECONDS = 120.0  # that a report may take after the end of a run
STAMP = re.compile(r"-\d{8}-\d{6}(-\d+)?$")  # the time in the name of a run's folder
MAX_WORKERS = os.cpu_count() or 1


class NewTitle(BaseModel):
    """A new title of a run."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(max_length=400)]


class NewTags(BaseModel):
    """The new tags of a run, which replace the earlier ones."""

    model_config = ConfigDict(extra="forbid")
    tags: list[Annotated[str, Field(max_length=100)]] = Field(max_length=50)


class NewRun(BaseModel):
    """A preset, or a run that is repeated, and the changed fields of its form, by dotted key."""

    model_config = ConfigDict(extra="forbid")
    preset: Annotated[str, Field(max_length=100)] = ""
    run: Annotated[str, Field(max_length=100)] = ""
    values: dict[Annotated[str, Field(max_length=100)], Any] = Field(default_factory=dict, max_length=200)
    workers: Annotated[int, Field(ge=1, le=MAX_WORKERS)] = 1


def _folder(request: Request, name: str) -> Path:
    try:
        return processes.find(settings_of(request).home, name)
    except InputError as error:
        raise NotFoundError(str(error)) from None


@dataclass
class Lists:
    """The server's lists of runs: the index of the folder, that of the bin, and the queue."""

    index: Index
    bin: Index
    queue: Queue


def lists_of(request: Request) -> Lists:
    """Return the lists of the server's folder of runs."""
    lists: Lists = request.app.state.lists
    return lists


def make_lists(settings: ServerSettings) -> Lists:
    """Return the lists of a folder of runs."""
    home = settings.home
    return Lists(Index(home), Index(home / BIN), Queue(home, settings.at_once))


def _row(request: Request, folder: Path) -> dict[str, Any]:
    """Return a run's row, with its position in the queue if it waits."""
    return _queued(lists_of(request).queue, folder, run_views.row(folder))


def _queued(queue: Queue, folder: Path, row: dict[str, Any]) -> dict[str, Any]:
    position = queue.positions.get(folder.name)
    return row | ({"state": "waiting", "position": position} if position and row["state"] == "stopped" else {})


@router.get("/runs")
def list_runs(
    request: Request,
    words: Annotated[str, Query(max_length=200)] = "",
    state: Annotated[str, Query(max_length=20)] = "",
    tag: Annotated[str, Query(max_length=100)] = "",
    sort: Annotated[str, Query(max_length=20)] = "changed",
    order: Literal["up", "down"] = "down",
    first: Annotated[int, Query(ge=0)] = 0,
    count: Annotated[int | None, Query(ge=1, le=1000)] = None,
) -> JsonResponse:
    """Return runs with their game, state, progress, primary metric and a small curve; all without a `count`."""
    lists = lists_of(request)
    processes.reap()
    lists.queue.advance()
    query = RunQuery(words, state, tag, sort, order == "down", first, count)
    rows = lists.index.rows(lists.queue.positions, math.inf if count is None else READ_SECONDS)
    queue = {"at_once": lists.queue.at_once, "note": lists.queue.note}
    return JsonResponse({**select_runs(rows, query), "queue": queue})


@router.post("/runs", status_code=201)
def start_run(new: NewRun, request: Request) -> JsonResponse:
    """Start a preset in its own process, or queue it; errors are reported field by field."""
    from cardwin.runs.experiment import flat, validation_errors
    from cardwin.web import forms

    if bool(new.preset) == bool(new.run):
        raise InputError("expected a preset or a run to repeat, got both or none")
    base = forms.run_values(_folder(request, new.run)) if new.run else forms.preset_values(new.preset)
    values = forms.merge_answers(base, new.values)
    if errors := [*_unsafe_fields(flat(values)), *validation_errors(values)]:
        return JsonResponse({"error": "; ".join(error["message"] for error in errors), "fields": errors}, 422)
    short = STAMP.sub("", new.run) if new.run else new.preset
    folder = processes.prepare(settings_of(request).home, short, values)
    started = lists_of(request).queue.admit(folder, new.workers)
    return JsonResponse({"name": folder.name, "started": started}, 201)


def _unsafe_fields(values: dict[str, Any]) -> list[dict[str, str]]:
    """Return an error for every field that names files or code, which is not allowed from the page."""
    errors = []
    for key, value in values.items():
        texts = [text for text in (value if isinstance(value, list | tuple) else [value]) if isinstance(text, str)]
        if key not in ("title", "about") and any(_names_a_file(text) for text in texts):
            errors.append({"field": key, "message": f"{key}: files and code cannot be named from the page"})
    return errors


def _names_a_file(text: str) -> bool:
    from cardwin.players.specs import is_program

    return (
        (any(sign in text for sign in ("/", "\\", "python:", "file=")) and not text.startswith("genes:"))
        or is_program(text)
        or text.endswith((".json", ".toml", ".safetensors"))
    )


@router.get("/presets/{name}")
def preset_form(name: str) -> JsonResponse:
    """Return a preset as a form: one field for each key of its schema."""
    from cardwin.web.forms import preset_form

    return JsonResponse(preset_form(name))


@router.get("/runs/{name}/form")
def run_form(name: str, request: Request) -> JsonResponse:
    """Return the form of a run, to repeat it with changes."""
    from cardwin.web.forms import repeat_form

    return JsonResponse(repeat_form(_folder(request, name)))


@router.post("/runs/{name}/title")
def rename_run(name: str, new: NewTitle, request: Request) -> JsonResponse:
    """Change the title of a run."""
    reader.rename(_folder(request, name), new.title)
    return JsonResponse({"name": name})


@router.post("/runs/{name}/tags")
def tag_run(name: str, new: NewTags, request: Request) -> JsonResponse:
    """Replace the tags of a run."""
    return JsonResponse({"name": name, "tags": run_views.change_tags(_folder(request, name), new.tags)})


@router.post("/runs/{name}/cancel")
def cancel_run(name: str, request: Request) -> JsonResponse:
    """Remove a waiting run from the queue; it can be resumed."""
    lists_of(request).queue.cancel(name)
    return JsonResponse({"name": name})


@router.post("/runs/{name}/discard")
def discard_run(name: str, request: Request) -> JsonResponse:
    """Move a run into the bin; nothing is deleted."""
    folder = _folder(request, name)
    if name in lists_of(request).queue.positions:
        raise InputError(f"{name} waits in the queue: cancel that first")
    return JsonResponse({"name": reader.discard(folder).name})


@router.get("/bin")
def list_bin(request: Request) -> JsonResponse:
    """Return the runs in the bin."""
    return JsonResponse({"runs": lists_of(request).bin.rows()})


@router.post("/bin/{name}/restore")
def restore_run(name: str, request: Request) -> JsonResponse:
    """Move a run out of the bin."""
    return JsonResponse({"name": reader.restore(settings_of(request).home, name).name})


@router.get("/compare")
def compare(request: Request, run: Annotated[list[str], Query(max_length=8)]) -> JsonResponse:
    """Return up to eight runs for one chart, and the settings in which they differ."""
    return JsonResponse(run_views.compare([_folder(request, name) for name in run]))


@router.get("/runs/{name}")
def show_run(name: str, request: Request) -> JsonResponse:
    """Return a run: its row, experiment, populations, answer and tags."""
    folder = _folder(request, name)
    return JsonResponse(_queued(lists_of(request).queue, folder, run_views.details(folder)))


@router.get("/runs/{name}/curves")
def run_curves(name: str, request: Request, since: int = -1) -> JsonResponse:
    """Return the primary metric and every population's metrics, after the generation `since`."""
    return JsonResponse(run_views.curves(_folder(request, name), since))


@router.get("/runs/{name}/champion")
def run_champion(name: str, request: Request, generation: Annotated[int | None, Query(ge=0)] = None) -> JsonResponse:
    """Return the champions of a generation, with the best response and the nearest equilibrium if these are exact."""
    return JsonResponse(run_views.champion(_folder(request, name), generation))


@router.get("/runs/{name}/evolution")
def run_evolution(name: str, request: Request, since: Annotated[int, Query(ge=-1)] = -1) -> JsonResponse:
    """Return the population as a moving map, the line of champions and the hall, if there is more than at `since`."""
    folder = _folder(request, name)
    population_map = map_of(folder)
    last = max((frames["generation"][-1] for frames in population_map["populations"].values()), default=-1)
    if -1 < last <= since:
        return JsonResponse({"last": last})
    return JsonResponse({"last": last, "map": population_map, "line": line_of(folder)})


@router.get("/runs/{name}/pedigree")
def run_pedigree(name: str, request: Request) -> JsonResponse:
    """Return the ancestors of the champions."""
    return JsonResponse(run_views.pedigree(_folder(request, name)))


@router.get("/runs/{name}/memory")
def run_memory(name: str, request: Request) -> JsonResponse:
    """Return champions of all generations against each other, which shows what the populations have forgotten."""
    return JsonResponse(run_views.memory(_folder(request, name)))


@router.get("/runs/{name}/atlas")
def run_atlas(name: str, request: Request) -> JsonResponse:
    """Return the cells of an atlas of styles: measured again with intervals, and playable, after the run's end."""
    return JsonResponse(run_views.atlas(_folder(request, name)))


@router.get("/runs/{name}/report")
def run_report(name: str, request: Request) -> FileResponse:
    """Return the run's HTML report."""
    path = _folder(request, name) / "report.html"
    if path.is_symlink() or not path.is_file():  # a link could lead to any file of this machine
        raise NotFoundError("this run has no report yet")
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": "sandbox"})


@router.post("/runs/{name}/stop")
def stop_run(name: str, request: Request) -> JsonResponse:
    """Ask a run to save and stop."""
    processes.stop(_folder(request, name))
    return JsonResponse({"name": name})


@router.post("/runs/{name}/resume")
def resume_run(name: str, request: Request) -> JsonResponse:
    """Resume a stopped run in its own process, or queue it."""
    return JsonResponse({"name": name, "started": lists_of(request).queue.admit(_folder(request, name))})


@router.get("/runs/{name}/events")
async def watch_run(name: str, request: Request, since: int = -1) -> StreamingResponse:
    """Send events: `row` whenever the run's state or progress changes, `curves` with the new generations."""
    folder = _folder(request, name)
    return StreamingResponse(
        _news(folder, since, request), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _news(folder: Path, since: int, request: Request) -> AsyncIterator[str]:
    last, finished = "", 0
    while not await request.is_disconnected():
        processes.reap()
        try:
            row = await asyncio.to_thread(_row, request, folder)
            text = json_text({key: value for key, value in row.items() if key != "curve"})
            if text != last:
                last = text
                yield f"event: row\ndata: {text}\n\n"
                curves = await asyncio.to_thread(run_views.curves, folder, since)
                if curves["generation"]:
                    since = max(since, *curves["generation"])
                    yield f"event: curves\ndata: {json_text(curves)}\n\n"
        except InputError as error:
            yield f"event: gone\ndata: {json_text({'error': str(error)})}\n\n"
            return
        # A finished run writes its report after its answer, or writes no report.
        finished += row["state"] == "finished"
        if finished and (row["report"] or finished > REPORT_SECONDS / PAUSE):
            yield "event: done\ndata: {}\n\n"
            return
        await asyncio.sleep(PAUSE)
