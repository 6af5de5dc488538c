"""Champions: players trained by our own runs and shipped with Cardwin, each a small file named in the registry.

`commands.toml` has the command that made each of them; the file's lineage has the experiment.
"""

import tomllib
from pathlib import Path

from cardwin.core.errors import InputError, unknown_name

FOLDER = Path(__file__).parent
COMMANDS: dict[str, dict[str, str]] = tomllib.loads((FOLDER / "commands.toml").read_text(encoding="utf-8"))


def names(suffix: str) -> list[str]:
    """The champions of a kind, by the suffix of its files."""
    return sorted(path.stem for path in FOLDER.glob(f"*{suffix}"))


def champion_file(kind: str, wanted: str | None, suffix: str) -> Path:
    """The file of a champion by its name, or the user's own file."""
    known = names(suffix)
    if wanted is None:
        raise InputError(f"{kind}: name one, such as {kind}:{known[0] if known else 'FILE' + suffix}")
    if wanted in known:
        return FOLDER / f"{wanted}{suffix}"
    if not wanted.endswith(suffix) and not Path(wanted).exists():
        raise unknown_name(f"{kind} player", wanted, [*known, f"a file *{suffix}"])
    return Path(wanted)
