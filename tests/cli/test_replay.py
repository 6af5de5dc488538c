"""`cardwin replay`, as another program or a person uses it."""

import os
import re
from pathlib import Path

import pytest

from support import answer, call, refusal

GOOD = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, inf]
actions = ['p2 f']
"""
GAME = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 10000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LOG = """# two hands, and one that nobody dealt
STATE:0:r10000c///:5d5c|9hQd/8dAs8s/4h/6d:10000|-10000:p1|p2
STATE:1:f:6sKs|5dJd:50|-50:p2|p1
STATE:2:x:6sKs|5dJd:50|-50:p2|p1
SCORE:10000|-10000:p1|p2
"""


def test_replay_lists_what_failed_and_goes_on(tmp_path: Path) -> None:
    bad, good, noise = tmp_path / "bad.phh", tmp_path / "good.phhs", tmp_path / "noise.phh"
    bad.write_text("variant = 'NT'\nactions = []\n")
    good.write_bytes(f"\ufeff[1]\n{GOOD}".encode())
    noise.write_bytes(b"variant = 'NT'\n\xff\xfe")
    result = answer("replay", str(bad), str(noise), str(good))
    assert (result["hands"], result["ok"]) == (3, 1)
    assert result["final_stacks"] == [None, None, [1050, "inf"]]
    assert [(row["file"], row["hand"], row["line"]) for row in result["failed"]] == [
        (str(bad), "1", 1),
        (str(noise), "", 2),
    ]
    assert "starting_stacks" in result["failed"][0]["reason"]
    assert "nowhere.phh" in refusal("replay", str(tmp_path / "nowhere.phh"))


def test_strict_exits_with_1_if_any_hand_failed(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.phh", tmp_path / "bad.phhs"
    good.write_text(GOOD)
    bad.write_text(f"[1]\n{GOOD}\n[\"\\u001b[31mred\"]\nvariant = 'PO'\n")
    assert call("replay", str(good), "--strict").returncode == 0
    assert call("replay", str(bad)).returncode == 0
    done = call("replay", str(bad), "--strict")
    assert done.returncode == 1
    assert re.search(r"2 hands.*\b1 .*\b1 failed", done.stdout)
    assert re.search(r"hand \\x1b\[31mred.*'PO'", done.stdout)
    assert "\x1b" not in done.stdout


def test_logs_of_the_dealer(tmp_path: Path) -> None:
    log, game = tmp_path / "match.log", tmp_path / "table.game"
    log.write_text(LOG)
    game.write_text(GAME)
    result = answer("replay", str(log), "--game", str(game))
    assert result["final_stacks"] == [[30000, 0], [20050, 9950], None]
    (failed,) = result["failed"]
    assert (failed["file"], failed["hand"], failed["line"]) == (str(log), "2", 4)
    assert "'x'" in failed["reason"]
    assert "--game FILE.game" in refusal("replay", str(log))
    game.write_text(GAME.replace("numRounds = 4", "numRounds = 1"))
    assert "table.game: expected numRounds = 4 as in hold'em, got 1" in refusal("replay", str(log), "--game", str(game))


@pytest.mark.parametrize("words", [("replay",), ("explain", "--seat", "1", "--player", "call")])
def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    os.mkfifo(tmp_path / "hands.phh")
    said = refusal(words[0], str(tmp_path / "hands.phh"), *words[1:])
    assert "hands.phh: expected a file of hands, got a folder or a pipe" in said


@pytest.mark.parametrize(
    "content", [b"", b"hello world\n", b"\xff\xfe\x00\xff", b"variant = 'NT'\n", b"STATE:0:x:9|9:1|1\n"]
)
def test_a_file_without_a_hand_that_can_be_read_exits_with_2(content: bytes, tmp_path: Path) -> None:
    file, game = tmp_path / "hands.phh", tmp_path / "table.game"
    file.write_bytes(content)
    game.write_text(GAME)
    words = ("replay", str(file), *(["--game", str(game)] if content.startswith(b"STATE") else []))
    done = call(*words)
    assert done.returncode == 2
    assert "no hand that can be read in" in done.stderr
    assert "0 replayed" in done.stdout


def test_a_hand_that_breaks_the_rules_was_read(tmp_path: Path) -> None:
    file = tmp_path / "hands.phh"
    file.write_text(GOOD.replace("p2 f", "p2 cbr 150"))
    done = call("replay", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 hands, 0 replayed, 1 failed" in done.stdout
