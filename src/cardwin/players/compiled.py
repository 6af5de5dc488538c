"""Players whose decisions are arithmetic, in the form that tables call: a structure of arrays by kind.

A table tells `decide` a player's number when it has the turn, `observe` what any player did, `end_hand` what everyone
won, `meet` that a player sits among new opponents and `begin_match` that everybody begins anew.

To add a kind:
1. its number in `kinds`, and a field of `Players` with its arrays, None where nobody of that kind plays;
2. a branch of `decide` that hands that field to a kernel of its own, and in that kernel `if field is None` first: the
   compiler then leaves the kind out of tables where it does not play, which is most of its work;
3. if it remembers, columns of `memory`, a branch of `observe` and, for what hands add up to, of `end_hand`;
4. a part of `CompiledForm` and of `players_of`, which makes the arrays of a few players. A population that is arrays
   already makes `Players` itself, and nothing is copied.
It may read the actor's own cards, the public fields of the record and memory, nothing else (the tests change the hidden
cards and expect the same decisions).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import borrowing, kernel
from cardwin.core.rng import Stream
from cardwin.games.holdem.rules import FINE, RAISE, max_raise_to, min_raise_to, why_no_raise
from cardwin.games.holdem.table import Table
from cardwin.games.holdem.view import MAX_RAISE_TO, MIN_RAISE_TO, TO_CALL, VIEW_SIZE, write_view
from cardwin.players import kinds
from cardwin.players.base import CompiledForm
from cardwin.players.kinds import PYTHON
from cardwin.players.network.networks import (
    NetworkForm,
    Networks,
    decide_network,
    forget_all,
    networks_of,
    with_own_memory,
    with_own_scratch,
)
from cardwin.players.robots import learner_kernels
from cardwin.players.robots.kernels import matrix, standard, v1
from cardwin.players.robots.learner_kernels import Learning, forget, learn, note_action
from cardwin.players.robots.static import any_action, decide_static, nearest_legal

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Players(NamedTuple):
    """Players by number. kinds (players,); rows (players,): where each stands in the arrays of its kind, -1 nowhere.

    parameters (robots, any) of robots; learning, for those that learn; memory (players, any), what everyone's actions
    add up to; networks, with a memory of their own. Each is None where nobody needs it. Learning changes parameters,
    playing memory, and nothing else changes.
    """

    kinds: Ints
    rows: Ints
    parameters: Floats | None = None
    learning: Learning | None = None
    memory: Floats | None = None
    networks: Networks | None = None


@borrowing
def decide(players: Players, who: Ints, t: Table, rng: Ints) -> tuple[int, int]:
    """What the player does whose turn it is, and the total bet where it raises; always legal.

    who (seats,), streams by seat rng (any, 2). Static players are not asked here but in `decide_at_once`.
    """
    player = who[t.actor]
    if players.kinds[player] == kinds.NETWORK:
        return decide_network(players.networks, players.rows[player], who, t, rng)
    return decide_robot(players.kinds[player], players.parameters, players.rows[player], t, rng)


@kernel
def decide_at_once(kind: int, t: Table, bits: int) -> tuple[int, int]:
    """What a static player does, with 63 random bits if it draws any."""
    facing = t.bet[t.actor] < t.current_bet
    if kind == kinds.RANDOM:  # asked far more often than all others, and mostly it does not raise
        action = any_action(facing, why_no_raise(t) == FINE, bits)
        return action, min_raise_to(t) if action == RAISE else 0
    least, most = raises_at(t) if kind > kinds.LAST_PASSIVE else (0, 0)
    return decide_static(kind, facing, t.raises, least, most, bits)


@kernel
def raises_at(t: Table) -> tuple[int, int]:
    """The least and the most that the actor may raise to, 0 where it may not."""
    if why_no_raise(t) == FINE:
        return min_raise_to(t), max_raise_to(t)
    return 0, 0


@kernel
def decide_robot(kind: int, parameters: Floats | None, number: int, t: Table, rng: Ints) -> tuple[int, int]:
    """What a robot does that decides from its view and named parameters, which stand in that row; rng as above."""
    if parameters is None:
        return 0, 0
    row = np.empty(VIEW_SIZE, np.int64)
    write_view(t, t.actor, row)
    action, amount, _, _ = think(kind, parameters[number], row, rng[t.actor])
    return action, amount


@kernel
def think(kind: int, parameters: Floats, row: Ints, rng: Stream) -> tuple[int, int, float, float]:
    """What a robot does in a view (VIEW_SIZE,), and for the explanation its strength and pot odds, -1 where not asked.

    Parameters (any,).
    """
    if kind == kinds.STANDARD:
        action, amount, strength, odds = standard(parameters, row, rng)
    elif kind == kinds.V1:
        action, amount, strength, odds = v1(parameters, row, rng)
    else:
        action, amount, strength, odds = matrix(parameters, row, rng)
    action, amount = nearest_legal(action, amount, row[TO_CALL] > 0, row[MIN_RAISE_TO], row[MAX_RAISE_TO])
    return action, amount, strength, odds


@kernel
def observe(learning: Learning | None, memory: Floats | None, player: int, action: int, price: int) -> None:
    """Keep in memory what a player just did, at a price to call."""
    note_action(learning, memory, player, action, price)


@kernel
def end_hand(players: Players, player: int, chips: int) -> None:
    """A hand is over in which the player won so many chips."""
    learn(players.learning, players.parameters, players.memory, players.rows[player], player, chips)


@kernel
def meet(players: Players, player: int) -> None:
    """The player now sits among new opponents."""
    forget(players.learning, players.parameters, players.rows[player], False)


@kernel
def begin_match(players: Players) -> None:
    """Everybody begins anew."""
    for player in range(len(players.kinds)):
        forget(players.learning, players.parameters, players.rows[player], True)
        clear(players.memory, player)
    forget_all(players.networks)


@kernel
def clear(memory: Floats | None, player: int) -> None:
    """Empty a player's memory."""
    if memory is None:
        return
    for column in range(memory.shape[1]):
        memory[player, column] = 0.0


def players_of(forms: Sequence[CompiledForm | None]) -> Players:
    """The structure of players by their compiled forms; one without a form is asked in Python."""
    robots: list[CompiledForm] = []
    nets: list[NetworkForm] = []
    known: dict[CompiledForm, int] = {}
    rows = np.full(len(forms), -1)
    numbers = np.array([PYTHON if form is None else form.kind for form in forms], np.int64)
    for player, form in enumerate(forms):
        if form is None or form.kind <= kinds.LAST_STATIC:
            continue
        if form.network is not None:
            # Kernels read networks of one shape; one of another shape is asked in Python.
            if nets and not form.network.alike(nets[0]):
                numbers[player] = PYTHON
            else:
                rows[player] = len(nets)
                nets.append(form.network)
            continue
        # Equal robots share a row, but everyone learns alone.
        if form.steps or form not in known:
            known[form] = len(robots)
            robots.append(form)
        rows[player] = known[form]
    learns = any(form.steps for form in robots)
    return Players(
        numbers,
        rows,
        _filled([form.parameters for form in robots]) if robots else None,
        _learning(robots) if learns else None,
        np.zeros((len(forms), learner_kernels.COLUMNS)) if learns else None,
        networks_of(nets, len(forms)) if nets else None,
    )


def _filled(rows: Sequence[Sequence[float]]) -> Floats:
    """Rows as one array, the shorter ones filled up with 0."""
    table = np.zeros((len(rows), max(map(len, rows))))
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = values
    return table


def _learning(robots: Sequence[CompiledForm]) -> Learning:
    start = _filled([form.parameters for form in robots])
    steps = np.zeros((*start.shape, 4))
    for row, form in zip(steps, robots, strict=True):
        row[: len(form.steps)] = form.steps or 0
    counts = np.array([form.counts for form in robots], np.int64)
    return Learning(start, steps, counts, np.array([form.forgets for form in robots], np.int64))


def own_copy(players: Players) -> Players:
    """The same players with parameters and memory of their own, for work that runs beside other work."""
    if players.learning is not None and players.parameters is not None:
        players = players._replace(parameters=players.parameters.copy())
    if players.networks is not None:
        players = players._replace(networks=with_own_memory(players.networks))
    return players if players.memory is None else players._replace(memory=players.memory.copy())


def own_scratch(players: Players) -> Players:
    """The same players and the same memory, to be used beside others by a thread of its own."""
    return players if players.networks is None else players._replace(networks=with_own_scratch(players.networks))


def remembers(players: Players) -> bool:
    """Whether hands depend on the hands before."""
    return players.memory is not None or players.networks is not None
