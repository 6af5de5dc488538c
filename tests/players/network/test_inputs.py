"""The 35 inputs, computed again by slow and plain Python from the view and everything that was seen to happen."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from cardwin.arena.match import MatchOptions, play_match
from cardwin.cards.boards import board_bits
from cardwin.cards.holdings import CLASS_OF_HOLDING
from cardwin.cards.preflop import preflop
from cardwin.cards.win_odds import NO_TABLE, win_odds
from cardwin.core.rng import Stream, generator_of, key_of
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Posted
from cardwin.players.network.decision import Shape
from cardwin.players.network.inputs import INPUTS, NO_ODDS, POWER_ODDS, aggressiveness
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import player

NL = holdem_game("holdem-nl", {"stack": "3000"})


def random_form(seed: int, odds: int = NO_ODDS) -> NetworkForm:
    return NetworkForm(generator_of(seed).uniform(-1, 1, Shape().weights).astype(np.float32), odds=odds)


class Bookkeeper:
    """A network that is checked at every decision against a book of everything said at the table."""

    def __init__(self, form: NetworkForm) -> None:
        self.network = NetworkPlayer(form)
        self.dealt: dict[int, int] = defaultdict(int)  # hands, by seat
        self.book: dict[int, list[tuple[int, float]]] = defaultdict(list)  # hand and value of each decision, by seat
        self.bet = self.blind = self.checked = self.short = 0

    def watch(self, event: Event) -> None:
        self.network.watch(event)
        if isinstance(event, HandBegan):
            self.bet, self.blind = 0, event.big_blind
            for seat, stack in enumerate(event.stacks):
                self.dealt[seat] += stack > 0
        elif isinstance(event, Posted) and event.kind == "blind":
            self.bet = max(self.bet, event.chips)
        elif isinstance(event, BoardDealt):
            self.bet = 0
        elif isinstance(event, Acted):
            self.book[event.seat].append((self.dealt[event.seat], self._value(event)))
            self.bet = max(self.bet, event.action.amount)

    def _value(self, event: Acted) -> float:
        if event.action.name in ("bet", "raise"):
            return event.action.amount / self.bet if self.bet else 1 + event.action.amount / self.blind
        return 0.0 if event.action.name == "fold" else 1.0

    def act(self, view: HoldemView, rng: Stream) -> Action:
        action = self.network.act(view, rng)
        explanation = self.network.explain()
        raw = self.raw(view)
        raw["win_odds"] = explanation["inputs"]["win_odds"]
        assert list(explanation["inputs"]) == list(INPUTS)
        for name in INPUTS:
            assert abs(explanation["inputs"][name] - raw[name]) < 1e-9, (name, view)
        assert np.abs(np.array(explanation["scaled"]) - self.scaled(view, raw)).max() < 1e-6
        self.checked += 1
        self.short += raw["pot"] < view.pot
        return action

    def raw(self, view: HoldemView) -> dict[str, float]:
        inputs: dict[str, float] = {
            "pot": can_win(view), "to_call": view.to_call, "opponents": view.opponents,
            "hands_to_button": hands_until_button(view),
        }  # fmt: skip
        for number in range(10):
            seat = (view.seat + number) % view.seats
            there = number < view.seats and view.starting_stacks[seat] > 0
            values = [value for _, value in self.book[seat]]
            recent = [value for hand, value in self.book[seat] if hand > self.dealt[seat] - 10]
            inputs[f"chips_{number}"] = view.stacks[seat] if there else 0
            inputs[f"aggression_{number}"] = mean(values) if there else 0
            inputs[f"recent_{number}"] = mean(recent) if there else 0
        return inputs

    def scaled(self, view: HoldemView, raw: dict[str, float]) -> list[float]:
        def one(name: str, value: float) -> float:
            if name in ("pot", "to_call") or name.startswith("chips"):
                return value / (value + 20 * view.big_blind)
            if name.startswith(("aggression", "recent")):
                return value / (value + 1)
            return {"opponents": value / 9, "hands_to_button": value / 10, "win_odds": value}[name]

        return [one(name, raw[name]) for name in INPUTS]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def can_win(view: HoldemView) -> int:
    """Layer by layer: of every chip that somebody put in, whether the actor can put in as much."""
    reach = view.contributed[view.seat] + view.stacks[view.seat]
    return view.row[8] + sum(sum(1 for chips in view.contributed if chips > level) for level in range(reach))


def hands_until_button(view: HoldemView) -> int:
    order = [(view.button + step) % view.seats for step in range(view.seats)]
    order = [seat for seat in order if view.starting_stacks[seat] > 0 or seat == view.button]
    return order.index(view.seat)


@pytest.mark.parametrize(
    "others", [["random"], ["raise", "random", "call-or-raise"], ["all-in", "call", "fold", "random"]]
)
def test_every_input_at_every_decision(others: list[str]) -> None:
    keeper = Bookkeeper(random_form(1))
    for stacks in ("reset", "rebuy"):
        keeper.dealt.clear()
        keeper.book.clear()
        play_match(NL, [keeper, *map(player, others)], 40, key_of(2), options=MatchOptions(stacks=stacks))
    assert keeper.checked > 80


def test_short_stacks_among_side_pots() -> None:
    """Stacks are kept, so that some can win no more than their own from everyone."""
    keeper = Bookkeeper(random_form(5))
    play_match(
        NL,
        [keeper, player("all-in"), player("all-in"), player("raise")],
        60,
        key_of(3),
        options=MatchOptions(stacks="rebuy"),
    )
    assert keeper.checked > 20
    assert keeper.short > 0


def test_aggressiveness_of_single_decisions() -> None:
    assert aggressiveness(0, 200, 0, 100) == 0
    assert aggressiveness(1, 200, 0, 100) == 1
    assert aggressiveness(2, 200, 600, 100) == 3
    assert aggressiveness(2, 0, 150, 100) == 2.5


class Looker:
    """Compares the win odds that a network is told with those of the cards room."""

    def __init__(self) -> None:
        self.network = NetworkPlayer(random_form(2, POWER_ODDS))
        self.streets = set[int]()

    def act(self, view: HoldemView, rng: Stream) -> Action:
        self.network.act(view, rng)
        with_report = self.network.explain()["inputs"]["win_odds"]
        a, b = view.hole
        if not view.board:
            high, low = max(a, b), min(a, b)
            wanted = preflop().equity[CLASS_OF_HOLDING[high * (high - 1) // 2 + low], view.opponents - 1]
        else:
            bits = board_bits(np.array(view.board))
            wanted = win_odds(NO_TABLE, bits, len(view.board), a, b)
        # A table of powers has 15 bits.
        assert abs(with_report - wanted) < 1e-4
        self.streets.add(len(view.board))
        return Action("call") if view.to_call else Action("check")


def test_win_odds_against_one_opponent_are_those_of_the_cards() -> None:
    looker = Looker()
    play_match(NL, [looker, player("call")], 6, key_of(4))
    assert looker.streets == {0, 3, 4, 5}
