"""A hand's history, independent of the notation it was read from, and its replay by our rules.

Seat 0 is the first left of the button and the last seat is the button, as in the notations. Chips are whole: the
notations choose a unit that makes all amounts whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import CARD_NAMES, DECK, cards_text
from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import replaying, rules
from cardwin.games.holdem.events import ROWS_OF_ONE_ACTION, Won, new_log
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.replaying import Steps, begin_steps, play_steps, take_steps
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import ACTIVE, BOARD, MUCKED, SEATS, UNKNOWN, new_tables
from cardwin.games.holdem.view import refusal

FOLD, CALL, RAISE, DEAL, SHOW, MUCK, NOTE = "fold", "call", "raise", "deal", "show", "muck", "note"
_CODES = {
    FOLD: rules.FOLD,
    CALL: rules.CALL,
    RAISE: rules.RAISE,
    DEAL: replaying.DEAL,
    SHOW: replaying.SHOW,
    MUCK: replaying.SHOW,
    NOTE: replaying.NOTE,
}
MOST_UNITS = 10**15  # of any amount in a history; sums stay far below the int64 limit
INFINITE = 10**17  # represents a stack that is not recorded


@dataclass(frozen=True, slots=True)
class Step:
    """One line: a fold, a call (or check), a raise (or bet) to a total, board cards, a hand shown or mucked, or a note.

    A hand shown without cards shows the cards that were dealt; cards that are hidden are UNKNOWN.
    """

    what: str
    seat: int = NOBODY
    amount: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A recorded hand. UNKNOWN cards do not count in a showdown.

    A negative blind is a post: a bet of that size by a seat that is not a blind, so it does not change who opens. The
    history may have its own caps on raises, its own first seat, and customs of the ACPC dealer or of poker rooms (see
    `replaying`). `to_match` is the least bet to match before the flop: a room's whole big blind, even if the seat that
    posts it has less.
    """

    game: HoldemGame
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    dead_antes: bool
    hole: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    names: tuple[str, ...] = ()
    caps: tuple[int, ...] = ()
    first: int = NOBODY
    customs: int = replaying.TABLE
    to_match: int = 0

    @property
    def board(self) -> tuple[int, ...]:
        """The board's cards that were dealt."""
        return tuple(card for step in self.steps if step.what == DEAL for card in step.cards)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of replaying one hand of a file: its final stacks, or the line and the reason of the failure."""

    hand: str
    final_stacks: tuple[float, ...] | None
    line: int = 0
    reason: str = ""


class StepError(InputError):
    """A step breaks a rule; `place` is its index, or the number of steps if they end too early."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def replay(history: History) -> HoldemState:
    """The last position of a hand, every step checked against the rules."""
    state, taken, shown = _play(history, _rows(history.steps))
    if state.actor != NOBODY:
        raise StepError(f"the hand is not over: seat {state.actor + 1} has the turn", taken)
    if state.tables["live"][0] > 1:
        _check_showdown(state, history, shown)
    return state


def position(history: History) -> HoldemState:
    """The position after the steps of a hand that need not be over, every step checked against the rules."""
    return _play(history, _rows(history.steps))[0]


def positions(history: History) -> Iterator[tuple[HoldemState, Step]]:
    """Every position where a seat decided, with its step, in order. Cards that a seat mucks later are still its own."""
    state, last = _begun(history, len(history.steps))
    held = _held(history)
    forced, street, shown = _forced(history), np.zeros(3, np.int64), 0
    begin_steps(state.tables, forced, last, history.to_match, history.customs, state.log)
    for place, step in enumerate(history.steps):
        if step.what in (FOLD, CALL, RAISE):
            tables = state.tables.copy()
            tables["hole"][0, : len(held)] = held
            yield HoldemState(history.game, tables, state.log.copy()), step
        row = _rows([step])
        _, reason, shown = take_steps(state.tables, row, shown, history.customs, street, state.log)
        if reason != rules.FINE:
            raise StepError(_complaint(state, step, int(row[0, 1]), int(row[0, 2]), shown, reason), place)


def completed(history: History, rows: Steps) -> History:
    """The history of steps given as rows (n, 3), which may omit the actor or give totals of the whole hand.

    The result has the same number of steps, deals included.
    """
    _play(history, rows)
    names = {rules.FOLD: FOLD, rules.CALL: CALL, rules.RAISE: RAISE}
    steps = [
        Step(names[what], seat, amount) if what in names else step
        for (what, seat, amount), step in zip(rows.tolist(), history.steps, strict=True)
    ]
    return replace(history, steps=tuple(steps))


def _rows(steps: Sequence[Step]) -> Steps:
    return np.array(
        [(_CODES[step.what], step.seat, len(step.cards) if step.what == DEAL else step.amount) for step in steps],
        np.int64,
    ).reshape(len(steps), 3)


def _play(history: History, rows: Steps) -> tuple[HoldemState, int, int]:
    """The position after the rows, the number of rows, and the number of board cards dealt."""
    state, last = _begun(history, len(rows))
    taken, reason, shown = play_steps(
        state.tables, _forced(history), last, history.to_match, rows, history.customs, state.log
    )
    if reason != rules.FINE:
        seat, amount = rows[taken, 1:].tolist()
        raise StepError(_complaint(state, history.steps[taken], seat, amount, shown, reason), taken)
    return state, taken, shown


def _begun(history: History, steps: int) -> tuple[HoldemState, int]:
    """The table of a hand before its blinds, with a log for this number of steps, and the seat that posts last."""
    seats = len(history.stacks)
    if not 2 <= seats <= SEATS or sum(stack > 0 for stack in history.stacks) < 2:
        raise InputError(f"a hand needs 2 to {SEATS} seats, and two with chips")
    tables = new_tables(1)
    tables.view(np.int64)[:] = _blank(replace(history.game, stack=1), seats)
    tables["board"][0], tables["hole"][0, : 2 * seats] = _cards(history)
    tables["stack"][0, :seats] = history.stacks
    tables["button"] = seats - 1
    tables["dead_antes"] = history.dead_antes
    if history.caps:
        tables["cap"] = history.caps
    log = new_log(steps + 2 * SEATS + 2 * ROWS_OF_ONE_ACTION)
    return HoldemState(history.game, tables, log), _last_to_post(history, _posted(history)[1])


def _forced(history: History) -> npt.NDArray[np.int64]:
    """Antes and blinds by seat, (2, 10)."""
    forced = np.zeros((2, SEATS), np.int64)
    forced[:, : len(history.stacks)] = _posted(history)
    return forced


@lru_cache(maxsize=1000)
def _blank(game: HoldemGame, seats: int) -> npt.NDArray[np.int64]:
    """A game's table before the hand, as plain numbers, because an array of records is slow to copy."""
    return game.tables(seats).view(np.int64)


def _posted(history: History) -> tuple[list[int], list[int]]:
    """Antes and blinds limited by the stacks. A layered ante is at most the second largest."""
    antes = [min(ante, stack) for ante, stack in zip(history.antes, history.stacks, strict=True)]
    left = [stack - ante for ante, stack in zip(antes, history.stacks, strict=True)]
    blinds = [min(abs(blind), chips) for blind, chips in zip(history.blinds, left, strict=True)]
    if not history.dead_antes:
        second = sorted(antes)[-2]
        antes = [min(ante, second) for ante in antes]
    return antes, blinds


def _last_to_post(history: History, posted: list[int]) -> int:
    """The seat before the one that opens: the last with the largest blind posted; posts do not count.

    Notations differ heads-up with equal blinds; there the seat that acts first opens.
    """
    seats = len(posted)
    first = history.first
    if first == NOBODY and seats == 2 and posted[0] == posted[1]:
        first = next((step.seat for step in history.steps if step.what in (FOLD, CALL, RAISE)), NOBODY)
    if first != NOBODY:
        return (first - 1) % seats
    signed = [chips if blind > 0 else -chips for chips, blind in zip(posted, history.blinds, strict=True)]
    return max(range(seats), key=lambda seat: (signed[seat], seat))


def _cards(history: History) -> tuple[list[int], list[int]]:
    """The board (5,) and the hands (2 * seats,) at the showdown; undealt board cards are arbitrary others."""
    hole = _hole_at_showdown(history)
    board = list(history.board[:BOARD])
    held = [card for cards in hole for card in cards]
    known = [card for card in (*board, *held) if card >= 0]
    used = set(known)
    if len(used) < len(known):
        twice = next(card for place, card in enumerate(known) if card in known[:place])
        raise InputError(f"{CARD_NAMES[twice]} comes twice: a deck has each card once")
    rest = (card for card in DECK if card not in used)
    board = [next(rest) if card == UNKNOWN else card for card in board]
    return board + [next(rest) for _ in range(BOARD - len(board))], held


def _hole_at_showdown(history: History) -> list[tuple[int, ...]]:
    """The cards that each seat has at the showdown. On the last street cards that are not shown stay hidden."""
    hole, dealt = list(history.hole), 0
    for place, step in enumerate(history.steps):
        if step.what == DEAL:
            dealt += len(step.cards)
        elif step.what == MUCK:
            hole[step.seat] = (MUCKED, MUCKED)
        elif step.what == SHOW:
            try:
                hole[step.seat] = _shown(history, hole[step.seat], step, dealt == BOARD)
            except InputError as error:
                raise StepError(str(error), place) from error
    return hole


def _held(history: History) -> list[int]:
    """The cards (2 * seats,) that each seat held while it played: as dealt, or as shown where that is not recorded."""
    seats = zip(history.hole, _hole_at_showdown(history), strict=True)
    return [card for dealt, last in seats for card in (last if UNKNOWN in dealt and min(last) >= 0 else dealt)]


def _shown(history: History, held: tuple[int, ...], step: Step, last_street: bool) -> tuple[int, ...]:
    if MUCKED in held:
        raise InputError(f"seat {step.seat + 1} shows cards that it has mucked")
    if not step.cards:
        if UNKNOWN in held:
            raise InputError(f"seat {step.seat + 1} shows its cards, which are not recorded: name them")
        return held
    shown = [card for card in step.cards if card != UNKNOWN]
    dealt = [card for card in history.hole[step.seat] if card != UNKNOWN]
    if len({*shown, *dealt}) > 2:
        raise InputError(f"seat {step.seat + 1} shows {cards_text(shown)} but was dealt {cards_text(dealt)}")
    if not last_street:
        shown += [card for card in held if card >= 0 and card not in shown]
    return (*shown, UNKNOWN, UNKNOWN)[:2]


def _check_showdown(state: HoldemState, history: History, shown: int) -> None:
    """Check that the cards that decide a showdown are known, and that no seat wins that mucked its cards."""
    end = len(history.steps)
    live = [seat for seat in range(state.seats) if state.tables["status"][0, seat] == ACTIVE]
    mucked = [seat for seat in live if MUCKED in state.hole(seat)]
    if len(live) - len(mucked) > 1:
        if shown < BOARD:
            raise StepError(f"{shown} of {BOARD} board cards at the showdown", end)
        if UNKNOWN in history.board:
            raise StepError("a card of the board is not known at the showdown", end)
    if mucked:
        for event in state.events:
            if isinstance(event, Won) and event.seat in mucked:
                reason = "no seat can win a pot: all eligible seats have mucked their cards"
                raise StepError(reason, end)


def _complaint(state: HoldemState, step: Step, seat: int, amount: int, shown: int, reason: int) -> str:
    """The error message for a step that breaks a rule."""
    due = len(state.board)
    who = f"seat {seat + 1}"
    texts = {
        replaying.IS_OVER: f"{who if seat != NOBODY else 'a seat'} acts after the hand is over",
        replaying.NOT_THE_TURN: f"{who} acts where seat {state.actor + 1} has the turn",
        replaying.BOARD_IS_DUE: f"{who} acts with {shown} board cards where {due} are due",
        replaying.NO_BOARD_DUE: "no board cards are due where " + _names(step.cards) + " is dealt",
        replaying.TOO_MANY_CARDS: f"{len(step.cards)} board cards dealt, which is more than are due",
        replaying.TOO_EARLY_TO_SHOW: f"seat {step.seat + 1} shows or mucks before the betting is over",
    }
    if reason in texts:
        return texts[reason]
    view = state.view(state.actor)
    return str(refusal(view, Action("raise" if view.current_bet else "bet", amount), reason))


def _names(cards: Sequence[int]) -> str:
    return "".join("??" if card == UNKNOWN else CARD_NAMES[card] for card in cards)
