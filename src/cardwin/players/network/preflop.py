"""A network's strategy before the flop: probabilities for all 169 classes in a few situations.

Nine players with 100 big blinds each, in the first hand of a match: nobody has a history before it, and the network
has noted what the others did in it, as at a table. Whoever folded has an aggressiveness of 0, not a caller's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, CLASS_SIZES, HOLDING_CARDS
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.base import FOLD, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.game import holdem_game
from cardwin.games.holdem.rules import RAISE
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import SEATS, Tables
from cardwin.players.network.inputs import aggressiveness, begin_hand, remember
from cardwin.players.network.networks import NetworkForm, Networks, population_networks, think

PLAYERS = 9
CLASS_CARDS = HOLDING_CARDS[np.unique(CLASS_OF_HOLDING, return_index=True)[1]]  # (169, 2), one holding of each


@dataclass(frozen=True)
class PreflopSituation:
    """A situation before the flop: `folds` seats fold after the first, which folds too or raises."""

    title: str
    raises: bool
    folds: int

    def actions(self, big_blind: int) -> tuple[Action, ...]:
        """What the seats before this player did, from the first to speak on."""
        first = (Action("raise", 3 * big_blind),) if self.raises else ()
        return first + (FOLD,) * self.folds


SITUATIONS = (
    PreflopSituation("first to speak", False, 0),
    PreflopSituation("button, everybody folded", False, 6),
    PreflopSituation("button, the first raised to 3 big blinds", True, 5),
    PreflopSituation("big blind, the first raised to 3 big blinds", True, 7),
)
_STYLE = SITUATIONS[:2]


@cache
def position_of(situation: PreflopSituation) -> HoldemState:
    """The state in which the situation's player has the turn."""
    cards = [int(card) for card in range(5, 5 + 2 * PLAYERS)]
    hole = [tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(PLAYERS)]
    game = holdem_game("holdem-nl", {})
    state = game.start(hole, tuple(range(5)))
    for action in situation.actions(game.big_blind):
        state = state.apply(action)
    return state


def note_actions(networks: Networks, situation: PreflopSituation) -> None:
    """Begin a hand for all players and record the aggressiveness of what was done before the situation's player."""
    table = position_of(situation).tables[0]
    seats, big_blind = int(table["seats"]), int(table["big_blind"])
    for seat in range(seats):
        begin_hand(networks.memory, seat)
    if not networks.aggression:
        return
    seat, bet = first_to_speak(situation), big_blind
    for action in situation.actions(big_blind):
        code = rules.FOLD if action == FOLD else RAISE
        remember(networks.memory, seat, aggressiveness(code, bet, action.amount, big_blind))
        seat, bet = (seat + 1) % seats, max(bet, action.amount)


@cache
def first_to_speak(situation: PreflopSituation) -> int:
    """The seat that has the first decision of the hand."""
    done = len(situation.actions(1))
    return (position_of(situation).actor - done) % PLAYERS


@kernel
def write_chances(networks: Networks, who: Ints, tables: Tables, cards: Ints, out: Floats) -> None:
    """Probabilities (n, 3) of the one network with each of the actor's hands (n, 2)."""
    t = tables[0]
    for row in range(len(cards)):
        t.hole[2 * t.actor], t.hole[2 * t.actor + 1] = cards[row, 0], cards[row, 1]
        think(networks, 0, who, t)
        for action in range(len(networks.out)):
            out[row, action] = networks.out[action]


def preflop_chances(form: NetworkForm, situation: PreflopSituation) -> Floats:
    """Probabilities (169, 3) of fold, call and raise by class."""
    out = np.empty((169, 3))
    networks = population_networks(form.weights[None], form, SEATS, NO_TABLE)
    note_actions(networks, situation)
    write_chances(networks, np.arange(SEATS), position_of(situation).tables.copy(), CLASS_CARDS, out)
    return out


def likely_hands(form: NetworkForm, situation: PreflopSituation) -> str:
    """One line: how often it folds, calls and raises, and the hands that it raises most."""
    chances = preflop_chances(form, situation)
    fold, call, bold = CLASS_SIZES / CLASS_SIZES.sum() @ chances
    best = np.argsort(-chances[:, RAISE], kind="stable")[:5]
    names = " ".join(CLASS_NAMES[number] for number in best)
    return f"fold {fold:.0%}, call {call:.0%}, raise {bold:.0%}, most with {names}"


def preflop_style(form: NetworkForm) -> Mapping[str, float]:
    """The shares of all hands that it plays and raises, first to act and on the button."""
    shares = CLASS_SIZES / CLASS_SIZES.sum()
    means = [shares @ preflop_chances(form, situation) for situation in _STYLE]
    played = [1 - float(mean[0]) for mean in means]
    raised = [float(mean[2]) for mean in means]
    return {"plays_first": played[0], "plays_button": played[1], "raises_first": raised[0], "raises_button": raised[1]}
