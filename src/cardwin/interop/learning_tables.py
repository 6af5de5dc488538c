"""One hand after another for a learning program: numbered actions in, arrays of the next decision out.

A table is used by any environment interface: `begin` deals a hand, `take` plays the numbered action of the seat to
act. `actor` is then the next seat, or NOBODY; `planes` and `mask` are that seat's arrays, new ones at every step, so
that a program may store them. At the end `won` has what each seat won, in the game's unit of rewards: big blinds in
no-limit, small bets in limit hold'em, chips in small games.

Cards depend on the seed and the hand's number alone, and are those of `cardwin.deal` with both.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.arena.engine import CARDS
from cardwin.core.arrays import Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, draw_uniform, prf, shuffle_first
from cardwin.games import is_holdem
from cardwin.games.base import CHANCE, NOBODY, Game, State
from cardwin.games.holdem import rules
from cardwin.games.holdem.events import Log, new_log
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.observation import SHAPE, Actions, amount_of, write_mask, write_planes
from cardwin.games.holdem.table import BOARD, MAX_CHIPS, SEATS, Tables
from cardwin.games.holdem.view import STACKS, STARTS, VIEW_SIZE, HoldemView, fill_view, write_view
from cardwin.games.small import observation as small

Array = npt.NDArray[Any]
Options = dict[str, Any]

ILLEGAL = -3
MOST_CARDS = 3  # dealt in a small game
_DECK, _FORCED, _ROW, _LAST = 0, 52, 52 + 2 * SEATS, 52 + 2 * SEATS + VIEW_SIZE  # offsets in the scratch array


@kernel
def begin_table(
    tables: Tables,
    key: int,
    hand: int,
    stacks: Ints,
    button: int,
    scratch: Ints,
    sizes: Array,
    planes: Array,
    mask: Array,
    log: Log,
) -> int:
    """Deal hand number `hand`, from 0, of a match's key; return the seat that acts first."""
    t, deck = tables[0], scratch[_DECK:_FORCED]
    for card in range(52):
        deck[card] = card
    shuffle_first(np.array([prf(child(key, hand), CARDS), 0]), deck, BOARD + 2 * t.seats)
    for index in range(BOARD):
        t.board[index] = deck[index]
    for index in range(2 * t.seats):
        t.hole[index] = deck[BOARD + index]
    for seat in range(SEATS):
        t.stack[seat] = stacks[seat]
    t.button = button
    forced = scratch[_FORCED:_ROW].reshape(2, SEATS)
    rules.forced_bets(t, forced)
    rules.begin_hand(t, forced, log)
    return see_table(tables, scratch, sizes, planes, mask)


@kernel
def act_at_table(tables: Tables, number: int, scratch: Ints, sizes: Array, planes: Array, mask: Array, log: Log) -> int:
    """Play the numbered action of the actor, whose view is in scratch; return the seat that acts next, or ILLEGAL."""
    t, row = tables[0], scratch[_ROW:_LAST]
    amount = amount_of(row, sizes, number)
    folds_without_bet = number == 0 and rules.to_call(t, t.actor) == 0
    if t.actor == NOBODY or folds_without_bet or (number > 1 and amount == 0):
        return ILLEGAL
    # One call, since kernels are inlined wherever they are called.
    rules.act(t, rules.FOLD if number == 0 else rules.CALL if number == 1 else rules.RAISE, amount, log)
    return see_table(tables, scratch, sizes, planes, mask)


@kernel
def see_table(tables: Tables, scratch: Ints, sizes: Array, planes: Array, mask: Array) -> int:
    """Write the arrays of the actor, or of the first seat once the hand is over; return the actor."""
    t, row = tables[0], scratch[_ROW:_LAST]
    write_view(t, max(t.actor, 0), row)
    write_planes(row, planes)
    write_mask(row, sizes, mask)
    return int(t.actor)


@kernel
def draw_points(key: int, hand: int, points: Array) -> None:
    """Write the first draws of a hand's cards, of a match's key."""
    stream = np.array([prf(child(key, hand), CARDS), 0])
    for index in range(len(points)):
        points[index] = draw_uniform(stream)


class HoldemTable:
    """A table of hold'em. Every hand begins with the same stacks; the button moves one seat per hand."""

    def __init__(self, game: HoldemGame, seats: int, shares: Sequence[float]) -> None:
        self.game, self.seats, self.shape = game, seats, SHAPE
        self.choice = Actions(game.kind == "limit", tuple(shares))
        self.action_names, self.actions = self.choice.names, len(self.choice.names)
        self.tables = game.tables(seats)
        self._unit = float(game.small_bet if game.kind == "limit" else game.min_bet)
        self._sizes, self._log = self.choice.sizes, new_log()
        self._scratch = np.zeros(_LAST, np.int64)
        row = self._scratch[_ROW:]
        self._behind, self._before = row[STACKS : STACKS + seats], row[STARTS : STARTS + seats]
        self._stacks = np.array([game.stack] * seats + [0] * (SEATS - seats), np.int64)
        self.actor = NOBODY
        self.planes, self.mask = np.zeros(SHAPE, np.float32), np.zeros(self.actions, np.int8)

    def begin(self, key: int, hand: int, options: Options) -> None:
        """Deal a hand; the options are `stacks` by seat and `button`, others are ignored."""
        stacks, button = self._stacks, hand % self.seats
        if options:
            stacks, button = self._stacks_in(options), self._button_in(options, button)
        planes, mask = np.empty(SHAPE, np.float32), np.empty(self.actions, np.int8)
        self.actor = begin_table(
            self.tables, key, hand, stacks, button, self._scratch, self._sizes, planes, mask, self._log
        )
        self.planes, self.mask = planes, mask

    def _stacks_in(self, options: Options) -> Ints:
        value = options.get("stacks", self._stacks[: self.seats])
        stacks = list(value) if isinstance(value, list | tuple | np.ndarray) else []
        valid = all(isinstance(stack, int | np.integer) and 0 <= stack <= MAX_CHIPS for stack in stacks)
        if len(stacks) != self.seats or not valid or sum(stack > 0 for stack in stacks) < 2:
            raise InputError(
                f"expected {self.seats} stacks of 0 to {MAX_CHIPS} whole chips, at least two of them positive, "
                f"got {value}"
            )
        return np.array([*stacks, *[0] * (SEATS - self.seats)], np.int64)

    def _button_in(self, options: Options, default: int) -> int:
        button = options.get("button", default)
        if not isinstance(button, int | np.integer) or not 0 <= button < self.seats:
            raise InputError(f"expected a button seat from 0 to {self.seats - 1}, got {button}")
        return int(button)

    def take(self, number: int) -> None:
        """Play the numbered action of the seat to act."""
        planes, mask = np.empty(SHAPE, np.float32), np.empty(self.actions, np.int8)
        actor = act_at_table(self.tables, number, self._scratch, self._sizes, planes, mask, self._log)
        if actor == ILLEGAL:
            self.choice.action(self._view(self.actor), number)  # raises the error that names the legal actions
        self.actor, self.planes, self.mask = actor, planes, mask

    def _view(self, seat: int) -> HoldemView:
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        return HoldemView(tuple(row.tolist()))

    def observe(self, seat: int) -> tuple[Array, Array]:
        """Return the arrays of any seat."""
        if seat == self.actor:
            return self.planes, self.mask
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        planes, mask = np.empty(SHAPE, np.float32), np.zeros(self.actions, np.int8)
        write_planes(row, planes)
        return planes, mask

    def won(self) -> list[float]:
        """Return the big blinds or small bets that each seat won."""
        return ((self._behind - self._before) / self._unit).tolist()  # type: ignore[no-any-return]

    def __str__(self) -> str:
        views = [self._view(seat) for seat in range(self.seats)]
        hands = [str(view).splitlines()[1 + seat] for seat, view in enumerate(views)]
        return "\n".join([str(views[0]).splitlines()[0], *hands])


class _Node:
    """A position of a small game: the arrays and the result of each seat, and the positions after it, once reached."""

    __slots__ = ("actor", "after", "masks", "planes", "state", "weights", "won")

    def __init__(self, game: Game, state: State) -> None:
        self.state, self.actor, self.after = state, state.actor, dict[int, _Node]()
        self.weights = [float(chance) for _, chance in state.chance_outcomes()] if state.actor == CHANCE else []
        self.planes = [small.small_observation(game, state, seat) for seat in (0, 1)]
        self.masks = [small.small_mask(game, state, seat) for seat in (0, 1)]
        self.won = [float(chips) for chips in state.returns()] if state.actor == NOBODY else []


def _outcome(point: float, weights: list[float]) -> int:
    """Return the outcome of a uniform draw, as `rng.draw_index` computes it."""
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index
    return len(weights) - 1


class SmallTable:
    """A table of Kuhn poker or Leduc hold'em."""

    def __init__(self, game: Game) -> None:
        sizes = small.shape_of(game)
        self.game, self.seats, self.shape, self.actions = game, 2, sizes.shape, sizes.actions
        bold = [f"bet or raise {index + 1}" for index in range(sizes.actions - 2)]
        self.action_names = ("fold", "check or call", *(bold if len(bold) > 1 else ["bet or raise"]))
        self._root = self._node = _Node(game, game.start())
        self.actor = NOBODY
        self.planes, self.mask = np.zeros(self.shape, np.float32), np.zeros(self.actions, np.int8)
        self._points = np.zeros(MOST_CARDS)
        self._draws: list[float] = []

    @property
    def state(self) -> State:
        """The position."""
        return self._node.state

    def begin(self, key: int, hand: int, options: Options) -> None:  # noqa: ARG002  one interface for all tables
        """Deal a hand; there are no options."""
        draw_points(key, hand, self._points)
        self._draws = self._points.tolist()[::-1]
        self._go_to(self._root)

    def take(self, number: int) -> None:
        """Play the numbered action of the seat to act."""
        node = self._node
        if number not in node.after:
            node.after[number] = _Node(self.game, node.state.apply(small.small_action(self.game, node.state, number)))
        self._go_to(node.after[number])

    def _go_to(self, node: _Node) -> None:
        while node.weights:
            outcome = _outcome(self._draws.pop(), node.weights)
            if outcome not in node.after:
                name = node.state.chance_outcomes()[outcome][0]
                node.after[outcome] = _Node(self.game, node.state.apply(name))
            node = node.after[outcome]
        self._node, self.actor = node, node.actor
        if node.actor >= 0:
            self.planes, self.mask = node.planes[node.actor].copy(), node.masks[node.actor].copy()

    def observe(self, seat: int) -> tuple[Array, Array]:
        """Return the arrays of any seat."""
        if seat == self.actor:
            return self.planes, self.mask
        return self._node.planes[seat].copy(), self._node.masks[seat].copy()

    def won(self) -> list[float]:
        """Return the chips that each seat won."""
        return self._node.won

    def __str__(self) -> str:
        return str(self.state)


LearningTable: TypeAlias = HoldemTable | SmallTable


def learning_table(game: Game, seats: int, shares: Sequence[float]) -> LearningTable:
    """Return the table of a game for a number of seats; `shares` are the no-limit bets in pots."""
    if is_holdem(game):
        return HoldemTable(game, seats, shares)
    if seats != 2:
        raise InputError(f"{game.name}: expected 2 players, got {seats}")
    return SmallTable(game)
