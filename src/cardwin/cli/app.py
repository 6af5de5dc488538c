"""The application that every command joins, and the options they share."""

from typing import Annotated

import typer

app = typer.Typer(
    name="cardwin",
    help="Poker strategies evolved, learned and solved, and then judged honestly.",
    epilog="--quiet (no progress or notes) and --version work with every command; NO_COLOR is respected.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
