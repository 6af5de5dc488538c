"""Clients of the ACPC: the lines of the protocol's text, and answers that are none."""

from collections.abc import Callable

import pytest

from cardwin.cards.card import parse_cards
from cardwin.core.rng import stream_of
from cardwin.games.base import Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.events import Dealt, HandBegan
from cardwin.games.holdem.state import HoldemState
from cardwin.players.adapters.acpc import MAX_STALE_LINES, AcpcClient
from cardwin.players.adapters.adapter import ProgramError

NL = holdem_game("holdem-nl", {"stack": "20000"})
LIMIT = holdem_game("holdem-limit", {})


class Script:
    """A connection to a client that answers a state with a text."""

    def __init__(self, answer: Callable[[str], list[str]]) -> None:
        self.sent: list[str] = []
        self.answer = answer
        self.waiting = ["VERSION:2.0.0"]

    def send(self, line: str) -> None:
        assert line.endswith("\r\n")
        self.sent.append(line.strip())
        self.waiting += self.answer(line.strip())

    def receive(self) -> str:
        return self.waiting.pop(0)


def played(script: Script, state: HoldemState, moves: list[str], seat: int, limit: bool = False) -> list[Action]:
    """Show a client a hand with these moves, and return its answers where it has the turn."""
    client = AcpcClient(script, limit)  # type: ignore[arg-type]
    client.watch(HandBegan(1, state.view(0).starting_stacks, state.view(0).big_blind, seat))
    client.watch(Dealt(state.hole(seat)))
    seen, found = 0, []
    for move in [*moves, ""]:
        for event in state.events[seen:]:
            client.watch(event)
        seen = len(state.events)
        if state.actor == seat:
            found.append(client.act(state.view(seat), stream_of(0)))
        if move:
            state = state.apply(move)
    return found


def test_a_hand_of_no_limit_as_the_protocols_text_has_it() -> None:
    script = Script(lambda line: [f"{line}:c"])
    start = NL.start(["9s8h", "9c6h"], "8c8d5c6s2d")
    moves = ["call", "check", "bet 150", "call", "bet 250", "call", "bet 750", "call"]
    answers = played(script, start, moves, 0)
    assert script.sent == [
        "MATCHSTATE:0:0::9s8h|",
        "MATCHSTATE:0:0:c:9s8h|",
        "MATCHSTATE:0:0:cc/:9s8h|/8c8d5c",
        "MATCHSTATE:0:0:cc/r250:9s8h|/8c8d5c",
        "MATCHSTATE:0:0:cc/r250c/:9s8h|/8c8d5c/6s",
        "MATCHSTATE:0:0:cc/r250c/r500:9s8h|/8c8d5c/6s",
        "MATCHSTATE:0:0:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d",
        "MATCHSTATE:0:0:cc/r250c/r500c/r1250:9s8h|/8c8d5c/6s/2d",
        "MATCHSTATE:0:0:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
    ]
    assert [str(one) for one in answers] == ["check"] * 4


def test_a_hand_of_limit_from_the_button() -> None:
    script = Script(lambda line: [f"{line}:r"])
    start = LIMIT.start(["TdAs", "Qd7c"], "2h8h5cThKh")
    answers = played(script, start, ["raise 20", "raise 30", "call", "bet 10", "call", "bet 20", "fold"], 1, True)
    assert script.sent[-1] == "MATCHSTATE:1:0:rrc/rc/rf:|Qd7c/2h8h5c/Th"
    assert script.sent[0] == "MATCHSTATE:1:0::|Qd7c"
    assert answers[0] == Action("raise", 20)


@pytest.mark.parametrize(
    ("text", "action"),
    [("f", "fold"), ("c", "call"), ("r600", "raise 600"), ("r", "'r as an answer'"), ("x", "'x as an answer'"),
     ("r-5", "'r-5 as an answer'"), ("call", "'call as an answer'")],
)  # fmt: skip
def test_answers(text: str, action: str) -> None:
    script = Script(lambda line: [f"{line}:{text}"])
    answers = played(script, NL.start(["9s8h", "9c6h"], "8c8d5c6s2d"), ["raise 300"], 0)
    assert str(answers[0]) == action.strip("'")


def test_lines_that_answer_another_state_are_ignored_and_nonsense_is_a_fault() -> None:
    stale = Script(lambda line: ["MATCHSTATE:0:9::|:c", "# thinking", f"{line}:c"])
    start = NL.start(["9s8h", "9c6h"], "8c8d5c6s2d")
    assert played(stale, start, ["raise 300"], 0) == [Action("call")]
    assert str(played(Script(lambda _: ["hello"]), start, ["raise 300"], 0)[0]) == "hello as an answer"
    endless = Script(lambda _: ["# more"] * (2 * MAX_STALE_LINES))
    with pytest.raises(ProgramError, match="do not answer the state"):
        played(endless, start, ["raise 300"], 0)


def test_a_client_of_another_version_is_refused() -> None:
    script = Script(lambda _: [])
    script.waiting = ["VERSION:1.0.0"]
    with pytest.raises(ProgramError, match="instead of VERSION"):
        AcpcClient(script).receive_version()  # type: ignore[arg-type]
    assert parse_cards("9s8h") == NL.start(["9s8h", "9c6h"], "8c8d5c6s2d").hole(0)
