"""The command that reproduces published experiments."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from cardwin.cli.app import Cluster, Json, Out, Report, Resume, Workers, app, as_it_was
from cardwin.cli.evolve import report_line
from cardwin.cli.output import print_json
from cardwin.core.errors import InputError


class Scale(StrEnum):
    """The time that a reproduction may take."""

    SECONDS = "seconds"
    MINUTES = "minutes"
    HOUR = "hour"
    PAPER = "paper"


def known_papers() -> str:
    """The names of the papers, read from the folders; the registry itself would import large packages."""
    from importlib.resources import files

    folders = (path.name for path in files("cardwin").joinpath("papers").iterdir() if path.is_dir())
    names = sorted(name.replace("_", "-") for name in folders if not name.startswith("_"))
    return f"{', '.join(names[:-1])} or {names[-1]}."


@app.command()
def reproduce(
    context: typer.Context,
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help=known_papers())] = None,
    experiment: Annotated[
        str | None, typer.Argument(metavar="[EXPERIMENT]", help="One experiment; default: all.")
    ] = None,
    scale: Annotated[
        Scale, typer.Option(help="How long it may take; paper repeats the authors' sizes.")
    ] = Scale.SECONDS,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Same seed, same findings.")] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Reproduce a paper: its published numbers, our measurements, exact values, and verdicts."""
    from cardwin.cli.progress import answer_of
    from cardwin.papers import PAPERS
    from cardwin.runs import launch

    start = launch.Launch(out, workers, cluster, report)
    if resume is not None:
        as_it_was(context)
        answer = answer_of(lambda shown: launch.resume(resume, shown, command="reproduce"), start, "experiment")
    elif paper is None:
        raise InputError(f"name a paper ({', '.join(PAPERS)}), or give --resume DIR")
    else:
        values = {"paper": paper, "experiment": experiment, "scale": scale.value}
        answer = answer_of(lambda shown: launch.begin("reproduction", values, seed, shown), start, "experiment")
    print_json(answer) if as_json else show(answer)


def show(answer: dict[str, Any]) -> None:
    """Print one line per verdict, and the path of the report or the command that writes it."""
    from cardwin.papers import finding_line, tally
    from cardwin.papers.reproduction import read_finding

    rows = [{key: value for key, value in row.items() if key != "experiment"} for row in answer["experiments"]]
    findings = [read_finding(row) for row in rows]
    print(*map(finding_line, findings), sep="\n")
    print(tally(findings))
    print(f"{report_line(answer)}; seed {answer['seed']}, digest {answer['digest']}")
