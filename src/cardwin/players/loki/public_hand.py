"""A hand as all players see it, updated by events: what each seat faces when it acts.

The number of bets to call is counted alike at limit and no-limit tables: the chips to call divided by the last full
raise, rounded up. In no-limit a call that costs more than half of the pot (before the flop, three quarters) counts as
two bets, whatever the raise; with the usual sizes of limit hold'em that never happens.
"""

from dataclasses import dataclass, field
from typing import Self

from cardwin.core.kernel import kernel
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Posted

FOLDS, CALLS, RAISES = 0, 1, 2  # the counted kinds of actions; a check is a call of nothing
_COUNTED = {"fold": FOLDS, "check": CALLS, "call": CALLS, "bet": RAISES, "raise": RAISES}
_DEAR_FIRST, _DEAR_LATER = 0.75, 0.5  # shares of the pot, before the flop and after


def counted(action: Action) -> int:
    """The kind of an action, one of three."""
    return _COUNTED[action.name]


@kernel
def count_bets(to_call: int, last_raise: int, pot: int, street: int) -> int:
    """The number of bets to call."""
    if to_call <= 0:
        return 0
    bets = -(-to_call // max(last_raise, 1))
    dear = _DEAR_LATER if street > 0 else _DEAR_FIRST
    return max(bets, 2) if to_call > dear * pot else bets


@dataclass(frozen=True, slots=True)
class LokiSituation:
    """What a seat faces when it acts, from which a model's contexts are computed.

    `last` is the same seat's previous action on this street (FOLDS, CALLS, RAISES), or -1.
    """

    street: int
    bets_to_call: int
    to_call: int
    pot: int
    players: int
    last: int = -1

    @property
    def pot_odds(self) -> float:
        """The share of the final pot that a call pays."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0


@dataclass
class PublicHand:
    """The hand so far. `boards` are the boards of the streets that have begun, the first one empty."""

    players: int = 0
    pot: int = 0
    current_bet: int = 0
    last_raise: int = 0
    bets: dict[int, int] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    last: dict[int, int] = field(default_factory=dict)
    boards: list[tuple[int, ...]] = field(default_factory=lambda: [()])

    @classmethod
    def begun(cls, event: HandBegan) -> Self:
        """A new hand."""
        return cls(players=sum(stack > 0 for stack in event.stacks), last_raise=event.big_blind)

    @property
    def street(self) -> int:
        """0 before the flop, then 1, 2, 3."""
        return len(self.boards) - 1

    def situation(self, seat: int) -> LokiSituation:
        """What a seat faces now."""
        to_call = self.current_bet - self.bets.get(seat, 0)
        bets = count_bets(to_call, self.last_raise, self.pot, self.street)
        return LokiSituation(
            self.street, bets, to_call, self.pot, self.players - len(self.folded), self.last.get(seat, -1)
        )

    def follow(self, event: Event) -> None:
        """Update the hand by an event."""
        match event:
            case Posted():
                self.pot += event.chips
                if event.kind == "blind":
                    self._put(event.seat, event.chips)
            case Acted():
                self._act(event.seat, event.action, event.chips)
            case BoardDealt():
                self.current_bet, self.last_raise = 0, 0
                self.bets.clear()
                self.last.clear()
                self.boards.append((*self.boards[-1], *event.cards))

    def _act(self, seat: int, action: Action, chips: int) -> None:
        before = self.bets.get(seat, 0)
        self.last[seat] = counted(action)
        if action.name == "fold":
            self.folded.add(seat)
        elif action.name in ("bet", "raise"):
            self.last_raise = max(self.last_raise, action.amount - self.current_bet)
            self.pot += action.amount - before
            self._put(seat, action.amount - before)
        else:
            self.pot += chips
            self._put(seat, chips)

    def _put(self, seat: int, chips: int) -> None:
        self.bets[seat] = self.bets.get(seat, 0) + chips
        self.current_bet = max(self.current_bet, self.bets[seat])
