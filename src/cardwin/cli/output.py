"""Output of commands: results on standard output; notes and progress on standard error; runs with their progress."""

import json
import logging
import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cardwin.runs.launch import Launch
    from cardwin.runs.run import Progress

SCHEMA = 1
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 24  # bars of a sparkline
NO_ETA = ("experiment",)  # steps of very different lengths: no estimate of the time left
WARM_HINT = "; `cardwin warm` compiles everything at once, in some minutes"
_state = {"quiet": False, "verbose": False}


def set_quiet(quiet: bool) -> None:
    """Turn notes and progress off or on."""
    _state["quiet"] = quiet


def is_quiet() -> bool:
    """Return whether notes and progress are turned off."""
    return _state["quiet"]


def set_verbose(verbose: bool) -> None:
    """Turn details of results on or off."""
    _state["verbose"] = verbose


def print_json(answer: dict[str, Any]) -> None:
    """Print the answer as one JSON object, with the schema number."""
    text = json.dumps({"schema": SCHEMA, **answer}, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:  # the terminal's encoding is not UTF-8, or a path is not valid text
        text = json.dumps({"schema": SCHEMA, **answer}, allow_nan=False)
    print(text)


def print_detail(text: str) -> None:
    """Print a line to standard output if --verbose was given."""
    if _state["verbose"]:
        print(text)


def note(text: str) -> None:
    """Print a line to standard error, unless quiet."""
    if not is_quiet():
        print(text, file=sys.stderr)


def console() -> "Console":
    """Return standard output, with colours if it is a terminal and NO_COLOR is not set."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def column_table(title: str, heads: Mapping[str, str]) -> "Table":
    """Return an empty rich table with a title.

    Args:
        title: the line above the table.
        heads: the columns, each with its justification (left or right).

    """
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    for head, justify in heads.items():
        table.add_column(head, justify="right" if justify == "right" else "left", overflow="fold")
    return table


class CompileMessages(logging.Filter):
    """A filter of messages about compiling: one per module, the first with a hint. With --verbose all of them pass."""

    hint = True  # about `cardwin warm`

    def __init__(self) -> None:
        super().__init__()
        self.reported: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the message is printed; the hint is added to the first one."""
        message = record.getMessage()
        if self.hint and message.endswith("kept on disk"):
            record.msg = f"{record.msg}{WARM_HINT}"
        if _state["verbose"] or not message.startswith(("compiling ", "compiled ")):
            return True
        part = message.partition(":")[0]
        is_new = part.startswith("compiling ") and part not in self.reported
        self.reported.add(part)
        return is_new


def start_run(
    kind: str, values: Mapping[str, Any], seed: int | None, launch: "Launch", step: str = "step"
) -> dict[str, Any]:
    """Start a run of a kind with these settings, show its progress, and return its answer."""
    from cardwin.runs.launch import begin

    return run_with_progress(lambda shown: begin(kind, values, seed, shown), launch, step)


def resume_run(folder: Path, command: str, launch: "Launch", step: str = "step", **changes: Any) -> dict[str, Any]:
    """Resume a run, show its progress, and return its answer; `changes` are those of `cardwin.runs.launch.resume`."""
    from cardwin.runs.launch import resume

    return run_with_progress(lambda shown: resume(folder, shown, command=command, **changes), launch, step)


def run_with_progress(
    run: Callable[["Launch"], dict[str, Any]], launch: "Launch", step: str = "step"
) -> dict[str, Any]:
    """Run with progress and notes, and return the answer; a stopped run prints the command that resumes it."""
    from cardwin.runs.launch import Stopped

    try:
        return run(replace(launch, watch=ProgressLine(step), announce=note))
    except Stopped as stopped:
        note(f"\n{stopped}")
        raise typer.Exit(130) from None


def report_line(answer: dict[str, Any]) -> str:
    """Return the path of a run's report, or the command that writes it."""
    from cardwin.runs.run_folder import resume_command

    folder = Path(answer["run"])
    report = folder / "report.html"
    return f"report: {report}" if report.is_file() else f"no report yet: {resume_command(folder)} writes it"


def print_run_end(answer: dict[str, Any]) -> None:
    """Print the last line about a run: its report, seed and digest."""
    print(f"{report_line(answer)}; seed {answer['seed']}, digest {answer['digest']}")


def sparkline(values: list[float]) -> str:
    """Return the values as bars on a logarithmic scale."""
    logs = [math.log10(max(value, 1e-9)) for value in values]
    low, high = min(logs), max(logs)
    span = (high - low) or 1.0
    return "".join(BARS[int((each - low) / span * (len(BARS) - 1))] for each in logs)


class ProgressLine:
    """A line about a run's progress, several times a second in a terminal, otherwise every few seconds."""

    def __init__(self, step: str = "step") -> None:
        from cardwin.core.trainer import TimeLeft

        self.step = step
        self.live = sys.stderr.isatty()
        self.pause = 0.1 if self.live else 3.0
        self.last_time = 0.0 if self.live else time.monotonic()
        self.first: int | None = None
        self.time_left = TimeLeft()
        self.curve: list[float] = []

    def __call__(self, progress: "Progress") -> None:
        """Print the progress if enough time has passed."""
        now = time.monotonic()
        self.time_left.record(progress.generation, progress.seconds)
        if self.first is None:
            self.first, self.last_time = progress.generation, now
        if is_quiet() or (now - self.last_time < self.pause and progress.generation < progress.generations):
            return
        self.last_time = now
        self.curve.append(progress.primary.value)
        if len(self.curve) > WIDTH:
            self.curve = self.curve[1::2] if self.live and len(self.curve) > 2 * WIDTH else self.curve
        text = self._line(progress)
        if self.live:
            # A wrapped line cannot be overwritten: it would scroll.
            text = text[: shutil.get_terminal_size().columns - 1]
            end = "\n" if progress.generation == progress.generations else ""
            print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def _line(self, progress: "Progress") -> str:
        """Return the progress line, most important first: a narrow terminal cuts off the end."""
        left = "" if self.step in NO_ETA else self.time_left.text(progress.generations)
        best = ", ".join(f"{metrics['best']:+.4f}" for metrics in progress.metrics.values() if "best" in metrics)
        value = progress.primary.value
        shown = f"{value:,.0f}" if value.is_integer() and value > 1 else f"{value:.5f}"  # counts, and other numbers
        bars = f" {sparkline(self.curve[-WIDTH:])}" if self.live else ""
        parts = [f"{self.step} {progress.generation:,} of {progress.generations:,}", left]
        parts += [f"{progress.primary.name} {shown}{bars}", f"best {best}" if best else "", progress.where]
        return "   ".join(filter(None, parts))


@contextmanager
def progress_bar(total: int, unit: str, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, if that is a terminal; call it with the number of further steps."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    disabled = hidden or is_quiet() or not console.is_terminal
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=disabled) as bar:
        task = bar.add_task(unit, total=total)
        yield lambda done: bar.advance(task, done)
