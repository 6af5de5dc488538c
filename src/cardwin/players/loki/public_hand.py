"""A hand as all players see it, updated by events: what each seat faces when it acts.

The number of bets to call is counted alike at limit and no-limit tables: the chips to call divided by the last full
raise, rounded up. In no-limit a call that costs more than half of the pot (before the flop, three quarters) counts as
two bets, whatever the raise; with the default sizes of limit hold'em that never happens.
"""

from dataclasses import dataclass, field
from typing import Self

from cardwin.core.kernel import kernel
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Posted
from cardwin.games.holdem.view import HoldemView

FOLDS, CALLS, RAISES = 0, 1, 2  # the counted kinds of actions; a check is a call of nothing
ACTION_KINDS = {"fold": FOLDS, "check": CALLS, "call": CALLS, "bet": RAISES, "raise": RAISES}
_HIGH_PRICE_PREFLOP, _HIGH_PRICE = 0.75, 0.5  # shares of the pot


@kernel(refcount=False)
def count_bets(to_call: int, last_raise: int, pot: int, street: int) -> int:
    """Return the number of bets to call."""
    if to_call <= 0:
        return 0
    bets = -(-to_call // max(last_raise, 1))
    high_price = _HIGH_PRICE if street > 0 else _HIGH_PRICE_PREFLOP
    return max(bets, 2) if to_call > high_price * pot else bets


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
    """The hand so far.

    Attributes:
        players: The number of players dealt in.
        pot: All chips put in.
        current_bet: The bet to match on this street.
        last_raise: The last full raise on this street.
        bets: Chips put in on this street by seat.
        folded: The seats that have folded.
        last: The previous action of each seat on this street.
        boards: The boards of the streets that have begun, the first one empty.

    """

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
        """Return a new hand."""
        return cls(players=sum(stack > 0 for stack in event.stacks), last_raise=event.big_blind)

    @classmethod
    def seen_in(cls, view: HoldemView) -> Self:
        """Return a hand of which only a view is known."""
        boards = [view.board[:size] for size in (0, 3, 4, 5) if size <= len(view.board)]
        return cls(players=sum(stack > 0 for stack in view.starting_stacks), boards=boards)

    @property
    def street(self) -> int:
        """0 before the flop, then 1, 2, 3."""
        return len(self.boards) - 1

    def situation(self, seat: int) -> LokiSituation:
        """Return what a seat faces now."""
        to_call = self.current_bet - self.bets.get(seat, 0)
        bets = count_bets(to_call, self.last_raise, self.pot, self.street)
        players = self.players - len(self.folded)
        return LokiSituation(self.street, bets, to_call, self.pot, players, self.last.get(seat, -1))

    def follow(self, event: Event) -> None:
        """Update the hand by an event."""
        match event:
            case Posted():
                self._pay(event.seat, event.chips, is_bet=event.kind == "blind")
            case Acted():
                action = event.action
                self.last[event.seat] = ACTION_KINDS[action.name]
                if action.name == "fold":
                    self.folded.add(event.seat)
                    return
                chips = event.chips
                if action.name in ("bet", "raise"):
                    self.last_raise = max(self.last_raise, action.amount - self.current_bet)
                    chips = action.amount - self.bets.get(event.seat, 0)
                self._pay(event.seat, chips)
            case BoardDealt():
                self.current_bet, self.last_raise = 0, 0
                self.bets.clear()
                self.last.clear()
                self.boards.append((*self.boards[-1], *event.cards))

    def _pay(self, seat: int, chips: int, *, is_bet: bool = True) -> None:
        self.pot += chips
        if is_bet:
            self.bets[seat] = self.bets.get(seat, 0) + chips
            self.current_bet = max(self.current_bet, self.bets[seat])
