"""Commands for experiments and runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from cardwin.cli.app import (
    Changes,
    Cluster,
    Json,
    Out,
    Report,
    Resume,
    Workers,
    app,
    reject_changed_options,
    seed_option,
)
from cardwin.cli.output import (
    note,
    print_detail,
    print_json,
    report_line,
    resume_run,
    run_with_progress,
)
from cardwin.core.display import escape_unprintable
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.runs.launch import Launch

HOME = Path("runs")


@app.command()
def evolve(
    context: typer.Context,
    experiment: Annotated[str | None, Argument(metavar="PRESET|FILE.toml", help="The experiment.")] = None,
    changes: Changes = None,
    seed: Annotated[int | None, seed_option("Same seed, same run, bit for bit.")] = None,
    generations: Annotated[
        int | None, Option(metavar="N", min=1, help="Number of generations; with --resume: the new total.")
    ] = None,
    out: Out = None,
    resume: Resume = None,
    trust: Annotated[
        list[str] | None, Option(metavar="SPEC", help="With --resume: a python: game that the run may import.")
    ] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Evolve strategies from a preset or an experiment file; or resume or extend a run."""
    from cardwin.runs import launch

    if (experiment is None) == (resume is None):
        raise InputError(
            "expected a preset or an experiment file, or --resume DIR: `cardwin presets` lists the presets"
        )
    if trust and resume is None:
        raise InputError("unexpected --trust without --resume: a game that is named here is trusted already")
    start = launch.Launch(out, workers, cluster, report)
    if resume is not None:
        reject_changed_options(context, "generations", "trust")
        lengths = {"generations": generations}
        answer = resume_run(resume, "evolve", start, "generation", lengths=lengths, trusted=trust or ())
    else:
        answer = _evolve(experiment or "", [*(changes or []), *_length(generations)], seed, start)
    print_json(answer) if as_json else _print_champions(answer)


def _length(generations: int | None) -> list[str]:
    return [] if generations is None else [f"generations={generations}"]


def _evolve(experiment: str, changes: list[str], seed: int | None, start: "Launch") -> dict[str, Any]:
    """Start an evolution, show its progress, and return its answer."""
    from cardwin.runs.launch import evolve as run

    return run_with_progress(lambda shown: run(experiment, changes, seed, shown), start, "generation")


@app.command()
def sweep(
    experiment: Annotated[str, Argument(metavar="PRESET|FILE.toml", help="The experiment.")],
    seeds: Annotated[str, Option(metavar="A-B|A,B", help="One run per seed, such as 1-5.")],
    out: Annotated[Path, Option(metavar="DIR", help="The sweep's folder; a stopped sweep continues.")],
    vary: Annotated[list[str] | None, Option(metavar="KEY=A|B", help="Settings to compare; may be repeated.")] = None,
    changes: Changes = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Run an experiment with several seeds and settings, and compare the means over the seeds."""
    from cardwin.core.cluster import open_workers
    from cardwin.reports.sweep import seeds_of
    from cardwin.reports.sweep import sweep as run
    from cardwin.runs.launch import Launch

    settings = experiment, changes or [], seeds_of(seeds), vary or [], out
    with open_workers(workers, cluster) as compute:
        answer = run_with_progress(lambda shown: run(*settings, shown), Launch(workers=compute), "generation")
    if as_json:
        print_json(answer)
        return
    for row in answer["settings"]:
        interval = "" if row["interval"] is None else " (95%: {:.5f} to {:.5f})".format(*row["interval"])
        print(f"{row['setting']}: {row['primary_metric']} {row['mean']:.5f}{interval}, {len(row['runs'])} runs")
    print(f"mean curves: {answer['picture']}; runs: {answer['folder']} (compare them with cardwin runs compare)")


def _print_champions(answer: dict[str, Any]) -> None:
    for best in answer["best"]:
        name = f"seat {best['seat']}" if "seat" in best else best["population"]
        final = f" ({best['low']:+.5f} to {best['high']:+.5f}, in a final on fresh deals)" if "low" in best else ""
        print(f"{name}: best fitness {best['fitness']:+.5f}{final}")
        if genes := best.get("genes", []):
            print_detail(f"{name}: genes {' '.join(f'{gene:.3f}' for gene in genes)}")
    if "exploitability" in answer:
        print(f"exploitability of the champion: {answer['exploitability']:.6f} chips per hand")
    else:
        print(f"{answer['primary_metric']}: {answer[answer['primary_metric'].replace(' ', '_')]:.6g}")
    print(f"champion: {answer['champions'][0]}")
    print(report_line(answer))
    print(f"seed {answer['seed']}, digest {answer['digest']}, {answer['seconds']:.1f} s")


@app.command()
def presets(
    beginning: Annotated[
        str, Argument(metavar="[NAME]", help="List the presets whose names begin with this text.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List the experiments included in Cardwin, grouped by publication."""
    from cardwin.runs.experiment import families

    if as_json:
        rows = [
            {"name": name, "title": values["title"], "game": values.get("game", "kuhn"), "from": family.title}
            for family in families()
            for name, values in family.presets.items()
            if name.startswith(beginning)
        ]
        print_json({"presets": rows})
        return
    for family in families():
        lines = family.lines()
        if beginning:
            lines = [(name, values["title"]) for name, values in family.presets.items() if name.startswith(beginning)]
        if lines:
            print(family.title)
            width = max(len(name) for name, _ in lines)
            print(*(f"  {name:{width}}  {title}" for name, title in lines), "", sep="\n")
    note("cardwin presets NAME lists the presets whose names begin with NAME; cardwin evolve PRESET runs one")


@app.command()
def init(file: Annotated[Path, Argument(metavar="FILE.toml", help="The new file.")]) -> None:
    """Write an experiment file with every key, its default and its explanation."""
    from cardwin.core.files import check_output, write_atomic
    from cardwin.runs.experiment import template

    check_output(file, "file", ".toml")
    write_atomic(file, template().encode())
    note(f"wrote {file}; edit it, then run: cardwin evolve {file}")


runs_app = typer.Typer(help="List, compare and remove runs.", invoke_without_command=True, no_args_is_help=False)
app.add_typer(runs_app, name="runs")


@runs_app.callback()
def runs(
    context: typer.Context,
    home: Annotated[Path, Option("--in", help="The folder that holds the runs.")] = HOME,
    as_json: Json = False,
) -> None:
    """List the runs."""
    if context.invoked_subcommand is not None:
        return
    from cardwin.runs.reader import listed

    rows = listed(home)
    if as_json:
        print_json({"runs": rows})
        return
    for row in rows:
        print(escape_unprintable(_run_line(row)))
    if not rows:
        note(f"no runs in {home}: cardwin evolve kuhn-coevolution starts one")


def _run_line(row: dict[str, Any]) -> str:
    """Return a line that describes a run."""
    if "wrong" in row:
        return f"{row['run']}  cannot be read: {row['wrong']}"
    result = (
        f"{row['primary_metric']} {row['value']:.5g}" if row["finished"] else f"at {row['generations']} of {row['of']}"
    )
    return f"{row['run']}  {row['kind']}  {row['game'] or ''}  seed {row['seed']}  {result}"


@runs_app.command()
def compare(
    folders: Annotated[list[Path], Argument(metavar="DIR DIR ...", help="Two or more runs.")],
    picture: Annotated[Path | None, Option(help="Plot their exploitability to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Compare runs: their settings and their results."""
    from cardwin.core.files import check_output
    from cardwin.reports.plots import compare_runs
    from cardwin.runs.reader import differences, summary

    if len(folders) < 2:
        raise InputError(f"expected two or more runs to compare, got {len(folders)}")
    if picture is not None:
        check_output(picture, "--picture", ".png", ".svg", overwrite=True)
        compare_runs(folders, picture)
    rows, differ = [summary(folder) for folder in folders], differences(folders)
    if as_json:
        print_json({"runs": rows, "differences": differ})
        return
    for name in ("run", "generations", "primary_metric", "value", "seconds", "digest"):
        print(f"{name:26}", *(f"{_cell(row[name]):>34}" for row in rows))
    for key, values in differ.items():
        print(f"{key:26}", *(f"{_cell(value):>34}" for value in values))


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@runs_app.command("rm")
def remove(folder: Annotated[Path, Argument(metavar="DIR", help="The run to delete.")]) -> None:
    """Delete a run's folder."""
    from cardwin.runs.reader import remove as delete

    delete(folder)
    note(f"removed {folder}")


@app.command()
def demo(
    seed: Annotated[int | None, seed_option("Same seed, same run.")] = None,
    out: Out = None,
) -> None:
    """Evolve two populations to the equilibrium of Kuhn poker, and list what to do next."""
    from cardwin.runs.launch import Launch

    note("Two populations of 100 random strategies, one for each seat of Kuhn poker, evolve against the")
    note("average of the other seat's hall of fame. Exploitability is what a perfect opponent wins from a")
    note("strategy: about .46 chips per hand from random play, 0 from an equilibrium.")
    answer = _evolve("kuhn-coevolution", [], seed, Launch(out))
    hall = answer["champions"][0]
    print(f"\nexploitability now: {answer['exploitability']:.4f} chips per hand, after {answer['seconds']:.1f} s\n")
    print(f"  the report, with pictures    {answer['run']}/report.html")
    print(f"  the strategy as a table      cardwin show {hall}")
    print(f"  play against it              cardwin play kuhn --against {hall}")
    print(f"  its exploitability           cardwin exploitability kuhn --policy {hall}")
    print("  the web page                 cardwin serve")
    print("  more experiments             cardwin presets")
    print("  compile everything now       cardwin warm      (otherwise each part is compiled on first use)")
