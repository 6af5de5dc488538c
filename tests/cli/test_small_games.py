"""The commands of the small games, as another program and as a person use them."""

from pathlib import Path

import pytest

from support import answer, call, refusal


def test_solve() -> None:
    found = answer("solve", "kuhn")
    assert (found["fraction"], found["method"], found["exploitability"]) == ("-1/18", "lp", 0)
    text = call("solve", "kuhn").stdout
    assert "-1/18" in text
    assert "J after check 33%" in text


def test_best_response_of_the_issue() -> None:
    found = answer("best-response", "kuhn-full", "--against", "bluffer", "--seat", "2")
    assert (found["fraction"], len(found["genes"]), len(found["forced"])) == ("7/4", 36, 36)
    assert "7/4" in call("best-response", "kuhn-full", "--against", "bluffer", "--seat", "2").stdout
    assert call("best-response", "onecard", "--against", "uniform", "--seat", "1").returncode == 0


def test_value_and_exploitability() -> None:
    assert answer("value", "kuhn", "safe", "bluffer")["fraction"] == "-1/20"
    assert answer("exploitability", "kuhn", "--policy", "uniform")["exploitability"] == pytest.approx(11 / 24)
    assert answer("exploitability", "kuhn", "--policy", "rational", "--seat", "1")["nash_conv"] is None
    assert "NashConv" in call("exploitability", "kuhn", "--policy", "uniform").stdout


def test_show_and_export(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text(call("export", "rational", "--game", "kuhn", "--to", "json").stdout)
    assert answer("show", str(path))["seats"]["1"]["genes"]["B_Q"] == 0.5
    assert "1/2" in call("show", str(path)).stdout
    assert call("export", str(path), "--to", "csv").stdout.startswith("seat,")


def test_lists() -> None:
    assert {row["name"] for row in answer("games")["games"]} >= {"kuhn", "leduc", "onecard-10"}
    assert "models: shy" in call("games").stdout


def test_a_person_plays_and_is_told_how_well() -> None:
    done = call("play", "kuhn", "--against", "rational", "--seed", "3", stdin="1\n2\nwhat\nfold\nbet\nq\n")
    assert done.returncode == 0
    assert "'what'" in done.stdout
    assert "3 hands" in done.stdout
    assert "call with J" in done.stdout
    assert call("play", "leduc", "--against", "uniform", stdin="").returncode == 0


@pytest.mark.parametrize(
    ("clue", "words"),
    [
        (" kuhn", ["solve", "kuuhn"]),
        ("6 genes", ["best-response", "kuhn", "--against", "genes:0,1", "--seat", "1"]),
        ("'2'", ["best-response", "kuhn", "--against", "genes:0,1,2,0,0,0", "--seat", "1"]),
        ("cards", ["solve", "onecard:cards=0"]),
        ("35,984,001", ["solve", "kuhn:cards=2000"]),
        ("--seat", ["best-response", "kuhn", "--against", "shy", "--seat", "3"]),
        ("--against", ["best-response", "kuhn", "--seat", "1"]),
        ("method", ["solve", "kuhn", "--method", "magic"]),
        ("game", ["show", "rational"]),
        ("nonsense", ["nonsense"]),
        ("nonsense", ["bench", "nonsense"]),
        ("kuhn-full", ["export", "shy", "--game", "kuhn-full", "--to", "openspiel"]),
    ],
)
def test_mistakes_are_one_plain_line(clue: str, words: list[str]) -> None:
    done = call(*words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert clue in done.stderr.lower()


def test_an_address_keeps_both_slashes() -> None:
    assert "http://127.0.0.1:9/x" in refusal("exploitability", "kuhn", "--policy", "http://127.0.0.1:9/x")


def test_version_and_quiet_work_everywhere() -> None:
    assert call("solve", "kuhn", "--version").stdout.startswith("cardwin ")
    assert call("solve", "kuhn", "--quiet", "--json").stderr == ""


def test_a_bare_command_shows_what_there_is() -> None:
    done = call()
    assert done.returncode == 0
    assert "leaderboard" in done.stdout
    assert done.stderr == ""


def test_a_large_solution_is_not_printed_whole() -> None:
    text = call("--quiet", "solve", "leduc").stdout
    assert len(text.splitlines()) < 60
    assert "cardwin show equilibrium --game leduc" in text
    assert len(call("--quiet", "solve", "kuhn").stdout.splitlines()) < 60
