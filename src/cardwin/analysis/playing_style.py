"""A player's style, from a sample of hands against given opponents: each statistic with its interval."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardwin.analysis.seen_hands import seen_hand
from cardwin.arena.interactive_table import estimate_json
from cardwin.arena.match import Listeners, Match
from cardwin.arena.referee import Referee
from cardwin.core.rng import key_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import makers_of
from cardwin.stats.intervals import bounded_mean
from cardwin.stats.style import SeenHand, samples_of, style_of

HANDS = 300
ABOUT = {
    "vpip": "hands with chips put in by choice before the flop",
    "pfr": "hands raised before the flop",
    "fold_to_bet": "bets faced that it folded to",
    "showdown": "hands shown down",
    "bluff": "bets and raises after the flop with a hand that beats less than half of all others",
}


def style(game: HoldemGame, spec: str, against: Sequence[str], hands: int = HANDS) -> dict[str, Any]:
    """Return the style of a player over hands against opponents; the hands are the same every time."""
    specs = [spec, *against]
    seen: list[SeenHand] = []
    listeners = Listeners(lambda _, table, events: seen.append(seen_hand(table, events)))
    played = Match(game, makers_of(specs), key_of(0, "style", *specs), referee=Referee(specs), listeners=listeners)
    played.play(hands)
    figures = {
        name: estimate_json(bounded_mean(np.array(sample, np.float64), (0.0, 1.0))) | {"about": ABOUT[name]}
        for name, sample in samples_of(0, seen).items()
        if sample
    }
    return {
        "hands": len(seen),
        "against": list(against),
        "figures": figures,
        "aggression": style_of(0, seen).aggression,
    }
