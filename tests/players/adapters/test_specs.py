"""Specifications of programs, the bots that a folder has, and leagues of them."""

import json
from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.players.adapters.discovery import find_bots
from cardwin.players.specs import (
    inside,
    is_program,
    is_sandboxed,
    is_untrusted,
    needs_sandbox,
    program_files,
    read_program,
)
from cardwin.web.players import resolve_player
from players.adapters.bots import CALLS, ENGINE_BOT, pokerbot
from support import answer, call, refusal


def test_parts_of_a_specification() -> None:
    read = read_program("pokerbots:a,b,stack=200,blinds=1/2")
    assert (read.kind, read.target, read.option("stack"), read.option("blinds")) == ("pokerbots", "a,b", "200", "1/2")
    assert read.text == "pokerbots:a,b,stack=200,blinds=1/2"
    assert read_program("http:http://h/x?a=1,b=2").target == "http://h/x?a=1,b=2"
    assert read_program("https://h/x").target == "https://h/x"
    assert read_program("acpc:9000,wait=5").target == "9000"
    specs = ("acpc:9000", "acpc:9000,wait=5", "http://h/", "acpc:./a", "pokerbots:a")
    assert [is_sandboxed(spec) for spec in specs] == [False, False, False, True, True]
    assert [is_program(spec) for spec in ("pokerbots:x", "pokerbots", "python:a:B")] == [True, False, False]
    assert (is_untrusted("http://h/"), needs_sandbox("http://h/")) == (True, False)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("pokerbots:", "pokerbots:FOLDER is needed"),
        ("pypokerengine:bot.py", "pypokerengine:FILE:CLASS is needed"),
        ("pypokerengine:no.py:A", "there is no such file"),
        ("pokerbots:no-such-folder", "there is no such folder"),
        ("acpc:no-such-command", "no word of the command is a file"),
        ("acpc:'x", "the command cannot be read"),
        ("acpc:70000", "expected a port from 1 to 65535"),
        ("http:ftp://h", "http:URL is needed"),
        ("openspiel:module", "openspiel:MODULE:BOT is needed"),
        ("pettingzoo:no_such_module:f", "no_such_module"),
    ],
)
def test_wrong_specifications_are_one_sentence(spec: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusal("match", spec, "call", "--hands", "2", cwd=tmp_path)


def test_what_a_program_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = pokerbot(tmp_path / "bots" / "one")
    (tmp_path / "bots" / "a.py").write_text(ENGINE_BOT)
    (tmp_path / "bots" / "notes.txt").write_text("private")
    monkeypatch.chdir(tmp_path)
    assert program_files("pokerbots:bots/one") == [("program", str(folder))]
    assert inside("pokerbots:bots/one,stack=200") == "pokerbots:program,stack=200"
    assert inside("pypokerengine:bots/a.py:Minimal,folder=bots") == "pypokerengine:program/a.py:Minimal,folder=program"
    assert inside("acpc:python3 bots/a.py {port}") == "acpc:python3 a.py '{port}'"
    monkeypatch.chdir(tmp_path / "bots")
    assert program_files("pypokerengine:a.py:Minimal") == [("program/a.py", str(tmp_path / "bots" / "a.py"))]
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="contains the current folder"):
        program_files("pokerbots:.")


def test_bots_are_found_without_running_them(tmp_path: Path) -> None:
    pokerbot(tmp_path / "p" / "one")
    (tmp_path / "engine.py").write_text(ENGINE_BOT)
    (tmp_path / "old.py").write_text("from x import BasePokerPlayer\nprint 'old'\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "startme.sh").write_text("exit 1\n")
    (tmp_path / "bots.txt").write_text("# list\npypokerengine:engine.py:Minimal,rounds=5\nhttp://h/\nrandom\n")
    found = find_bots(tmp_path)
    assert set(found.specs) == {
        f"pokerbots:{tmp_path}/p/one",
        f"pypokerengine:{tmp_path}/engine.py:Minimal",
        f"pypokerengine:{tmp_path}/engine.py:Minimal,rounds=5",
        f"acpc:{tmp_path}/a/startme.sh",
    }
    reasons = " ".join(f"{what}: {why}" for what, why in found.skipped)
    for part in ("Unfinished: it has no declare_action", "old.py: line 2", "named on the command line",
                 "not a specification of a program"):  # fmt: skip
        assert part in reasons
    with pytest.raises(InputError, match="is not a folder"):
        find_bots(tmp_path / "none")


def test_a_league_of_bots_goes_on_when_one_crashes(tmp_path: Path) -> None:
    pokerbot(tmp_path / "bots" / "crashes", f"sys.exit(3) if hands % 10 == 9 else {CALLS}")
    pokerbot(tmp_path / "bots" / "broken", commands={"run": ["no-such-command"]})
    words = ["leaderboard", "call", "--bots", "bots", "--game", "holdem-nl:stack=400,blinds=1/2", "--hands", "24"]
    found = answer(*words, "--out", "board", cwd=tmp_path)
    bot = next(one for one in found["players"] if one["spec"].startswith("pokerbots"))
    assert bot["faults"] > 0
    assert bot["milliseconds"] > 0
    assert [one["milliseconds"] for one in found["players"] if one["spec"] == "call"] == [None]
    assert found["skipped"] == ["pokerbots:bots/broken: 'no-such-command' cannot be started: No such file or directory"]
    page = (tmp_path / "board" / "report.html").read_text()
    assert all(text in page for text in ("ms per decision", "no-such-command"))
    more = ["leaderboard", "--resume", "board", "--add", "fold"]
    assert "--trust pokerbots:bots/crashes" in refusal(*more, cwd=tmp_path)
    assert len(answer(*more, "--bots", "bots", cwd=tmp_path)["players"]) == 3
    assert call("verify", "board", cwd=tmp_path).returncode == 0


def test_the_page_seats_only_what_its_operator_named(tmp_path: Path) -> None:
    game, spec = game_of("holdem-nl"), "pokerbots:bots/one"
    assert resolve_player(tmp_path, game, spec, [spec]) == spec
    with pytest.raises(InputError, match="unknown player"):
        resolve_player(tmp_path, game, spec)
    assert "expected another person's program" in refusal("serve", "--seat", "random", "--no-open")
    assert "there is no such folder" in refusal("serve", "--seat", "pokerbots:no-such", "--no-open", cwd=tmp_path)


def test_experiment_files_never_start_a_program(tmp_path: Path) -> None:
    experiment = {"kind": "leaderboard", "players": ["pokerbots:bots/one", "call"], "hands": 2}
    lines = [f"{name} = {json.dumps(value)}" for name, value in experiment.items()]
    (tmp_path / "a.toml").write_text("\n".join(lines))
    assert "cardwin leaderboard" in refusal("evolve", "a.toml", cwd=tmp_path)


def test_a_folder_that_only_we_can_enter_is_made_anew_in_the_sandbox(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o700)
    (folder / "bot.py").write_text("class Bot: ...\n")
    assert program_files(f"pypokerengine:{folder}/bot.py:Bot") == [("program/bot.py", str(folder / "bot.py"))]
    folder.chmod(0o755)
    assert program_files(f"pypokerengine:{folder}/bot.py:Bot") == [("program", str(folder))]
