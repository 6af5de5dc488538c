"""Hand histories of poker rooms: our own generator's, odd ones by hand, and bad ones, each refused at its line."""

from pathlib import Path

import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.games.formats.phh import phh_text, replay_text
from cardwin.games.formats.room_hand import replay_room, room_hands
from cardwin.games.formats.room_writer import room_text
from cardwin.games.holdem.history import ReplayResult
from cardwin.games.holdem.saved import history_of
from games.room_hands import generated_hands
from support import answer, call, refusal

CENTS = """PokerStars Hand #101:  Hold'em No Limit ($0.05/$0.10 USD) - 2024/01/01 1:02:03 ET
Table 'Alpha II' 6-max Seat #1 is the button
Seat 1: Kuca :P ($10.05 in chips)
Seat 2: away ($4 in chips) is sitting out
Seat 4: a (b) ($2.50 in chips)
Seat 5: folds ($1,002.50 in chips)
a (b): posts small blind $0.05
folds: posts big blind $0.10
newcomer joins the table at seat #3
*** HOLE CARDS ***
Dealt to folds [Ah Ad]
Kuca :P said, "folds: I mean: raises $1 to $2"
Kuca :P: raises $0.20 to $0.30
a (b): calls $0.25
folds: raises $0.70 to $1
Kuca :P: folds
Kuca :P leaves the table
a (b): calls $0.70
*** FLOP *** [2c 3d 4h]
a (b): bets $1.50 and is all-in
folds: calls $1.50
*** TURN *** [2c 3d 4h] [5s]
*** RIVER *** [2c 3d 4h 5s] [9c]
*** SHOW DOWN ***
a (b): shows [6h 6d] (a straight, Two to Six)
folds: mucks hand
a (b) collected $5.05 from pot
*** SUMMARY ***
Total pot $5.30 | Rake $0.25
Board [2c 3d 4h 5s 9c]
Seat 1: Kuca :P (button) folded before Flop
Seat 2: away is sitting out
Seat 4: a (b) (small blind) showed [6h 6d] and won ($5.05) with a straight, Two to Six
Seat 5: folds (big blind) mucked [Ah Ad]
"""
SIDE_POTS = """PokerStars Game #7: Tournament #55, $5.00+$0.50 Hold'em No Limit - Level II (15/30) - 2007/10/15 - 5:35
Table '55 1' 9-max Seat #9 is the button
Seat 2: blind (20 in chips) is sitting out
Seat 3: short (100 in chips)
Seat 5: middle (400 in chips)
Seat 9: deep (2000 in chips)
blind: posts the ante 5
short: posts the ante 5
middle: posts the ante 5
deep: posts the ante 5
blind: posts small blind 15 and is all-in
short: posts big blind 30
*** HOLE CARDS ***
middle: raises 365 to 395 and is all-in
deep: raises 1600 to 1995 and is all-in
short: calls 65 and is all-in
Uncalled bet (1600) returned to deep
*** FLOP *** [2c 3d 4h]
*** TURN *** [2c 3d 4h] [5s]
*** RIVER *** [2c 3d 4h 5s] [9c]
*** SHOW DOWN ***
middle: shows [Kh Kd] (a pair of Kings)
deep: shows [Qh Qd] (a pair of Queens)
middle collected 600 from side pot-2
short: shows [Ah 7d] (a straight, Ace to Five)
short collected 240 from side pot-1
blind: shows [6c 7c] (a straight, Two to Six)
blind collected 80 from main pot
deep wins the $1 bounty for eliminating nobody
middle finished the tournament in 3rd place
*** SUMMARY ***
Total pot 920 Main pot 80. Side pot-1 240. Side pot-2 600. | Rake 0
Board [2c 3d 4h 5s 9c]
"""
COMES_IN = """PokerStars Zoom Hand #8:  Hold'em No Limit (€0.50/€1.00 EUR) - 2024/01/01 1:02:03 ET
Table 'Z' 6-max Seat #1 is the button
Seat 1: A (€100 in chips)
Seat 2: B (€100 in chips)
Seat 3: C (€100 in chips)
Seat 4: D (€100 in chips)
Seat 5: E (€100 in chips)
Seat 6: F (€100 in chips)
B: posts small blind €0.50
C: posts big blind €1
D: posts straddle €2
E: posts big blind €1
F: posts small & big blinds €1.50
*** HOLE CARDS ***
E: raises €4 to €6
F: calls €5
A: folds
B: folds
C: folds
D: calls €4
*** FLOP *** [2c 3d 4h]
D: checks
E: checks
F: checks
*** TURN *** [2c 3d 4h] [5s]
D: checks
E: bets €10
F: folds
D: folds
Uncalled bet (€10) returned to E
E collected €19 from pot
E: doesn't show hand
*** SUMMARY ***
Total pot €20 | Rake €1
Board [2c 3d 4h 5s]
"""
SPLIT = """Poker Hand #RC9: Hold'em No Limit ($0.01/$0.02) - 2021/05/06 07:08:09
Table 'NLHWhite1' 6-max Seat #2 is the button
Seat 1: x1 ($2 in chips)
Seat 2: Hero ($2.05 in chips)
Hero: posts small blind $0.01
x1: posts big blind $0.02
*** HOLE CARDS ***
Dealt to x1
Dealt to Hero [Ah Kd]
Hero: raises $0.04 to $0.06
x1: calls $0.04
*** FLOP *** [Qc Jd Th]
x1: checks
Hero: checks
*** TURN *** [Qc Jd Th] [As]
x1: checks
Hero: checks
*** RIVER *** [Qc Jd Th As] [Kc]
x1: checks
Hero: checks
*** SHOWDOWN ***
x1: shows [2c 2d] (a straight)
Hero: shows [Ah Kd] (a straight)
x1 collected $0.05 from pot
Hero collected $0.05 from pot
*** SUMMARY ***
Total pot $0.12 | Rake $0.01 | Jackpot $0.01 | Bingo $0
Board [Qc Jd Th As Kc]
"""
LIMIT = """PokerStars Hand #10:  Hold'em Limit ($2/$4 USD) - 2024/01/01 1:02:03 ET
Table 'L' 2-max Seat #2 is the button
Seat 1: A ($50 in chips)
Seat 2: B ($50 in chips)
B: posts small blind $1
A: posts big blind $2
*** HOLE CARDS ***
B: raises $2 to $4
A: raises $2 to $6
B: raises $2 to $8
A: raises $2 to $10
B: calls $2
*** FLOP *** [2c 3d 4h]
A: bets $2
B: folds
Uncalled bet ($2) returned to A
A collected $20 from pot
*** SUMMARY ***
Total pot $20 | Rake $0
"""


def one(text: str) -> ReplayResult:
    [hand] = replay_room(text)
    return hand


@pytest.mark.parametrize(
    ("text", "stacks"),
    [
        (CENTS, (5.05, 1000, 9.75)),
        (SIDE_POTS, (80, 240, 600, 1600)),
        (COMES_IN, (99.5, 99, 94, 113, 93.5, 100)),
        (SPLIT, (1.99, 2.04)),
        (LIMIT, (60, 40)),
    ],
)
def test_odd_hands_end_with_the_stacks_of_the_text(text: str, stacks: tuple[float, ...]) -> None:
    for written in (text, text.replace("\n", "\r\n"), "\ufeff" + text, "  " + text.replace("\n", " \n  ")):
        hand = one(written)
        assert hand.final_stacks == stacks, hand.reason


def test_many_hands_of_the_generator_are_read_with_every_chip_right() -> None:
    check_generated(250)


@pytest.mark.slow
def test_two_thousand_hands_of_the_generator_are_read_with_every_chip_right() -> None:
    check_generated(2000)


def check_generated(count: int) -> None:
    hands = list(generated_hands(count, 5))
    text = "\n\n".join(hand.text for hand in hands)
    found = replay_room(text)
    assert len(found) == count
    for hand, read in zip(hands, found, strict=True):
        assert read.final_stacks is not None, f"{read.reason}\n{hand.text}"
        assert list(read.final_stacks) == [chips / hand.style.scale for chips in hand.finishing], hand.text
    assert sum("side pot" in hand.text for hand in hands) > count / 10
    assert sum("Uncalled" in hand.text for hand in hands) > count / 10
    phh = "\n".join(
        phh_text(hand.history, number, hand.scale, finishing_stacks=list(hand.finishing), _rake=hand.rake)
        for number, hand in enumerate(room_hands(text))
        if hand.history.game.kind == "nl"
    )
    again = replay_text(phh)
    assert len(again) > count / 2
    assert not [hand.reason for hand in again if hand.reason]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("a (b): bets $1.50 and is all-in", "a (b): hugs $1.50", 20, "unknown line 'a (b): hugs $1.50'"),
        ("folds: calls $1.50", "nobody: calls $1.50", 21, "unknown line"),
        ("collected $5.05", "collected $5.06", 29, "expected final stacks 5.06"),
        ("Hold'em No Limit", "Omaha Pot Limit", 1, "expected Texas hold'em"),
        ("Hold'em No Limit", "Hold'em Pot Limit", 1, "pot limit"),
        ("($0.05/$0.10 USD)", "", 1, "expected stakes"),
        ("*** FLOP *** [2c", "*** FIRST FLOP *** [2c", 19, "run more than once"),
        ("[2c 3d 4h]\na", "[2c 3d 4x]\na", 19, "invalid card"),
        ("[2c 3d 4h]\na", "[2c 3d 6h]\na", 1, "duplicate card 6h"),
        ("raises $0.70 to $1\n", "raises $0.02 to $0.32\n", 15, "the minimum is"),
        ("Kuca :P: folds\n", "", 17, "has the turn"),
        ("$0.10\nnew", "$0.1000001\nnew", 8, "expected an amount of chips, got '0.1000001'"),
        ("a (b): calls $0.70\n", "a (b) cashed out the hand for $3\n", 18, "cashed out"),
        ("Seat 4: a (b) ($2.50 in chips)\n", "", 6, "unknown line"),
    ],
)
def test_what_cannot_be_read_is_listed_by_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    assert old in CENTS
    bad, good = replay_room(CENTS.replace(old, new, 1) + "\n\n" + LIMIT)
    assert bad.final_stacks is None
    assert reason in bad.reason
    assert bad.line == line
    assert good.final_stacks == (60, 40)


def test_a_hand_that_breaks_off_is_not_over() -> None:
    hand = one(CENTS[: CENTS.index("*** TURN")])
    assert "board cards" in hand.reason or "not over" in hand.reason


def test_the_whole_big_blind_must_be_called_although_who_posts_it_has_less() -> None:
    text = """PokerStars Hand #1: Tournament #2, 2000+110 Hold'em No Limit - Level II (15/30) - 2012/02/16 22:26:13 ET
Table '2 1' 9-max Seat #3 is the button
Seat 1: small (500 in chips)
Seat 2: big (20 in chips) is sitting out
Seat 3: button (500 in chips)
small: posts small blind 15
big: posts big blind 20 and is all-in
*** HOLE CARDS ***
button: calls 30
small: calls 15
big: folds
*** FLOP *** [2c 3d 4h]
small: bets 30
button: folds
Uncalled bet (30) returned to small
small collected 80 from pot
*** SUMMARY ***
Total pot 80 | Rake 0
"""
    assert one(text.replace("Seat 1", "Seat 4").replace("Seat 2", "Seat 5")).final_stacks == (550, 0, 470)


def test_a_hand_of_ours_is_written_and_read(tmp_path: Path) -> None:
    state = cardwin.deal("holdem-nl", 4, seed=3)
    for move in ("raise 300", "call", "fold", "fold", "bet 400", "raise 900", "all-in", "call"):
        state = state.apply(move)
    history = history_of(state)  # type: ignore[arg-type]
    assert one(room_text(history, 1)).final_stacks == tuple(replay_text(phh_text(history))[0].final_stacks or ())
    simple = cardwin.deal("holdem-simple", 2, seed=1).apply("fold")
    with pytest.raises(InputError, match="unsupported game"):
        room_text(history_of(simple), 1)  # type: ignore[arg-type]
    file = tmp_path / "hands.txt"
    file.write_text(room_text(history, 1), encoding="utf-8")
    assert answer("replay", str(file))["ok"] == 1


def test_replay_knows_formats_by_their_content(tmp_path: Path) -> None:
    room, old, out = tmp_path / "session.log", tmp_path / "old.txt", tmp_path / "out.phhs"
    room.write_text(CENTS + "\n\n" + SIDE_POTS, encoding="utf-8")
    old.write_bytes(COMES_IN.encode("cp1252"))
    result = answer("replay", str(room), str(old), "--phh", str(out))
    assert (result["hands"], result["ok"]) == (3, 3)
    assert result["final_stacks"][0] == [5.05, 1000, 9.75]
    again = answer("replay", str(out))
    assert again["final_stacks"] == result["final_stacks"]
    assert "exists already" in refusal("replay", str(room), "--phh", str(out))
    noise = tmp_path / "noise.txt"
    noise.write_bytes(b"\xff\xfe\x00 nothing")
    assert call("replay", str(noise)).returncode == 2


def test_a_log_finds_the_game_file_that_it_names(tmp_path: Path) -> None:
    text = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 500 500\nblind = 100 50\nfirstPlayer = 2 1 1 1\n"
    (tmp_path / "mine.game").write_text(text + "END GAMEDEF\n")
    log = tmp_path / "match.txt"
    log.write_text("# name/game/hands/seed m /somewhere/mine.game 1 7\nSTATE:0:f:Ah8s|2h4c:50|-50:a|b\n")
    assert answer("replay", str(log))["final_stacks"] == [[550, 450]]
    (tmp_path / "mine.game").unlink()
    assert "--game FILE.game" in refusal("replay", str(log))
