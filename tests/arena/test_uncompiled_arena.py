"""The arena's kernels give the same results uncompiled, in a process of their own."""

from support import outputs_both_ways

SAMPLE = """
import numpy as np
from cardwin.arena.match import match, play_match
from cardwin.analysis.seen_hands import share_beaten
from cardwin.arena.tournament import tournament
from cardwin.arena.tournament import Structure
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import player
for name in ("holdem-nl", "holdem-simple"):
    game = holdem_game(name, {})
    record = match(game, ["random", "all-in", "call"], 12, 1, duplicate=True, adjust=name == "holdem-simple")
    print(record.digest, record.adjusted.tolist())
    print(play_match(game, [player("random"), player("raise")], 10, 3, stacks="kept").tolist())
    print(tournament(game, ["random*12", "all-in"], 1, 2, structure=Structure(every=2, growth=3)).digest)
print(share_beaten(np.array([0, 17, 30, 44, 51]), False), share_beaten(np.array([0, 17, 30, 44, 51, 7]), True))
"""


def test_the_arena_is_python_too() -> None:
    compiled, uncompiled = outputs_both_ways(SAMPLE)
    assert compiled == uncompiled
