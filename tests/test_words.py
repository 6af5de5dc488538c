"""The words that STYLE.md replaced stay out of identifiers, files, options, JSON keys and headings.

Names of the version before are exempt where they are understood for one version more: the tables called OLD_… .
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from typer.main import get_command

from cardwin.cli.app import app

HOME = Path(__file__).parent.parent
PACKAGE = HOME / "src" / "cardwin"
WORDS = re.compile(
    r"(^|_|-|\b)(luck|lucky|luckiest|sittings?|keeping|desk|told|thoughts?|reflect|seal|sealed|given_away|gives_away|"
    r"eyes|sight|mimic|known_boards?|kept_strengths|every_holding|affairs?|circles|strangers?|own_game|build_own|rolls|"
    r"headlines?|as_begun|handed_over|answers_found|guess(es|ing)?|litter|famous|gains0|fresh_seed|less_luck|retold)"
    r"($|_|-|\b)",
    re.IGNORECASE,
)
KEPT = {"headlines", "headline", "seal", "sight", "rolls", "told", "untold", "mimic", "less-luck"}  # in stored files


def identifiers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.lineno


def keys(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Keys of dictionaries, which become JSON."""
    old = [id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _is_old(node.targets[0])]
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and id(node) not in old:
            for key in node.keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and " " not in key.value:
                    yield key.value, key.lineno


def _is_old(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.startswith("OLD_")


def test_identifiers_and_files() -> None:
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if WORDS.search(path.stem):
            wrong.append(str(path))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wrong += [f"{path}:{line} {name}" for name, line in identifiers(tree) if WORDS.search(name)]
        wrong += [f"{path}:{line} {key!r}" for key, line in keys(tree) if WORDS.search(key) and key not in KEPT]
    assert not wrong, "\n".join(wrong)


def test_commands_and_options() -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        names = [name, *(word for one in command.params for word in one.opts)]
        assert not [word for word in names if WORDS.search(word.lstrip("-"))]


def test_headings_of_the_docs() -> None:
    wrong = []
    for page in (HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted((HOME / "docs").rglob("*.md"))):
        code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            code ^= line.startswith("```")
            if not code and line.startswith("#") and WORDS.search(line):
                wrong.append(f"{page}:{number} {line}")
    assert not wrong, "\n".join(wrong)
