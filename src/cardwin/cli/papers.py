"""The command that reproduces published works."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import note, print_json

if TYPE_CHECKING:
    from cardwin.lab.papers import Reproduction


class Scale(StrEnum):
    """How long it may take."""

    SECONDS = "seconds"
    MINUTES = "minutes"
    HOUR = "hour"
    PAPER = "paper"


@app.command()
def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="lopez-pozuelo, morsomme, reveley or chen.")],
    experiment: Annotated[str | None, typer.Argument(metavar="[EXPERIMENT]", help="One of them; else all.")] = None,
    scale: Annotated[Scale, typer.Option(help="How long it may take; paper is as the authors did it.")] = Scale.SECONDS,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Same seed, same findings.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=1024, help="Threads.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", help="The report's folder; a new one in runs/.")] = None,
    as_json: Json = False,
) -> None:
    """Reproduce a published work: what it printed, what we measure, what is exact, and a verdict."""
    from cardwin.lab import papers
    from cardwin.rng import fresh_seed

    papers.paper_of(paper)
    seed = fresh_seed() if seed is None else seed
    folder = out or Path("runs") / f"{paper}-{scale.value}-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{seed}"
    note(f"reproducing {paper} at scale {scale.value}, seed {seed}")
    done = papers.reproduce(
        paper,
        experiment,
        scale.value,
        seed,
        workers,
        folder,
        lambda outcome: note(f"{outcome.experiment}: {len(outcome.findings)} findings, {outcome.seconds:.1f} s"),
    )
    if as_json:
        keys = ("name", "published", "measured", "exact", "ci95", "verdict", "reason")
        rows = [
            {"experiment": outcome.experiment, **{key: getattr(finding, key) for key in keys}}
            for outcome in done.outcomes
            for finding in outcome.findings
        ]
        print_json({"paper": paper, "experiments": rows, "report": str(done.report), "seed": seed})
        return
    show(done)


def show(done: "Reproduction") -> None:
    """The verdicts, a line each, and where the report is."""
    from cardwin.lab.papers import told

    for finding in done.findings:
        print(told(finding))
    print(f"report: {done.report}")
