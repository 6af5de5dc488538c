"""Range grid: what a hold'em player does with every hand after a betting line, as a 13 x 13 grid.

1. Play the line, a list of actions from the blinds on, by the rules; the player to act next is examined.
2. For every class of hands (AKs, 77, QJo) deal combos of that class to the seat and replay the line: the player
   observes every event and acts at each of its turns, several times with different random keys.
3. The share of samples in which it did what the line says at its earlier turns is the reach of the hand; its actions
   at the end give the shares of fold, call and raise.

The other seats' cards are unknown, as in any view.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cardwin.cards.card import cards_text, parse_cards
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, HOLDING_CARDS
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.events import STREET_NAMES, EventJson, HandBegan, MatchBegan, events_json
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, UNKNOWN
from cardwin.games.holdem.view import choices_of
from cardwin.players.base import explanation_of
from cardwin.players.registry import HoldemPlayer

SAMPLES = 12  # of each class of hands
SECONDS = 4.0  # after which no more samples are begun, if every class has one
GROUPS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
MOST_ACTIONS = 60


@dataclass
class Cell:
    """A class of hands: samples, how many of them reached the situation, and the actions there."""

    name: str
    samples: int = 0
    came: int = 0
    did: list[int] = field(default_factory=lambda: [0, 0, 0])  # fold, check or call, bet or raise

    def as_dict(self) -> dict[str, Any]:
        """As plain data: shares of the samples that reached it, None if none did."""
        shares = [count / self.came for count in self.did] if self.came else None
        return {"hand": self.name, "reach": self.came / self.samples if self.samples else None, "plays": shares}


@dataclass(frozen=True)
class GridSituation:
    """A betting line with its board: the position of each earlier turn of the player, and of the examined one."""

    game: HoldemGame
    seats: int
    line: tuple[str, ...]
    board: tuple[int, ...]

    def start(self, hole: Sequence[int], seat: int) -> HoldemState:
        """The first position, with two cards in a seat; cards to come are any that are left."""
        known = {*self.board, *hole}
        rest = [card for card in range(52) if card not in known][: BOARD - len(self.board)]
        hands = [list(hole) if one == seat else [UNKNOWN, UNKNOWN] for one in range(self.seats)]
        return self.game.start(hands, [*self.board, *rest])

    def positions(self, hole: Sequence[int], seat: int) -> list[HoldemState]:
        """Every position of the line, the last one included."""
        states = [self.start(hole, seat)]
        for move in self.line:
            states.append(states[-1].apply(move))
        return states


def situation(game: HoldemGame, seats: int, line: Sequence[str], board: str) -> tuple[GridSituation, HoldemState]:
    """A situation from its text, and its position as all players see it."""
    if len(line) > MOST_ACTIONS:
        raise InputError(f"{len(line)} actions: a line has {MOST_ACTIONS} at most")
    cards = parse_cards(board) if board else ()
    if len(cards) not in (0, 3, 4, 5):
        raise InputError(f"a board of {len(cards)} cards: it has 0, 3, 4 or 5")
    found = GridSituation(game, seats, tuple(line), tuple(cards))
    return found, found.positions((UNKNOWN, UNKNOWN), 0)[-1]


def described(found: GridSituation, state: HoldemState) -> dict[str, Any]:
    """A position as all players see it: whose turn, the legal actions, and how many board cards are missing."""
    over = state.actor == NOBODY
    view = state.view(max(state.actor, 0))
    needed = 0 if over else len(view.board)
    events: list[EventJson] = events_json(
        [HandBegan(found.seats - 1, view.starting_stacks, view.big_blind), *state.events]
    )
    return {
        "seats": found.seats,
        "over": over,
        "turn": None if over else state.actor,
        "street": STREET_NAMES[view.street],
        "pot": view.pot,
        "to_call": view.to_call,
        "actions": [] if over else choices_of(view),
        "board": cards_text(found.board[:needed]),
        "missing": max(0, needed - len(found.board)),
        "events": [event for event in events if event["what"] != "board"],
    }


def grid_of(
    player: HoldemPlayer, found: GridSituation, state: HoldemState, samples: int = SAMPLES, seconds: float = SECONDS
) -> list[dict[str, Any]]:
    """The 169 cells, in the order of the grid; each sample has its own key, the same every time."""
    seat, gone = state.actor, set(found.board[: len(state.board)])
    members: list[list[int]] = [[] for _ in CLASS_NAMES]
    for holding, (one, two) in enumerate(HOLDING_CARDS.tolist()):
        if not {one, two} & gone:
            members[int(CLASS_OF_HOLDING[holding])].append(holding)
    cells, began, line = [Cell(name) for name in CLASS_NAMES], time.monotonic(), _own_moves(found, seat)
    for life in range(samples):
        if life and time.monotonic() - began > seconds:
            break
        for cell, own in zip(cells, members, strict=True):
            if own:
                holding = own[(life * 5) % len(own)]
                hole = HOLDING_CARDS[holding].tolist()
                _live(cell, asked(player, found, hole, seat, key_of(life, "grid", holding)), line)
    return [cell.as_dict() for cell in cells]


def _live(cell: Cell, done: Sequence[Action], line: Sequence[str]) -> None:
    """Record one sample: the actions at each turn of the line, and at its end."""
    cell.samples += 1
    if all(GROUPS[did.name] == _group(move) for did, move in zip(done, line, strict=False)):
        cell.came += 1
        cell.did[GROUPS[done[-1].name]] += 1


def _group(move: str) -> int:
    return GROUPS.get(move.split()[0].lower(), 2)  # all-in is a bet


def _own_moves(found: GridSituation, seat: int) -> list[str]:
    states = found.positions((UNKNOWN, UNKNOWN), 0)
    return [move for state, move in zip(states, found.line, strict=False) if state.actor == seat]


def asked(player: HoldemPlayer, found: GridSituation, hole: Sequence[int], seat: int, key: int) -> list[Action]:
    """The player's action at each of its turns, with these cards; the hand continues as the line says."""
    watch = getattr(player, "watch", lambda _: None)
    states = found.positions(hole, seat)
    watch(MatchBegan(found.seats))
    watch(HandBegan(found.seats - 1, states[0].view(seat).starting_stacks, found.game.least_bet, seat))
    seen, answers = 0, []
    for number, state in enumerate(states):
        for event in state.events[seen:]:
            watch(event)
        seen = len(state.events)
        if state.actor == seat:
            answers.append(player.act(state.view(seat), stream_of(child(key, number))))
    return answers


def explained(player: HoldemPlayer, found: GridSituation, state: HoldemState, hole: str) -> dict[str, Any]:
    """The player's action and explanation with two cards in the situation."""
    cards = parse_cards(hole)
    if len(cards) != 2 or len({*cards, *found.board}) != 2 + len(found.board):
        raise InputError(f"{hole[:20]!r}: two cards are needed that are not on the board, such as AhKd")
    done = asked(player, found, cards, state.actor, key_of(0, "explained"))
    return {"hand": cards_text(cards), "action": str(done[-1]), "explanation": explanation_of(player)}
