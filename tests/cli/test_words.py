"""What commands say: names that tell players apart, columns that hold, chances, keys, terminals of any encoding."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardwin.cli import PANELS, arena_tables, command_name, main, output, register, registered_commands
from cardwin.cli.play import LeaveTable, ask
from cardwin.cli.policy_tables import gene_table, genes_meaning
from cardwin.cli.train import known_papers
from cardwin.core.display import number_duplicates
from cardwin.games import game
from cardwin.papers import PAPERS
from cardwin.runs.store import Reader, Store
from support import call


def said(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stdin: str = "") -> str:
    monkeypatch.setattr(sys, "argv", ["cardwin", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    return capsys.readouterr().out


def test_players_of_one_name_are_numbered() -> None:
    assert number_duplicates(["call", "standard", "call"]) == ["call #1", "standard", "call #3"]


def test_long_names_keep_their_columns() -> None:
    name = "net:/somewhere/in/a/folder/that/is/far/away/champions/first.safetensors"
    wide = arena_tables.width_of([name, "call"])
    assert wide == 42
    assert len(arena_tables.fitted(name, wide)) == 40
    assert arena_tables.fitted(name, wide).startswith("net:/some")
    assert arena_tables.fitted(name, wide).endswith("first.safetensors")
    assert arena_tables.fitted("call", wide) == "call"


def test_no_p_value_is_nothing() -> None:
    assert arena_tables.p_text(0.0) == "p < 1e-300"
    assert arena_tables.p_text(0.0123) == "p 0.012"


def test_a_value_without_a_fraction(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    genes = "genes:0.123456789,0.2,1,0,0.3,1"
    text = said(["value", "kuhn", genes, "genes:0,0.987654321,1,0,0.7,1"], monkeypatch, capsys)
    assert "0.0206995886833" in text
    assert "-1/18 = -0.0555556" in said(["value", "kuhn", "equilibrium", "equilibrium"], monkeypatch, capsys)


def test_genes_are_explained_where_they_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert re.search(r"B .*bet.*; C .*call", genes_meaning(game("kuhn").gene_order))
    with_report = genes_meaning(game("kuhn-full").gene_order)
    for part in (
        "B>1 ",
        "NF2 ",
        "C10 ",
    ):
        assert part in with_report
    assert "genes" in said(["show", "rational", "--game", "kuhn"], monkeypatch, capsys)
    assert genes_meaning(game("leduc").gene_order) == ""


def test_many_cards_stand_below_each_other() -> None:
    names = game("kuhn-13").gene_order
    table = gene_table(names, {"seat 1": [0.5] * 26, "seat 2": [0.5] * 26}, "")
    assert (len(table.columns), table.row_count) == (5, 13)


@pytest.mark.parametrize("word", ["h", "?", "help"])
def test_the_keys_are_explained_at_the_table(
    word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "kuhn", "--against", "rational", "--seed", "1"]
    assert "number" in said(words, monkeypatch, capsys, f"{word}\nq\n")
    words = ["play", "holdem-nl", "--against", "call", "--seed", "1"]
    assert "f fold" in said(words, monkeypatch, capsys, f"{word}\nq\n")


def test_an_interrupt_leaves_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def impatient() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=impatient))
    with pytest.raises(LeaveTable):
        ask("> ")


def test_all_papers_are_named() -> None:
    assert all(name in known_papers() for name in PAPERS)
    assert known_papers().count(",") == len(PAPERS) - 2


def test_json_is_json_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding in ("ascii", "latin-1", "utf-8"):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding, write_through=True)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", stream)
            output.print_json({"run": "snow ☃ \udcff"})
        assert json.loads(raw.getvalue())["run"] == "snow ☃ \udcff"


def test_a_terminal_that_knows_no_letters(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "cardwin", "export", "equilibrium", "--game", "kuhn", "--to", "csv"]
    shows = [sys.executable, "-m", "cardwin", "show", "rational", "--game", "kuhn"]
    for each in (words, shows):
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
        done = subprocess.run(each, env=environment, capture_output=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        done.stdout.decode("ascii")


def test_runs_are_read_whatever_their_folder_is_called(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff 100% of it? #1")
    folder.mkdir()
    Store(folder / "run.db").close()
    assert Reader(folder / "run.db").begun


def test_every_command_has_a_panel_of_the_help_page() -> None:
    register([])
    commands = [command_name(command) for command in registered_commands()]
    assert sorted(commands) == sorted(name for names in PANELS.values() for name in names)
    shown = call("--help").stdout
    assert [shown.index(panel) for panel in PANELS] == sorted(shown.index(panel) for panel in PANELS)
