"""Compiled players: kinds with their functions and states, built from the players of a table.

A kind of compiled player is a `CompiledKind`: functions that the engine calls (`games.holdem.hooks`), and a state, a
named tuple of arrays in which each player has a row. A player has an attribute `compiled`, a `CompiledForm`: its kind,
its data and its shape. `players_of` groups the players of a table by kind and shape, builds one state for each group
and compiles or loads the functions of the kinds that are there, no others.

To add a kind: write its functions, its state and a `CompiledKind`, and give its players the attribute `compiled`.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints
from cardwin.core.intrinsics import address_of, pack, table_of
from cardwin.core.kernel import COMPILED
from cardwin.games.holdem.hooks import (
    DRAWS,
    FIRST_SLOT,
    HAS_PROBABILITIES,
    HOOKS,
    IGNORES_CARDS,
    LEFT_OUT,
    PROBABILITIES,
    PYTHON,
    Players,
)


class Functions(NamedTuple):
    """The functions of a kind, in the order of `hooks`; None if it does not have one."""

    decide: Any = None
    probabilities: Any = None
    prefetch: Any = None
    hand_began: Any = None
    street_began: Any = None
    before_action: Any = None
    after_action: Any = None
    hand_ended: Any = None
    opponents_changed: Any = None
    match_began: Any = None


@dataclass(frozen=True, eq=False)
class CompiledKind:
    """A kind of compiled player, or of observer.

    Attributes:
        name: For messages.
        functions: What the engine calls.
        template: Returns the state of no player, which has the types of every state.
        build: Returns the state of some players from their data and the number of all players at the tables.
        draws: Whether it draws random numbers.
        knows: Whether its probabilities are exact.
        remembers: Whether a hand depends on earlier hands. Equal players of a kind that does not share a row.
        ignores_cards: Whether it plays all holdings alike.
        needs_referee: Whether its actions may be illegal: live tables call it in Python, where the referee sees them.
        copy_memory: Returns the state with its own memory and scratch.
        copy_scratch: Returns the state with its own scratch and the same memory, for another thread.
        memory: Returns the arrays that remember, by name, to be saved and restored.

    """

    name: str
    functions: Functions
    template: Callable[[], Any]
    build: Callable[[Sequence[Any], int], Any] | None = None
    draws: bool = False
    knows: bool = False
    remembers: bool = False
    ignores_cards: bool = False
    needs_referee: bool = False
    copy_memory: Callable[[Any], Any] = lambda state: state
    copy_scratch: Callable[[Any], Any] = lambda state: state
    memory: Callable[[Any], Mapping[str, npt.NDArray[Any]]] = lambda _: {}

    def __deepcopy__(self, memo: object) -> "CompiledKind":
        """Return the kind itself: copies of a player are of the same kind."""
        return self


class CompiledForm(NamedTuple):
    """A player for kernels: its kind (the number of a static one), its data, and the shape that a state can hold."""

    kind: CompiledKind | int
    data: Any = None
    shape: Hashable = None


@dataclass(frozen=True, eq=False)
class Slot:
    """A kind at a table with the state of its players."""

    kind: CompiledKind
    state: Any

    @cached_property
    def words(self) -> npt.NDArray[np.int64]:
        """The state as kernels read it."""
        return pack(self.state, self.kind.template())


class CompiledPlayers:
    """The players of some tables by number: kinds and rows (players,), as in `hooks.Players`, and slots."""

    def __init__(self, kinds: Ints, rows: Ints, slots: Sequence[Slot] = ()) -> None:
        self.kinds, self.rows = np.ascontiguousarray(kinds, np.int64), np.ascontiguousarray(rows, np.int64)
        self.slots = tuple(slots)

    @cached_property
    def arrays(self) -> Players:
        """The players for kernels that play; the functions of their kinds are compiled, or loaded, now."""
        return self._arrays(with_probabilities=False)

    @cached_property
    def arrays_with_probabilities(self) -> Players:
        """The players for kernels that also ask for probabilities, which take time to compile."""
        return self._arrays(with_probabilities=True)

    def _arrays(self, with_probabilities: bool) -> Players:
        slots = self.slots
        functions = [
            LEFT_OUT
            if COMPILED and hook == PROBABILITIES and function and not with_probabilities
            else address_of(function)
            for slot in slots
            for hook, function in enumerate(slot.kind.functions)
        ]
        states = [slot.words.ctypes.data if COMPILED else slot.state for slot in slots]
        flags = [
            DRAWS * kind.draws + HAS_PROBABILITIES * kind.knows + IGNORES_CARDS * kind.ignores_cards
            for kind in (slot.kind for slot in slots)
        ]
        return Players(
            self.kinds,
            self.rows,
            table_of(functions, slots, (len(slots), HOOKS)),
            table_of(states, slots, (len(slots),)),
            np.array(flags, np.int64),
        )

    @property
    def all_compiled(self) -> bool:
        """Whether no player is called in Python."""
        return PYTHON not in self.kinds

    @property
    def remember(self) -> bool:
        """Whether hands depend on earlier hands."""
        return any(slot.kind.remembers for slot in self.slots)

    def slot_of(self, player_id: int) -> Slot | None:
        """Return the slot of a player, None if it is static or called in Python."""
        kind = int(self.kinds[player_id])
        return self.slots[kind - FIRST_SLOT] if kind >= FIRST_SLOT else None

    def knows(self, player_id: int) -> bool:
        """Return whether a player's probabilities are known exactly."""
        slot = self.slot_of(player_id)
        return slot.kind.knows if slot is not None else int(self.kinds[player_id]) != PYTHON

    def copy(self) -> "CompiledPlayers":
        """Return the same players with their own memory, for parallel work."""
        return self._with(slot.kind.copy_memory(slot.state) for slot in self.slots)

    def copy_scratch(self) -> "CompiledPlayers":
        """Return the same players and the same memory, for another thread."""
        return self._with(slot.kind.copy_scratch(slot.state) for slot in self.slots)

    def _with(self, states: Any) -> "CompiledPlayers":
        slots = [
            slot if state is slot.state else Slot(slot.kind, state)
            for slot, state in zip(self.slots, states, strict=True)
        ]
        return CompiledPlayers(self.kinds, self.rows, slots)

    def observed_by(self, *observers: Slot) -> "CompiledPlayers":
        """Return the same players with observers at their tables."""
        return CompiledPlayers(self.kinds, self.rows, (*self.slots, *observers))

    def merge(self, others: "CompiledPlayers") -> "CompiledPlayers":
        """Return these players and then the others, each with the states that they have."""
        shifted = np.where(others.kinds >= FIRST_SLOT, others.kinds + len(self.slots), others.kinds)
        return CompiledPlayers(
            np.concatenate([self.kinds, shifted]),
            np.concatenate([self.rows, others.rows]),
            (*self.slots, *others.slots),
        )

    def attach(self, players: Sequence[object]) -> None:
        """Let players with `attach(state, row)` use the memory of their compiled forms as their own."""
        self._share("attach", players)

    def sync_memory(self, players: Sequence[object]) -> None:
        """Give players with `remember(state, row)` what their compiled forms have learnt in the hands played."""
        self._share("remember", players)

    def _share(self, method: str, players: Sequence[object]) -> None:
        for player_id, player in enumerate(players):
            receive, slot = getattr(player, method, None), self.slot_of(player_id)
            if receive is not None and slot is not None and slot.kind.remembers:
                receive(slot.state, int(self.rows[player_id]))

    def saved_memory(self) -> list[dict[str, npt.NDArray[Any]]]:
        """Return copies of what is remembered, by slot."""
        return [{name: array.copy() for name, array in slot.kind.memory(slot.state).items()} for slot in self.slots]

    def load_memory(self, saved: Sequence[Mapping[str, npt.ArrayLike]]) -> None:
        """Restore what `saved_memory` returned."""
        for slot, arrays in zip(self.slots, saved, strict=True):
            for name, array in slot.kind.memory(slot.state).items():
                array[:] = arrays[name]


def population(kind: CompiledKind, state: Any, players: int) -> CompiledPlayers:
    """Return players of one kind whose state is already in arrays: player i has row i."""
    return CompiledPlayers(np.full(players, FIRST_SLOT), np.arange(players), [Slot(kind, state)])


def called_in_python(players: int) -> CompiledPlayers:
    """Return players at whose turns kernels stop."""
    return CompiledPlayers(np.full(players, PYTHON), np.full(players, -1))


def players_of(forms: Sequence[CompiledForm | None]) -> CompiledPlayers:
    """Return players by their compiled forms; a player without a form is called in Python."""
    kinds, rows = np.full(len(forms), PYTHON), np.full(len(forms), -1)
    groups: dict[tuple[CompiledKind, Hashable], list[Any]] = {}
    known: dict[tuple[int, Hashable], int] = {}
    for player_id, form in enumerate(forms):
        if form is None:
            continue
        if isinstance(form.kind, int):
            kinds[player_id] = form.kind
            continue
        group = groups.setdefault((form.kind, form.shape), [])
        slot = list(groups).index((form.kind, form.shape))
        kinds[player_id] = FIRST_SLOT + slot
        if form.kind.remembers or (slot, form.data) not in known:
            known[slot, form.data] = len(group)
            group.append(form.data)
        rows[player_id] = known[slot, form.data]
    slots = [Slot(kind, kind.build(data, len(forms))) for (kind, _), data in groups.items() if kind.build is not None]
    return CompiledPlayers(kinds, rows, slots)


def compiled_players(players: Sequence[object], in_python: bool = False, live: bool = False) -> CompiledPlayers:
    """Return players in compiled form; those without one, or all if `in_python`, are called in Python.

    At a live table those that need a referee are called in Python too.
    """
    forms: list[CompiledForm | None] = [None if in_python else getattr(each, "compiled", None) for each in players]
    if live:
        forms = [
            None if form and isinstance(form.kind, CompiledKind) and form.kind.needs_referee else form for form in forms
        ]
    compiled = players_of(forms)
    compiled.attach(players)
    return compiled
