"""Hands of Lokis, every decision of which is hashed: the same hands must give the same hashes in every version.

`python decisions.py FILE` plays all of them and writes the hashes, by name: the first ones and those of all hands. The
file `decisions.json` was written at commit 9828ff1, where Loki was a player in Python.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardwin.arena.live_table import LiveTable
from cardwin.arena.recorded_hands import HandRecorder
from cardwin.core.rng import bits_at, key_of
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import player

FILE = Path(__file__).with_name("decisions.json")
VARIANTS = (
    "loki", "loki:model=generic", "loki:model=none", "loki:doubts=off", "loki:tightness=moderate",
    "loki:tightness=tight", "loki:showdown-odds=off", "loki:pot-odds=off", "loki:semi-bluffs=off",
    "loki:weights=income", "loki:lookahead=0", "loki:model=none,lookahead=2", "loki:model=none,tightness=tight",
    "loki:model=generic,showdown-odds=off,pot-odds=off,semi-bluffs=off",
)  # fmt: skip
OTHERS = ("random", "call", "raise", "standard", "call-or-raise")


@dataclass(frozen=True)
class Table:
    """A table, its hands, and how many of them a short test plays; with short stacks, of any size."""

    game: str
    specs: tuple[str, ...]
    hands: int
    few: int
    short: bool = False


def tables() -> Iterator[tuple[str, Table]]:
    """All tables by name: every variant heads-up, tables of several seats, other games, short stacks."""
    for number, spec in enumerate(VARIANTS):
        for other in ("loki", OTHERS[number % len(OTHERS)]):
            few = 8 if "lookahead=2" not in spec else 2
            hands = 150 if "lookahead=2" not in spec else 40
            yield f"{spec} v {other}", Table("holdem-limit", (spec, other), hands, few)
    yield "ten variants", Table("holdem-limit", VARIANTS[:10], 150, 4)
    yield "six", Table("holdem-limit", (*VARIANTS[:3], *OTHERS[:3]), 300, 6)
    yield "three", Table("holdem-limit", (VARIANTS[0], VARIANTS[13], "random"), 300, 6)
    yield "short stacks", Table("holdem-limit", (VARIANTS[0], VARIANTS[1], "random", "raise"), 300, 10, True)
    yield "no-limit", Table("holdem-nl", (VARIANTS[0], VARIANTS[1], "random", VARIANTS[2]), 200, 10)
    yield "no-limit, short stacks", Table("holdem-nl", (VARIANTS[0], VARIANTS[1], "random", "all-in"), 200, 10, True)
    yield "simple", Table("holdem-simple", (VARIANTS[0], VARIANTS[2], "random"), 40, 3)


def hash_hands(table: Table, hands: int, in_python: bool = False) -> str:
    """The hash of every action of so many hands, in order, with what each seat won."""
    game, seats = holdem_game(table.game, {}), len(table.specs)
    live = LiveTable(game, [player(spec) for spec in table.specs], in_python=in_python)
    live.recorder = HandRecorder()
    digest = hashlib.blake2b(digest_size=16)
    for number in range(hands):
        stacks = [game.stack] * seats
        if table.short:
            stacks = [1 + bits_at(key_of(3, "stacks", number), seat) % (12 * game.min_bet) for seat in range(seats)]
        won = live.play(stacks, number % seats, key_of(2, "decisions", number))
        digest.update(json.dumps([live.recorder.hands.pop().actions, won]).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    found = {name: [hash_hands(one, one.few), hash_hands(one, one.hands)] for name, one in tables()}
    Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
