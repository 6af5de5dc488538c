"""A hand's history, independent of the notation it was read from, and its replay by our rules.

Seat 0 is the first left of the button and the last seat is the button, as in the notations. Chips are whole: the
notations choose a unit that makes all amounts whole.

`stack_mismatch` compares the final stacks of a replayed hand with those in its file. Both are in the smallest unit of
the hand and must be equal, with three exceptions. Poker sites differ in who receives the odd chips of a shared pot. A
file may have more decimals than are played (a third of a chip). And a poker site takes rake from the winners, which no
notation specifies: such a hand fails with that reason.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import CARD_NAMES, DECK, cards_text
from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import replaying, rules
from cardwin.games.holdem.events import ROWS_OF_ONE_ACTION, Won, card_names, new_log
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.replaying import Steps, begin_steps, play_steps, take_steps
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import ACTIVE, BOARD, MUCKED, SEATS, UNKNOWN, new_tables
from cardwin.games.holdem.view import invalid_action

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
MAX_UNITS = 10**15  # of any amount in a history; sums stay far below the int64 limit
INFINITE = 10**17  # represents a stack that is not recorded
DIFFERENT, RAKE = "different", "rake"  # reasons of a mismatch of stacks
_ROUNDING = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Step:
    """One line: a fold, a call (or check), a raise (or bet) to a total, board cards, a hand shown or mucked, or a note.

    A hand shown without cards shows the cards that were dealt. Hidden cards are UNKNOWN.
    """

    kind: str
    seat: int = NOBODY
    amount: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A recorded hand. UNKNOWN cards do not count in a showdown.

    A negative blind is a post: a bet of that size by a seat that is not a blind, so it does not change the seat that
    opens. The history may have its own caps on raises, its own first seat, and customs of the ACPC dealer or of poker
    rooms (see `replaying`). `to_match` is the minimum bet to match before the flop: a room's whole big blind, even if
    the seat that posts it has less.
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
        """The board cards that were dealt."""
        return tuple(card for step in self.steps if step.kind == DEAL for card in step.cards)


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of replaying one hand of a file: its final stacks, or the line and the reason of a failure.

    `read` is whether the hand could be read at all; if so, a failure is a step or a result that the rules refuse.
    """

    hand: str
    final_stacks: tuple[float, ...] | None
    line: int = 0
    reason: str = ""
    read: bool = True


class StepError(InputError):
    """An error in a step; `index` is the step's, or the number of steps if they end too early."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def replay(history: History) -> HoldemState:
    """Return the last position of a finished hand, every step checked against the rules.

    Raises:
        StepError: If a step breaks a rule or the hand is not over.
        InputError: If the cards, stacks or posts are invalid.

    """
    state, taken, shown = _play(history, _rows(history.steps))
    if state.actor != NOBODY:
        raise StepError(f"the hand is not over: seat {state.actor + 1} has the turn", taken)
    if state.tables["live"][0] > 1:
        _check_showdown(state, history, shown)
    return state


def position(history: History) -> HoldemState:
    """Return the position after the steps of a hand that need not be over, every step checked against the rules."""
    return _play(history, _rows(history.steps))[0]


def positions(history: History) -> Iterator[tuple[HoldemState, Step]]:
    """Yield every position at which a seat decided, with its step. Cards that a seat mucks later are still its own."""
    state, last = _begun(history, len(history.steps))
    held = _held(history)
    forced, street, shown = _forced(history), np.zeros(3, np.int64), 0
    begin_steps(state.tables, forced, last, history.to_match, history.customs, state.log)
    for index, step in enumerate(history.steps):
        if step.kind in (FOLD, CALL, RAISE):
            tables = state.tables.copy()
            tables["hole"][0, : len(held)] = held
            yield HoldemState(history.game, tables, state.log.copy()), step
        row = _rows([step])
        _, reason, shown = take_steps(state.tables, row, shown, history.customs, street, state.log)
        if reason != rules.FINE:
            raise StepError(_message(state, step, int(row[0, 1]), int(row[0, 2]), shown, reason), index)


def complete_history(history: History, rows: Steps) -> History:
    """Return the history with its steps completed.

    Args:
        history: The hand, with a step for each row.
        rows: The steps, (n, 3), which may omit the actor or have totals of the whole hand (see `replaying`).

    """
    _play(history, rows)
    names = {rules.FOLD: FOLD, rules.CALL: CALL, rules.RAISE: RAISE}
    steps = [
        Step(names[kind], seat, amount) if kind in names else step
        for (kind, seat, amount), step in zip(rows.tolist(), history.steps, strict=True)
    ]
    return replace(history, steps=tuple(steps))


def _rows(steps: Sequence[Step]) -> Steps:
    return np.array(
        [(_CODES[step.kind], step.seat, len(step.cards) if step.kind == DEAL else step.amount) for step in steps],
        np.int64,
    ).reshape(len(steps), 3)


def _play(history: History, rows: Steps) -> tuple[HoldemState, int, int]:
    """Return the position after the rows, the number of rows, and the number of board cards dealt."""
    state, last = _begun(history, len(rows))
    taken, reason, shown = play_steps(
        state.tables, _forced(history), last, history.to_match, rows, history.customs, state.log
    )
    if reason != rules.FINE:
        seat, amount = rows[taken, 1:].tolist()
        raise StepError(_message(state, history.steps[taken], seat, amount, shown, reason), taken)
    return state, taken, shown


def _begun(history: History, steps: int) -> tuple[HoldemState, int]:
    """Return the position of a hand before its blinds, with a log for its steps, and the seat that posts last."""
    seats = len(history.stacks)
    if not 2 <= seats <= SEATS or sum(stack > 0 for stack in history.stacks) < 2:
        raise InputError(f"expected 2 to {SEATS} seats, at least two with chips, got stacks {list(history.stacks)}")
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
    """Return the antes and blinds by seat, (2, 10)."""
    forced = np.zeros((2, SEATS), np.int64)
    forced[:, : len(history.stacks)] = _posted(history)
    return forced


@lru_cache(maxsize=1000)
def _blank(game: HoldemGame, seats: int) -> npt.NDArray[np.int64]:
    """Return a game's table before the hand as plain numbers, because an array of records is slow to copy."""
    return game.tables(seats).view(np.int64)


def _posted(history: History) -> tuple[list[int], list[int]]:
    """Return the antes and blinds limited by the stacks. A layered ante is at most the second largest."""
    antes = [min(ante, stack) for ante, stack in zip(history.antes, history.stacks, strict=True)]
    left = [stack - ante for ante, stack in zip(antes, history.stacks, strict=True)]
    blinds = [min(abs(blind), chips) for blind, chips in zip(history.blinds, left, strict=True)]
    if not history.dead_antes:
        second = sorted(antes)[-2]
        antes = [min(ante, second) for ante in antes]
    return antes, blinds


def _last_to_post(history: History, posted: list[int]) -> int:
    """Return the seat before the one that opens: the last with the largest blind; posts do not count.

    Notations differ heads-up with equal blinds; then the seat that acts first opens.
    """
    seats = len(posted)
    first = history.first
    if first == NOBODY and seats == 2 and posted[0] == posted[1]:
        first = next((step.seat for step in history.steps if step.kind in (FOLD, CALL, RAISE)), NOBODY)
    if first != NOBODY:
        return (first - 1) % seats
    signed = [chips if blind > 0 else -chips for chips, blind in zip(posted, history.blinds, strict=True)]
    return max(range(seats), key=lambda seat: (signed[seat], seat))


def _cards(history: History) -> tuple[list[int], list[int]]:
    """Return the board (5,) and the hands (2 * seats,) at the showdown; undealt board cards are arbitrary others."""
    hole = _hole_at_showdown(history)
    board = list(history.board[:BOARD])
    held = [card for cards in hole for card in cards]
    known = [card for card in (*board, *held) if card >= 0]
    used = set(known)
    if len(used) < len(known):
        duplicate = next(card for index, card in enumerate(known) if card in known[:index])
        raise InputError(f"duplicate card {CARD_NAMES[duplicate]}: a deck has each card once")
    rest = (card for card in DECK if card not in used)
    board = [next(rest) if card == UNKNOWN else card for card in board]
    return board + [next(rest) for _ in range(BOARD - len(board))], held


def _hole_at_showdown(history: History) -> list[tuple[int, ...]]:
    """Return the cards that each seat has at the showdown. On the last street cards that are not shown stay hidden."""
    hole, dealt = list(history.hole), 0
    for index, step in enumerate(history.steps):
        if step.kind == DEAL:
            dealt += len(step.cards)
        elif step.kind == MUCK:
            hole[step.seat] = (MUCKED, MUCKED)
        elif step.kind == SHOW:
            try:
                hole[step.seat] = _shown(history, hole[step.seat], step, dealt == BOARD)
            except InputError as error:
                raise StepError(str(error), index) from error
    return hole


def _held(history: History) -> list[int]:
    """Return the cards (2 * seats,) that each seat held while it played: as dealt, or as shown if not recorded."""
    seats = zip(history.hole, _hole_at_showdown(history), strict=True)
    return [card for dealt, last in seats for card in (last if UNKNOWN in dealt and min(last) >= 0 else dealt)]


def _shown(history: History, held: tuple[int, ...], step: Step, last_street: bool) -> tuple[int, ...]:
    if MUCKED in held:
        raise InputError(f"seat {step.seat + 1} shows cards that it has mucked")
    if not step.cards:
        if UNKNOWN in held:
            raise InputError(f"seat {step.seat + 1} shows its cards, which are not recorded: expected their names")
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
            raise StepError(f"expected {BOARD} board cards at the showdown, got {shown}", end)
        if UNKNOWN in history.board:
            raise StepError("expected a known board at the showdown, got a hidden card", end)
    if mucked:
        for event in state.events:
            if isinstance(event, Won) and event.seat in mucked:
                raise StepError("no seat can win a pot: all eligible seats have mucked their cards", end)


def _message(state: HoldemState, step: Step, seat: int, amount: int, shown: int, reason: int) -> str:
    """Return the error message for a step that breaks a rule."""
    due = len(state.board)
    actor = f"seat {seat + 1}"
    texts = {
        replaying.IS_OVER: f"{actor if seat != NOBODY else 'a seat'} acts after the hand is over",
        replaying.NOT_THE_TURN: f"{actor} acts, but seat {state.actor + 1} has the turn",
        replaying.BOARD_IS_DUE: f"{actor} acts: expected {due} board cards before, got {shown}",
        replaying.NO_BOARD_DUE: f"{''.join(card_names(step.cards))} is dealt, but no board cards are due",
        replaying.TOO_MANY_CARDS: f"{len(step.cards)} board cards dealt, which is more than are due",
        replaying.TOO_EARLY_TO_SHOW: f"seat {step.seat + 1} shows or mucks before the betting is over",
    }
    if reason in texts:
        return texts[reason]
    view = state.view(state.actor)
    return str(invalid_action(view, Action("raise" if view.current_bet else "bet", amount), reason))


def stack_mismatch(state: HoldemState, recorded: Sequence[Decimal], starts: Sequence[int]) -> str:
    """Return why recorded final stacks differ from ours, or an empty text if they agree.

    Args:
        state: The last position of the hand.
        recorded: The stacks in the file, in units.
        starts: The stacks before the hand, in units; INFINITE if they are not recorded.

    Returns:
        DIFFERENT, RAKE or an empty text.

    """
    if len(recorded) != state.seats:
        return DIFFERENT
    differences: dict[int, Decimal] = {}
    for seat, (ours, theirs, start) in enumerate(zip(state.stacks, recorded, starts, strict=True)):
        if (start == INFINITE) != theirs.is_infinite():
            return DIFFERENT
        if start != INFINITE:
            differences[seat] = ours - theirs
    if not any(differences.values()):
        return ""
    wins = [event for event in state.events if isinstance(event, Won)]
    received, possible = _odd_chips(wins)
    missing = sum(differences.values(), Decimal(0)) if len(differences) == state.seats else Decimal(0)
    odd = all(received[seat] - possible[seat] <= chips <= received[seat] for seat, chips in differences.items())
    if odd and abs(missing) < _ROUNDING:
        return ""
    winners = {event.seat for event in wins}
    if missing > 0 and all(chips == 0 or seat in winners for seat, chips in differences.items()):
        return RAKE
    return DIFFERENT


def _odd_chips(wins: list[Won]) -> tuple[Counter[int], Counter[int]]:
    """Return the odd chips of shared pots by seat: those that it received, and those possible at another site."""
    received, possible = Counter[int](), Counter[int]()
    for pot in {event.pot for event in wins}:
        shares = [event for event in wins if event.pot == pot]
        smallest = min(event.chips for event in shares)
        odd = sum(event.chips - smallest for event in shares)
        for event in shares:
            received[event.seat] += event.chips - smallest
            possible[event.seat] += odd
    return received, possible
