"""A dealer and players at it: every chip of the log is right, and dealers that misbehave are one sentence each."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from cardwin.arena.acpc_dealer import DealOptions, deal_match, deal_small, playable
from cardwin.arena.acpc_seat import MOST_COMMENTS, HoldemSeat, Score, SmallSeat
from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games.formats.acpc import MatchState, replay_log
from cardwin.games.formats.acpc_game import GameFile, read_game
from cardwin.games.formats.small_states import small_game_of, small_position
from cardwin.players.adapters import acpc
from cardwin.players.specs import Untrusted
from loopback import clients, free_ports
from support import answer, call, refusal

HEADS_UP = "stack = 20000 20000\nblind = 100 50\nfirstPlayer = 2 1 1 1"
SIX = "stack = {}\nblind = 50 100 0 0 0 0\nfirstPlayer = 3 1 1 1".format(" ".join(["10000"] * 6))


def game_text(kind: str, seats: int, lines: str) -> str:
    cards = "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1"
    return f"GAMEDEF\n{kind}\nnumPlayers = {seats}\nnumRounds = 4\n{lines}\n{cards}\nEND GAMEDEF\n"


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "a.game").write_text(game_text("nolimit", 2, HEADS_UP))
    return str(tmp_path / "a.game")


def over_sockets(file: GameFile, specs: list[str], hands: int, log: Path) -> list[Score]:
    """A match between our dealer and as many connected players."""
    with clients([partial(HoldemSeat, file, spec, place) for place, spec in enumerate(specs)]) as (ports, scores):
        dealt = deal_match(
            file, [f"acpc:{port}" for port in ports], hands, 3, DealOptions(untrusted=Untrusted(60.0), log=log)
        )
    assert not dealt.ended
    return [scores[place] for place in range(len(specs))]


@pytest.mark.parametrize(("seats", "lines"), [(2, HEADS_UP), (6, SIX)])
def test_a_match_over_sockets_and_its_log(tmp_path: Path, seats: int, lines: str) -> None:
    file = read_game(game_text("nolimit", seats, lines))
    scores = over_sockets(file, ["random"] * seats, 12, tmp_path / "a.log")
    text = (tmp_path / "a.log").read_text()
    replayed = replay_log(text, file)
    assert len(replayed) == 12
    assert all(one.final_stacks is not None for one in replayed), replayed
    assert sum(sum(one.won) for one in scores) == 0
    total = text.splitlines()[-1].split(":")[1].split("|")
    assert [int(one) for one in total] == [sum(one.won) for one in scores]


def test_dealing_between_our_own_players(tmp_path: Path, game: str) -> None:
    log = tmp_path / "b.log"
    found = answer("deal", game, "call", "random", "--hands", "40", "--seed", "1", "--duplicate", "--log", str(log))
    assert (found["hands"], found["per_deal"], found["ended"]) == (40, 2, None)
    replayed = answer("replay", str(log), "--game", game)
    assert (replayed["ok"], replayed["failed"]) == (40, [])


def test_a_failed_response_ends_the_match(tmp_path: Path, game: str) -> None:
    (tmp_path / "wrong.py").write_text(
        "from cardwin.games.base import Action, CALL, CHECK\n"
        "class Wrong:\n"
        "    n = 0\n"
        "    def act(self, view, rng):\n"
        "        self.n += 1\n"
        "        return Action('raise', 3) if self.n == 9 else CALL if view.to_call else CHECK\n"
    )
    done = call("deal", game, "call", "python:wrong:Wrong", "--hands", "20", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "the match ended early: python:wrong:Wrong, hand 3, action 1: invalid raise 3" in done.stdout


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("stack = 20000 10000\nblind = 100 50\nfirstPlayer = 2 1 1 1", "equal stacks"),
        ("stack = 20000 20000\nblind = 50 100\nfirstPlayer = 1 1 1 1", "equal stacks"),
        (f"{HEADS_UP}\nmaxRaises = 1 1 1 1", "default number of raises"),
    ],
)
def test_games_that_are_not_dealt(lines: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        playable(read_game(game_text("nolimit", 2, lines)))


def test_commands_refuse_wrong_input(tmp_path: Path, game: str) -> None:
    assert "there is no file" in refusal("deal", str(tmp_path / "no.game"), "call", "call")
    assert "3 players: the game file has 2" in refusal("deal", game, "call", "call", "call")
    port, other = free_ports(2)
    assert "no client connected within 1 s" in refusal("deal", game, "call", f"acpc:{port},wait=1")
    acpc._PORTS.pop(port).close()
    assert "no dealer at" in refusal("connect", "127.0.0.1", str(other), "--game", game, "--player", "call")
    assert "unknown player" in refusal("connect", "127.0.0.1", str(other), "--game", game, "--player", "nobody")


@contextmanager
def dealer(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A dealer that talks as it likes to one player."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                talk(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield str(server.getsockname()[1])
        thread.join(10)


def flood(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.sendall(b"# more\r\n" * (2 * MOST_COMMENTS))


def one_long_line(connection: socket.socket) -> None:
    try:
        connection.sendall(b"M" * 200_000)
        connection.recv(10)
    except OSError:
        pass


def silent(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.recv(10)


@pytest.mark.parametrize(
    ("talk", "reason"),
    [
        (silent, "sent nothing for 0.3 s"),
        (lambda one: one.sendall(b"hello\r\n"), "expected MATCHSTATE:position:hand:betting:cards"),
        (lambda one: one.sendall(b"MATCHSTATE:7:0::AhKh|\r\n"), "invalid position 7: expected 0 to 1"),
        (lambda one: one.sendall(b"MATCHSTATE:0:0:xx:AhKh|\r\n"), "invalid move"),
        (lambda one: one.sendall(b"MATCHSTATE:0:0::|AhKh\r\n"), "has no cards"),
        (lambda _: None, "closed the connection before the end of a hand"),
        (flood, "lines that are not states"),
        (one_long_line, "a line of more than"),
    ],
)
def test_dealers_that_misbehave(game: str, talk: Callable[[socket.socket], None], reason: str) -> None:
    with dealer(talk) as port:
        words = ["127.0.0.1", port, "--game", game, "--player", "call", "--wait", "0.3"]
        assert reason in refusal("connect", *words)


def test_a_dealer_that_leaves_in_the_middle_of_a_hand(game: str) -> None:
    def talk(connection: socket.socket) -> None:
        for line in (b"MATCHSTATE:0:0:f:AhKh|\r\n", b"MATCHSTATE:0:1:c:AhKh|\r\n"):
            connection.sendall(line)
        connection.recv(100)

    with dealer(talk) as port:
        found = answer("connect", "127.0.0.1", port, "--game", game, "--player", "call", "--seed", "1")
    assert (found["hands"], found["chips"]) == (1, 50)
    assert found["note"] == "the dealer closed the connection in the middle of a hand"


KUHN = "numRounds = 1\nraiseSize = 1\nmaxRaises = 1\nnumSuits = 1\nnumBoardCards = 0"
LEDUC = "numRounds = 2\nraiseSize = 2 4\nmaxRaises = 2 2\nnumSuits = 2\nnumBoardCards = 0 1"


def small_text(lines: str) -> str:
    first = "firstPlayer = 1 1" if "numRounds = 2" in lines else "firstPlayer = 1"
    common = f"numPlayers = 2\nblind = 1 1\n{first}\nnumRanks = 3\nnumHoleCards = 1"
    return f"GAMEDEF\nlimit\n{lines}\n{common}\nEND GAMEDEF\n"


@pytest.mark.parametrize(("name", "lines"), [("kuhn", KUHN), ("leduc", LEDUC)])
def test_small_games_over_sockets(tmp_path: Path, name: str, lines: str) -> None:
    game = small_game_of(small_text(lines))
    assert game is not None
    assert game.name == name
    options = DealOptions(untrusted=Untrusted(60.0), log=tmp_path / "a.log")
    with clients([lambda: SmallSeat(game, "uniform", 1)]) as ((port,), scores):
        dealt = deal_small(game, [f"acpc:{port}", "equilibrium"], 40, 1, options)
    assert not dealt.ended
    assert len(dealt.won) == 40
    assert all(sum(hand) == 0 for hand in dealt.won)
    assert scores[0].won == [hand[0] for hand in dealt.won]
    states = [line for line in (tmp_path / "a.log").read_text().splitlines() if line.startswith("STATE")]
    assert len(states) == 40
    for line in states:  # the dealer's line, read back, has the dealer's result
        _, _, betting, cards, won, _ = line.split(":")
        read = small_position(game, MatchState(0, 0, betting, cards))
        assert "|".join(map(str, read.returns())) == won


def test_a_small_game_between_policies(tmp_path: Path) -> None:
    (tmp_path / "k.game").write_text(small_text(KUHN))
    found = answer("deal", str(tmp_path / "k.game"), "equilibrium", "uniform", "--hands", "30", "--seed", "1")
    assert (found["game"], found["hands"]) == ("kuhn", 30)
    assert sum(one["mean"] for one in found["players"]) == pytest.approx(0)
    assert "unknown policy" in refusal("deal", str(tmp_path / "k.game"), "equilibrium", "nobody")
    assert small_game_of(game_text("nolimit", 2, HEADS_UP)) is None
    with pytest.raises(InputError, match="is not a legal action here"):
        small_position(game_of("kuhn"), MatchState(0, 0, "crr", "Qs|"))
