"""A finished hand as a room's text in the layout of PokerStars, which trackers and replayers read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError
from cardwin.games.holdem.events import STREET_NAMES, Acted, BoardDealt, Event, Posted, Returned, Shown, Won
from cardwin.games.holdem.history import History, replay

KINDS = {"nl": "No Limit", "limit": "Limit"}
DAY = "2026/01/01 12:00:00 ET"


@dataclass(frozen=True)
class RoomStyle:
    """The style of a text: units per chip, sign and code of the currency, and the rake in units.

    `dead` are the antes that are dead blinds, by seat; `room` begins the header; with `mucks` losers muck.
    """

    scale: int = 1
    sign: str = ""
    code: str = ""
    rake: int = 0
    tournament: str = ""
    table: str = "Table"
    room: str = "PokerStars Hand"
    dead: tuple[int, ...] = ()
    mucks: bool = False


PLAIN = RoomStyle()


def room_text(history: History, number: int, style: RoomStyle = PLAIN) -> str:
    """Return the text of a finished hand. Seats without names are Player 1 and so on; the last seat is the button.

    Args:
        history: The hand.
        number: Its number in the header.
        style: Currency, rake and header.

    Raises:
        InputError: If poker rooms do not have the game, or a step breaks a rule.

    """
    if history.game.kind not in KINDS:
        raise InputError(f"unsupported game: expected no-limit or limit hold'em, got holdem-{history.game.kind}")
    return "\n".join(_Writer(history, style).lines(number)) + "\n"


class _Writer:
    """The lines of one hand."""

    def __init__(self, history: History, style: RoomStyle) -> None:
        self.history, self.style, self.state = history, style, replay(history)
        seats = len(history.stacks)
        self.names = history.names or tuple(f"Player {seat + 1}" for seat in range(seats))
        self.dead = style.dead or (0,) * seats
        self.full = history.game.big_blind
        self.left, self.bets, self.bet = list(history.stacks), [0] * seats, 0

    def money(self, units: int) -> str:
        """Return an amount with the currency's sign, and cents if it has any."""
        chips = Decimal(units) / self.style.scale
        return f"{self.style.sign}{chips:.2f}" if units % self.style.scale else f"{self.style.sign}{chips:f}"

    def lines(self, number: int) -> Iterator[str]:
        """Yield all lines, in order."""
        yield self._header(number)
        seats = len(self.names)
        yield f"Table '{self.style.table}' {max(seats, 2)}-max Seat #{seats} is the button"
        for seat, name in enumerate(self.names):
            yield f"Seat {seat + 1}: {name} ({self.money(self.history.stacks[seat])} in chips)"
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        for event in self.state.events:
            yield from self._event(event)
        yield from self._end()

    def _header(self, number: int) -> str:
        game, style = self.history.game, self.style
        stakes = (game.small_bet, game.big_bet) if game.kind == "limit" else (self._small(), game.big_blind)
        code = f" {style.code}" if style.code else ""
        level = f" - Level I ({self.money(stakes[0])}/{self.money(stakes[1])})"
        shown = f" ({self.money(stakes[0])}/{self.money(stakes[1])}{code})"
        start = f"{style.room} #{number}: {style.tournament and f'Tournament #{style.tournament}, '}"
        return f"{start}Hold'em {KINDS[game.kind]}{level if style.tournament else shown} - {DAY}"

    def _small(self) -> int:
        return next((blind for blind in self.history.blinds if 0 < blind < self.full), self.full // 2)

    def _posts(self) -> Iterator[str]:
        """Yield the antes, blinds and straddles, and then the posts of players who come in."""
        history, seats = self.history, range(len(self.names))
        posted = {event.seat: event.chips for event in self.state.events if _is_ante(event)}
        for seat in seats:
            if ante := posted.get(seat, 0) - self.dead[seat]:
                yield self._put(seat, f"posts the ante {self.money(ante)}", ante)
        order = [seat for seat in seats if history.blinds[seat] > 0]
        # Heads-up the button, which is the last seat, posts first.
        order = [seat for seat in order if self.left[seat]]
        for seat in reversed(order) if len(seats) == 2 else order:
            blind = history.blinds[seat]
            name = "small blind" if blind < self.full else "big blind" if blind == self.full else "straddle"
            yield self._blind(seat, name, blind, 0)
        for seat in seats:
            if history.blinds[seat] < 0:
                name = "small & big blinds" if self.dead[seat] else "big blind"
                yield self._blind(seat, name, -history.blinds[seat], self.dead[seat])
            elif self.dead[seat]:
                yield self._blind(seat, "small blind", 0, self.dead[seat])

    def _blind(self, seat: int, name: str, live: int, dead: int) -> str:
        dead = min(dead, self.left[seat])
        live = min(live, self.left[seat] - dead)
        self.bets[seat] += live
        self.bet = max(self.bet, self.bets[seat], self.history.to_match)
        return self._put(seat, f"posts {name} {self.money(live + dead)}", live + dead)

    def _put(self, seat: int, text: str, chips: int) -> str:
        self.left[seat] -= chips
        return f"{self.names[seat]}: {text}{' and is all-in' if self.left[seat] == 0 and chips else ''}"

    def _event(self, event: Event) -> Iterator[str]:
        if isinstance(event, Acted):
            yield self._acted(event)
        elif isinstance(event, Returned):
            yield f"Uncalled bet ({self.money(event.chips)}) returned to {self.names[event.seat]}"
        elif isinstance(event, BoardDealt):
            self.bets, self.bet = [0] * len(self.names), 0
            before = self.state.board[: {1: 0, 2: 3, 3: 4}[event.street]]
            old = f" [{_cards(before)}]" if before else ""
            yield f"*** {STREET_NAMES[event.street].upper()} ***{old} [{_cards(event.cards)}]"

    def _acted(self, event: Acted) -> str:
        seat, action, before = event.seat, event.action, self.bet
        self.bets[seat] += event.chips
        if action.amount:
            self.bet = action.amount
        texts = {
            "fold": "folds",
            "check": "checks",
            "call": f"calls {self.money(event.chips)}",
            "bet": f"bets {self.money(action.amount)}",
            "raise": f"raises {self.money(action.amount - before)} to {self.money(action.amount)}",
        }
        return self._put(seat, texts[action.name], event.chips)

    def _end(self) -> Iterator[str]:
        """Yield the showdown, the chips collected, and the summary."""
        wins = [event for event in self.state.events if isinstance(event, Won)]
        shown = [event for event in self.state.events if isinstance(event, Shown)]
        winners, showdown = {event.seat for event in wins}, int(self.state.tables["live"][0]) > 1
        mucked = {event.seat for event in shown if self.style.mucks and event.seat not in winners}
        if showdown:
            yield "*** SHOW DOWN ***"
        for event in shown if showdown else ():
            hides = event.seat in mucked
            yield f"{self.names[event.seat]}: " + ("mucks hand" if hides else f"shows [{_cards(event.cards)}]")
        rake, pots = self.style.rake, sorted({event.pot for event in wins})
        for win in sorted(wins, key=lambda event: -event.chips):
            taken = min(rake, win.chips)
            rake -= taken
            yield f"{self.names[win.seat]} collected {self.money(win.chips - taken)} from {_pot(win.pot, pots)}"
        if not showdown:
            yield f"{self.names[wins[0].seat]}: doesn't show hand"
        yield "*** SUMMARY ***"
        yield f"Total pot {self.money(sum(win.chips for win in wins))} | Rake {self.money(self.style.rake)}"
        if self.state.board:
            yield f"Board [{_cards(self.state.board)}]"
        for event in shown if showdown else ():
            verb = "mucked" if event.seat in mucked else "showed"
            yield f"Seat {event.seat + 1}: {self.names[event.seat]} {verb} [{_cards(event.cards)}]"


def _is_ante(event: Event) -> TypeGuard[Posted]:
    return isinstance(event, Posted) and event.kind == "ante"


def _pot(number: int, pots: Sequence[int]) -> str:
    if len(pots) == 1:
        return "pot"
    if number == pots[0]:
        return "main pot"
    return "side pot" if len(pots) == 2 else f"side pot-{pots.index(number)}"


def _cards(cards: Sequence[int]) -> str:
    return " ".join(cards_text([card]) for card in cards)
