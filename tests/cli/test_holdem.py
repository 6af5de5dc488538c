"""The commands of hold'em, as another program or a person uses them."""

import re
from pathlib import Path

import pytest

from support import answer, call, refusal

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_match_answers_in_json_and_writes_hands_that_replay(tmp_path: Path) -> None:
    file = str(tmp_path / "hands.phhs")
    words = ("match", "call", "random*2", "--game", "holdem-limit", "--hands", "40", "--seed", "1")
    written = answer(*words, "--phh", file)
    assert written["digest"] == answer(*words)["digest"]
    assert [row["spec"] for row in written["players"]] == ["call", "random", "random"]
    assert {row["unit"] for row in written["players"]} == {"small bets/h"}
    assert abs(sum(row["mean"] for row in written["players"])) < 1e-9
    replayed = answer("replay", file)
    assert (replayed["hands"], replayed["ok"], replayed["failed"]) == (40, 40, [])
    assert "hands.phhs" in refusal(*words, "--phh", file)


def test_wrong_words_end_in_one_line() -> None:
    assert "nobody" in refusal("match", "nobody", "call", "--game", "holdem-nl", "--hands", "10")
    assert "stack" in refusal("match", "call", "call", "--game", "holdem-nl:stack=x")
    assert "holdem-nl" in refusal("match", "call", "call", "--game", "holdem-no")


def test_players_are_listed() -> None:
    assert {"fold", "call", "raise", "random", "all-in"} <= {row["name"] for row in answer("players")["players"]}


def test_a_person_is_told_after_the_hand_what_a_decision_cost() -> None:
    """Against `all-in`, that never looks at its cards: what any two cards tell is exact."""
    keys = "c\nc\nc\nc\nc\nc\nf\nc\nc\nc\nc\nf\nf\nh\nf\nq\n"
    done = call("play", "holdem-nl", "--against", "all-in", "--seed", "3", stdin=keys)
    assert done.returncode == 0, done.stderr
    text = (DOCS / "holdem.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    assert text in done.stdout, "the page shows what is printed"
    assert "against any two cards; opponents who bet good hands hold better cards" in done.stdout
    with_report = [float(found) for found in re.findall(r"your (?:fold|call) lost ([\d.]+) in EV", done.stdout)]
    nothing = done.stdout.count("lost no EV")
    sum_line = re.search(r"EV loss ([\d.]+) chips in (\d+) closing decisions", done.stdout)
    assert sum_line is not None
    assert int(sum_line[2]) == len(with_report) + nothing
    assert float(sum_line[1]) == pytest.approx(sum(with_report), abs=0.1 * len(with_report))
    assert done.stdout.index("in EV") > done.stdout.index("you lose"), "after the hand, never during it"


def test_a_person_plays_a_hand_and_wrong_input_is_asked_again() -> None:
    said = "what\nr 5\nr 300\nc\nf\nc\nc\nq\n"
    done = call("play", "holdem-nl", "--against", "call", "--seed", "1", stdin=said)
    assert done.returncode == 0, done.stderr
    assert "'what'" in done.stdout
    assert "200 to 10000" in done.stdout
    assert re.search("call: [2-9TJQKA][♣♦♥♠][2-9TJQKA][♣♦♥♠]", done.stdout)
    assert "1 hands, score" in done.stdout
