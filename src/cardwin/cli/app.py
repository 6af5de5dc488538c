"""The typer application that every command is registered with, and the options that commands share."""

from pathlib import Path
from typing import Annotated

import typer

from cardwin.core.errors import InputError

app = typer.Typer(
    name="cardwin",
    help="Evolve, train, solve and evaluate poker strategies.",
    epilog="--quiet (no progress or notes) and --version work with every command. NO_COLOR turns colours off.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _several_commands() -> None:
    """Keep the name of a command in the command line even if it is the only one that is registered."""


Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The run's folder; default: a new one in runs/.")
]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="DIR", help="Continue a run.")]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", help="Number of threads; the result does not depend on it.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="local|auto|HOST:PORT",
        help="Run on a Ray cluster; the result does not depend on it. local starts one on this machine.",
    ),
]
Report = Annotated[
    bool, typer.Option("--report/--no-report", help="Write report.html at the end; --resume can write it later.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def options_given(context: typer.Context) -> list[tuple[str, str]]:
    """Return the parameters that the command line gives: their names, and how they are written there."""
    return [
        (str(parameter.name), parameter.opts[0] if parameter.opts[0].startswith("-") else str(parameter.name).upper())
        for parameter in context.command.params
        if (source := context.get_parameter_source(str(parameter.name))) is not None and source.name == "COMMANDLINE"
    ]


def as_it_was(context: typer.Context, *given: str) -> None:
    """Refuse options that would change a resumed run. Allowed: `given`, and options about how it is executed."""
    free = {"resume", "workers", "cluster", "as_json", "report", *given}
    for name, option in options_given(context):
        if name not in free:
            raise InputError(f"--resume continues the run with its own settings: leave out {option}")
