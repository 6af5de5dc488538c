"""The command line: reads arguments and prints results.

It computes nothing itself. Large packages are imported inside the commands that use them, so `--help` is fast.
"""

import io
import logging
import os
import sys
from typing import NoReturn

import typer
from typer.models import CommandInfo, TyperInfo

from cardwin.cli import output
from cardwin.cli.app import app
from cardwin.core.errors import InputError

# Importing a module registers its commands; the order is the order of the help page.
from cardwin.cli import small_games  # noqa: F401  isort:skip
from cardwin.cli.yardsticks import betting, players  # noqa: F401  isort:skip
from cardwin.cli import (  # noqa: F401  isort:skip
    evolve,
    papers,
    cards,
    holdem,
    arena,
    other_tables,
    play,
    train,
    cluster,
    cash_game,
    explain,
    serve,
    bench,
)


# The help page by what a person wants to do.
PANELS = {
    "Start here": ("demo", "games", "players", "presets", "runs", "serve"),
    "Solve": ("solve", "solve-spot", "value", "best-response", "exploitability", "show", "export"),
    "Play": ("play", "rank", "equity", "income"),
    "Compete": ("match", "tournament", "cash-game", "leaderboard", "yardsticks", "verify", "deal", "connect"),
    "Evolve and train": ("evolve", "train", "sweep", "init", "cluster"),
    "Papers": ("reproduce",),
    "Hand histories": ("replay", "explain", "range"),
    "Maintenance": ("bench", "warm", "tables"),
}


def name_of(command: CommandInfo | TyperInfo) -> str:
    """The word by which a command or a group of commands is called."""
    return str(command.name or getattr(command.callback, "__name__", "")).replace("_", "-")


def registered() -> list[CommandInfo | TyperInfo]:
    """All commands and groups of commands."""
    return [*app.registered_commands, *app.registered_groups]


def group_commands() -> None:
    """Give every command its panel of the help page, and order them as the panels do."""
    panel_of = {name: panel for panel, names in PANELS.items() for name in names}
    order = [*panel_of]
    for one in registered():
        one.rich_help_panel = panel_of.get(name_of(one), "Others")
    app.registered_commands.sort(key=lambda one: order.index(name_of(one)) if name_of(one) in order else len(order))


group_commands()

# Names from version 0.1, still accepted in this version.
OLD_COMMANDS = {"session": "cash-game"}
OLD_OPTIONS = {"--less-luck": "--reduce-variance"}


def current_words(words: list[str]) -> list[str]:
    """The command line with the current names of commands and options; a warning for each old one."""
    current = [OLD_OPTIONS.get(word, word) for word in words]
    if current and current[0] in OLD_COMMANDS:
        current[0] = OLD_COMMANDS[current[0]]
    for old, new in zip(words, current, strict=True):
        if old != new:
            logging.getLogger("cardwin").warning(
                "%s is now called %s; the next version will not accept the old name", old, new
            )
    return current


def fail(message: str, code: int = 2) -> NoReturn:
    """Print one line to standard error and exit."""
    print("cardwin: " + " ".join(message.split()), file=sys.stderr)
    raise SystemExit(code)


def main() -> None:
    """Run one command. An input error prints one sentence and exits with code 2, without a traceback."""
    words = sys.argv[1:] or ["--help"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # escape characters that the terminal cannot encode
            stream.reconfigure(errors="backslashreplace")
    # BLAS threads would change the last bits of matrix products, and our own threads already use the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # --version and --quiet work with every command, so they are removed before the command parses its arguments.
    if "--version" in words:
        from cardwin import __version__

        print(f"cardwin {__version__}")
        return
    output.set_quiet("--quiet" in words)
    logging.basicConfig(format="%(message)s", level=logging.WARNING if output.is_quiet() else logging.INFO)
    if not any(isinstance(one, bench.Offer) for one in logging.getLogger("cardwin").filters):
        logging.getLogger("cardwin").addFilter(bench.Offer())
    try:
        status = app(
            current_words([word for word in words if word != "--quiet"]), prog_name="cardwin", standalone_mode=False
        )
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
        fail(f"{error.format_message()} (try --help)")
    raise SystemExit(status or 0)
