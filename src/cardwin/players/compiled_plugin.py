"""Compiled players from outside the package: a function of a view's numbers, which the engine calls at its address.

1. `@compiled_player(title, name=default, ...)` turns a function `decide(view, parameters, odds, stream)` into a
   `CompiledPlugin`, which builds players. It is named like a class of a Python player: as `python:module:NAME`, or by
   an entry point of the group `cardwin.players`.
2. When such a player first sits down, its function is compiled, or loaded from disk. It is bound-checked, and may
   allocate. The key of the disk cache covers all source files of its package.
3. At its turn `decide_by_plugin` writes the view of its seat, which holds only what the seat may know, calls the
   function and checks the action. An illegal one is a fault, and the player checks or folds, as the referee decides for
   any other program (`fault_rules`, `fault_report`). The function never receives the table.

Python play (`act`) calls the same function, uncompiled, with the same numbers. An exception of the function ends a
match with one sentence: `FailedError`.
"""

import inspect
import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, update_wrapper
from typing import Any, NamedTuple

import numpy as np

from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.intrinsics import FLOATS, INTS, PAIR, READ_ONLY_WORDS, address_of, function_at, structure_at
from cardwin.core.kernel import COMPILED, CompileError, compile_plugin, kernel
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem import view as at
from cardwin.games.holdem.hooks import on_decision, on_hand, on_match
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, verify
from cardwin.games.holdem.table import Table
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView, invalid_action, read_move, write_line, write_view
from cardwin.players.base import FAULTS_KEPT, FailedError, too_many
from cardwin.players.compiled import CompiledForm, CompiledKind, Functions
from cardwin.players.kind import ForeignKind
from cardwin.players.robots.static import named_action
from cardwin.players.view_numbers import load_kernels

Decide = Callable[[Ints, Floats, Words, Stream], tuple[int, int]]

ARGUMENTS = ("view", "parameters", "odds", "stream")
SIGNATURE = PAIR(INTS, FLOATS, READ_ONLY_WORDS, INTS)
# Columns of a player's conduct. SERIES, HAND and ACTION say where it is: all count from 1, by player.
DECISIONS, FAULTS, ROW_OF_FAULTS, OUT, SERIES, HAND, ACTION = range(7)
CONDUCT = 7
# Columns of a fault: the player, where, what it returned and the rule against it; then the view's row.
PLAYER, AT_SERIES, AT_HAND, AT_ACTION, RETURNED, AMOUNT, RULE = range(7)
FAULT = 7

_call = function_at(SIGNATURE)


class FailedInKernelError(FailedError):
    """An exception of a function, which a kernel raises without a message.

    The message is then found by calling the function again, in Python.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message or _last_failure())


class Seated(NamedTuple):
    """Players of one plug-in. function: its address; parameters (rows, any); numbers (rows,): in `_BUILT`.

    odds: the table of win odds, or empty. Scratch: seen (VIEW_SIZE,), the actor's view; stream (2,); conduct (players,
    CONDUCT) of all players at the tables; faults (FAULTS_KEPT, FAULT + VIEW_SIZE), the first ones, and recorded (1,),
    the number of these. failed (3 + VIEW_SIZE,) receives the number, stream and view of a call that raised.
    """

    function: Any
    parameters: Floats
    numbers: Ints
    odds: Words
    seen: Ints
    stream: Ints
    conduct: Ints
    faults: Ints
    recorded: Ints
    failed: Ints


_FAILED = np.zeros(3 + VIEW_SIZE, np.int64)
_BUILT: list["PluginPlayer"] = []  # one for each plug-in and each choice of its parameters


def _no_players() -> Seated:
    numbers = np.zeros(0, np.int64)
    return Seated(
        0,
        np.zeros((0, 0)),
        numbers,
        NO_TABLE,
        numbers,
        numbers,
        np.zeros((0, CONDUCT), np.int64),
        np.zeros((0, FAULT + VIEW_SIZE), np.int64),
        numbers,
        numbers,
    )


def _seated(built: Sequence["PluginPlayer"], players: int) -> Seated:
    plugin = built[0].plugin
    state = _no_players()._replace(
        function=plugin.address,
        parameters=np.stack([player.values for player in built]),
        numbers=np.array([_BUILT.index(player) for player in built]),
        odds=plugin.odds,
        conduct=np.zeros((players, CONDUCT), np.int64),
        failed=_FAILED,
    )
    return _copy_scratch(state)


def _copy_scratch(state: Seated) -> Seated:
    return state._replace(
        seen=np.zeros(VIEW_SIZE, np.int64),
        stream=np.zeros(2, np.int64),
        conduct=np.zeros_like(state.conduct),
        faults=np.zeros((FAULTS_KEPT, FAULT + VIEW_SIZE), np.int64),
        recorded=np.zeros(1, np.int64),
    )


seated_at = structure_at(_no_players)


@kernel(refcount=False)
def passive(t: Table) -> tuple[int, int]:
    """Return a check, or a fold where checking is not free: what a player does that failed."""
    return (FOLD if t.bet[t.actor] < t.current_bet else CALL), 0


@on_decision
def decide_by_plugin(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Call the function with the view of the actor's seat, and check its action."""
    s, seat, player = seated_at(state), t.actor, ids[t.actor]
    recorded = player < len(s.conduct)  # not in analyses that add players to the table
    if recorded:
        s.conduct[player, ACTION] += 1
        if s.conduct[player, OUT]:
            return passive(t)
        s.conduct[player, DECISIONS] += 1
    write_view(t, seat, s.seen)
    write_line(t, s.seen)
    s.stream[0], s.stream[1] = streams[seat, 0], streams[seat, 1]
    action, amount, raised = FOLD, 0, False
    try:
        action, amount = _call(s.function, (s.seen, s.parameters[row], s.odds, s.stream))
    except Exception:  # code outside the package may raise anything
        raised = True
    if raised:
        note_failure(s, row, t, streams)
        raise FailedInKernelError
    streams[seat, 1] = s.stream[1]
    if action == RAISE and amount == 0 and t.limit:
        amount = s.seen[at.MIN_RAISE_TO]  # the only size
    rule = verify(t, action, amount)
    if rule == FINE:
        if recorded:
            s.conduct[player, ROW_OF_FAULTS] = 0
        return action, amount
    if recorded:
        note_fault(s, player, t, action, amount, rule)
    return passive(t)


@kernel(refcount=False)
def note_failure(s: Seated, row: int, t: Table, streams: Ints) -> None:
    """Record the call that raised an exception."""
    s.failed[0], s.failed[1], s.failed[2] = s.numbers[row], streams[t.actor, 0], streams[t.actor, 1]
    write_view(t, t.actor, s.failed[3:])
    write_line(t, s.failed[3:])


@kernel(refcount=False)
def note_fault(s: Seated, player: int, t: Table, action: int, amount: int, rule: int) -> None:
    """Count a fault of a player, and record it if it is among the first."""
    conduct, count = s.conduct[player], s.recorded[0]
    conduct[FAULTS] += 1
    conduct[ROW_OF_FAULTS] += 1
    conduct[OUT] = too_many(conduct[FAULTS], conduct[ROW_OF_FAULTS], conduct[DECISIONS])
    if count < len(s.faults):
        fault = s.faults[count]
        fault[PLAYER], fault[AT_SERIES], fault[AT_HAND] = player, conduct[SERIES], conduct[HAND]
        fault[AT_ACTION], fault[RETURNED], fault[AMOUNT], fault[RULE] = conduct[ACTION], action, amount, rule
        write_view(t, t.actor, fault[FAULT:])
        write_line(t, fault[FAULT:])
        s.recorded[0] += 1


@on_hand
def count_hand(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Count the hands of the players at the table."""
    conduct = seated_at(state).conduct
    for seat in range(t.seats):
        if rows[seat] >= 0 and ids[seat] < len(conduct):
            conduct[ids[seat], HAND] += 1
            conduct[ids[seat], ACTION] = 0


@on_match
def count_series(state: int) -> None:
    """Count matches or tournaments, and their hands from 1 again."""
    conduct = seated_at(state).conduct
    for player in range(len(conduct)):
        conduct[player, SERIES] += 1
        conduct[player, HAND] = 0


KIND = CompiledKind(
    "plug-in",
    Functions(decide_by_plugin, hand_began=count_hand, match_began=count_series),
    _no_players,
    _seated,
    draws=True,
    needs_referee=True,
    copy_scratch=_copy_scratch,
    copy_memory=_copy_scratch,
)


class CompiledPlugin(ForeignKind):
    """A kind of compiled player from outside the package. Calling it builds a player.

    Attributes:
        title: A one-line description.
        decide: The function, as it was written.
        parameters: The parameters' names and default values, in their order in `decide`'s row.
        win_odds: Whether `decide` reads the table of win odds.

    """

    def __init__(self, decide: Decide, title: str, parameters: dict[str, float], win_odds: bool) -> None:
        update_wrapper(self, decide)  # its module and name
        self.decide, self.title, self.parameters, self.win_odds = decide, title, parameters, win_odds
        self.name = f"{decide.__module__}:{decide.__qualname__}"

    def __call__(self, **values: str | float) -> "PluginPlayer":
        """Return a player with some parameters changed."""
        for name in values:
            if name not in self.parameters:
                raise unknown_name(f"parameter of {self.name}", name, self.parameters)
        player = PluginPlayer(
            self, [self._number(name, value) for name, value in {**self.parameters, **values}.items()]
        )
        return next((built for built in _BUILT if built.equals(player)), None) or player.register()

    def _number(self, name: str, value: str | float) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"{self.name}: expected a number for {name}, got {shorten(value)!r}")
        return number

    def __deepcopy__(self, memo: object) -> "CompiledPlugin":
        """Return itself: it does not change."""
        return self

    @cached_property
    def odds(self) -> Words:
        """The table of win odds; an empty one if the function does not read it."""
        return win_odds_store.load_or_build() if self.win_odds else NO_TABLE

    @cached_property
    def odds_in_python(self) -> Words:
        """The same table if it has been built: a sandbox cannot build it."""
        return win_odds_store.load() if self.win_odds else NO_TABLE

    @cached_property
    def address(self) -> Any:
        """The address of the compiled function; with the compiler off, a function that checks as compiled code does.

        Raises:
            InputError: it cannot be compiled.

        """
        if not COMPILED:
            return self.checked
        compiled: Any = compile_plugin(self.decide)
        compiled.signature = SIGNATURE
        try:
            return address_of(compiled)
        except CompileError as error:
            raise InputError(f"{self.name} cannot be compiled: {_one_line(error)}") from error

    def checked(self, view: Ints, parameters: Floats, odds: Words, stream: Stream) -> tuple[int, int]:
        """Call the function in Python, with the same errors and whole numbers as compiled."""
        with np.errstate(divide="raise", invalid="raise"):
            action, amount = self.decide(view, parameters, odds, stream)
        return int(action), int(amount)

    def failure(self, view: Ints, parameters: Floats, stream: Stream) -> str:
        """Return a sentence with the exception that the function raises."""
        try:
            self.checked(view, parameters, self.odds_in_python, stream)
        except Exception as error:
            return self.sentence(error)
        return f"{self.name} raised an exception when compiled, which it does not raise in Python"

    def sentence(self, error: Exception) -> str:
        """Return a sentence about an exception of the function."""
        return f"{self.name} raised {type(error).__name__}: {shorten(error, 120)}"


def compiled_player(title: str, *, win_odds: bool = False, **parameters: float) -> Callable[[Decide], CompiledPlugin]:
    """Return a decorator that makes a compiled player of a function.

    Args:
        title: A one-line description.
        win_odds: Whether the function reads the table of win odds, by `equity` or otherwise. It is then loaded, and
            built first if that has not been done.
        **parameters: Parameters with their default values, in the order in which the function receives them.

    Returns:
        A decorator of a function `decide(view, parameters, odds, stream)`, which returns an action (FOLD, CALL or
        RAISE) and the total bet of a raise in chips.

    Raises:
        InputError: By the decorator, if the function has another number of arguments.

    """

    def decorate(decide: Decide) -> CompiledPlugin:
        names = tuple(inspect.signature(decide).parameters)
        if len(names) != len(ARGUMENTS):
            raise InputError(
                f"{decide.__module__}:{decide.__qualname__}: expected {len(ARGUMENTS)} arguments "
                f"({', '.join(ARGUMENTS)}), got {len(names)} ({', '.join(names)})"
            )
        return CompiledPlugin(decide, title, {name: float(value) for name, value in parameters.items()}, win_odds)

    return decorate


class PluginPlayer:
    """A player of a plug-in, with the values of its parameters."""

    stateless = True

    def __init__(self, plugin: CompiledPlugin, values: Sequence[float]) -> None:
        self.plugin, self.values = plugin, np.array(values)

    def equals(self, other: "PluginPlayer") -> bool:
        """Return whether another player decides alike."""
        return self.plugin is other.plugin and bool((self.values == other.values).all())

    def register(self) -> "PluginPlayer":
        """Return this player, which messages can name from now on."""
        _BUILT.append(self)
        return self

    def __deepcopy__(self, memo: object) -> "PluginPlayer":
        """Return itself: it does not change."""
        return self

    @property
    def compiled(self) -> CompiledForm:
        """The same player for kernels."""
        return CompiledForm(KIND, self, self.plugin)

    def prepare(self) -> None:
        """Load the kernels that the function may call in Python."""
        load_kernels(self.plugin.odds_in_python)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the function's action; the table checks it."""
        row, odds = np.array(view.row, np.int64), self.plugin.odds_in_python
        try:
            action, amount = self.plugin.checked(row, self.values, odds, rng)
        except Exception as error:
            raise FailedError(self.plugin.sentence(error)) from error
        return returned_action(view, action, amount)


def returned_action(view: HoldemView, action: int, amount: int) -> Action:
    """Return what a function returned as an action, legal or not."""
    return named_action(view, action, amount) if action in (FOLD, CALL, RAISE) else Action(f"action {action}")


def fault_text(row: Sequence[int], action: int, amount: int, rule: int) -> str:
    """Return the reason why an action was illegal in a view's row, as a table says it."""
    view = HoldemView(tuple(row))
    try:
        move = read_move(view, returned_action(view, action, amount))
    except InputError as error:
        return str(error)
    return str(invalid_action(view, move, rule))


def _last_failure() -> str:
    player = _BUILT[int(_FAILED[0])]
    return player.plugin.failure(_FAILED[3:].copy(), player.values, _FAILED[1:3].copy())


def _one_line(error: Exception) -> str:
    """Return the first sentence of a compiler's message that says what is wrong, and in which line."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    about = next((line for line in lines if not line.startswith("Failed in ")), "unknown error")
    position = re.search(r'File "([^"]+)", line (\d+)|at (\S+\.py) \((\d+)\)', text)
    where = f" ({position[1] or position[3]}, line {position[2] or position[4]})" if position else ""
    return shorten(about, 200).rstrip(":.") + where
