"""Imports point one way, nothing heavy is imported early, and no room draws luck of its own."""

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import architecture_picture

PACKAGE = Path(__file__).parent.parent / "src" / "cardwin"
# A package may import itself, core, and these.
BELOW_RESULTS = {"cards", "games", "solvers", "players", "arena", "stats"}
BELOW_RUNS = BELOW_RESULTS | {"results", "analysis", "evolution"}
MAY_IMPORT = {
    "core": set[str](),
    "stats": set[str](),
    "evolution": set[str](),
    "cards": set[str](),
    "games": {"cards"},
    "solvers": {"cards", "games"},
    "players": {"cards", "games", "solvers", "stats", "evolution"},
    "arena": {"cards", "games", "solvers", "players", "stats"},
    "results": BELOW_RESULTS,
    "analysis": BELOW_RESULTS | {"results"},
    "interop": BELOW_RESULTS,
    "runs": BELOW_RUNS,
    "reports": BELOW_RUNS | {"runs"},
    "papers": BELOW_RUNS | {"runs", "reports"},
}
# What trains a kind of player plays hands, so that it also needs the arena. The registry names it by dotted path.
TRAINING = re.compile(r"players/\w+/training(\.py|/)")
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
    "pettingzoo",
    "gymnasium",
    "pyspiel",
)
ORACLES = {"pokerkit", "pyspiel", "open_spiel", "eval7", "phevaluator", "deap", "rlcard", "xcs", "xcsf"}


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    return [(path, ast.parse(path.read_text())) for path in sorted(PACKAGE.rglob("*.py"))]


@cache
def imported(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_one_way(package: str) -> None:
    for path, tree in modules():
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] == package:
            allowed = MAY_IMPORT[package] | {"core", package}
            if TRAINING.match(inside.as_posix()):
                allowed |= {"arena"}
            ours = {name.split(".")[1] for name in imported(tree) if name.startswith("cardwin.")}
            assert ours <= allowed, f"{path} imports {ours - allowed}"


def test_the_page_and_its_picture_name_every_package() -> None:
    packages = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert set(architecture_picture.contents()) == packages
    assert {name for names in architecture_picture.LAYERS for name in names} == packages
    assert architecture_picture.PICTURE.read_text(encoding="utf-8") == architecture_picture.picture()


def test_a_layer_imports_only_what_is_below_it() -> None:
    below: set[str] = set()
    for layer in architecture_picture.LAYERS:
        assert all(MAY_IMPORT.get(package, below) <= below for package in layer)
        below |= set(layer)


def test_the_engine_knows_no_kind_of_player() -> None:
    below = {"cardwin.core", "cardwin.cards", "cardwin.games", "cardwin.arena.seating"}
    for name in ("engine.py", "seating.py"):
        tree = dict(modules())[PACKAGE / "arena" / name]
        ours = {each for each in imported(tree) if each.startswith("cardwin.")}
        assert not {each for each in ours if not any(each.startswith(package) for package in below)}


def test_only_core_knows_the_compiler() -> None:
    users = {path for path, tree in modules() if any(name.split(".")[0] == "numba" for name in imported(tree))}
    assert {path.name for path in users} == {
        "inner_kernels.py",
        "intrinsics.py",
        "kernel.py",
    }
    assert {path.parent.name for path in users} == {"core"}


def test_oracles_are_not_imported() -> None:
    for path, tree in modules():
        inside = path.relative_to(PACKAGE)
        # OpenSpiel is also a table of other people's, whose adapter may import it.
        allowed = {"pyspiel"} if inside.parts[:2] == ("interop", "openspiel") else set()
        assert not {name.split(".")[0] for name in imported(tree)} & (ORACLES - allowed), path


def test_other_peoples_tables_are_imported_in_one_place_each() -> None:
    users = {
        library: {
            path.relative_to(PACKAGE).as_posix()
            for path, tree in modules()
            if library in {name.split(".")[0] for name in imported(tree)}
        }
        for library in ("pettingzoo", "gymnasium")
    }
    assert users == {"pettingzoo": {"interop/pettingzoo.py"}, "gymnasium": {"interop/gymnasium.py"}}


def test_nothing_unsafe_and_no_luck_but_ours() -> None:
    for path, tree in modules():
        assert not {name.split(".")[0] for name in imported(tree)} & {"pickle", "shelve", "marshal", "random"}, path
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path


@pytest.mark.parametrize("words", [["-c", "import cardwin, sys"], ["-m", "cardwin", "--help"]])
def test_help_never_waits_for_anything_heavy(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & set(HEAVY)


def test_kernels_rest_on_what_they_import_and_on_nothing_that_a_package_gathers() -> None:
    from cardwin.core.kernel import sources_of

    holdem = PACKAGE / "games" / "holdem"
    rests_on = sources_of(holdem / "rules.py")
    assert {holdem / "events.py", holdem / "showdown.py", PACKAGE / "cards" / "ranks.py"} <= set(rests_on)
    assert not {holdem / "__init__.py", holdem / "state.py", holdem / "game.py"} & set(rests_on)


def test_the_walks_of_the_contributors_page_are_the_true_ones() -> None:
    """Two rows are counted again; all files are there, none is long."""
    home = PACKAGE.parent.parent
    page = (home / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| [^|]* \| (\d+) \| (`[^|]*`) \|$", page, re.MULTILINE)
    walks = {job: re.findall(r"`([\w/]+\.py)`", route) for job, _, route in rows}
    assert set(walks) == {"hand", "generation", "tournament", "network", "move"}
    for job, count, _ in rows:
        assert int(count) == len(walks[job])
        assert all(len((PACKAGE / name).read_text(encoding="utf-8").splitlines()) <= 450 for name in walks[job])
    command = [sys.executable, str(home / "tools" / "walks.py"), "hand", "move"]
    done = subprocess.run(command, capture_output=True, text=True)
    counted = re.findall(r"^  ([\w/]+\.py)", done.stdout, re.MULTILINE)
    assert sorted(counted) == sorted([*walks["hand"], *walks["move"]])


# What two whole commands may import: the folders, and at most so many files whose code runs.
MATCH_FOLDERS = {
    "core", "cards", "cards/tables", "games", "games/holdem", "players", "players/robots",
    "players/champions", "players/sandbox", "arena", "results", "stats", "runs", "cli",
}  # fmt: skip
EVOLVE_FOLDERS = {
    "core", "evolution", "games", "games/small", "solvers", "players", "players/small_games",
    "analysis", "arena", "reports", "runs", "runs/trainers", "runs/problems",
    "runs/problems/small_game", "cli",
}  # fmt: skip
MOST_FILES_RUN = 60
COUNTING = """
import sys
run = set()
def note(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>":
        run.add(frame.f_code.co_filename)
sys.setprofile(note)
from cardwin import cli
try:
    cli.main()
finally:
    sys.setprofile(None)
    print(*(name for name in sys.modules if name.startswith("cardwin.")), file=sys.stderr)
    print(sum("/cardwin/" in name for name in run), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (["match", "call", "random", "--hands", "6"], MATCH_FOLDERS),
        (["evolve", "kuhn-coevolution", "--set", "generations=2", "--out", "run"], EVOLVE_FOLDERS),
    ],
)
def test_a_command_imports_only_what_it_needs(words: list[str], allowed: set[str], tmp_path: Path) -> None:
    """With the compiler off, so that kernels count too."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, *words, "--quiet"], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=True,
    )  # fmt: skip
    *_, names, count = done.stderr.strip().split("\n")
    paths = [PACKAGE / name.removeprefix("cardwin.").replace(".", "/") for name in names.split()]
    folders = {
        (path if (path / "__init__.py").is_file() else path.parent).relative_to(PACKAGE).as_posix() for path in paths
    }
    assert folders <= allowed, folders - allowed
    assert int(count) <= MOST_FILES_RUN
