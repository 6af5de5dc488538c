"""Range grid: what a hold'em player does with every hand after a betting line, as a 13 x 13 grid.

1. Play the line, a list of actions from the blinds on, by the rules; the player to act next is examined.
2. Where the player says its chances (`range_chances`), they are asked with every holding at each of its turns: the
   chance that it did what the line says is the reach of the hand, its chances at the end are exact.
3. Otherwise deal combos of every class of hands (AKs, 77, QJo) to the seat and replay the line: the player observes
   every event and acts at each of its turns, several times with different random keys. The share of samples that follow
   the line is the reach of the hand; its actions at the end have an interval (Clopper and Pearson 1934).

The number of samples is the caller's and nothing is cut by time, so that the same player always looks the same. The
other seats' cards are unknown, as in any view.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.analysis.range_chances import GROUPS, ExactPlayer, exact_player
from cardwin.arena.live_table import check_players
from cardwin.cards.card import cards_text, parse_cards
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.events import STREET_NAMES, Event, EventJson, HandBegan, MatchBegan, events_json
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, UNKNOWN
from cardwin.games.holdem.view import legal_choices
from cardwin.players.base import explanation_of
from cardwin.players.kind import HoldemPlayer
from cardwin.stats.intervals import share_of

SAMPLES = 32  # of each class of hands
MAX_SAMPLES = 512  # of each class, times the player's turns of the line
MAX_ACTIONS = 60
NEVER = 1e-12  # the sum of a class that no hand of it reaches


@dataclass
class Cell:
    """A class of hands: samples, how many of them reached the situation, and the actions there."""

    name: str
    samples: int = 0
    came: int = 0
    did: list[int] = field(default_factory=lambda: [0, 0, 0])  # fold, check or call, bet or raise

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON: shares of the samples that reached it with their intervals, None if none did."""
        content: dict[str, Any] = {"hand": self.name, "reach": self.came / self.samples if self.samples else None}
        if not self.came:
            return content | {"plays": None, "low": None, "high": None, "came": 0}
        shares = [share_of(count, self.came) for count in self.did]
        return content | {
            "plays": [share.mean for share in shares],
            "low": [share.low for share in shares],
            "high": [share.high for share in shares],
            "came": self.came,
        }


@dataclass(frozen=True)
class Grid:
    """The 169 cells in the order of the grid: exact, or from `samples` of each class."""

    exact: bool
    samples: int
    cells: list[dict[str, Any]]


@dataclass(frozen=True)
class GridSituation:
    """A betting line with its board: the position of each earlier turn of the player, and of the examined one."""

    game: HoldemGame
    seats: int
    line: tuple[str, ...]
    board: tuple[int, ...]

    def start(self, hole: Sequence[int], seat: int) -> HoldemState:
        """Return the first position, with two cards in a seat; cards to come are any that are left."""
        known = {*self.board, *hole}
        rest = [card for card in range(52) if card not in known][: BOARD - len(self.board)]
        hands = [list(hole) if other == seat else [UNKNOWN, UNKNOWN] for other in range(self.seats)]
        return self.game.start(hands, [*self.board, *rest])

    def positions(self, hole: Sequence[int], seat: int) -> list[HoldemState]:
        """Return every position of the line, including the last one."""
        states = [self.start(hole, seat)]
        for move in self.line:
            states.append(states[-1].apply(move))
        return states


def situation(game: HoldemGame, seats: int, line: Sequence[str], board: str) -> tuple[GridSituation, HoldemState]:
    """Return a situation from its text, and its position as all players see it."""
    if len(line) > MAX_ACTIONS:
        raise InputError(f"expected at most {MAX_ACTIONS} actions in a line, got {len(line)}")
    cards = parse_cards(board) if board else ()
    if len(cards) not in (0, 3, 4, 5):
        raise InputError(f"expected a board of 0, 3, 4 or 5 cards, got {len(cards)}")
    grid = GridSituation(game, seats, tuple(line), tuple(cards))
    return grid, grid.positions((UNKNOWN, UNKNOWN), 0)[-1]


def described(grid: GridSituation, state: HoldemState) -> dict[str, Any]:
    """Return a position as all players see it: whose turn, the legal actions, and how many board cards are missing."""
    over = state.actor == NOBODY
    view = state.view(max(state.actor, 0))
    needed = 0 if over else len(view.board)
    events: list[EventJson] = events_json(
        [HandBegan(grid.seats - 1, view.starting_stacks, view.big_blind), *state.events]
    )
    return {
        "seats": grid.seats,
        "over": over,
        "turn": None if over else state.actor,
        "street": STREET_NAMES[view.street],
        "pot": view.pot,
        "to_call": view.to_call,
        "actions": [] if over else legal_choices(view),
        "board": cards_text(grid.board[:needed]),
        "missing": max(0, needed - len(grid.board)),
        "events": [event for event in events if event["what"] != "board"],
    }


def grid_of(player: HoldemPlayer, grid: GridSituation, state: HoldemState, samples: int = SAMPLES) -> Grid:
    """Return the grid of a player: exact if its action probabilities are known, otherwise from samples."""
    check_players(grid.game, [player], grid.seats)
    exact = exact_player(player)
    if exact is not None:
        return Grid(True, 0, exact_cells(exact, grid, state))
    samples = max(1, min(samples, MAX_SAMPLES // (1 + len(_own_moves(grid, state.actor)))))
    return Grid(False, samples, sampled_cells(player, grid, state, samples))


def exact_cells(player: ExactPlayer, grid: GridSituation, state: HoldemState) -> list[dict[str, Any]]:
    """Return the cells of a player with exact probabilities; all combos of a class that are possible weigh the same."""
    seat, board = state.actor, list(grid.board[: len(state.board)])
    free = np.array(~np.isin(HOLDING_CARDS, board).any(axis=1), np.float64)
    reach, plays = free.copy(), np.zeros((HOLDINGS, 3))
    for number, position in enumerate(_followed(player.watch, grid, (UNKNOWN, UNKNOWN), seat)):
        if position.actor == seat:
            plays = player.chances(position)
            if number < len(grid.line):
                reach *= plays[:, _group(grid.line[number])]
    combos, came = _by_class(free), _by_class(reach)
    did = np.stack([_by_class(reach * plays[:, action]) for action in range(3)], axis=1)
    return [
        {
            "hand": name,
            "reach": float(came[index] / combos[index]) if combos[index] else None,
            "plays": (did[index] / came[index]).tolist() if came[index] > NEVER else None,
            "low": None,
            "high": None,
            "came": None,
        }
        for index, name in enumerate(CLASS_NAMES)
    ]


def _by_class(weights: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return sums (169,) over the holdings of each class."""
    return np.asarray(np.bincount(CLASS_OF_HOLDING, weights, len(CLASS_NAMES)), np.float64)


def sampled_cells(player: HoldemPlayer, grid: GridSituation, state: HoldemState, samples: int) -> list[dict[str, Any]]:
    """Return the cells from samples of every class; each sample has its own key, the same every time."""
    seat, gone = state.actor, set(grid.board[: len(state.board)])
    members: list[list[int]] = [[] for _ in CLASS_NAMES]
    for holding, (a, b) in enumerate(HOLDING_CARDS.tolist()):
        if not {a, b} & gone:
            members[int(CLASS_OF_HOLDING[holding])].append(holding)
    cells, line = [Cell(name) for name in CLASS_NAMES], _own_moves(grid, seat)
    for life in range(samples):
        for cell, holdings in zip(cells, members, strict=True):
            if holdings:
                holding = holdings[(life * 5) % len(holdings)]
                hole = HOLDING_CARDS[holding].tolist()
                _live(cell, asked(player, grid, hole, seat, key_of(life, "grid", holding)), line)
    return [cell.as_dict() for cell in cells]


def _live(cell: Cell, done: Sequence[Action], line: Sequence[str]) -> None:
    """Record one sample: the actions at each turn of the line, and at its end."""
    cell.samples += 1
    if all(GROUPS[did.name] == _group(move) for did, move in zip(done, line, strict=False)):
        cell.came += 1
        cell.did[GROUPS[done[-1].name]] += 1


def _group(move: str) -> int:
    return GROUPS.get(move.split()[0].lower(), 2)  # all-in is a bet


def _own_moves(grid: GridSituation, seat: int) -> list[str]:
    states = grid.positions((UNKNOWN, UNKNOWN), 0)
    return [move for state, move in zip(states, grid.line, strict=False) if state.actor == seat]


def asked(player: HoldemPlayer, grid: GridSituation, hole: Sequence[int], seat: int, key: int) -> list[Action]:
    """Return the player's action at each of its turns, with these cards; the hand continues as the line says."""
    watch = getattr(player, "watch", lambda _: None)
    return [
        player.act(state.view(seat), stream_of(child(key, number)))
        for number, state in enumerate(_followed(watch, grid, hole, seat))
        if state.actor == seat
    ]


def _followed(
    watch: Callable[[Event], None], grid: GridSituation, hole: Sequence[int], seat: int
) -> Iterator[HoldemState]:
    """Yield every position of the line, once the watcher of a seat has seen the events up to it."""
    states, seen = grid.positions(hole, seat), 0
    watch(MatchBegan(grid.seats))
    watch(HandBegan(grid.seats - 1, states[0].view(seat).starting_stacks, grid.game.min_bet, seat))
    for state in states:
        for event in state.events[seen:]:
            watch(event)
        seen = len(state.events)
        yield state


def explained(player: HoldemPlayer, grid: GridSituation, state: HoldemState, hole: str) -> dict[str, Any]:
    """Return the player's action and explanation with two cards in the situation."""
    cards = parse_cards(hole)
    if len(cards) != 2 or len({*cards, *grid.board}) != 2 + len(grid.board):
        raise InputError(f"expected two cards such as AhKd that are not on the board, got {hole[:20]!r}")
    done = asked(player, grid, cards, state.actor, key_of(0, "explained"))
    return {"hand": cards_text(cards), "action": str(done[-1]), "explanation": explanation_of(player)}
