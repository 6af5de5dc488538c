"""Progress of runs: one updated line in a terminal, otherwise a new line every few seconds."""

import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from cardwin.cli import output

if TYPE_CHECKING:
    from cardwin.runs.launch import Launch
    from cardwin.runs.run import Progress

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 24
UNLIKE = ("experiment",)  # steps so unlike that the time of one says nothing about the next


def sparkline(values: list[float]) -> str:
    """The values as bars on a logarithmic scale."""
    logs = [math.log10(max(value, 1e-9)) for value in values]
    low, high = min(logs), max(logs)
    span = (high - low) or 1.0
    return "".join(BARS[int((each - low) / span * (len(BARS) - 1))] for each in logs)


def answer_of(run: Callable[["Launch"], dict[str, Any]], launch: "Launch", step: str = "step") -> dict[str, Any]:
    """Run with progress and notes, and return the answer; a stopped run prints the command that resumes it."""
    from cardwin.runs.launch import Stopped

    try:
        return run(replace(launch, watch=ProgressLine(step), announce=output.note))
    except Stopped as stopped:
        output.note(f"\n{stopped}")
        raise typer.Exit(130) from None


class ProgressLine:
    """Called after every step; prints several times a second in a terminal, otherwise every few seconds."""

    def __init__(self, step: str = "step") -> None:
        self.step = step
        self.live = sys.stderr.isatty()
        self.pause = 0.1 if self.live else 3.0
        self.spoke = 0.0 if self.live else time.monotonic()
        self.first: int | None = None
        from cardwin.core.trainer import TimeLeft

        self.time_left = TimeLeft()
        self.curve: list[float] = []

    def __call__(self, progress: "Progress") -> None:
        """Print the progress if enough time has passed."""
        now = time.monotonic()
        self.time_left.record(progress.generation, progress.seconds)
        if self.first is None:
            self.first, self.spoke = progress.generation, now
        if output.is_quiet() or (now - self.spoke < self.pause and progress.generation < progress.generations):
            return
        self.spoke = now
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
        """The progress line, most important first: a narrow terminal cuts off the end."""
        left = "" if self.step in UNLIKE else self.time_left.text(progress.generations)
        best = ", ".join(f"{own['best']:+.4f}" for own in progress.metrics.values() if "best" in own)
        value = progress.primary.value
        shown = f"{value:,.0f}" if value.is_integer() and value > 1 else f"{value:.5f}"  # counts, and the rest
        picture = f" {sparkline(self.curve[-WIDTH:])}" if self.live else ""
        return (
            f"{self.step} {progress.generation:,} of {progress.generations:,}"
            + (f"   {left}" if left else "")
            + f"   {progress.primary.name} {shown}{picture}"
            + (f"   best {best}" if best else "")
            + (f"   {progress.where}" if progress.where else "")
        )


@contextmanager
def progress_bar(total: int, what: str, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal; call it with the number of further steps."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    off = hidden or output.is_quiet() or not console.is_terminal
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=off) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
