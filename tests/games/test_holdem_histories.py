"""Hand histories: what we write others read, what others write we replay, and mistakes are named with their line."""

import warnings
from dataclasses import replace

import pytest
from pokerkit import HandHistory

from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.core.rng import child, draw_below, stream_of
from cardwin.games.base import Action
from cardwin.games.formats.phh import histories_of, phh_text, replay_text
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.history import History, StepError, positions, replay
from cardwin.players.registry import player

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
        histories.append(played_history(table, record, specs))
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
        ("'p3 cbr 210 # a comment'", "'p3 cbr 150'", 8, "the minimum is 200"),
        ("'p1 f', 'p2 cc'", "'p2 cc'", 9, "seat 2 acts, but seat 1 has the turn"),
        ("'d db KcQsKs'", "'d db KcQs'", 11, "seat 2 acts: expected 3 board cards before, got 2"),
        ("'d db KcQsKs'", "'d db KcQsKs2s'", 10, "4 board cards dealt, which is more than are due"),
        ("'d db Ts', ", "", 11, "seat 2 acts: expected 4 board cards before, got 3"),
        ("'p2 f',\n]", "\n]", 12, "not over: seat 2"),
        ("9790", "9791", 14, "expected final stacks 9950, 9791, 10260"),
        ("'NT'", "'PO'", 1, "invalid variant 'PO'"),
        ("'p2 f',\n]", "'p2 f', 'p1 cc',\n]", 12, "after the hand is over"),
        ("'p2 f',\n]", "'p2 dances',\n]", 12, "invalid action 'p2 dances'"),
        ("As5s", "As4h", 6, "duplicate card 4h"),
        ("min_bet = 100", "min_bet = ", 4, "invalid TOML"),
        ("[50, 100, 0]", "[50, 100]", 5, "3 starting stacks, 3 antes and 2 blinds"),
        ("[50, 100, 0]", "[50, 100, 'x']", 3, "invalid blinds_or_straddles: expected an amount of chips, got 'x'"),
        ("'p1 f'", "'p9 f'", 9, "invalid player 'p9'"),
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


SHOWDOWN = HAND.replace("Js8c", "????").replace("'p3 cbr 1500', 'p2 f'", "'p3 cc'").split("finishing")[0]
WON_BY_2, WON_BY_3, SHARED = (9950, 10260, 9790), (9950, 9790, 10260), (9950, 10025, 10025)


@pytest.mark.parametrize(
    ("lines", "stacks"),
    [
        ("", WON_BY_3),  # a spade flush; nobody says what the second player holds
        ("'p2 sm KdKh', 'p3 sm'", WON_BY_2),
        ("'p2 sm KdKh', 'p3 sm -'", WON_BY_2),
        ("'p2 sm ????', 'p3 sm -'", WON_BY_3),
        ("'p2 sm ????', 'p3 sm'", WON_BY_2),  # mucked cards cannot win, whatever they were
        ("'p2 sm 2dJs', 'p3 sm ????'", WON_BY_2),  # cards that are not shown in the end do not count
        ("'p2 sm', 'p3 sm'", None),
        ("'p2 sm -'", None),
        ("'p3 sm 2c2d'", None),
        ("'p3 sm', 'p3 sm As5s'", None),
    ],
)
def test_what_is_shown_and_what_is_mucked(lines: str, stacks: tuple[int, ...] | None) -> None:
    [hand] = replay_text(SHOWDOWN.replace("'p3 cc',\n]", f"'p3 cc', {lines}\n]"))
    assert hand.final_stacks == stacks, hand.reason


def test_half_known_cards_play_with_the_board() -> None:
    board = SHOWDOWN.replace("As5s", "2d2h")
    # Kings and twos lose to kings and queens, whatever the other card is, and win against the board with a three.
    assert replay_text(board.replace("p2 ????", "p2 Qd??"))[0].final_stacks == WON_BY_2
    assert replay_text(board.replace("p2 ????", "p2 ??3c").replace("4h3c", "????"))[0].final_stacks == WON_BY_3
    assert replay_text(board.replace("2d2h", "2d3h"))[0].final_stacks == SHARED


def test_dead_antes_go_to_the_main_pot_whole() -> None:
    # The big blind posts an ante of 100 for all; the first seat, all-in for 60, wins it whole with 60 of the bets.
    # Antes are dead unless the file says that they are trimmed: then nobody matches this one, and it goes back.
    text = """variant = 'NT'
antes = [0, 100, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [60, 1000, 1000]
actions = ['d dh p1 AhAd', 'd dh p2 KhKd', 'p3 f', 'p1 cc', 'p2 cc', 'd db 2c3c4d', 'd db 9s', 'd db Ts']
"""
    assert replay_text(text)[0].final_stacks == (220, 840, 1000)
    assert replay_text("ante_trimming_status = true\n" + text)[0].final_stacks == (120, 940, 1000)


def test_replay_says_where_a_history_breaks_a_rule() -> None:
    [history] = histories_of(HAND)
    longer = replace(history, steps=history.steps + history.steps[-1:])
    with pytest.raises(StepError, match=r"over|end") as error:
        replay(longer)
    assert error.value.index == len(history.steps)


def test_the_positions_of_a_history_lead_to_its_end() -> None:
    for history in (*histories_of(HAND), *played("holdem-limit", 5, 3)):
        walk = list(positions(history))
        assert [step for _, step in walk] == [step for step in history.steps if step.kind in ("fold", "call", "raise")]
        assert all(state.actor == step.seat for state, step in walk)
        last, step = walk[-1]
        name = {"fold": "fold", "call": "call" if last.view(step.seat).to_call else "check"}.get(step.kind, "raise")
        assert last.apply(Action(name, step.amount)).stacks == replay(history).stacks
