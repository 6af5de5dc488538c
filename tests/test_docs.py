"""The pages tell the truth: their Python is run, their cheap commands too, and every other command exists as written.

A block is left out by an HTML comment on the line before it, which a reader does not see: `<!-- not run -->`, or for
single commands of a block `<!-- not run: play, replay -->`. What a Python line gives stands behind `# ->`, what a
command prints stands below it; `…` is anything, and so are seconds.

Tutorials and how-tos (WALKED) are followed from top to bottom in an empty folder: blocks with a title are files that
are written there, commands are given there (`q` is typed if one asks), and Python continues where the block before it
ended.
"""

import ast
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from cardwin.cli.app import app
from support import call

HOME = Path(__file__).parent.parent
DOCS = HOME / "docs"
PAGES = [HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
FOLDERS = [DOCS / "tutorials", DOCS / "how-to"]
WALKED = [
    DOCS / "ten-minutes.md",
    *sorted(DOCS.glob("your-first-*.md")),
    *(p for f in FOLDERS for p in sorted(f.iterdir())),
]
FENCED = re.compile(
    r"(?:<!-- not run(?P<mark>:[^>]*)? -->\n)?"
    r'```(?P<language>\w*)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)```',
    re.DOTALL,
)
NOT_RUN = ["all"]


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the words that are not to be run (NOT_RUN: none is), and its file."""

    language: str
    text: str
    left_out: tuple[str, ...]
    file: str | None = None

    def leaves_out(self, command: str) -> bool:
        return NOT_RUN[0] in self.left_out or bool(set(shlex.split(command)) & set(self.left_out))


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in FENCED.finditer(text):
        marked = found[0].startswith("<!--")
        words = (found["mark"] or ":").lstrip(":").replace(",", " ").split()
        yield Block(found["language"], found["text"], tuple(words or NOT_RUN) if marked else (), found["file"])


def name(page: Path) -> str:
    return str(page.relative_to(HOME))


# --- Python --------------------------------------------------------------------------------------------------------


def run_python(text: str, names: dict[str, Any], only_imports: bool = False) -> None:
    """Run a block, and compare what lines give with what stands behind them."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if only_imports and not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        with_report = re.search(r"#\s*->\s*(.*)$", lines[(node.end_lineno or node.lineno) - 1])
        if isinstance(node, ast.Expr) and with_report:
            given = repr(eval(compile(ast.Expression(node.value), "page", "eval"), names))  # noqa: S307  our own pages
            assert matches(with_report[1].strip(), given), (
                f"{ast.unparse(node)} gives {given}, the page says {with_report[1]}"
            )
        else:
            assert not with_report, f"{ast.unparse(node)} gives nothing to compare"
            exec(compile(ast.Module([node], []), "page", "exec"), names)  # noqa: S102  our own pages


def run_page(page: Path) -> None:
    """All Python of a page, one block after the other; of what is not run, the imports. A walked page's all blocks."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if block.file and page in WALKED:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            run_python(block.text, names, only_imports=bool(block.left_out))
        elif block.language == "" and page in WALKED:
            run_commands(block, Path.cwd())
        elif block.language == "bash" and page in WALKED and not block.left_out:
            printed_by(f'cardwin() {{ {shlex.quote(sys.executable)} -m cardwin "$@"; }}\n{block.text}', Path.cwd())


def matches(with_report: str, given: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, with_report.split("…"))), given, re.DOTALL) is not None


# Walked by `make test-all`: ten seconds and more each.
LONG = (
    "docs/evolution.md",
    "docs/how-to/cluster.md",
    "docs/reference/python.md",
    "docs/your-first-compiled-player.md",
    "docs/your-first-game.md",
    "docs/your-first-operator.md",
    "docs/your-first-trainer.md",
)
# In a process of their own: they add to registries, or start Ray.
ISOLATED = (*LONG, "CONTRIBUTING.md", "docs/how-to/other-libraries.md")
WITH_PYTHON = [page for page in PAGES if page in WALKED or any(block.language == "python" for block in blocks(page))]


@pytest.mark.parametrize("page", [page for page in WITH_PYTHON if name(page) not in ISOLATED], ids=name)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    before = set(sys.modules)
    try:
        run_page(page)
    finally:
        for module in set(sys.modules) - before:
            if Path(getattr(sys.modules[module], "__file__", None) or HOME).is_relative_to(tmp_path):
                del sys.modules[module]


@pytest.mark.parametrize(
    "page",
    [pytest.param(HOME / page, marks=[pytest.mark.slow] if page in LONG else [], id=page) for page in ISOLATED],
)
def test_the_python_of_a_page_runs_in_a_process_of_its_own(page: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, __file__, str(page)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# --- commands ------------------------------------------------------------------------------------------------------


OURS = ("cardwin ", "pytest ", "python -m cardwin")


def commands(block: Block) -> Iterator[str]:
    """The lines of a block that are commands of ours, one by one, without remarks."""
    for line in block.text.splitlines():
        if line.removeprefix("$ ").startswith(OURS):
            for part in re.split(r"  +#|;|(?<!\|)\| ", line.removeprefix("$ "))[:9]:
                if part.strip().startswith(OURS):
                    yield part.strip()


EVERYWHERE = {"--help", "--quiet", "--verbose", "--version"}  # options of all commands
INLINE = re.compile(r"`(cardwin [^`]+)`")


@cache
def command_tree() -> Any:
    from cardwin import cli

    cli.register([])

    return typer.main.get_command(app)


def check_exists(line: str) -> None:
    """Every word of a command that names a command or an option must be one."""
    here = command_tree()
    words = shlex.split(line)[1:]
    while hasattr(here, "commands") and words and not words[0].startswith("-") and not words[0].isupper():
        assert words[0] in here.commands, f"{line}: there is no command {words[0]}"
        here, words = here.commands[words[0]], words[1:]
    options = {option for one in here.params for option in (*one.opts, *one.secondary_opts)} | EVERYWHERE
    for word in words:
        if word.startswith("--"):
            assert word.partition("=")[0] in options, f"{line}: there is no option {word}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_of_a_page_exists(page: Path) -> None:
    for block in blocks(page):
        if block.language in ("", "bash"):
            for line in commands(block):
                if line.startswith("cardwin "):
                    check_exists(line)
    for line in INLINE.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        check_exists(" ".join(line.split()))


def shown_below(block: Block) -> dict[str, list[str]]:
    """What stands below each command of a block."""
    below: dict[str, list[str]] = {}
    for line in block.text.splitlines():
        if line.startswith("$ "):
            last = line
            below[last] = []
        elif below and line.strip() and not line.startswith("#"):
            below[last].append(line)
    return below


README = [block for block in blocks(HOME / "README.md") if block.text.startswith("$ cardwin")]


@pytest.mark.parametrize("block", README, ids=lambda block: block.text.split("\n")[0][2:40])
def test_the_readmes_commands_run_and_print_what_it_shows(block: Block, tmp_path: Path) -> None:
    run_commands(block, tmp_path)


def run_commands(block: Block, folder: Path) -> None:
    """Give the commands of a block, and compare what they print with what stands below them."""
    below = shown_below(block)
    for line in block.text.splitlines():
        printed = ""
        for command in commands(Block("", line, ())):
            if not block.leaves_out(command):
                printed += printed_by(command, folder)
        for text in below.get(line, []) if printed else []:
            assert text == "..." or matches(f"…{plain(text)}…", plain(printed)), f"{line} does not print {text!r}"


# What only a shell understands, once quoted words are left out: the pages write runs/*.
SHELL = re.compile(r"[|&;<>$`*?~\n]")


SHARED = "cardwin evolve kuhn-coevolution --seed 1"


def printed_by(command: str, folder: Path) -> str:
    """What a command prints; those of ours run in this process, which saves a second each, others in a shell."""
    if command in (SHARED, f"{SHARED} --out runs/first"):
        built, text = shared_run()
        shutil.copytree(built.name, folder, dirs_exist_ok=True)
        return text
    if command.startswith("cardwin ") and not SHELL.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", command)):
        done = call(*shlex.split(command)[1:], stdin="q\n", cwd=folder)
    else:
        done = in_shell(command, folder)
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr)
    return done.stdout


@cache
def shared_run() -> tuple[tempfile.TemporaryDirectory[str], str]:
    """A run that two pages show, given once: a folder with `runs/first`, and what was printed."""
    folder = tempfile.TemporaryDirectory()
    done = call(*shlex.split(SHARED)[1:], "--out", "runs/first", cwd=Path(folder.name))
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = re.sub(r"^(cardwin|pytest)(?= )", f"{shlex.quote(sys.executable)} -m \\1", command)
    words = re.sub(r"^python ", f"{shlex.quote(sys.executable)} ", words)
    return subprocess.run(
        ["bash", "-c", words], cwd=folder, capture_output=True, text=True, check=False, input="q\n", timeout=300
    )


def plain(text: str) -> str:
    """Without seconds."""
    return re.sub(r"\d+(\.\d+)? s\b", "_ s", text)


if __name__ == "__main__":
    sys.path.insert(0, "")
    run_page(Path(sys.argv[1]))
