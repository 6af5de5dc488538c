"""The application that every command joins, and the options they share."""

from pathlib import Path
from typing import Annotated

import typer

from cardwin.core.errors import InputError

app = typer.Typer(
    name="cardwin",
    help="Poker strategies evolved, learned and solved, and then judged honestly.",
    epilog="--quiet (no progress or notes) and --version work with every command; NO_COLOR is respected.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The run's folder; by default a new one in runs/.")
]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="DIR", help="Go on with a run.")]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Threads; the result does not depend on them.")]
Report = Annotated[
    bool, typer.Option("--report/--no-report", help="Draw report.html when finished; --resume draws it later.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def as_it_was(context: typer.Context, *given: str) -> None:
    """A resumed run is as it was: refuse options beside --resume but these, and those about how it runs."""
    free = {"resume", "workers", "as_json", "report", *given}
    for parameter in context.command.params:
        name, source = str(parameter.name), context.get_parameter_source(str(parameter.name))
        if name not in free and source is not None and source.name == "COMMANDLINE":
            shown = parameter.opts[0] if parameter.opts[0].startswith("-") else name.upper()
            raise InputError(f"--resume takes the run as it was: leave {shown} away")
