"""Charts before the flop against decisions at a table: the same situation must give the same probabilities."""

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING
from cardwin.core.rng import Stream, generator_of
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.players.champions import FOLDER, names
from cardwin.players.network.decision import Shape
from cardwin.players.network.files import SUFFIX, load_network
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.network.preflop import PLAYERS, SITUATIONS, PreflopSituation, position_of, preflop_chances
from cardwin.players.registry import player

GAME = holdem_game("holdem-nl", {})
BUTTON = PLAYERS - 1


class Opener:
    """Raises to three big blinds, and folds or checks afterwards."""

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  the protocol's name
        if view.current_bet == view.big_blind:
            return Action("raise", 3 * view.big_blind)
        return view.legal_actions[0]


class Chooser:
    """A network whose probabilities at its first decision are kept, with its cards' class."""

    def __init__(self, form: NetworkForm) -> None:
        self.network = NetworkPlayer(form)
        self.watch = self.network.watch
        self.seen: tuple[int, list[float]] | None = None

    def act(self, view: HoldemView, rng: Stream) -> Action:
        action = self.network.act(view, rng)
        if self.seen is None:
            high, low = max(view.hole), min(view.hole)
            number = int(CLASS_OF_HOLDING[high * (high - 1) // 2 + low])
            self.seen = number, list(self.network.explain()["outputs"].values())
        return action


def played(form: NetworkForm, situation: PreflopSituation, key: int) -> tuple[int, list[float]]:
    """One hand, the first of a match, up to the situation: the class of the hand and what the network made of it."""
    chooser, seat = Chooser(form), position_of(situation).actor
    players = [player("fold") for _ in range(PLAYERS)]
    if situation.raises:
        players[(BUTTON + 3) % PLAYERS] = Opener()
    players[seat] = chooser
    LiveTable(GAME, players, in_python=True).play([GAME.stack] * PLAYERS, BUTTON, key)
    assert chooser.seen is not None
    return chooser.seen


def a_form(seed: int, *, aggression: bool = True) -> NetworkForm:
    weights = generator_of(seed).uniform(-1, 1, Shape().weights).astype(np.float32)
    return NetworkForm(weights, aggression=aggression)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.title)
@pytest.mark.parametrize("aggression", [True, False])
def test_a_chart_is_what_the_network_does_at_a_table(situation: PreflopSituation, aggression: bool) -> None:
    form = a_form(3, aggression=aggression)
    chart = preflop_chances(form, situation)
    for key in range(25):
        number, chances = played(form, situation, key)
        assert np.abs(chart[number] - chances).max() < 1e-6, CLASS_NAMES[number]


@pytest.mark.parametrize("name", names(SUFFIX))
def test_so_it_is_for_every_network_that_is_included(name: str) -> None:
    """The chart once took those who had just folded for callers: aces of `baseline` on the button, fold 98% for 37%."""
    form = load_network(FOLDER / f"{name}{SUFFIX}").form
    for key in range(5):
        number, chances = played(form, SITUATIONS[1], key)
        assert np.abs(preflop_chances(form, SITUATIONS[1])[number] - chances).max() < 1e-6, CLASS_NAMES[number]
