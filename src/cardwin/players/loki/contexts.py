"""Contexts of Loki's opponent model: in which situations a player's actions are counted together.

Papp (1998) used the round and the bets to call, twelve contexts. Reveley (2002) named others as a direction of
research: the pot odds, the number of players, what the player did last. Here each replaces or refines the bets to call:

- `bets`: round x bets to call (0, 1, 2 or more), Papp's twelve;
- `pot-odds`: round x price of a call (nothing, up to a fifth of the final pot, more), twelve;
- `players`: `bets` x players still in (2, 3 or 4, 5 or more), thirty-six;
- `last-action`: `bets` x what the player did before on this street (nothing, check or call, bet or raise), thirty-six.

The default frequencies are those of Papp's table for the same bets to call; a call above a fifth of the pot has those
of two bets. While a context has few observations, that of the round before is used.
"""

from collections.abc import Callable

import numpy as np

from cardwin.games.holdem.table import STREETS
from cardwin.players.loki.model import BETS, DEFAULTS, TWELVE, Contexts
from cardwin.players.loki.public_hand import RAISES, LokiSituation

DEAR = 0.2  # the share of the final pot from which a call is dear
PARTS = 3  # of `players` and `last-action`


def _by_round(name: str, parts: int, place: Callable[[LokiSituation], int]) -> Contexts:
    """Contexts of the bets to call, each in so many parts: `place` is one of BETS * parts, by bets first."""
    each = BETS * parts
    defaults = np.tile(np.repeat(DEFAULTS[:BETS], parts, axis=0), (STREETS, 1))
    before = np.maximum(np.arange(STREETS * each) - each, -1)
    return Contexts(name, lambda situation: each * situation.street + place(situation), defaults, before)


def _price(situation: LokiSituation) -> int:
    return 0 if situation.to_call <= 0 else 1 + int(situation.pot_odds > DEAR)


def _bets(situation: LokiSituation) -> int:
    return min(situation.bets_to_call, BETS - 1)


def _players(situation: LokiSituation) -> int:
    group = 0 if situation.players <= 2 else (1 if situation.players <= 4 else 2)
    return PARTS * _bets(situation) + group


def _last(situation: LokiSituation) -> int:
    done = 0 if situation.last < 0 else (2 if situation.last == RAISES else 1)
    return PARTS * _bets(situation) + done


CONTEXTS = {
    "bets": TWELVE,
    "pot-odds": _by_round("pot-odds", 1, _price),
    "players": _by_round("players", PARTS, _players),
    "last-action": _by_round("last-action", PARTS, _last),
}
