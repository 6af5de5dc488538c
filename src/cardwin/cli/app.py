"""The typer application that every command is registered with, and the options that commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from cardwin.core.errors import InputError

app = typer.Typer(
    name="cardwin",
    help="Evolve, train, solve and evaluate poker strategies.",
    epilog="--quiet (no progress or notes), --verbose (all details of a result) and --version work with every command. "
    "NO_COLOR turns colours off.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _several_commands() -> None:
    """Keep the name of a command in the command line even if it is the only one that is registered."""


# Options of runs
Out = Annotated[Path | None, Option("--out", metavar="DIR", help="The run's folder; default: a new one in runs/.")]
Resume = Annotated[Path | None, Option("--resume", metavar="DIR", help="Continue a run.")]
Workers = Annotated[int, Option("--workers", metavar="N", help="Number of threads; the result does not depend on it.")]
Cluster = Annotated[
    str | None,
    Option(
        "--cluster",
        metavar="local|auto|HOST:PORT",
        help="Run on a Ray cluster; the result does not depend on it. local starts one on this machine.",
    ),
]
Report = Annotated[
    bool, Option("--report/--no-report", help="Write report.html at the end; --resume can write it later.")
]
Changes = Annotated[list[str] | None, Option("--set", metavar="KEY=VALUE", help="Change a setting.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")]

# Options of hands that are dealt
Specs = Annotated[list[str] | None, Argument(metavar="SPEC...", help="Players; random*1000 means a thousand.")]
MAX_SEED = 2**63 - 1


def seed_option(text: str) -> Any:
    """Return the option --seed with a help text, the same for all commands: what runs accept."""
    return Option("--seed", metavar="N", min=0, max=MAX_SEED, help=text)


Seed = Annotated[int | None, seed_option("Repeat these cards; without it they come from secrets.")]
Duplicate = Annotated[bool, Option("--duplicate", help="Play every deal once in each seating, with the same cards.")]
TimeLimit = Annotated[
    float,
    Option(
        "--time-limit",
        metavar="S",
        help="Seconds of processor time per action for untrusted players; 0 means no limit.",
        min=0,
    ),
]
TimeBank = Annotated[
    float,
    Option(
        "--time-bank",
        metavar="S",
        help="Seconds per 1000 hands for all actions of an untrusted player, beside --time-limit; 0 means no limit.",
        min=0,
    ),
]
InProcess = Annotated[bool, Option("--in-process", help="Run python: players in this process (trusted code only).")]
AllowWeak = Annotated[
    bool, Option("--allow-weak-sandbox", help="Play untrusted players even if the system cannot isolate them well.")
]


def options_given(context: typer.Context) -> list[tuple[str, str]]:
    """Return the parameters that the command line sets: their names, and how they are written there."""
    return [
        (str(parameter.name), parameter.opts[0] if parameter.opts[0].startswith("-") else str(parameter.name).upper())
        for parameter in context.command.params
        if (source := context.get_parameter_source(str(parameter.name))) is not None and source.name == "COMMANDLINE"
    ]


def reject_changed_options(context: typer.Context, *allowed: str) -> None:
    """Raise an error for options that would change a resumed run.

    Args:
        context: the command and its options.
        allowed: parameters that may be set, beside those about how the run is executed.

    """
    free = {"resume", "workers", "cluster", "as_json", "report", *allowed}
    for name, option in options_given(context):
        if name not in free:
            raise InputError(f"unexpected {option}: --resume continues the run with its own settings")
