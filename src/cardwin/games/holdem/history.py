"""A hand's history in one neutral form, whatever notation it was written in, and its replay against our rules.

Seat 0 is the first left of the button and the last seat is the button, as in the notations.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cardwin.cards.card import DECK, cards_text
from cardwin.errors import InputError
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, UNKNOWN

FOLD, CALL, RAISE, DEAL, SHOW, NOTE = "fold", "call", "raise", "deal", "show", "note"


@dataclass(frozen=True, slots=True)
class Step:
    """One line: a fold, a call (or check), a raise (or bet) to a total, board cards, a hand shown, or a note."""

    what: str
    seat: int = NOBODY
    amount: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """All that is known of a hand. Unknown cards are UNKNOWN, and lose."""

    game: HoldemGame
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    dead_antes: bool
    hole: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    names: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[int, ...]:
        """The board's cards that were dealt."""
        return tuple(card for step in self.steps if step.what == DEAL for card in step.cards)


class StepError(InputError):
    """A step breaks a rule; `place` is its place among the steps, or their number where they end too early."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def replay(history: History) -> HoldemState:
    """The last position of a hand, every step checked against the rules."""
    state = start_of(history)
    shown = 0
    for place, step in enumerate(history.steps):
        try:
            if step.what == DEAL:
                shown = _check_deal(state, shown, step)
            elif step.what == SHOW:
                _check_show(state, history, step)
            elif step.what != NOTE:
                _check_turn(state, shown, step)
                state = act(state, step)
        except InputError as error:
            raise StepError(str(error), place) from error
    if state.actor != NOBODY:
        raise StepError(f"the hand is not over: seat {state.actor + 1} has the turn", len(history.steps))
    if shown < BOARD and sum(state.view(0).active) > 1:
        raise StepError(f"{shown} of {BOARD} board cards at the showdown", len(history.steps))
    return state


def start_of(history: History) -> HoldemState:
    """The position after antes and blinds; cards that the history does not tell are any that are left."""
    hole = [list(cards) for cards in history.hole]
    for step in history.steps:
        if step.what == SHOW and step.cards and UNKNOWN in hole[step.seat]:
            hole[step.seat] = list(step.cards)
    used = {*history.board, *(card for cards in hole for card in cards)}
    rest = (card for card in DECK if card not in used)
    board = [*history.board]
    if len(board) > BOARD:
        raise StepError(f"{len(board)} board cards: there are {BOARD} at most", 0)
    while len(board) < BOARD:
        board.append(next(rest))
    return history.game.start(
        hole, board, stacks=history.stacks, antes=history.antes, blinds=history.blinds, dead_antes=history.dead_antes
    )


def _check_deal(state: HoldemState, shown: int, step: Step) -> int:
    """The number of board cards after a deal, which must come when a street begins, with its number of cards."""
    sizes = [size for size in state.table.board_size.tolist() if size > shown]
    over = state.actor == NOBODY
    if not sizes or (not over and len(state.board) <= shown):
        raise InputError(f"no board cards are due where {cards_text(step.cards)} is dealt")
    if len(step.cards) != sizes[0] - shown:
        raise InputError(f"{len(step.cards)} board cards dealt where {sizes[0] - shown} are due")
    return shown + len(step.cards)


def _check_show(state: HoldemState, history: History, step: Step) -> None:
    if state.actor != NOBODY:
        raise InputError(f"seat {step.seat + 1} shows its cards before the hand is over")
    known = history.hole[step.seat]
    if step.cards and UNKNOWN not in known and sorted(known) != sorted(step.cards):
        raise InputError(f"seat {step.seat + 1} shows {cards_text(step.cards)} but was dealt {cards_text(known)}")


def _check_turn(state: HoldemState, shown: int, step: Step) -> None:
    if state.actor == NOBODY:
        raise InputError(f"seat {step.seat + 1} acts after the hand is over")
    if state.actor != step.seat:
        raise InputError(f"seat {step.seat + 1} acts where seat {state.actor + 1} has the turn")
    if len(state.board) != shown:
        raise InputError(f"seat {step.seat + 1} acts with {shown} board cards where {len(state.board)} are due")


def act(state: HoldemState, step: Step) -> HoldemState:
    """The position after a fold, call or raise, under the name that the situation gives it."""
    view = state.view(state.actor)
    names = {FOLD: "fold", CALL: "call" if view.to_call else "check", RAISE: "raise" if view.current_bet else "bet"}
    return state.apply(Action(names[step.what], step.amount))


def deal_steps(cards: Iterable[int], sizes: Iterable[int]) -> list[Step]:
    """Deals of board cards, cut where the streets begin."""
    dealt, before, steps = tuple(cards), 0, []
    for size in sizes:
        if before < size <= len(dealt):
            steps.append(Step(DEAL, cards=dealt[before:size]))
            before = size
    return steps
