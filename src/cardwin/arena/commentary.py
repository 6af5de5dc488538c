"""Live commentary of a hand, all cards shown: hole cards, stacks, win rates and every decision."""

from collections.abc import Callable, Sequence

from cardwin.arena.live_table import LiveTable
from cardwin.arena.runouts import win_rates
from cardwin.cards.card import cards_text
from cardwin.core.rng import key_of
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, MatchBegan, Posted, Returned, Shown, Won
from cardwin.games.holdem.table import ACTIVE
from cardwin.players.base import explanation_line, explanation_of


def _explanation(player: object) -> str:
    """Return a player's explanation of its decision; code outside the package may raise anything."""
    try:
        return explanation_line(explanation_of(player))
    except (Exception, SystemExit) as error:
        return f"no explanation: {type(error).__name__}"


class Commentator:
    """Watches a live table with all cards shown and prints line by line. `names` are the players' names."""

    def __init__(self, table: LiveTable, names: Sequence[str], print_line: Callable[[str], None]) -> None:
        self.table, self.names, self.print_line = table, names, print_line
        self.stacks: list[int] = []
        self.hands = 0
        self.dealt = False
        table.watchers[-1] = self.hear

    def hear(self, event: Event) -> None:
        """Report an event."""
        if isinstance(event, HandBegan):
            self._begin(event)
            return
        if not self.dealt and not isinstance(event, MatchBegan):
            self.dealt = True
            self._seats(0)
        if isinstance(event, Posted):
            self.stacks[event.seat] -= event.chips
            self._line(event.seat, f"posts {event.chips} ({event.kind})")
        elif isinstance(event, Acted):
            self._acted(event.seat, event.action, event.chips)
        elif isinstance(event, BoardDealt):
            known = int(self.table.tables["board_size"][0, event.street])
            self.print_line(f"  board {cards_text(self.table.tables['board'][0, :known].tolist(), signs=True)}")
            self._seats(known)
        elif isinstance(event, Returned):
            self.stacks[event.seat] += event.chips
            self._line(event.seat, f"takes back {event.chips}")
        elif isinstance(event, Shown):
            self._line(event.seat, f"shows {cards_text(event.cards, signs=True)}")
        elif isinstance(event, Won):
            self.stacks[event.seat] += event.chips
            self._line(event.seat, f"wins {event.chips}")

    def _begin(self, event: HandBegan) -> None:
        self.hands += 1
        self.stacks, self.dealt = list(event.stacks), False
        self.print_line(f"hand {self.hands}, button seat {event.button + 1}, big blind {event.big_blind}")

    def _acted(self, seat: int, action: Action, chips: int) -> None:
        self.stacks[seat] -= chips
        verbs = {"fold": "folds", "check": "checks", "call": f"calls {chips}", "bet": "bets", "raise": "raises to"}
        explanation = _explanation(self.table.players[seat])
        reason = f"  [{explanation}]" if explanation else ""
        self._line(seat, f"{verbs[action.name]} {action.amount or ''}".rstrip() + reason)

    def _line(self, seat: int, text: str) -> None:
        self.print_line(
            f"  seat {seat + 1} {self.names[self.table.player_ids[seat]]:<16} {text}, stack {self.stacks[seat]}"
        )

    def _seats(self, known: int) -> None:
        """Print cards, stack and win rate of all players in the hand."""
        tables = self.table.tables
        rates = win_rates(tables, known, key_of(0, "watch"))
        for seat, rate in enumerate(rates):
            if tables["status"][0, seat] == ACTIVE:
                cards = cards_text(tables["hole"][0, 2 * seat : 2 * seat + 2].tolist(), signs=True)
                name = self.names[self.table.player_ids[seat]]
                self.print_line(f"    seat {seat + 1} {name:<16} {cards}  wins {rate:6.1%}, stack {self.stacks[seat]}")
