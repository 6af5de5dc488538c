"""Champions: players trained by our own runs and shipped with Cardwin, each a small file named in the registry.

`commands.toml` has the command that made each of them; the file's lineage has the experiment.
"""

import tomllib
from pathlib import Path

from cardwin.core.errors import InputError, unknown_name

FOLDER = Path(__file__).parent
COMMANDS: dict[str, dict[str, str]] = tomllib.loads((FOLDER / "commands.toml").read_text(encoding="utf-8"))


def names(suffix: str) -> list[str]:
    """Return the champions of a kind, by the suffix of its files."""
    return sorted(path.stem for path in FOLDER.glob(f"*{suffix}"))


def champion_file(kind: str, name: str | None, suffix: str) -> Path:
    """Return the file of a champion by its name, or the user's own file."""
    known = names(suffix)
    if name is None:
        raise InputError(f"{kind}: name one, such as {kind}:{known[0] if known else 'FILE' + suffix}")
    if name in known:
        return FOLDER / f"{name}{suffix}"
    if not name.endswith(suffix) and not Path(name).exists():
        raise unknown_name(f"{kind} player", name, [*known, f"a file *{suffix}"])
    return Path(name)
