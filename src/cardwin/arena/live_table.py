"""One hold'em table at which Python players sit, compiled ones or both, with the cards and results of batch tables.

It is a paused table that asks its Python players itself. A seat without a player is decided from outside: the table
stops there, and goes on with `take`.
"""

from collections.abc import Callable, Sequence

from cardwin.arena.engine import Ints
from cardwin.arena.paused_table import PausedTable
from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.games.base import CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem.events import Event, HandBegan, Joined, MatchBegan
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import Tables
from cardwin.games.holdem.view import HoldemView
from cardwin.players.base import CompiledForm
from cardwin.players.compiled import Players, players_of
from cardwin.players.kinds import PYTHON
from cardwin.players.registry import HoldemPlayer

_PASSIVE = (CHECK, FOLD)


def compiled_players(players: Sequence[HoldemPlayer | None], in_python: bool = False) -> Players:
    """Players as kernels know them; those without a compiled form, or all if that is wanted, are asked in Python."""
    forms: list[CompiledForm | None] = [None if in_python else getattr(player, "compiled", None) for player in players]
    return players_of(forms)


def greet(players: Sequence[HoldemPlayer | None], seats: int) -> None:
    """Announce a new match to those who listen and will be played by kernels, which tell them nothing."""
    for player in players:
        watch = getattr(player, "watch", None)
        if watch is not None and hasattr(player, "compiled"):
            watch(MatchBegan(seats))


def remind(players: Sequence[HoldemPlayer | None], compiled: Players) -> None:
    """Tell those who want it what their compiled forms have learnt and kept in memory."""
    if compiled.parameters is None or compiled.memory is None:
        return
    for number, player in enumerate(players):
        remember = getattr(player, "remember", None)
        if remember is not None and compiled.kinds[number] != PYTHON:
            remember(compiled.parameters[compiled.rows[number]], compiled.memory[number])


class LiveTable(PausedTable):
    """A table with players in its seats. `in_python` asks even those in Python who have a compiled form.

    With a referee nothing that a player does stops the hand; `who` are the referee's numbers of the players. Without
    one, an illegal action is an error. A floor of several tables gives them all one `compiled` structure of everybody,
    and to each its record and the row that tells who sits there.
    """

    def __init__(self, game: HoldemGame, players: Sequence[HoldemPlayer | None], *, in_python: bool = False,
                 referee: Referee | None = None, who: Sequence[int] | None = None, tables: Tables | None = None,
                 compiled: Players | None = None, numbers: Ints | None = None) -> None:  # fmt: skip
        self.players = list(players)
        self.referee = referee
        self.who = list(range(len(players)) if who is None else who)
        self.watchers: dict[int, Callable[[Event], None]] = {}
        if compiled is None:
            if not in_python:
                greet(players, len(players))
            compiled = compiled_players(players, in_python)
        super().__init__(game, compiled, seats=len(players), numbers=numbers, tables=tables)
        for seat in range(len(players)):
            self._welcome(seat)

    def _welcome(self, seat: int) -> None:
        """Tell a player that is asked in Python, if it listens, that it sits among new opponents, and let it watch."""
        watch = getattr(self.players[seat], "watch", None)
        if watch is not None and self.compiled.kinds[self.numbers[seat]] == PYTHON:
            guarded = watch if self.referee is None else self.referee.watcher(self.who[seat], watch)
            self.watchers[seat] = guarded
            guarded(MatchBegan(len(self.players)))

    def reseat(self, order: Ints) -> None:
        """Let the players of a match take other seats: order (seats,) tells who, by the numbers they began with."""
        by_number = dict(zip(self.who, self.players, strict=True))
        watching = {self.who[seat]: watch for seat, watch in self.watchers.items() if seat >= 0}
        others = {seat: watch for seat, watch in self.watchers.items() if seat < 0}
        self.who = order.tolist()
        self.players = [by_number[who] for who in self.who]
        self.numbers[: len(order)] = order
        self.watchers = others | {seat: watching[who] for seat, who in enumerate(self.who) if who in watching}

    def sit(self, seat: int, player: HoldemPlayer, who: int) -> None:
        """Put a new player into a seat, and tell the others."""
        self.leave(seat)
        for watch in self.watchers.values():
            watch(Joined(seat))
        self.players[seat], self.who[seat] = player, who
        self._welcome(seat)

    def leave(self, seat: int) -> None:
        """Tell the player of a seat no more."""
        self.watchers.pop(seat, None)
        self.players[seat], self.who[seat] = None, -1

    def play(self, stacks: Sequence[int], button: int, key: int, *, decisions: int | None = None,
             record: list[Event] | None = None) -> list[int]:  # fmt: skip
        """One hand from stacks and a button; returns the chips that each seat won. Its events are added to `record`."""
        self.begin(stacks, button, key, decisions=decisions, logged=bool(self.watchers) or record is not None)
        if self.actor != NOBODY:
            raise InputError(f"nobody sits in seat {self.actor}: begin the hand, and take the seat's actions")
        if record is not None:
            record += self.events
        return self.won

    def begin(self, stacks: Sequence[int], button: int, key: int, *, decisions: int | None = None,
              logged: bool = True) -> None:  # fmt: skip
        """A new hand, up to the turn of a seat without a player, or to its end."""
        super().begin(stacks, button, key, decisions=decisions, logged=logged)
        self._ask()

    def take(self, move: Action | str) -> None:
        """Do what was decided for the seat that has the turn, and play on to the next without a player."""
        super().take(move)
        self._ask()

    def _ask(self) -> None:
        while (view := self.turn).actor != NOBODY:
            player = self.players[view.actor]
            if player is None:
                return
            self._decide(player, view)

    def _decide(self, player: HoldemPlayer, view: HoldemView) -> None:
        """Ask the player and do what it answers; where that cannot be done, blame it and check or fold instead."""
        seat = view.actor
        stream = self.scratch.rng[seat].copy()  # its own, with no way back to the others'
        if self.referee is None:
            action = player.act(view, stream)
            self.scratch.rng[seat, 1] = stream[1]
            self._do(view, action)
            return
        who = self.who[seat]
        answer = self.referee.ask(who, player.act, view, stream)
        self.scratch.rng[seat, 1] = stream[1]
        try:
            self._do(view, _PASSIVE[view.to_call > 0] if answer is None else answer)
        except InputError as error:
            self.referee.blame(who, str(error))
            self._do(view, _PASSIVE[view.to_call > 0])
        else:
            if answer is not None:
                self.referee.accept(who)

    def _tell(self, event: Event) -> None:
        super()._tell(event)
        for seat, watch in self.watchers.items():
            watch(
                HandBegan(event.button, event.stacks, event.big_blind, seat) if isinstance(event, HandBegan) else event
            )
