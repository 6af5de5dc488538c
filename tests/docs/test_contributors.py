"""The way in for contributors: pages honest about their length, templates, and a citation of all five documents."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardwin import __version__
from cardwin.papers import PAPERS

HOME = Path(__file__).parent.parent.parent
FIRST = sorted((HOME / "docs").glob("your-first-*.md"))


def test_there_is_a_first_page_for_each_noun() -> None:
    assert [path.stem.removeprefix("your-first-") for path in FIRST] == [
        "compiled-player",
        "game",
        "operator",
        "player",
        "trainer",
    ]


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.stem)
def test_a_first_page_says_how_long_its_file_is_and_has_a_test(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = dict(re.findall(r'```python title="([^"]+)"\n(.*?)```', text, re.DOTALL))
    first = next(iter(files))
    said = re.search(r"file\s+of\s+(\d+)\s+lines", text)
    assert said
    assert int(said[1]) == len(files[first].splitlines())
    assert f"test_{first}" in files
    assert f"pytest -q test_{first}" in text


COMMANDS = {
    "game": ["solve", "half-street"],
    "player": ["match", "patient", "fold", "--hands", "20", "--seed", "1"],
    "compiled-player": ["match", "proportional:bluffs=.2", "fold", "--hands", "20", "--seed", "1"],
}
# One process for all commands, because each start takes a second.
SCRIPT = """
import sys
from cardwin import cli

for words in {commands}:
    sys.argv = ["cardwin", *words]
    try:
        cli.main()
    except SystemExit as error:
        if error.code:
            raise
"""


def test_what_pages_offer_as_entry_points_is_found_by_plain_names(tmp_path: Path) -> None:
    for page in COMMANDS:
        text = (HOME / "docs" / f"your-first-{page}.md").read_text(encoding="utf-8")
        files = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', text, re.DOTALL))
        project = tomllib.loads(files["pyproject.toml"])["project"]
        module = next(iter(files))
        (tmp_path / module).write_text(files[module], encoding="utf-8")
        # What an installer writes beside the module.
        about = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        about.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (about / "METADATA").write_text(metadata)
        groups = [
            f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in points.items())
            for group, points in project["entry-points"].items()
        ]
        (about / "entry_points.txt").write_text("\n".join(groups))
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-c", SCRIPT.format(commands=list(COMMANDS.values()))]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for result in ("half-street: value 1/18", "\npatient ", "\nproportional"):
        assert result in done.stdout


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_citation_names_the_version_and_all_five_documents() -> None:
    cited = read(HOME / "CITATION.cff")
    assert cited["version"] == __version__
    assert len(cited["references"]) == len(PAPERS)
    for paper in PAPERS:
        family = paper.split("-")[0].replace("lopez", "López Pozuelo").capitalize()
        names = [author["family-names"] for one in cited["references"] for author in one["authors"]]
        assert any(name.lower() == family.lower() for name in names), paper
    for one in cited["references"]:
        assert {"type", "title", "authors"} <= set(one)


def test_templates_ask_for_what_a_maintainer_needs() -> None:
    folder = HOME / ".github"
    for path in sorted((folder / "ISSUE_TEMPLATE").glob("*.yml")):
        form = read(path)
        assert form["name"]
        assert form["description"]
        assert form["body"]
    assert "make check" in (folder / "pull_request_template.md").read_text(encoding="utf-8")
