"""The reference of commands, generated from the code: each command's usage, description and options."""

from typing import Any

import typer


def every_command() -> str:
    """Return all commands in the order of `cardwin --help`, as Markdown."""
    from cardwin import cli
    from cardwin.cli.app import app

    cli.register([])
    top: Any = typer.main.get_command(app)
    return "\n".join(_pages(top, "cardwin"))


def _pages(command: Any, name: str) -> list[str]:
    """Return the lines of a command, or of a group and all its commands."""
    if hasattr(command, "commands"):
        lines = [] if name == "cardwin" else [f"## {name}", "", _words(command.help), ""]
        for word, one in command.commands.items():
            lines += _pages(one, f"{name} {word}")
        return lines
    arguments = [one for one in command.params if not _is_option(one)]
    options = [one for one in command.params if _is_option(one) and not one.hidden]
    usage = " ".join([name, *map(_argument, arguments), *(["[OPTIONS]"] if options else [])])
    lines = [f"## {name}", "", _words(command.help), "", "```text", usage, "```", ""]
    rows = [(_argument(one), _words(one.help)) for one in arguments if one.help]
    rows += [(_option(one), _help(one)) for one in options]
    if rows:
        lines += ["| | |", "|---|---|", *(f"| `{left}` | {right} |" for left, right in rows), ""]
    return lines


def _is_option(one: Any) -> bool:
    return bool(one.param_type_name == "option")


def _argument(one: Any) -> str:
    word = one.metavar or one.name.upper()
    word = word.removesuffix("...").strip("[] ")
    shown = f"{word} ..." if one.nargs == -1 or one.multiple else word
    return shown if one.required else f"[{shown}]"


def _option(one: Any) -> str:
    names = ", ".join([*one.opts, *one.secondary_opts])
    return names if one.is_flag else f"{names} {one.metavar or one.name.upper()}"


def _help(one: Any) -> str:
    default = one.default() if callable(one.default) else one.default
    described = default not in (None, False, True, "", (), [])
    several = " May be given several times." if one.multiple else ""
    return _words(one.help) + several + (f" (usual: `{default}`)" if described else "")


def _words(text: str | None) -> str:
    return " ".join((text or "").replace("\b", "").split()).replace("|", "\\|")
