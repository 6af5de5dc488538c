"""Players that look for the seed: where the cards have one they win, and where the cards are secret they find nothing.

The attacker knows every line of this package. It looks for a number in four places: the name of the run's folder, the
command line of other processes, the result of an earlier leaderboard, and all numbers below 2,000 (the tests give it a
small seed there; the audit's 200,000 took 5 s). Each number is tried against its own random stream. Once one fits, it
knows all cards of every hand: it goes all in when it has the better hand at the showdown, and folds otherwise.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import answer

ATTACKER = '''
import json, re
from pathlib import Path
import numpy as np
from cardwin.arena.engine import CARDS
from cardwin.cards.card import CARD_NAMES
from cardwin.cards.question import rank_hand
from cardwin.core.rng import child, key_of, prf, shuffle_first, stream_of
from cardwin.games.base import CALL, CHECK, FOLD, Action

HERE = Path({here!r})


def numbers(place):
    if place == "folder":
        return [int(one) for path in HERE.rglob("*") for one in re.findall(r"[0-9]+", path.name)]
    if place == "command":
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [int(one) for one in path.read_bytes().split(b"\\0") if one.isdigit()]
            except OSError:
                pass
        return found
    if place == "board":
        return [json.loads(path.read_text()).get("seed") or 0 for path in HERE.glob("printed.json")]
    return list(range(2000))


def rank(cards):
    return rank_hand("".join(CARD_NAMES[card] for card in cards)).value


class Seeker:
    """Heads-up; `place` says where it looks, `names` how the match derives its key."""
    stateless = True
    place, names = "", ("match",)

    def __init__(self):
        try:
            self.seeds = numbers(self.place)
        except OSError:
            self.seeds = []
        self.key, self.looked = None, False

    def act(self, view, rng):
        if not self.looked:
            self.key, self.looked = self.find(int(rng[0]), view.seat), True
        hand = None if self.key is None else self.hand(int(rng[0]), view.seat)
        if hand is None:
            return CALL if view.to_call else CHECK
        deck = np.arange(52)
        shuffle_first(stream_of(prf(child(self.key, hand // self.per_deal), CARDS)), deck, 9)
        board, mine = deck[:5].tolist(), deck[5 + 2 * view.seat : 7 + 2 * view.seat].tolist()
        theirs = deck[7 - 2 * view.seat : 9 - 2 * view.seat].tolist()
        if rank([*board, *mine]) < rank([*board, *theirs]):
            if view.max_raise_to:
                return Action("raise" if view.current_bet else "bet", view.max_raise_to)
            return CALL if view.to_call else CHECK
        return FOLD if view.to_call else CHECK

    per_deal = 1

    def decisions(self, key):
        return key if self.per_deal == 1 else child(key, -1)

    def find(self, own, seat):
        for seed in self.seeds:
            key = key_of(seed, *self.names)
            if any(prf(child(self.decisions(key), hand), 1 + seat) == own for hand in range(8)):
                return key
        return None

    def hand(self, own, seat):
        for hand in range(600):
            if prf(child(self.decisions(self.key), hand), 1 + seat) == own:
                return hand
        return None


class InFolder(Seeker):
    place = "folder"


class InCommand(Seeker):
    place = "command"


class ByTrying(Seeker):
    place = "all"


class OnBoard(Seeker):
    place, per_deal = "board", 2
    names = ("pair", "call", "python:seeker:OnBoard")
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "seeker.py").write_text(ATTACKER.replace("{here!r}", repr(str(tmp_path))))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def won(result: dict[str, Any], spec: str) -> list[float]:
    """The interval of what a player won, which the bounds of the results guarantee: the cards have no seed."""
    (one,) = (one for one in result["players"] if one["spec"] == spec)
    return list(one["intervals"]["any_stop"]["interval"])


WEAK = ("--in-process",)


def attack(name: str, *words: str) -> dict[str, Any]:
    return answer("match", "call", f"python:seeker:{name}", "--hands", "300", "--time-limit", "0", *words)


@pytest.mark.usefixtures("here")
def test_small_seeds_are_found_by_trying_and_secrets_are_not() -> None:
    seeded = attack("ByTrying", "--seed", "1234")
    assert won(seeded, "python:seeker:ByTrying")[0] > 0
    assert seeded["fair"] is False
    secret = attack("ByTrying")
    assert won(secret, "python:seeker:ByTrying")[0] < 0 < won(secret, "python:seeker:ByTrying")[1]
    assert (secret["fair"], secret["seed"]) == (True, None)


def test_no_folder_has_the_seed_in_its_name(here: Path) -> None:
    (here / "runs" / "match-20261117-120000-99887").mkdir(parents=True)  # as folders were named before
    seeded = attack("InFolder", "--seed", "99887", *WEAK)
    assert won(seeded, "python:seeker:InFolder")[0] > 0
    walled = attack("InFolder", "--seed", "99887")
    assert won(walled, "python:seeker:InFolder")[0] < 0
    secret = answer("match", "call", "python:seeker:InFolder", "--hands", "300", "--time-limit", "0", "--out", "runs/a",
                    *WEAK)  # fmt: skip
    assert won(secret, "python:seeker:InFolder")[0] < 0


@pytest.mark.usefixtures("here")
@pytest.mark.skipif(sys.platform != "linux", reason="the attack reads /proc")
def test_the_command_line_of_another_process_is_not_seen() -> None:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)", "--seed", "77665544"])
    try:
        open_to_all = attack("InCommand", "--seed", "77665544", *WEAK)
        walled = attack("InCommand", "--seed", "77665544")
    finally:
        other.kill()
        other.wait()
    assert won(open_to_all, "python:seeker:InCommand")[0] > 0
    assert won(walled, "python:seeker:InCommand")[0] < 0


def test_a_board_tells_no_seed_to_who_joins_later(here: Path) -> None:
    spec = "python:seeker:OnBoard"

    def joined(folder: str, *words: str) -> dict[str, Any]:
        words = ("--out", folder, "--time-limit", "0", *words)
        printed = answer("leaderboard", "call", "raise", "--hands", "400", *words)
        (here / "printed.json").write_text(json.dumps(printed))
        return answer("leaderboard", "--resume", folder, "--add", spec)

    seeded = joined("open", "--seed", "55443322", *WEAK)
    order = [one["spec"] for one in seeded["players"]]
    cross = seeded["cross"][order.index(spec)][order.index("call")]
    assert cross["interval"][0] > 0
    assert seeded["fair"] is False
    secret = joined("secret")
    order = [one["spec"] for one in secret["players"]]
    assert secret["cross"][order.index(spec)][order.index("call")]["interval"][0] < 0
    assert (secret["fair"], json.loads((here / "secret" / "result.json").read_text())["seed"]) == (True, None)
