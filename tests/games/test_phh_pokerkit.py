"""Random histories of all kinds, as PokerKit, the format's own reader, finishes them, and as we do.

A history is grown action by action at PokerKit's table, with everything that its reader takes: free folds, straddles,
posts, unequal and trimmed antes, stacks that nobody wrote down, decimals, hidden and half-known cards, hands shown in
part, again, or mucked. Whatever PokerKit finishes with all chips accounted for we must finish too, to the same stacks:
only odd chips of shared pots may lie elsewhere, and in decimals PokerKit has none.
"""

import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from pokerkit import HandHistory, StandardHighHand, State
from pokerkit.notation import parse_action

from cardwin.games.formats.phh import replay_text

pytestmark = pytest.mark.filterwarnings("ignore")  # PokerKit warns of every oddity
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.fixture(scope="module", autouse=True)
def quick_pokerkit() -> Iterator[None]:
    """PokerKit finds the best five of the same seven cards many times a showdown: here only once."""
    find = StandardHighHand.from_game
    found: dict[Any, Any] = {}

    def remembered(hole: Any, board: Any = ()) -> Any:
        key = tuple(hole), tuple(board)
        if key not in found:
            found.clear()
            try:
                found[key] = find(*key)
            except (KeyError, ValueError) as error:
                found[key] = error
        if isinstance(found[key], Exception):
            raise found[key]
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StandardHighHand, "from_game", remembered)
        yield


def random_fields(rng: random.Random) -> dict[str, Any]:
    """A table: variant, forced bets and stacks, with all oddities."""
    seats = rng.choice([2, 2, 3, 3, 4, 6, 9])
    big = rng.choice([2, 10, 20])
    unit: Any = rng.choice([1, 1, 1, Decimal("0.25"), Decimal("0.1")])
    blinds = [rng.choice([big // 2, big // 2, 0, big]), big, *[0] * (seats - 2)]
    for seat in range(2, seats):
        odd = rng.random()
        if odd < 0.15:
            blinds[seat] = -rng.choice([big, big, big // 2, 2 * big])
        elif odd < 0.25:
            blinds[seat] = 2 * big
    ante = rng.choice([0, 0, 1, 3])
    antes = [ante] * seats
    if rng.random() < 0.3:
        antes = [rng.choice([0, 0, 1, big]) for _ in range(seats)]
    if rng.random() < 0.1:
        blinds = [0] * seats if any(antes) else blinds
    depth = rng.choice([big, 5 * big, 30 * big, 100 * big])
    stacks: list[Any] = [(1 + rng.randrange(depth)) * unit for _ in range(seats)]
    if rng.random() < 0.1:
        stacks = [Decimal("inf") if rng.random() < 0.7 else stack for stack in stacks]
    fields: dict[str, Any] = {
        "variant": rng.choice(["NT", "NT", "FT"]),
        "antes": [ante * unit for ante in antes],
        "blinds_or_straddles": [blind * unit for blind in blinds],
        "starting_stacks": stacks,
    }
    if rng.random() < 0.7:
        fields["ante_trimming_status"] = rng.random() < 0.5
    if fields["variant"] == "FT":
        return fields | {"small_bet": big * unit, "big_bet": 2 * big * unit}
    return fields | {"min_bet": rng.choice([big, big, 1, 2 * big]) * unit}


class Grower:
    """A history that grows at PokerKit's table."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.fields = random_fields(rng)
        self.deck = CARDS.copy()
        rng.shuffle(self.deck)
        self.shy = rng.choice([0.0, 0.0, 0.3])  # how often cards are hidden
        self.actions: list[str] = []
        self.state = HandHistory(**self.fields, actions=[]).create_state()
        self.hole: dict[int, str] = {}

    def take(self, action: str) -> None:
        parse_action(self.state, action)
        self.actions.append(action)

    def card(self) -> str:
        card = self.deck.pop()
        return "??" if self.rng.random() < self.shy else card

    def grow(self) -> None:
        for seat in range(len(self.fields["starting_stacks"])):
            self.hole[seat] = self.card() + self.card()
            self.take(f"d dh p{seat + 1} {self.hole[seat]}")
        state = self.state
        while state.status:
            if state.actor_index is not None:
                self.decide(state.actor_index)
            elif state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_board():
                self.take("d db " + "".join(self.deck.pop() for _ in range(state.board_dealing_count or 0)))
            else:
                assert state.showdown_index is not None
                self.show(state.showdown_index)

    def decide(self, seat: int) -> None:
        state, rng = self.state, self.rng
        choices = ["cc", "cc", "f"] if state.checking_or_calling_amount or rng.random() < 0.1 else ["cc"]
        least = state.min_completion_betting_or_raising_to_amount
        if least is not None:
            choices += ["cbr", "cbr"]
        choice = rng.choice(choices)
        if choice != "cbr":
            self.take(f"p{seat + 1} {choice}")
            return
        most = state.max_completion_betting_or_raising_to_amount
        amount: Any = rng.choice([least, most if most != Decimal("inf") else least])
        if most != Decimal("inf") and rng.random() < 0.3:
            amount = least + (most - least) * rng.randrange(5) // 4
        self.take(f"p{seat + 1} cbr {amount}")

    def show(self, seat: int) -> None:
        hole = self.hole[seat]
        ways = ["sm " + hole] * 6 + ["sm"]
        if self.shy:
            ways += ["sm ????", f"sm {hole[:2]}??", f"sm {hole[:2]}"]
        if "?" not in hole:
            ways.append("sm -")
        self.take(f"p{seat + 1} {self.rng.choice(ways)}")


def finished_by_pokerkit(text: str) -> State | None:
    """The last state, where PokerKit comes to an end and no chips get lost on the way."""
    try:
        *_, state = HandHistory.loads(text)
    except AssertionError:
        return None
    return None if state.status or abs(sum(state.payoffs)) > 1e-9 else state


@pytest.mark.parametrize(("seed", "hands"), [(7, 400), pytest.param(8, 20_000, marks=pytest.mark.slow)])
def test_what_pokerkit_finishes_we_finish(seed: int, hands: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for number in range(hands):
        grower = Grower(rng)
        try:
            grower.grow()
        except AssertionError:
            continue  # nobody was left to win a pot: PokerKit breaks off
        text = HandHistory(**grower.fields, actions=grower.actions).dumps()
        theirs = finished_by_pokerkit(text)
        if theirs is None:
            continue
        with_report = HandHistory.loads(text, finishing_stacks=theirs.stacks).dumps()
        [ours] = replay_text(with_report)
        assert ours.reason == "", f"{number}: {ours.reason}\n{with_report}"
        compared += 1
    assert compared > hands * 0.9
