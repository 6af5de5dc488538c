"""Logs and game files of the ACPC dealer."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games.formats.acpc import partial_hand, read_line, read_log, replay_log
from cardwin.games.formats.acpc_game import read_game
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.games.holdem.history import replay

LIMIT = """# name/game/hands/seed
STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2
STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1
SCORE:-30|30:p1|p2
"""
NO_LIMIT = """STATE:1:r19848c/cr19998c/r20000c/:6sKs|5dJd/2sTh2h/Qh/8h:20000|-20000:p2|p1
STATE:2:f:Ah8s|2h4c:50|-50:p1|p2
STATE:6:cc/r2992c/r9446c/r16944c:Kc8h|5cAs/9dAh4d/7h/Qs:-16944|16944:p1|p2
"""
LIMIT_FILE = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
THREE_FILE = """gamedef
nolimit
numPlayers = 3
numRounds = 4
# one of them is short
stack = 500 1000 2000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
end gamedef
"""


@pytest.mark.parametrize(
    ("text", "game"),
    [(LIMIT, holdem_game("holdem-limit", {})), (NO_LIMIT, holdem_game("holdem-nl", {"stack": "20000"}))],
)
def test_dealer_logs_replay_to_what_the_dealer_paid(text: str, game: HoldemGame) -> None:
    hands = list(read_log(text, game))
    assert len(hands) == text.count("STATE")
    for hand in hands:
        assert replay(hand.history).returns() == hand.won
    assert [hand.reason for hand in replay_log(text, game)] == [""] * len(hands)


def test_a_game_file_sets_the_table() -> None:
    table = read_game(LIMIT_FILE)
    assert (table.game.kind, table.game.small_bet, table.game.big_bet) == ("limit", 10, 20)
    assert (table.blinds, table.caps, table.first) == ((10, 5), (3, 4, 4, 4), 1)
    assert [hand.reason for hand in replay_log(LIMIT, table)] == ["", ""]
    more = LIMIT.replace("rrrc/rrf", "rrrrc/rf").replace("-50|50", "50|-50")
    assert "no more raises" in replay_log(more, table)[1].reason
    assert replay_log(more, read_game(LIMIT_FILE.replace("3 4 4 4", "4 4 4 4")))[1].reason == ""


def test_stacks_may_be_unequal() -> None:
    # The first seat is all-in for 500, the others play on for a side pot of 500 each; aces beat kings beat queens.
    text = "STATE:0:r400r500cc/cr1000c//:AhAd|KhKd|QhQd/2c3d4h/8s/9c:1000|0|-1000:a|b|c"
    [hand] = replay_log(text, read_game(THREE_FILE))
    assert hand.final_stacks == (1500, 1000, 1000), hand.reason
    [deeper] = replay_log(text, read_game(THREE_FILE.replace("500 1000", "600 1000")))
    assert deeper.final_stacks is None


def test_every_all_in_reopens_the_betting_at_the_dealers() -> None:
    # 300 by the last seat, a short all-in to 350, a call, and the first raiser raises again.
    short = read_game(THREE_FILE.replace("500 1000 2000", "350 2000 2000"))
    text = "STATE:0:r300r350cr900f///:AhAd|KhKd|QhQd/2c3d4h/8s/9c:700|-350|-350:a|b|c"
    [hand] = replay_log(text, short)
    assert hand.final_stacks == (1050, 1650, 1650), hand.reason


def test_the_dealer_counts_the_least_raise_from_the_last_full_one() -> None:
    # Raised to 300, a short all-in to 330: the next raise is to 500, which our tables refuse.
    table = read_game(THREE_FILE.replace("500 1000 2000", "330 1000 1000"))
    text = "STATE:0:r300r330r500fc///:AhAd|KhKd|QhQd/2c3d4h/8s/9c:{}:a|b|c"
    lines = {
        "STATE:356:r307r330cr534c/r981r1000c//:KsJd|Qd6c|6h5d/KcQc3c/As/4d:660|340|-1000:p3|p1|p2": (990, 1340, 0),
        "STATE:0:r300r330r500f///:AhAd|KhKd|QhQd/2c3d4h/8s/9c:630|-330|-300:a|b|c": (960, 670, 700),
    }
    for line, stacks in lines.items():
        [hand] = replay_log(line, table)
        assert hand.final_stacks == stacks, hand.reason
    [low] = replay_log(text.format("0|0|0").replace("r500", "r499"), table)
    assert "the minimum is" in low.reason


def test_at_the_dealers_a_seat_may_raise_though_nobody_can_call_more() -> None:
    # The first seat has 5 chips left after its bet, and may still act.
    table = read_game(THREE_FILE.replace("500 1000 2000", "330 1000 1000"))
    [hand] = replay_log("STATE:0:fcc/r325r613c//:8dJd|Td4d|As9d/6s3d6c/2c/Qc:330|-330|0:p1|p2|p3", table)
    assert hand.final_stacks == (660, 670, 1000), hand.reason


def test_before_the_flop_everyone_with_chips_has_a_turn_at_the_dealers() -> None:
    table = read_game(THREE_FILE.replace("500 1000 2000", "100 2000 100"))
    [hand] = replay_log("STATE:0:ccc///:AhAd|KhKd|QhQd/2c3d4h/8s/9c:200|-100|-100:a|b|c", table)
    assert hand.final_stacks == (300, 1900, 0), hand.reason


LIMIT_SHORT = LIMIT_FILE.replace("numRounds", "stack = 75 33\nnumRounds")
THREE_LIMIT = THREE_FILE.replace("nolimit", "limit").replace("blind", "raiseSize = 10 10 20 20\nblind")
FOUR_LIMIT = (
    THREE_LIMIT.replace("numPlayers = 3", "numPlayers = 4")
    .replace("500 1000 2000", "33 10 95 240")
    .replace("50 100 0", "5 10 0 0")
)


@pytest.mark.parametrize(
    ("game", "line", "stacks"),
    [
        # A raise beyond the stack lowers the bet to match: the other takes 7 back.
        (LIMIT_SHORT, "STATE:12:cc/rrrrc//:JdAc|2c9h/2d6c8d/As/9d:-33|33:p1|p2", (42, 66)),
        # Who folds to such a raise loses the whole bet.
        (LIMIT_SHORT, "STATE:10:crc/crc/cc/rrf:2d8s|JsJd/Kh9c4d/4c/Jh:-50|50:p1|p2", (25, 83)),
        # What a folded seat paid beyond all others is in no pot: 7 chips are lost.
        (FOUR_LIMIT, "STATE:0:ccc/crfrrrf//:8dJd|Td4d|As9d|6s3d/6c2cQc/4c/Tc:33|10|-40|-10:a|b|c|d", (66, 20, 55, 230)),
    ],
)
def test_limit_raises_beyond_the_stack_are_the_dealers(game: str, line: str, stacks: tuple[int, ...]) -> None:
    [hand] = replay_log(line, read_game(game))
    assert hand.final_stacks == stacks, hand.reason


def test_the_position_of_a_hand_that_is_not_over() -> None:
    state = partial_hand("r300fc/", "|KhKd/2c3d4h", read_game(THREE_FILE))
    assert (state.actor, len(state.board), state.hole(1)) == (1, 3, tuple(parse_cards("KhKd")))
    assert state.hole(2) == (-1, -1)
    with pytest.raises(InputError, match="two cards or none for each"):
        partial_hand("", "Kh|Qh", read_game(THREE_FILE))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("crc", "cxc", "invalid move 'xc': expected f, c or r"),
        ("crc", "c c", "invalid move ' c'"),
        ("crc", "cr20c", "invalid move 'r20c'"),
        ("crc", "crcc", "acts"),
        ("crc", "cr", "no board cards are due"),
        ("cc/cc:", "cc/c:", "the hand is not over"),
        ("cc/cc:", "cc:", "expected the cards of 2 streets after the first, got 3"),
        ("20|-20", "20|-21", "expected the dealer's payoffs 20, -21"),
        ("20|-20", "20", "expected the chips won by each of 2 seats"),
        ("20|-20", "20|nan", "expected the chips won by each of 2 seats"),
        ("5d5c|9hQd", "5d5c|9hQd|AhKh", "expected two cards for each of 2 seats"),
        ("5d5c|9hQd", "5d5c|9h5d", "duplicate card 5d"),
        ("5d5c|9hQd", "5d5c|9hQx", "invalid card"),
        ("STATE:0", "STATE:x", "expected STATE:number"),
        (":p1|p2\nSTATE:3", "\nSTATE:3", "expected STATE:number"),
        ("STATE:0:", "state:0:", "expected STATE:number"),
    ],
)
def test_one_bad_line_is_one_refused_hand(old: str, new: str, reason: str) -> None:
    assert old in LIMIT
    bad, good = replay_log(LIMIT.replace(old, new, 1), read_game(LIMIT_FILE))
    assert bad.final_stacks is None
    assert reason in bad.reason
    assert bad.line == 2
    assert good.reason == ""


def test_broken_lines_are_refused() -> None:
    game = holdem_game("holdem-nl", {"stack": "20000"})
    with pytest.raises(InputError, match="STATE"):
        read_line("STATE:1:f", game)
    with pytest.raises(InputError, match=r"hand 2.*raise 150"):
        read_line("STATE:2:r150f:Ah8s|2h4c:50|-50:p1|p2", game)
    [nothing] = replay_log("# only remarks\nTO 1 at 3 MATCHSTATE:0:0::5d5c|\n", game)
    assert "no hand in this file" in nothing.reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("GAMEDEF\nlimit", "limit", "expected GAMEDEF"),
        ("limit\n", "", "expected a line limit or nolimit"),
        ("numRounds = 4", "numRounds = 2", "expected numRounds = 4"),
        ("numPlayers = 2", "numPlayers = 11", "2 to 10"),
        ("numPlayers = 2\n", "", "missing numPlayers"),
        ("blind = 10 5", "blind = 10", "expected 2 numbers of blind, got 10"),
        ("blind = 10 5", "blind = 10 x", "whole numbers"),
        ("blind = 10 5", "blind = 0 0", "expected a blind above 0"),
        ("blind = 10 5", "blinds = 10 5", "invalid line"),
        ("10 10 20 20", "10 20 20 20", "raiseSize"),
        ("2 1 1 1", "2 2 1 1", "firstPlayer"),
        ("maxRaises = 3 4 4 4", "stack = 0 10", "expected stacks above 0"),
    ],
)
def test_wrong_game_files_are_refused(old: str, new: str, reason: str) -> None:
    assert old in LIMIT_FILE
    with pytest.raises(InputError, match=reason):
        read_game(LIMIT_FILE.replace(old, new, 1))


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="STAE0123456789:|/crf.-# 5d9hQKAs\n\x00é", max_size=40), st.integers(0, len(LIMIT)), st.booleans()
)
def test_any_text_in_any_place_is_refused_or_replayed(noise: str, place: int, table: bool) -> None:
    game = read_game(LIMIT_FILE) if table else holdem_game("holdem-nl", {})
    for text in (noise, LIMIT[:place] + noise + LIMIT[place:]):
        for hand in replay_log(text, game):
            assert (hand.final_stacks is None) == bool(hand.reason)
    with suppress(InputError):
        read_game(LIMIT_FILE[:place] + noise + LIMIT_FILE[place:])
