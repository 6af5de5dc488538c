"""Players of PyPokerEngine: what they are told, in which order, and what their answers mean."""

import json
from pathlib import Path
from typing import Any

import pytest
from pypokerengine.utils.game_state_utils import restore_game_state

from cardwin.arena.match import play_match
from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.games.base import Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters import pypokerengine as adapter
from cardwin.players.adapters.pypokerengine import PyPokerEnginePlayer
from cardwin.players.registry import player
from cardwin.players.specs import read_program
from players.adapters.bots import ENGINE_BOT

NL = holdem_game("holdem-nl", {})
Log = list[tuple[Any, ...]]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PyPokerEnginePlayer:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "minimal_bot.py").write_text(ENGINE_BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return PyPokerEnginePlayer(read_program("pypokerengine:program/minimal_bot.py:Minimal"))


def log_of(bot: PyPokerEnginePlayer, opponents: list[str], hands: int) -> Log:
    specs = ["pypokerengine:bot.py:Minimal", *opponents]
    referee = Referee(specs, None)
    play_match(NL, [bot, *map(player, opponents)], hands, 3, referee=referee)
    assert referee.report().faults[0] == 0, referee.report().first
    log: Log = bot._bot.log
    return log


def states(log: Log) -> list[dict[str, Any]]:
    return [one[-1] for one in log if one[0] in ("ask", "street", "update", "result")]


@pytest.mark.parametrize("opponents", [["random"], ["random", "all-in", "call"]])
def test_what_a_player_is_told_adds_up(bot: PyPokerEnginePlayer, opponents: list[str]) -> None:
    log = log_of(bot, opponents, 40)
    for state in states(log):
        pots = [state["pot"]["main"]["amount"], *(one["amount"] for one in state["pot"]["side"])]
        chips = sum(seat["stack"] for seat in state["seats"])
        if state["street"] != "showdown":
            assert chips + sum(pots) == 10_000 * (1 + len(opponents))
        assert len(state["seats"]) == 1 + len(opponents)
        reached = ["preflop", "flop", "turn", "river", "showdown"].index(state["street"])
        assert len(state["action_histories"]) in (reached + 1, *range(1, 5)[: 4 * (reached == 4)])
        assert len(state["community_card"]) in (0, 3, 4, 5)


def test_the_callbacks_come_in_the_engines_order(bot: PyPokerEnginePlayer) -> None:
    log = log_of(bot, ["call"], 12)
    assert [one[0] for one in log[:3]] == ["game", "round", "street"]
    assert sum(one[0] == "round" for one in log) == sum(one[0] == "result" for one in log) == 12
    asked = [place for place, one in enumerate(log) if one[0] == "ask"]
    assert all(log[place + 1][0] == "update" for place in asked)
    _, valid, hole, state = log[asked[0]]
    assert [one["action"] for one in valid] == ["fold", "call", "raise"]
    assert all(card[0] in "CDHS" for card in hole)
    assert state["seats"][state["next_player"]]["uuid"] == bot._uuid
    assert state["small_blind_pos"] == state["dealer_btn"] != state["big_blind_pos"]
    blinds = state["action_histories"]["preflop"][:2]
    assert [(one["action"], one["amount"], one["add_amount"]) for one in blinds] == [
        ("SMALLBLIND", 50, 50),
        ("BIGBLIND", 100, 50),
    ]


def test_the_engines_own_emulator_accepts_what_is_told(bot: PyPokerEnginePlayer) -> None:
    for one in log_of(bot, ["random"], 20):
        if one[0] == "ask":
            restored = restore_game_state(json.loads(json.dumps(one[3])))
            assert restored["table"].seats.count_active_players() >= 1


def view_with(to_call: int, least: int, most: int) -> HoldemView:
    state = NL.start(["AhKh", "QcQd"], "2s3s4h7h8d")
    row = list(state.view(1).row)
    row[5], row[11], row[12], row[13] = to_call and 100, to_call, least, most
    return HoldemView(tuple(row))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (("fold", 0), Action("fold")),
        (("call", 100), Action("call")),
        (["call", 100.0], Action("call")),
        ("call", Action("call")),
        (("call", 10_000), Action("call")),
        (("raise", 250.9), Action("raise", 250)),
        ("raise", Action("raise", 200)),
        (("raise", 10_000), Action("raise", 10_000)),
    ],
)
def test_answers(answer: object, action: Action) -> None:
    assert adapter._action(view_with(50, 200, 10_000), answer) == action


@pytest.mark.parametrize(
    "answer",
    [("call", 99), ("raise", 199), ("raise", -1), ("raise", 10_001), ("raise", None), ("raise", float("nan")),
     ("bet", 5), None, 7, ("raise",), ("raise", {"min": 200}), ("call", "all")],
)  # fmt: skip
def test_answers_that_are_faults(answer: object) -> None:
    assert adapter._action(view_with(50, 200, 10_000), answer).name.endswith("as an answer")


def test_a_fold_for_free_is_a_check_and_no_raise_has_minus_one() -> None:
    assert adapter._action(view_with(0, 100, 500), ("fold", 0)) == Action("check")
    assert adapter.valid_actions(view_with(50, 0, 0))[2]["amount"] == {"min": -1, "max": -1}
    assert adapter._action(view_with(50, 0, 0), ("raise", -1)).name.endswith("as an answer")


def test_files_that_cannot_be_seated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "minimal_bot.py").write_text(ENGINE_BOT + "\nimport no_such_module\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="needs the module no_such_module"):
        PyPokerEnginePlayer(read_program("pypokerengine:program/minimal_bot.py:Minimal"))
