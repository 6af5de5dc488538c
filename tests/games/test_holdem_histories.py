"""Hand histories: what we write others read, what others write we replay, and mistakes are named with their line."""

import warnings
from dataclasses import replace

import pytest
from pokerkit import HandHistory

from cardwin.arena.histories import history_of
from cardwin.arena.live import LiveTable
from cardwin.errors import InputError
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.games.holdem.acpc import read_line, read_log
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.history import History, StepError, replay
from cardwin.games.holdem.phh import phh_text, replay_text
from cardwin.players.registry import player
from cardwin.rng import child, draw_below, stream_of

HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [
  'd dh p1 4h3c', 'd dh p2 Js8c', 'd dh p3 As5s',
  'p3 cbr 210 # a comment',
  'p1 f', 'p2 cc',
  'd db KcQsKs',
  'p2 cc', 'p3 cc', 'd db Ts', 'p2 cc', 'p3 cc', 'd db 4c',
  'p2 cc', 'p3 cbr 1500', 'p2 f',
]
finishing_stacks = [9950, 9790, 10260]
"""


def played(name: str, seats: int, hands: int) -> list[History]:
    game, rng = holdem_game(name, {}), stream_of(3)
    specs = ["random", "call", "raise", "random", "all-in", "random"][:seats]
    table = LiveTable(game, [player(spec) for spec in specs])
    histories = []
    for hand in range(hands):
        stacks = [draw_below(rng, 3000) for _ in specs]
        stacks[:2] = 1500, 700
        record: list[Event] = []
        table.play(stacks, hand % seats, child(11, hand), record=record)
        histories.append(history_of(table, record, specs))
    return histories


@pytest.mark.parametrize(
    ("name", "seats"), [("holdem-nl", 2), ("holdem-nl", 6), ("holdem-limit", 2), ("holdem-limit", 5)]
)
def test_pokerkit_reads_what_we_write(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for history in played(name, seats, 12):
            theirs = HandHistory.loads(phh_text(history))
            *_, last = theirs
            assert last.status is False
            assert sum(abs(a - b) for a, b in zip(last.stacks, replay(history).stacks, strict=True)) <= 2


@pytest.mark.parametrize("name", ["holdem-nl", "holdem-limit", "holdem-simple"])
def test_written_hands_replay_to_their_finishing_stacks(name: str) -> None:
    histories = played(name, 6, 20)
    text = "\n".join(phh_text(history, number) for number, history in enumerate(histories, 1))
    replayed = replay_text(text)
    assert [hand.reason for hand in replayed] == [""] * 20
    assert [hand.hand for hand in replayed] == [str(number) for number in range(1, 21)]
    assert [hand.final_stacks for hand in replayed] == [replay(history).stacks for history in histories]
    assert [replay_text(phh_text(history))[0].final_stacks for history in histories[:3]] == [
        hand.final_stacks for hand in replayed[:3]
    ]


def test_a_hand_with_a_comment() -> None:
    assert replay_text(HAND)[0].final_stacks == (9950, 9790, 10260)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("'p3 cbr 210 # a comment'", "'p3 cbr 150'", 8, "the least amount is 200"),
        ("'p1 f', 'p2 cc'", "'p2 cc'", 9, "seat 2 acts where seat 1 has the turn"),
        ("'d db KcQsKs'", "'d db KcQs'", 10, "2 board cards dealt where 3 are due"),
        ("'d db Ts', ", "", 11, "seat 2 acts with 3 board cards where 4 are due"),
        ("'p2 f',\n]", "\n]", 12, "not over: seat 2"),
        ("9790", "9791", 14, "the file says 9950, 9791, 10260"),
        ("'NT'", "'PO'", 6, "variant 'PO' is not played here"),
        ("'p2 f',\n]", "'p2 f', 'p1 cc',\n]", 12, "after the hand is over"),
        ("'p2 f',\n]", "'p2 dances',\n]", 12, "no action of hold'em"),
        ("As5s", "As4h", 6, "4h comes twice"),
        ("min_bet = 100", "min_bet = ", 4, "no TOML"),
        ("[50, 100, 0]", "[50, 100]", 6, "3 starting stacks"),
        ("[50, 100, 0]", "[50, 100, 'x']", 6, "blinds_or_straddles is"),
        ("'p1 f'", "'p9 f'", 9, "'p9' is no player"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in HAND
    [hand] = replay_text(HAND.replace(old, new))
    assert hand.final_stacks is None
    assert reason in hand.reason
    assert hand.line == line


def test_a_phhs_file_goes_on_after_a_mistake() -> None:
    text = f"[1]\n{HAND}\n[2]\n{HAND.replace('cbr 1500', 'cbr 15')}\n[3]\n{HAND}"
    hands = replay_text(text)
    assert [hand.final_stacks is None for hand in hands] == [False, True, False]
    assert (hands[1].hand, hands[1].line) == ("2", 29)


def test_decimals_are_replayed_in_the_smallest_unit() -> None:
    text = HAND.replace("00]", "00.50]").replace("cbr 1500", "cbr 1500.25").replace("10260", "10260.5")
    assert replay_text(text)[0].final_stacks == (9950, 9790, 10260.5)


def test_a_file_that_splits_odd_chips_agrees_within_a_chip() -> None:
    text = HAND.replace("[9950, 9790, 10260]", "[9950.5, 9789.5, 10260]")
    assert replay_text(text)[0].reason == ""


def test_hidden_cards_lose_and_shown_ones_count() -> None:
    hidden = HAND.replace("Js8c", "????").replace("'p3 cbr 1500', 'p2 f'", "'p3 cc'").split("finishing")[0]
    assert replay_text(hidden)[0].final_stacks == (9950, 9790, 10260)
    shown = hidden.replace("'p3 cc',\n]", "'p3 cc', 'p2 sm KdKh', 'p3 sm',\n]")
    assert replay_text(shown)[0].final_stacks == (9950, 10260, 9790)


def test_dead_antes_go_to_the_main_pot_whole() -> None:
    # The big blind posts an ante of 100 for all; the first seat, all-in for 60, wins it whole with 60 of the bets.
    text = """variant = 'NT'
antes = [0, 100, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [60, 1000, 1000]
actions = ['d dh p1 AhAd', 'd dh p2 KhKd', 'p3 f', 'p1 cc', 'p2 cc', 'd db 2c3c4d', 'd db 9s', 'd db Ts']
"""
    assert replay_text(text)[0].final_stacks == (220, 840, 1000)


ACPC = """# name/game/hands/seed
STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2
STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1
"""
ACPC_NO_LIMIT = """STATE:1:r19848c/cr19998c/r20000c/:6sKs|5dJd/2sTh2h/Qh/8h:20000|-20000:p2|p1
STATE:2:f:Ah8s|2h4c:50|-50:p1|p2
STATE:6:cc/r2992c/r9446c/r16944c:Kc8h|5cAs/9dAh4d/7h/Qs:-16944|16944:p1|p2
"""


@pytest.mark.parametrize(
    ("text", "game"),
    [(ACPC, holdem_game("holdem-limit", {})), (ACPC_NO_LIMIT, holdem_game("holdem-nl", {"stack": "20000"}))],
)
def test_dealer_logs_replay_to_what_the_dealer_paid(text: str, game: HoldemGame) -> None:
    hands = list(read_log(text, game))
    assert len(hands) == text.count("STATE")
    for hand in hands:
        assert replay(hand.history).returns() == hand.won


def test_broken_logs_are_refused() -> None:
    game = holdem_game("holdem-nl", {"stack": "20000"})
    with pytest.raises(InputError, match="no STATE line"):
        read_line("STATE:1:f", game)
    with pytest.raises(InputError, match="hand 2: no raise 150"):
        read_line("STATE:2:r150f:Ah8s|2h4c:50|-50:p1|p2", game)


def test_replay_says_where_a_history_breaks_a_rule() -> None:
    history = read_line("STATE:2:f:Ah8s|2h4c:50|-50:p1|p2", holdem_game("holdem-nl", {}))
    twice = replace(history.history, steps=history.history.steps * 2)
    with pytest.raises(StepError, match="after the hand is over") as error:
        replay(twice)
    assert error.value.place == 1
