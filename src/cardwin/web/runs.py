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
from cardwin.web import processes, run_views, tags
from cardwin.web.answers import Answer, NotHereError, text_of
from cardwin.web.catalogue import settings_of
from cardwin.web.champion_line import line_of
from cardwin.web.population_map import map_of
from cardwin.web.queue import Queue
from cardwin.web.run_list import Index, Wanted, chosen
from cardwin.web.settings import ServerSettings

router = APIRouter(prefix="/api", tags=["runs"])
PAUSE = 0.5  # seconds between two checks of a run
READING = 0.1  # seconds for reading runs that are not in the index; the next request reads on
REPORT_WITHIN = 120.0  # seconds after the end of a run
STAMP = re.compile(r"-\d{8}-\d{6}(-\d+)?$")  # the time in the name of a run's folder
MOST_WORKERS = os.cpu_count() or 1


class NewTitle(BaseModel):
    """Another title of a run."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(max_length=400)]


class NewTags(BaseModel):
    """The tags of a run, instead of its earlier ones."""

    model_config = ConfigDict(extra="forbid")
    tags: list[Annotated[str, Field(max_length=100)]] = Field(max_length=50)


class NewRun(BaseModel):
    """A preset, or a run that is repeated, and the changed fields of its form, by dotted key."""

    model_config = ConfigDict(extra="forbid")
    preset: Annotated[str, Field(max_length=100)] = ""
    run: Annotated[str, Field(max_length=100)] = ""
    values: dict[Annotated[str, Field(max_length=100)], Any] = Field(default_factory=dict, max_length=200)
    workers: Annotated[int, Field(ge=1, le=MOST_WORKERS)] = 1


def _folder(request: Request, name: str) -> Path:
    try:
        return processes.find(settings_of(request).home, name)
    except InputError as error:
        raise NotHereError(str(error)) from None


@dataclass
class Lists:
    """What the server knows of its runs: their index, that of the bin, and the queue."""

    index: Index
    bin: Index
    queue: Queue


def lists_of(request: Request) -> Lists:
    """The lists of the server's folder of runs."""
    found: Lists = request.app.state.lists
    return found


def make_lists(settings: ServerSettings) -> Lists:
    """The lists of a folder of runs."""
    home = settings.home
    return Lists(Index(home), Index(home / BIN), Queue(home, settings.at_once))


def _row(request: Request, folder: Path) -> dict[str, Any]:
    """A run's row, with its place in the queue where it waits."""
    return _queued(lists_of(request).queue, folder, run_views.row(folder))


def _queued(queue: Queue, folder: Path, row: dict[str, Any]) -> dict[str, Any]:
    place = queue.places.get(folder.name)
    return row | ({"state": "waiting", "place": place} if place and row["state"] == "stopped" else {})


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
) -> Answer:
    """Runs with their game, state, progress, primary metric and a small curve; all of them without a `count`."""
    lists = lists_of(request)
    processes.reap()
    lists.queue.advance()
    wanted = Wanted(words, state, tag, sort, order == "down", first, count)
    rows = lists.index.rows(lists.queue.places, math.inf if count is None else READING)
    found = chosen(rows, wanted)
    queue = {"at_once": lists.queue.at_once, "note": lists.queue.note}
    return Answer({**found, "queue": queue})


@router.post("/runs", status_code=201)
def start_run(new: NewRun, request: Request) -> Answer:
    """Start a preset in its own process, or queue it; errors are reported field by field."""
    from cardwin.runs.experiment import flat, mistakes
    from cardwin.web import forms

    if bool(new.preset) == bool(new.run):
        raise InputError("a new run needs a preset, or a run to repeat, and not both")
    again = _folder(request, new.run) if new.run else None
    before = forms.preset_values(new.preset) if again is None else forms.run_values(again)
    values = forms.merge_answers(before, new.values)
    wrong = [*_unsafe(flat(values)), *mistakes(values)]
    if wrong:
        return Answer({"error": "; ".join(one["said"] for one in wrong), "fields": wrong}, 422)
    short = STAMP.sub("", new.run) if new.run else new.preset
    folder = processes.prepare(settings_of(request).home, short, values)
    started = lists_of(request).queue.admit(folder, new.workers)
    return Answer({"name": folder.name, "started": started}, 201)


def _unsafe(values: dict[str, Any]) -> list[dict[str, str]]:
    """Fields that name files or code, which is not allowed from the page."""
    found = []
    for key, value in values.items():
        texts = [text for text in (value if isinstance(value, list | tuple) else [value]) if isinstance(text, str)]
        if key not in ("title", "about") and any(_names_a_file(text) for text in texts):
            found.append({"field": key, "said": f"{key}: files and code cannot be named from the page"})
    return found


def _names_a_file(text: str) -> bool:
    from cardwin.players.specs import is_program

    return (
        (any(sign in text for sign in ("/", "\\", "python:", "file=")) and not text.startswith("genes:"))
        or is_program(text)
        or text.endswith((".json", ".toml", ".safetensors"))
    )


@router.get("/presets/{name}")
def preset_form(name: str) -> Answer:
    """A preset as a form: one field for each key of its schema."""
    from cardwin.web.forms import preset_form

    return Answer(preset_form(name))


@router.get("/runs/{name}/form")
def run_form(name: str, request: Request) -> Answer:
    """The form of a run, to repeat it with changes."""
    from cardwin.web.forms import repeat_form

    return Answer(repeat_form(_folder(request, name)))


@router.post("/runs/{name}/title")
def rename_run(name: str, new: NewTitle, request: Request) -> Answer:
    """Give a run another title."""
    reader.rename(_folder(request, name), new.title)
    return Answer({"name": name})


@router.post("/runs/{name}/tags")
def tag_run(name: str, new: NewTags, request: Request) -> Answer:
    """Give a run these tags instead of its earlier ones."""
    return Answer({"name": name, "tags": tags.change(_folder(request, name), new.tags)})


@router.post("/runs/{name}/cancel")
def cancel_run(name: str, request: Request) -> Answer:
    """Take a waiting run out of the queue; it can be resumed."""
    lists_of(request).queue.cancel(name)
    return Answer({"name": name})


@router.post("/runs/{name}/discard")
def discard_run(name: str, request: Request) -> Answer:
    """Move a run into the bin; nothing is deleted."""
    folder = _folder(request, name)
    if name in lists_of(request).queue.places:
        raise InputError(f"{name} waits in the queue: cancel that first")
    return Answer({"name": reader.discard(folder).name})


@router.get("/bin")
def list_bin(request: Request) -> Answer:
    """The runs in the bin."""
    return Answer({"runs": lists_of(request).bin.rows()})


@router.post("/bin/{name}/restore")
def restore_run(name: str, request: Request) -> Answer:
    """Move a run out of the bin."""
    return Answer({"name": reader.restore(settings_of(request).home, name).name})


@router.get("/compare")
def compare(request: Request, run: Annotated[list[str], Query(max_length=8)]) -> Answer:
    """Up to eight runs on one chart, and the settings in which they differ."""
    return Answer(run_views.compared([_folder(request, name) for name in run]))


@router.get("/runs/{name}")
def show_run(name: str, request: Request) -> Answer:
    """One run: its row, experiment, populations and answer."""
    folder = _folder(request, name)
    return Answer(_queued(lists_of(request).queue, folder, run_views.whole(folder)) | {"tags": tags.of(folder)})


@router.get("/runs/{name}/curves")
def run_curves(name: str, request: Request, since: int = -1) -> Answer:
    """The primary metric and every population's metrics, after the generation `since`."""
    return Answer(run_views.curves(_folder(request, name), since))


@router.get("/runs/{name}/champion")
def run_champion(name: str, request: Request, generation: Annotated[int | None, Query(ge=0)] = None) -> Answer:
    """The champions of a generation with the best response and the nearest equilibrium, where these are exact."""
    return Answer(run_views.champion(_folder(request, name), generation))


@router.get("/runs/{name}/evolution")
def run_evolution(name: str, request: Request, since: Annotated[int, Query(ge=-1)] = -1) -> Answer:
    """The population as a moving map, the line of champions and the hall; nothing if there is none after `since`."""
    folder = _folder(request, name)
    found = map_of(folder)
    last = max((own["generation"][-1] for own in found["populations"].values()), default=-1)
    if -1 < last <= since:
        return Answer({"last": last})
    return Answer({"last": last, "map": found, "line": line_of(folder)})


@router.get("/runs/{name}/pedigree")
def run_pedigree(name: str, request: Request) -> Answer:
    """The ancestors of the champions."""
    return Answer(run_views.pedigree(_folder(request, name)))


@router.get("/runs/{name}/memory")
def run_memory(name: str, request: Request) -> Answer:
    """Champions of all generations against each other, which shows what the populations have forgotten."""
    return Answer(run_views.memory(_folder(request, name)))


@router.get("/runs/{name}/atlas")
def run_atlas(name: str, request: Request) -> Answer:
    """The cells of an atlas of styles: measured again with intervals, and playable, once the run is finished."""
    return Answer(run_views.atlas(_folder(request, name)))


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
    processes.stop(_folder(request, name))
    return Answer({"name": name})


@router.post("/runs/{name}/resume")
def resume_run(name: str, request: Request) -> Answer:
    """Resume a stopped run in its own process, or queue it."""
    return Answer({"name": name, "started": lists_of(request).queue.admit(_folder(request, name))})


@router.get("/runs/{name}/events")
async def watch_run(name: str, request: Request, since: int = -1) -> StreamingResponse:
    """Server-sent events: `row` whenever the run's state or progress changes, `curves` with the new generations."""
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
            text = text_of({key: value for key, value in row.items() if key != "curve"})
            if text != last:
                last = text
                yield f"event: row\ndata: {text}\n\n"
                found = await asyncio.to_thread(run_views.curves, folder, since)
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
