"""The command line: reads arguments and prints results; it computes nothing itself.

Only the module of the command that is called is imported, and large packages inside its functions, so that every
command starts fast. `--help` imports all modules of this package.
"""

import io
import logging
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.models import CommandInfo, TyperInfo

from cardwin.cli import output
from cardwin.cli.app import app
from cardwin.core.errors import InputError
from cardwin.core.field_errors import field_error

# The help page by what a person wants to do: each command, and the module that registers it.
PANELS = {
    "Start here": {
        "demo": "evolve",
        "games": "small_games",
        "players": "holdem",
        "presets": "evolve",
        "runs": "evolve",
        "serve": "system",
    },
    "Solve": {
        "solve": "small_games",
        "solve-spot": "betting",
        "value": "small_games",
        "best-response": "small_games",
        "exploitability": "small_games",
        "show": "small_games",
        "export": "small_games",
    },
    "Play": {"play": "play", "rank": "cards", "equity": "cards", "income": "explain"},
    "Compete": {
        "match": "arena",
        "tournament": "arena",
        "cash-game": "dealing",
        "leaderboard": "arena",
        "yardsticks": "yardsticks",
        "verify": "arena",
        "deal": "dealing",
        "connect": "dealing",
    },
    "Evolve and train": {
        "evolve": "evolve",
        "train": "train",
        "sweep": "evolve",
        "init": "evolve",
        "cluster": "system",
    },
    "Papers": {"reproduce": "train"},
    "Hand histories": {"replay": "holdem", "explain": "explain", "range": "explain"},
    "Maintenance": {"bench": "system", "warm": "system", "sandbox": "system", "tables": "cards"},
}
MODULES = {name: module for commands in PANELS.values() for name, module in commands.items()}


def command_name(command: CommandInfo | TyperInfo) -> str:
    """Return the word by which a command or a group of commands is called."""
    return str(command.name or getattr(command.callback, "__name__", "")).replace("_", "-")


def registered_commands() -> list[CommandInfo | TyperInfo]:
    """Return all commands and groups of commands that have been registered."""
    return [*app.registered_commands, *app.registered_groups]


def register(words: list[str]) -> None:
    """Register the command that the words of a command line call, or all of them if they call none."""
    command = next((word for word in words if not word.startswith("-")), "")
    for module in dict.fromkeys([MODULES[command]] if command in MODULES else MODULES.values()):
        import_module(f"cardwin.cli.{module}")
    panel_of = {name: panel for panel, names in PANELS.items() for name in names}
    order = [*panel_of]
    for item in registered_commands():
        item.rich_help_panel = panel_of.get(command_name(item), "Others")
    app.registered_commands.sort(
        key=lambda item: order.index(command_name(item)) if command_name(item) in order else len(order)
    )


def fail(message: str, code: int = 2) -> NoReturn:
    """Print one line to standard error and exit."""
    print("cardwin: " + " ".join(message.split()), file=sys.stderr)
    raise SystemExit(code)


def usage_text(error: Any) -> str:
    """Return the message of a typer usage error; for an invalid value, what is expected and what was received."""
    option, cause = getattr(error, "param", None), error.__cause__
    if option is None or not hasattr(cause, "errors"):
        return str(error.format_message())
    name = option.opts[0] if option.opts[0].startswith("-") else option.human_readable_name
    return f"invalid {name}: {field_error(cause.errors()[0])}"


def main() -> None:
    """Run one command. An input error prints one sentence and exits with code 2, without a traceback."""
    words = sys.argv[1:] or ["--help"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # escape characters that the terminal cannot encode
            stream.reconfigure(errors="backslashreplace")
    # BLAS threads would change the last bits of matrix products, and our own threads already use the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # These options work with every command, so they are removed before the command parses its arguments.
    if "--version" in words:
        from cardwin import __version__

        print(f"cardwin {__version__}")
        return
    output.set_quiet("--quiet" in words)
    output.set_verbose("--verbose" in words)
    logging.basicConfig(format="%(message)s", level=logging.WARNING if output.is_quiet() else logging.INFO)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it logs every font that it searches for
    if not any(isinstance(each, output.CompileMessages) for each in logging.getLogger("cardwin").filters):
        logging.getLogger("cardwin").addFilter(output.CompileMessages())
    try:
        words = [word for word in words if word not in ("--quiet", "--verbose")]
        register(words)
        status = app(words, prog_name="cardwin", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        fail("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        fail(f"{error.filename or 'the system'}: {error.strerror or error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer's usage errors have it; anything else is a bug
            raise
        fail(f"{usage_text(error)} (try --help)")
    raise SystemExit(status or 0)
