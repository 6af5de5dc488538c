"""Other people's programs in Kuhn poker and Leduc hold'em: results agree with exact values, faults are counted."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardwin.arena.acpc_dealer import DealOptions, deal_small
from cardwin.arena.acpc_seat import SmallSeat
from cardwin.arena.small_match import small_match
from cardwin.games import game as game_of
from cardwin.players.adapters import acpc
from cardwin.players.specs import Untrusted
from loopback import JsonHandler, clients, serving
from support import answer, call, refusal

# Written to the protocol's text: takes each legal action with equal chances. A second argument says how it misbehaves.
CLIENT = """
import random, socket, sys, time

random.seed(1)  # what it wins is the same in every run
line = socket.create_connection((sys.argv[-2], int(sys.argv[-1]))).makefile("rw", newline="")
how = sys.argv[1]
most = 2 if how == "leduc" else 1
print("VERSION:2.0.0", end="\\r\\n", file=line, flush=True)
asked = 0
for text in line:
    _, position, hand, betting, cards = text.strip().split(":")
    rounds = betting.split("/")
    now = rounds[-1]
    ended = now == "cc" or (len(now) > 1 and now.endswith("c"))
    if "f" in betting or (ended and (most == 1 or len(rounds) == 2)) or len(now) % 2 != int(position):
        continue
    choices = (["f", "c"] if now.endswith("r") else ["c"]) + (["r"] if now.count("r") < most else [])
    letter = random.choice(choices)
    asked += 1
    if how == "crash" and asked == 5:
        sys.exit(3)
    if how == "sleep" and asked == 5:
        time.sleep(5)
    if how == "illegal" and asked == 5:
        letter = "r999"
    print(text.strip() + ":" + letter, end="\\r\\n", file=line, flush=True)
"""
MODULE = """
import random

import pyspiel

random.seed(1)  # what these win is the same in every run


def bot(game, seat):
    return pyspiel.make_uniform_random_bot(seat, 1)


class Policy:
    def action_probabilities(self, state):
        return {one: 1 / len(state.legal_actions()) for one in state.legal_actions()}


def policy(observation, mask):
    assert observation.shape[0] == 4
    return random.choice([place for place, one in enumerate(mask) if one])


def seven(observation, mask):
    return 7


class Uniform:
    def act(self, view, rng):
        return random.choice(view.legal_actions)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("programs")
    (made / "client").mkdir()
    (made / "client" / "client.py").write_text(CLIENT)
    (made / "small_bots.py").write_text(MODULE)
    return made


def client(how: str) -> str:
    return f"acpc:python3 client/client.py {how} {{host}} {{port}}"


BOLD = "genes:1,1,1,1,1,1"  # always bets and calls: against it a uniform player wins -3/8, and one that folds -1
UNIFORM = [client("kuhn"), "openspiel:small_bots:bot", "openspiel:small_bots:Policy", "pettingzoo:small_bots:policy",
           "python:small_bots:Uniform"]  # fmt: skip


@pytest.mark.parametrize("spec", UNIFORM)
def test_what_a_program_wins_agrees_with_the_exact_value(folder: Path, spec: str) -> None:
    found = answer("match", spec, BOLD, "--game", "kuhn", "--hands", "600", "--seed", "3", cwd=folder)
    one, other = found["players"]
    assert (one["spec"], one["faults"], other["faults"]) == (spec, 0, 0)
    assert one["interval"][0] < -3 / 8 < one["interval"][1]
    assert one["ci95"] < 0.25
    assert one["mean"] == pytest.approx(-other["mean"])
    assert one["milliseconds"] > 0
    assert "milliseconds" not in other
    assert (found["hands"], found["fair"], found["no_walls"]) == (600, False, [])
    assert found["sandbox"]


def test_a_league_of_leduc_with_programs_of_several_protocols(folder: Path) -> None:
    (folder / "bots.txt").write_text(f"{client('leduc')}\npokerbots:client\nopenspiel:small_bots:Policy\n")
    words = ["leaderboard", "uniform", "--game", "leduc", "--hands", "20", "--bots", str(folder)]
    found = answer(*words, cwd=folder)
    assert len(found["players"]) == 3
    assert not any(one["faults"] for one in found["players"])
    assert all(one["interval"][0] < 0 < one["interval"][1] for one in found["players"])
    assert found["cross"][0][0] is None
    assert found["cross"][0][1]["mean"] == pytest.approx(-found["cross"][1][0]["mean"])
    assert any("Texas hold'em only" in one for one in found["skipped"])
    assert len(found["secrets"]) == 3
    assert found["fair"]


def test_a_player_of_ours_connects_over_a_port(folder: Path) -> None:
    game = game_of("kuhn")
    with clients([lambda: SmallSeat(game, "uniform", 1)]) as ((port,), scores):
        record = small_match(game, [f"acpc:{port}", "equilibrium"], 600, 5, untrusted=Untrusted(30))
    assert record.report.faults == (0, 0)
    assert scores[0].won == record.chips[:, 0].tolist()
    assert "no client connected within 1 s" in refusal(
        "match", f"acpc:{port},wait=1", "equilibrium", "--game", "kuhn", cwd=folder
    )
    acpc._PORTS.pop(port).close()


def test_the_same_seed_repeats_a_match(folder: Path) -> None:
    words = ["match", "pettingzoo:small_bots:policy", "uniform", "--game", "leduc", "--hands", "60", "--duplicate"]
    first, other = (answer(*words, "--seed", seed, cwd=folder) for seed in ("1", "2"))
    assert first["digest"] != other["digest"]
    text = call(*words, "--seed", "1", cwd=folder).stdout
    assert "every deal in both seatings, seed 1" in text
    assert first["digest"] in text.replace("\n", "")


@pytest.mark.parametrize(
    ("how", "reason"),
    [("crash", "ended with code 3"), ("sleep", "took more than 1 s"), ("illegal", "invalid move r999 as an answer")],
)
def test_a_program_that_fails_now_and_then_plays_on(folder: Path, how: str, reason: str) -> None:
    words = ["match", client(how), "equilibrium", "--game", "kuhn", "--hands", "30", "--time-limit", "1"]
    found = answer(*words, "--seed", "1", cwd=folder)
    assert 0 < found["players"][0]["faults"] < 10
    assert reason in found["faults"][0]
    assert not found["players"][0]["disqualified"]


def test_a_program_that_always_fails_is_disqualified(folder: Path) -> None:
    found = answer("match", "pettingzoo:small_bots:seven", "uniform", "--game", "kuhn", "--hands", "60", cwd=folder)
    assert found["players"][0]["disqualified"]
    assert "7 as an answer" in found["faults"][0]
    players = "pettingzoo:small_bots:seven", "uniform", BOLD
    text = call("--quiet", "match", *players, "--game", "kuhn", "--hands", "60", "--seed", "1", cwd=folder).stdout
    row = next(line for line in text.splitlines() if "disq" in line)
    assert not re.search(r"[+-]\d", row), text


class Handler(JsonHandler):
    """Bets or calls whenever it may; the path /illegal answers with an action that is none."""

    asked: dict[str, Any]

    def answer(self, question: dict[str, Any]) -> None:
        Handler.asked = question
        self.send_response(200)
        self.end_headers()
        name = "dance" if self.path == "/illegal" else question["legal_actions"][-1]["name"]
        self.wfile.write(json.dumps({"action": name}).encode())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(Handler) as address:
        yield address


def test_a_server_is_asked_what_its_seat_knows(url: str) -> None:
    record = small_match(game_of("leduc"), [f"{url}/raise", "uniform"], 30, 1)
    assert record.report.faults == (0, 0)
    asked = Handler.asked
    assert asked["game"] == "leduc"
    assert len(asked["hole"]) == 1
    assert asked["pot"] == sum(asked["contributed"])
    assert {"schema", "hand", "seat", "board", "to_call", "history", "legal_actions", "seconds"} <= set(asked)
    wrong = small_match(game_of("kuhn"), [f"{url}/illegal", "uniform"], 3, 1)
    assert "invalid move dance: expected one of check, bet 1" in wrong.report.first[0].reason


def test_our_dealer_and_our_connection_seat_programs_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    game = game_of("kuhn")
    dealt = deal_small(game, ["pettingzoo:small_bots:seven", "uniform"], 10, 1, DealOptions(untrusted=Untrusted(5.0)))
    assert dealt.won == []
    assert "7 as an answer" in dealt.ended
    seat = SmallSeat(game, "openspiel:small_bots:Policy", 1, 5.0)
    answers = {seat.respond(f"MATCHSTATE:0:{hand}::Qs|")[0] for hand in range(20)}
    assert answers == {"c", "r"}
    assert seat.respond("MATCHSTATE:0:20:rf:Qs|") == (None, True)
    assert (seat.won, seat.report.faults) == ({20: 1}, (0,))


def test_wrong_input_is_one_sentence(folder: Path) -> None:
    def refused(*words: str, game: str = "kuhn") -> str:
        return refusal("match", *words, "uniform", "--game", game, cwd=folder)

    assert "programs play kuhn and leduc" in refused("python:small_bots:Uniform", game="kuhn-13")
    assert "know Texas hold'em only" in refused("pokerbots:client")
    assert "unknown name in small_bots" in refused("openspiel:small_bots:no")
    assert "No module named" in refused("openspiel:nowhere:no")
    (folder / "client" / "ends.py").write_text("import sys; sys.exit(4)")
    assert "ended with code 4" in refused("acpc:python3 client/ends.py")
    assert "no word of the command is a file" in refused("acpc:nothing here")
    for option in ("--until-certain", "--in-process", "--cluster=local", "--seating=rotation"):
        assert f"unexpected {option.partition('=')[0]}:" in refused("python:small_bots:Uniform", option)
    assert "without a run" in refused("python:small_bots:Uniform", "--out", "recorded")
    assert not (folder / "recorded").exists()
    assert "from 2 to 100" in refusal("match", "python:small_bots:Uniform", "--game", "kuhn", cwd=folder)
    assert "unknown policy" in refused("python:small_bots:Uniform", "nobody")


def test_a_plan_of_programs_is_kept_by_their_match(folder: Path) -> None:
    words = ("match", "python:small_bots:Uniform", "uniform", "--game", "kuhn")
    plan = json.loads(call(*words, "--plan", "--margin", "0.2", "--seed", "1", "--json", cwd=folder).stdout)
    (pair,) = plan["pairs"]
    assert 100 < pair["hands"] < 2_000
    played = json.loads(call(*words, "--hands", str(pair["hands"]), "--seed", "2", "--json", cwd=folder).stdout)
    assert played["players"][0]["ci95"] <= 0.2
    text = call(*words, "--plan", "--seed", "1", cwd=folder).stdout
    assert "hands give intervals of ±0.1 or less" in text
