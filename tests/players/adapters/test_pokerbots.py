"""Bots of the MIT Pokerbots engine: a client with its own state machine finds every message in step."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardwin.players.adapters.pokerbots as adapter
from cardwin.arena.match import match, play_match
from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.adapters.pokerbots import Belief, Pokerbot
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import player
from cardwin.players.specs import read_program
from players.adapters.bots import CALLS, RAISES, pokerbot

NL = holdem_game("holdem-nl", {"stack": "400", "blinds": "1/2"})


OPEN: list[Pokerbot] = []


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def seated(folder: Path, options: str = "") -> Pokerbot:
    OPEN.append(Pokerbot(read_program(f"pokerbots:{folder}{options}")))
    return OPEN[-1]


def result(bot: Pokerbot) -> tuple[int, int]:
    hands, total = (bot._folder / "total.txt").read_text().split()
    return int(hands), int(total)


@pytest.mark.parametrize("opponent", ["all-in", "random", "raise"])
@pytest.mark.parametrize("answer", [CALLS, RAISES])
def test_a_bot_that_follows_the_hand_is_never_out_of_step(tmp_path: Path, opponent: str, answer: str) -> None:
    bot = seated(pokerbot(tmp_path / "bot", answer))
    players: list[HoldemPlayer] = [bot, player(opponent)]
    referee = Referee([f"pokerbots:{tmp_path}", opponent], None)
    chips = play_match(NL, players, 30, 1, referee=referee)
    assert referee.report().faults == (0, 0), referee.report().first
    assert result(bot) == (30, chips[:, 0].sum())


def test_chips_are_converted_where_the_table_has_others(tmp_path: Path) -> None:
    bot = seated(pokerbot(tmp_path / "bot", RAISES))
    referee = Referee([f"pokerbots:{tmp_path}", "random"], None)
    shallow = holdem_game("holdem-nl", {"stack": "5000", "blinds": "50/100"})
    chips = play_match(shallow, [bot, player("raise")], 30, 2, referee=referee)
    assert referee.report().faults == (0, 0), referee.report().first
    assert chips[:, 0].any()


def test_a_deeper_table_than_the_bot_believes_in_is_a_fault_that_names_the_option(tmp_path: Path) -> None:
    bot = seated(pokerbot(tmp_path / "bot"), ",stack=200")
    referee = Referee([f"pokerbots:{tmp_path}", "call"], None)
    play_match(NL, [bot, player("call")], 2, 2, referee=referee)
    assert "stack= sets it" in referee.report().first[0].reason


def test_the_stack_is_read_from_the_constants_of_the_skeleton(tmp_path: Path) -> None:
    folder = pokerbot(tmp_path / "bot")
    (folder / "skeleton").mkdir()
    (folder / "skeleton" / "states.py").write_text("NUM_ROUNDS = 1000\nSTARTING_STACK = 200\n")
    assert seated(folder)._stack == 200
    assert seated(folder, ",stack=300")._stack == 300


def test_a_match_has_so_many_hands_then_the_bot_begins_again(tmp_path: Path) -> None:
    bot = seated(pokerbot(tmp_path / "bot"), ",hands=4")
    play_match(NL, [bot, player("call")], 10, 1, referee=Referee([f"pokerbots:{tmp_path}", "call"], None))
    assert result(bot)[0] == 2


def test_raises_of_the_bots_own_game() -> None:
    state = Belief(2, [1, 2], [399, 398])
    assert state.raise_range() == (4, 400)
    state.take("R400")
    assert state.raise_range() is None
    state.take("C")
    assert (state.street, state.actor, state.behind) == (3, 1, 0)


def test_nonsense_is_a_fault_and_a_crash_starts_the_bot_again(tmp_path: Path) -> None:
    spec = f"pokerbots:{pokerbot(tmp_path / 'bot', f'sys.exit(7) if hands == 1 else {CALLS}')}"
    record = match(NL, [spec, "call"], 6, 1)
    assert "the program ended with code 7" in record.report.first[0].reason
    assert record.report.faults[0] in range(2, 5)
    assert record.report.milliseconds(0) is not None
    nonsense = f"pokerbots:{pokerbot(tmp_path / 'other', chr(34) + 'X9' + chr(34))}"
    assert "invalid action 'X9 as an answer'" in match(NL, [nonsense, "call"], 2, 1).report.first[0].reason


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([], "should be such as"),
        ({"run": "python3"}, "should be such as"),
        ({"run": []}, "no command to run"),
        ({"run": ["no-such-command"]}, "cannot be started"),
        ({"build": ["false"], "run": ["true"]}, "the build command 'false' ended with code 1"),
        ({"run": ["true"]}, "expected the program to connect to its port, but it ended with code 0"),
    ],
)
def test_folders_that_are_no_bots(tmp_path: Path, commands: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        seated(pokerbot(tmp_path / "bot", commands=commands))


def test_a_folder_without_commands(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"it has no commands\.json"):
        seated(tmp_path)
    assert adapter.COMMANDS == "commands.json"


def test_a_program_reaches_its_adapter_and_nothing_else(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = outside.getsockname()[1]
        reached = (
            f'socket.socket().connect_ex(("127.0.0.1", {port})) == 0 or __import__("os").path.exists("{tmp_path}")'
        )
        spec = f"pokerbots:{pokerbot(tmp_path / 'bot', f'sys.exit(9) if {reached} else {CALLS}')}"
        record = match(NL, [spec, "call"], 4, 1)
    assert record.report.faults == (0, 0), record.report.first
