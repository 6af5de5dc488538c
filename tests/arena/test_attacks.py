"""Players that try to know more than they may: none of them profits.

1. One computes the hand's key from its own stream, and all cards from that.
2. One shares what it saw in one seating of a deal with itself in the next one, which has the same cards.
3. One looks through Python's frames and objects for the dealer's table.
4. One tries all short seeds until its stream fits.
5. The players of `attackers.py` try what an operating system offers to reach files, processes and other seats.
"""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardwin
from cardwin.arena.engine import CARDS
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, child, draw_below, key_of, prf, random_seed, shuffle_first, stream_of
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import HoldemView
from cardwin.players.base import EndedError, KilledError
from cardwin.players.registry import player
from cardwin.players.sandbox import launcher, process, system_calls
from cardwin.players.sandbox.box import PROCESSES as MOST_PROCESSES
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import NAMESPACES, missing_walls, require_walls, standing_walls
from cardwin.players.specs import Untrusted
from support import grandparents

NL = holdem_game("holdem-nl", {})


def deck_of(cards: int, seats: int) -> list[int]:
    """The board and hole cards that a key of cards deals."""
    deck = np.arange(52)
    shuffle_first(stream_of(cards), deck, 5 + 2 * seats)
    return [int(card) for card in deck[: 5 + 2 * seats]]


class Undoer:
    """Knows how the dealer derives everything, and undoes its own stream's key as far as it can be undone."""

    def __init__(self) -> None:
        self.predicted = self.asked = 0

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Goes all-in where it has computed that it wins, which it checks against the cards that it sees."""
        self.asked += 1
        key = int(rng[0])
        candidates = {key, *grandparents(key, 1 + view.seat)}
        for hand in candidates:
            for cards in (child(hand, CARDS), prf(hand, CARDS), hand):
                deck = deck_of(cards, view.seats)
                own = deck[5 + 2 * view.seat : 7 + 2 * view.seat]
                if tuple(own) == tuple(view.hole):
                    self.predicted += 1
                    return Action("raise" if view.current_bet else "bet", view.max_raise_to)
        return FOLD if view.to_call else CHECK


def test_a_stream_does_not_lead_to_the_cards() -> None:
    undoer = Undoer()
    table = LiveTable(NL, [undoer, player("random")])
    for hand in range(300):
        table.play([NL.stack] * 2, hand % 2, child(7, hand))
    assert undoer.asked > 200
    assert undoer.predicted == 0


def test_the_same_attack_wins_where_keys_are_only_mixed() -> None:
    """Otherwise the test above would prove nothing."""
    for hand in (child(7, number) for number in range(50)):
        assert hand in grandparents(child(hand, 1), 1)
        assert deck_of(child(hand, CARDS), 2) in [
            deck_of(child(one, CARDS), 2) for one in grandparents(child(hand, 1), 1)
        ]


class Listener:
    """Notes the numbers that it draws."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:
        self.drawn.append(draw_below(rng, 1_000_000_000))
        return CALL if view.to_call else CHECK


def test_a_stream_does_not_tell_what_another_seat_draws() -> None:
    listeners = [Listener() for _ in range(4)]
    LiveTable(NL, listeners).play([NL.stack] * 4, 0, child(7, 0))
    drawn = [number for one in listeners for number in one.drawn]
    assert len(set(drawn)) == len(drawn) == 16


SPIES = '''
import gc, sys
from cardwin.games.base import Action, CALL, CHECK, FOLD

def best(view):
    return Action("raise" if view.current_bet else "bet", view.max_raise_to) if view.min_raise_to else CALL

class Sharer:
    """Keeps what it held in one seating for the twin who sits there in the next; the deal is the same."""
    seen = {}
    deals = 0
    def act(self, view, rng):
        other = Sharer.seen.get((view.button, 1 - view.seat))
        Sharer.seen[view.button, view.seat] = tuple(view.hole)
        if other and max(view.hole) // 4 > max(other) // 4:
            return best(view)
        return FOLD if view.to_call else CHECK
    known = property(lambda self: len(Sharer.seen))

class Peeper:
    """Looks for a table with cards in all frames and objects."""
    def find(self):
        frame = sys._getframe()
        while frame:
            for value in frame.f_locals.values():
                tables = getattr(value, "tables", None)
                if tables is not None and hasattr(tables, "dtype"):
                    return tables
            frame = frame.f_back
        for value in gc.get_objects():
            if type(value).__name__ == "LiveTable":
                return value.tables
    def act(self, view, rng):
        tables = self.find()
        if tables is None or not (tables["hole"][0] >= 0).any() or tables["hole"][0].max() == 0:
            return FOLD if view.to_call else CHECK
        return best(view)
'''


@pytest.fixture
def spies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spies.py").write_text(SPIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("spies", None)


@pytest.mark.usefixtures("spies")
@pytest.mark.parametrize("spy", ["Sharer", "Peeper"])
def test_in_a_process_of_its_own_a_spy_finds_nothing(spy: str) -> None:
    """In process both bet on what they found; isolated they find nothing and only check and fold."""
    bets = []
    for isolated in (False, True):
        record = match(
            NL,
            [f"python:spies:{spy}", "call"],
            60,
            seed=1,
            options=MatchOptions(duplicate=True, untrusted=Untrusted(time_limit=60, in_process=not isolated)),
        )
        bets.append(int((np.abs(record.chips[:, 0]) > 100).sum()))
        assert record.report.faults == (0, 0)
    assert bets[0] > 0
    assert bets[1] == 0


def test_seeds_are_too_many_to_try() -> None:
    """A stream's key is a function of the seed: whoever can try all seeds finds the cards. Fresh ones are long."""
    assert max(random_seed() for _ in range(50)) > 10**12
    keys = {prf(child(key_of(seed, "match"), 0), 1) for seed in range(1000)}
    assert len(keys) == 1000


# --- the walls of the operating system: each attack gets nothing, and succeeds where its walls are removed

FILES = frozenset({"mount-namespace", "private-inodes", "landlock", "capabilities"})
PROCESSES = NAMESPACES | FILES | {"seccomp"}
SEGMENT = 52_013  # NUMBER of the attackers
MESSAGE = "AhAd"
SYSTEM = standing_walls()
complete = pytest.mark.skipif(bool(missing_walls(SYSTEM)), reason="this system has no complete sandbox")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What attackers are told, and a process that they may attack; files outside the player's own folder."""
    players, outside = tmp_path / "players", tmp_path / "outside"
    (outside / "runs" / "seed-4711").mkdir(parents=True)
    (outside / "rival.log").write_text("rival holds AhAd")
    players.mkdir()
    (players / "attackers.py").write_text((Path(__file__).parent / "attackers.py").read_text())
    monkeypatch.syspath_prepend(str(players))
    code = "import ctypes, time; b = ctypes.create_string_buffer(b'the secret'); print(ctypes.addressof(b), flush=True)"
    words = [sys.executable, "-c", f"{code}; time.sleep(100)", "--seed", "4711"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        about = {"pid": victim.pid, "address": int(victim.stdout.readline()), "size": 10, "seed": "4711",
                 "runs": str(outside / "runs"), "log": str(outside / "rival.log"), "folder": str(players),
                 "name": f"cardwin-{victim.pid}"}  # fmt: skip
        (players / "targets.py").write_text(f"TARGET = {about!r}\n")
        yield {**about, "process": victim}
        victim.kill()
    _clean(f"cardwin-{victim.pid}")


def _clean(name: str) -> None:
    """Remove what attacks without walls have left."""
    for folder in ("/tmp", "/dev/shm"):  # noqa: S108
        with suppress(OSError):
            Path(folder, name).unlink()
    library = ctypes.CDLL(None)
    library.shmctl(library.shmget(SEGMENT, 4096, 0), 0, None)
    library.mq_unlink(b"/" + name.encode())


def asked(player: IsolatedPlayer) -> str:
    """What an attacker says that it found, after a decision."""
    table = LiveTable(NL, [None, None])
    table.begin([NL.stack] * 2, 0, 7)
    player.act(table.turn, stream_of(5))
    return str(player.explain())


def attacked(name: str, without: frozenset[str] = frozenset()) -> str:
    """What an attacker finds behind all walls but some."""
    player = IsolatedPlayer(f"python:attackers:{name}", 60, without)
    try:
        return asked(player)
    finally:
        player.close()


OUTSIDE = [
    ("ListsRuns", FILES, "seed-4711"),
    ("ReadsLog", FILES, "rival holds AhAd"),
    ("WritesIntoRun", FILES, "written"),
    ("EditsPackage", FILES, "opened"),
    ("EditsItself", FILES, "opened"),
    ("ReadsCommandLines", FILES, "4711"),
    ("KillsOutside", PROCESSES, "killed"),
    ("ReadsMemory", PROCESSES, "the secret"),
    ("Traces", PROCESSES, "traced"),
    ("Mounts", frozenset({"capabilities", "landlock"}), "mounted"),
    ("EntersUserNamespace", FILES, "entered"),
    ("FillsDisk", FILES | {"limits"}, "48 MB"),
    ("FillsMemory", frozenset({"limits", "memory-group", "memory-watch"}), str(2**31)),
]


@complete
@pytest.mark.usefixtures("target")
@pytest.mark.parametrize(("name", "walls", "gain"), OUTSIDE, ids=[name for name, _, _ in OUTSIDE])
def test_an_attack_on_what_is_outside_fails(name: str, walls: frozenset[str], gain: str) -> None:
    assert attacked(name).startswith("failed")
    if name == "EditsPackage" and not os.access(cardwin.__file__, os.W_OK):
        pytest.skip("this user cannot edit the package anyway")
    assert gain in attacked(name, walls)


CHANNELS = [
    ("TemporaryFile", FILES),
    ("OwnFolderFile", FILES),
    ("SharedMemoryFile", FILES),
    ("AbstractSocket", frozenset({"network-namespace", "landlock"})),
    ("Loopback", frozenset({"network-namespace", "landlock"})),
    ("Datagrams", frozenset({"network-namespace"})),
    ("SystemVMemory", frozenset({"ipc-namespace", "seccomp"})),
    ("MessageQueue", frozenset({"ipc-namespace", "landlock"})),
    ("Locks", frozenset({"private-inodes"})),
    ("Keyring", frozenset({"keyring"})),
]


@complete
@pytest.mark.usefixtures("target")
@pytest.mark.parametrize(("name", "walls"), CHANNELS, ids=[name for name, _ in CHANNELS])
def test_seats_cannot_tell_each_other_anything(
    name: str, walls: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "Keyring":  # processes share the session keyring of a login
        monkeypatch.setattr(launcher, "_hosts", {})
        system_calls.new_session_keyring()
    for without in (frozenset[str](), walls):
        seats = [IsolatedPlayer(f"python:attackers:{name}", 60, without) for _ in range(2)]
        first, second = [asked(seat) for seat in seats]
        assert first != MESSAGE
        assert (second == MESSAGE) == bool(without), (first, second)
        for seat in seats:
            seat.close()


@complete
@pytest.mark.usefixtures("target")
@pytest.mark.parametrize("without", [frozenset[str](), frozenset({"private-inodes"})], ids=["walls", "none"])
def test_seats_cannot_watch_each_other_open_files(without: frozenset[str]) -> None:
    seats = [IsolatedPlayer("python:attackers:Watches", 20, without) for _ in range(2)]
    assert [asked(seat) for seat in seats] == ["watching"] * 2
    assert (asked(seats[0]) == MESSAGE) == bool(without)
    for seat in seats:
        seat.close()


@pytest.mark.usefixtures("target")
def test_the_process_of_a_player_holds_nothing_of_the_match() -> None:
    isolated = IsolatedPlayer("python:attackers:SearchesObjects", 20)
    table = LiveTable(NL, [isolated, player("python:attackers:SearchesObjects")])
    table.play([NL.stack] * 2, 0, child(7, 0))
    assert str(isolated.explain()) == "failed: LookupError: nothing"
    assert str(table.players[1].explain()) == "['IsolatedPlayer', 'LiveTable']"  # type: ignore[union-attr]


@complete
@pytest.mark.usefixtures("target")
def test_the_environment_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWIN_SECRET", "4711")
    monkeypatch.setattr(launcher, "_hosts", {})
    assert attacked("ReadsEnvironment") == str(["HOME", "LANG", "PATH", "TMPDIR", "USER"])
    assert "CARDWIN_SECRET" in attacked("ReadsEnvironment", frozenset({"environment"}))


def bombs() -> int:
    """The processes of a fork bomb that are alive."""
    names = []
    for file in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            names.append(file.read_text().strip())
    return names.count("cardwin-bomb")


@complete
@pytest.mark.usefixtures("target")
def test_a_fork_bomb_is_small_and_ends_with_its_seat() -> None:
    bomber = IsolatedPlayer("python:attackers:Forks", 20)
    assert int(asked(bomber)) < MOST_PROCESSES
    assert bombs() > 5
    bomber.close()
    until = time.monotonic() + 3
    while bombs() and time.monotonic() < until:
        time.sleep(0.02)
    assert bombs() == 0
    assert attacked("Forks", frozenset({"limits", "process-group"})) == "48 forks"
    attacked("Forks", frozenset({"pid-namespace"}))
    time.sleep(0.3)
    assert bombs() > 5


@complete
@pytest.mark.usefixtures("target")
def test_an_answer_of_100_megabytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EndedError, match="an invalid answer of"):
        attacked("Answers")
    monkeypatch.setattr(process, "MOST_ANSWER", 2**28)
    assert attacked("Answers") == "nothing"  # no fault of its process: the referee would refuse the action


KILLABLE = frozenset({"pid-namespace", "landlock", "capabilities"})


@complete
@pytest.mark.usefixtures("target")
@pytest.mark.parametrize("without", [frozenset[str](), KILLABLE], ids=["walls", "none"])
def test_whose_process_is_killed_is_not_to_blame(without: frozenset[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A rival without walls was disqualified once, because its process had ended ten times."""
    monkeypatch.setattr(launcher, "_hosts", {})
    monkeypatch.setattr(launcher, "WITHOUT", without)
    specs = ["python:attackers:Killer", "python:attackers:Honest"]
    record = match(
        NL,
        specs,
        12,
        seed=1,
        options=MatchOptions(untrusted=Untrusted(time_limit=20, allow_weak_sandbox=bool(without))),
    )
    assert record.report.faults == (0, 0)
    assert record.report.restarts[0] == 0
    assert (record.report.restarts[1] > 5) == bool(without)
    monkeypatch.setattr(process, "RESTARTS", 0)
    if without:
        with pytest.raises(KilledError, match="killed from outside 1 times"):
            match(
                NL,
                specs,
                12,
                seed=1,
                options=MatchOptions(untrusted=Untrusted(time_limit=20, allow_weak_sandbox=bool(without))),
            )


@complete
@pytest.mark.usefixtures("target")
@pytest.mark.parametrize(
    ("name", "without"), [("EndsByCpuLimit", frozenset[str]()), ("EndsBySeccomp", frozenset({"seccomp"}))]
)
def test_who_makes_the_kernel_kill_it_is_to_blame(name: str, without: frozenset[str]) -> None:
    with pytest.raises(EndedError, match="its process ended"):
        attacked(name, without)


@complete
@pytest.mark.usefixtures("target")
def test_cards_left_in_a_file_win_only_without_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seatings of a duplicate deal share their cards: whoever can pass these on wins a stack every other deal."""
    records = []
    for without in (frozenset[str](), FILES):
        monkeypatch.setattr(launcher, "WITHOUT", without)
        specs = ["python:attackers:Sharer", "call"]
        records.append(
            match(
                NL,
                specs,
                120,
                seed=3,
                options=MatchOptions(
                    duplicate=True, untrusted=Untrusted(time_limit=20, allow_weak_sandbox=bool(without))
                ),
            )
        )
    walled, unwalled = (record.by_deal[:, 0] for record in records)
    assert np.abs(records[0].chips).max() <= NL.big_blind
    assert np.abs(walled).max() == 0
    assert unwalled.mean() > 4 * unwalled.std(ddof=1) / len(unwalled) ** 0.5


def test_without_namespaces_there_is_no_match_unless_a_weak_sandbox_is_allowed(
    target: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "WITHOUT", NAMESPACES)
    with pytest.raises(InputError, match=r"mount-namespace.* pid-namespace.*--allow-weak-sandbox"):
        require_walls(allow_weak=False)
    walls = require_walls(allow_weak=True)
    assert walls["environment"] == "stands"
    assert walls["pid-namespace"].startswith("absent")
    assert target["seed"] not in attacked("ReadsEnvironment", NAMESPACES)
    if walls["landlock"] == "stands":
        for name in ("ListsRuns", "ReadsLog", "ReadsCommandLines", "WritesIntoRun", "KillsOutside", "TemporaryFile"):
            assert attacked(name, NAMESPACES).startswith(("failed", "left")), name
        assert target["process"].poll() is None
