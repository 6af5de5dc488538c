"""A network's strategy before the flop: probabilities for all 169 classes in a few situations.

Nine players have 100 big blinds each. It is the first hand of a match, so no player has a history before it, and the
network has recorded the actions of this hand, as at a table. A player who folded has an aggressiveness of 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, CLASS_SIZES, HOLDING_CARDS
from cardwin.cards.tables import win_odds_store
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.base import FOLD, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.game import holdem_game
from cardwin.games.holdem.rules import RAISE
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import SEATS, Tables
from cardwin.players.network.inputs import aggressiveness, record_aggression
from cardwin.players.network.networks import NetworkForm, Networks, compute_outputs, population_networks

PLAYERS = 9
CLASS_CARDS = HOLDING_CARDS[np.unique(CLASS_OF_HOLDING, return_index=True)[1]]  # (169, 2), one holding of each


@dataclass(frozen=True)
class PreflopSituation:
    """A situation before the flop: `folds` seats fold after the first, which folds too or raises."""

    title: str
    raises: bool
    folds: int

    def actions(self, big_blind: int) -> tuple[Action, ...]:
        """Return the actions of the seats before this player, from the first to act on."""
        first = (Action("raise", 3 * big_blind),) if self.raises else ()
        return first + (FOLD,) * self.folds


SITUATIONS = (
    PreflopSituation("first to act", False, 0),
    PreflopSituation("button, everybody folded", False, 6),
    PreflopSituation("button, first player raised to 3 big blinds", True, 5),
    PreflopSituation("big blind, first player raised to 3 big blinds", True, 7),
)


@cache
def position_of(situation: PreflopSituation) -> HoldemState:
    """Return the state in which the situation's player has the turn."""
    cards = [int(card) for card in range(5, 5 + 2 * PLAYERS)]
    hole = [tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(PLAYERS)]
    game = holdem_game("holdem-nl", {})
    state = game.start(hole, tuple(range(5)))
    for action in situation.actions(game.big_blind):
        state = state.apply(action)
    return state


@cache
def _setting(situation: PreflopSituation) -> tuple[Tables, tuple[tuple[int, float], ...]]:
    """Return the situation's table, and for every action before it the seat and its aggressiveness."""
    state = position_of(situation)
    big_blind = int(state.tables[0]["big_blind"])
    actions, bet, noted = situation.actions(big_blind), big_blind, []
    for number, action in enumerate(actions):
        seat = (state.actor - len(actions) + number) % PLAYERS
        code = rules.FOLD if action == FOLD else RAISE
        noted.append((seat, aggressiveness(code, bet, action.amount, big_blind)))
        bet = max(bet, action.amount)
    return state.tables, tuple(noted)


@kernel
def write_chances(networks: Networks, ids: Ints, tables: Tables, cards: Ints, out: Floats) -> None:
    """Write the probabilities (n, 3) of the one network with each of the actor's hands (n, 2)."""
    t = tables[0]
    for row in range(len(cards)):
        t.hole[2 * t.actor], t.hole[2 * t.actor + 1] = cards[row, 0], cards[row, 1]
        compute_outputs(networks, 0, ids, t)
        for action in range(len(networks.out)):
            out[row, action] = networks.out[action]


def preflop_chances(form: NetworkForm, situation: PreflopSituation) -> Floats:
    """Return the probabilities (169, 3) of fold, call and raise, by class of hand."""
    out = np.empty((169, 3))
    networks = population_networks(form.weights[None], form, SEATS, win_odds_store.load())
    tables, noted = _setting(situation)
    for seat, value in noted if networks.aggression else ():
        record_aggression(networks.memory, seat, value)
    write_chances(networks, np.arange(SEATS), tables.copy(), CLASS_CARDS, out)
    return out


def likely_hands(form: NetworkForm, situation: PreflopSituation) -> str:
    """Return a line of text: how often it folds, calls and raises, and the hands that it raises most."""
    chances = preflop_chances(form, situation)
    fold, call, raise_ = CLASS_SIZES / CLASS_SIZES.sum() @ chances
    best = np.argsort(-chances[:, RAISE], kind="stable")[:5]
    names = " ".join(CLASS_NAMES[number] for number in best)
    return f"fold {fold:.0%}, call {call:.0%}, raise {raise_:.0%}, raises most with {names}"


def preflop_style(form: NetworkForm) -> Mapping[str, float]:
    """Return the shares of all hands that it plays and raises, first to act and on the button."""
    shares = CLASS_SIZES / CLASS_SIZES.sum()
    first, button = (shares @ preflop_chances(form, situation) for situation in SITUATIONS[:2])
    return {
        "plays_first": 1 - float(first[0]),
        "plays_button": 1 - float(button[0]),
        "raises_first": float(first[2]),
        "raises_button": float(button[2]),
    }
