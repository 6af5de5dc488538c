"""`explain` with programs of other people: each says what it answered, in one sentence; programs give no reasons."""

from pathlib import Path

import pytest

from players.adapters.bots import ENGINE_BOT, pokerbot
from support import answer, call, refusal

CLIENT = """
import socket, sys

dealer = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
dealer.sendall(b"VERSION:2.0.0\\r\\n")
for text in dealer.makefile("r"):
    dealer.sendall((text.strip() + ":c\\r\\n").encode())
"""
MODULE = """
class Caller:
    def action_probabilities(self, state):
        return {1: 1.0}

    def step(self, state):
        return 1


def first(observation, mask):
    return 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("explained")
    words = ["match", "call", "call", "--game", "holdem-nl:stack=400,blinds=1/2", "--hands", "1", "--seed", "1"]
    answer(*words, "--phh", str(made / "a.phhs"))
    pokerbot(made / "pokerbot")
    (made / "client").mkdir()
    (made / "client" / "client.py").write_text(CLIENT)
    (made / "engine").mkdir()
    (made / "engine" / "bot.py").write_text(ENGINE_BOT)
    (made / "callers.py").write_text(MODULE)
    return made


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("acpc:python3 client/client.py", "c"),
        ("pokerbots:pokerbot", "C"),
        ("pypokerengine:engine/bot.py:Minimal", "('call', 2)"),
        ("openspiel:callers:Caller", "1"),
        ("pettingzoo:callers:first", "1"),
    ],
)
def test_every_protocol_says_what_it_answered(folder: Path, spec: str, said: str) -> None:
    words = ["explain", "a.phhs", "--seat", "2", "--player", spec]
    found = answer(*words, cwd=folder)
    assert [one["street"] for one in found["decisions"]] == ["preflop", "flop", "turn", "river"]
    assert found["decisions"][0]["answer"] == said
    assert found["decisions"][0]["action"] == "call"


def test_the_sentence(folder: Path) -> None:
    done = call("explain", "a.phhs", "--seat", "2", "--player", "pettingzoo:callers:first", cwd=folder)
    assert "the program answered '1'; other people's programs give no explanations" in done.stdout
    no = refusal("explain", "a.phhs", "--seat", "2", "--player", "pettingzoo:callers:nobody", cwd=folder)
    assert "unknown name in callers" in no
