"""Imports point one way, nothing heavy is imported early, and no room draws luck of its own."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "cardwin"
ROOT = {"errors", "executor", "files", "kernel", "rng", "seal", "shown", "tensors", "user_cache"}
# A room may import itself and these. Policies of small games need exact answers, so players stand above solvers.
MAY_IMPORT = {
    "cards": set[str](),
    "games": {"cards"},
    "solvers": {"cards", "games"},
    "players": {"cards", "games", "solvers"},
    "arena": {"cards", "games", "solvers", "players", "stats"},
    "stats": set[str](),
    "evolution": set[str](),
    "learn": {"cards", "games", "players", "arena", "stats"},
    "lab": {"cards", "games", "solvers", "players", "arena", "stats", "evolution", "learn"},
}
HEAVY = (
    "numba",
    "scipy",
    "matplotlib",
    "pydantic",
    "numpy",
    "openskill",
    "xlsxwriter",
    "safetensors",
    "fastapi",
    "uvicorn",
    "starlette",
)
ORACLES = {"pokerkit", "pyspiel", "open_spiel", "eval7", "phevaluator", "deap", "rlcard", "xcs", "xcsf"}


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path, ast.parse(path.read_text())


def imported(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_one_way(room: str) -> None:
    allowed = MAY_IMPORT[room] | ROOT | {room}
    for path, tree in modules():
        if path.relative_to(PACKAGE).parts[0] == room:
            ours = {name.split(".")[1] for name in imported(tree) if name.startswith("cardwin.")}
            assert ours <= allowed, f"{path} imports {ours - allowed}"


def test_only_one_module_knows_the_compiler() -> None:
    users = {path.name for path, tree in modules() if any(name.split(".")[0] == "numba" for name in imported(tree))}
    assert users == {"kernel.py"}


def test_oracles_are_only_measured_beside_us() -> None:
    for path, tree in modules():
        if path.relative_to(PACKAGE).parts[:2] != ("lab", "bench"):
            assert not {name.split(".")[0] for name in imported(tree)} & ORACLES, path


def test_nothing_unsafe_and_no_luck_but_ours() -> None:
    for path, tree in modules():
        # Peers are measured with the luck that they come with.
        rng = set() if path.relative_to(PACKAGE).parts[:2] == ("lab", "bench") else {"random"}
        assert not {name.split(".")[0] for name in imported(tree)} & ({"pickle", "shelve", "marshal"} | rng), path
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path


@pytest.mark.parametrize("words", [["-c", "import cardwin, sys"], ["-m", "cardwin", "--help"]])
def test_help_never_waits_for_anything_heavy(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & set(HEAVY)


def test_kernels_rest_on_what_they_import_and_on_nothing_that_a_package_gathers() -> None:
    from cardwin.kernel import sources_of

    holdem = PACKAGE / "games" / "holdem"
    rests_on = sources_of(holdem / "rules.py")
    assert {holdem / "log.py", holdem / "showdown.py", PACKAGE / "cards" / "ranks.py"} <= set(rests_on)
    assert not {holdem / "__init__.py", holdem / "state.py", holdem / "game.py"} & set(rests_on)


def test_the_walks_of_the_contributors_page_are_there_and_short() -> None:
    """From a command to its kernel at most six files lie between, and every arrow is an import."""
    page = (PACKAGE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walks = [line.split("|")[2] for line in page.splitlines() if line.startswith("| ") and "→" in line]
    assert len(walks) == 4
    for walk in walks:
        files = [PACKAGE / name for name in re.findall(r"`([\w/]+\.py)`", walk)]
        assert all(path.is_file() for path in files), walk
        assert len(files) <= 8, walk
        for one, other in re.findall(r"`([\w/]+\.py)`[^`→,]*→ (?=`([\w/]+\.py)`)", walk):
            module = ".".join(("cardwin", *Path(other).with_suffix("").parts))
            names = imported(ast.parse((PACKAGE / one).read_text(encoding="utf-8")))
            assert any(f"{name}.".startswith(f"{module}.") for name in names), f"{one} -> {other}"
