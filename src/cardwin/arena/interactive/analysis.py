"""Analysis of a finished hand: it is taken back to one of a person's decisions and played on from there.

1. The same cards are dealt again, and everybody repeats what was played up to the decision.
2. The person acts otherwise, and the players answer. They know the events of this hand and nothing of earlier ones, and
   draw the random numbers of the hand: where nothing else changes, they do the same again.

The result is the analysis's own: it does not enter the table's hands, and no player of the table learns from it. Cards
that nobody showed could come to light, so that it needs a table that shows all cards after a hand.
"""

from collections.abc import Sequence

from cardwin.arena.interactive.small_table import SmallTable
from cardwin.arena.interactive.table import ExplainingTable, FinishedHand, HoldemTable, InteractiveTable, people_in
from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.core.rng import child
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.view import HoldemView
from cardwin.players.kind import HoldemPlayer
from cardwin.players.specs import is_program


class RepeatingTable(ExplainingTable):
    """A table whose players first repeat recorded actions: each is asked, as it was, and its answer replaced."""

    repeated: Sequence[Action] = ()

    def decide(self, player: HoldemPlayer, view: HoldemView) -> None:
        """Ask the player, and play the recorded action if there is one left."""
        if not self.repeated:
            super().decide(player, view)
            return
        stream = self.rng[view.actor].copy()
        player.act(view, stream)
        self.rng[view.actor, 1] = stream[1]
        self._do(view, self.next_repeated())

    def next_repeated(self) -> Action:
        """Take the next recorded action from the list."""
        action, self.repeated = self.repeated[0], self.repeated[1:]
        return action


class HoldemAnalysis(HoldemTable):
    """A finished hand of a table of hold'em, from one of its decisions on."""

    table: RepeatingTable

    def _seat(self, seated: Sequence[HoldemPlayer | None]) -> RepeatingTable:
        return RepeatingTable(self.game, seated, Referee(self.specs))

    def replay(self, of: HoldemTable, number: int, actions: Sequence[Action]) -> None:
        """Deal the hand of that number again, and repeat its first actions."""
        self.number, self.key, seats = number, of.key, self.table.seats
        self.table.repeated = actions
        self.table.begin([self.game.stack] * seats, (number - 1) % seats, child(self.key, number))
        while self.table.repeated and self.turn in self.people:
            self.table.take(self.table.next_repeated())
        self._end_if_over()


def analysis_of(table: InteractiveTable, seat: int, number: int, place: int) -> InteractiveTable:
    """A finished hand at a decision of the person in a seat, which is named by the index of its event."""
    hand = next((one for one in table.hands if one.number == number), None)
    if hand is None:
        raise InputError(f"hand {number} is not over, or was never played: take back a decision of a finished hand")
    if not 0 <= place < len(hand.events) or hand.events[place]["what"] != "acted" or hand.events[place]["seat"] != seat:
        raise InputError(f"event {place} of hand {number} is no decision of yours: take back one that is")
    if not table.open_cards:
        raise InputError("taking back needs a table that shows all cards after a hand: hidden cards could be seen")
    if len(people_in(table.specs)) > 1 or any(map(is_program, table.specs)):
        raise InputError("taking back needs opponents that can be asked again: no other people, no outside programs")
    return _holdem(table, hand, place) if isinstance(table, HoldemTable) else _small(table, hand, place, seat)


def _holdem(table: HoldemTable, hand: FinishedHand, place: int) -> InteractiveTable:
    found = HoldemAnalysis(table.game, table.specs, 0, table.open_cards, table.names, table.review)
    acted = [event for event in hand.events[:place] if event["what"] == "acted"]
    found.replay(table, hand.number, [Action(event["action"], event["amount"]) for event in acted])
    return found


def _small(table: InteractiveTable, hand: FinishedHand, place: int, seat: int) -> InteractiveTable:
    """Policies have no memory, so the same streams repeat the hand."""
    if not isinstance(table, SmallTable):
        raise InputError("hands of this table cannot be taken back")
    found = SmallTable(table.game, table.specs, 0, table.open_cards, table.names)
    found.key, found.number = table.key, hand.number - 1
    found.deal()
    for event in hand.events[:place]:
        if event["what"] == "acted" and event["seat"] == seat and found.turn != NOBODY:
            found.take(seat, str(Action(event["action"], event["amount"])))
    return found
