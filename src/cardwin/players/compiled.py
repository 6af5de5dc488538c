"""Compiled players: structures of arrays by kind, which the kernels of a table call.

A table calls `begin_watching` when blinds are posted, `decide` with a player's number at its turn, `watch` before and
`observe` after any player's action, `end_hand` when chips are paid, `meet` when a player sits among new opponents and
`begin_match` when all players start again.

To add a kind:
1. its number in `kinds`, and a field of `Players` with its arrays, empty if no player of that kind plays;
2. a branch of `decide` that passes that field to its own kernel;
3. if it has memory, columns of `memory` or arrays of its own, a line in `observe` or `watch` and, for totals over
   hands, in `end_hand`;
4. a part of `CompiledForm` and of `players_of`, which builds the arrays of a few players. A population that is
   already in arrays calls `new_players` itself, and nothing is copied.
It may read the actor's own cards, the public fields of the record and memory, nothing else (the tests change the hidden
cards and expect the same decisions).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.tables import win_odds_store
from cardwin.core.kernel import borrowing, called, kernel
from cardwin.core.rng import Stream
from cardwin.games.holdem.rules import FINE, Betting, raise_refused
from cardwin.games.holdem.table import Table
from cardwin.games.holdem.view import MAX_RAISE_TO, MIN_RAISE_TO, TO_CALL, VIEW_SIZE, write_view
from cardwin.players import kinds
from cardwin.players.base import CompiledForm
from cardwin.players.cfr.files import Blueprint
from cardwin.players.cfr.play import Blueprints, blueprints_of, decide_blueprint, no_blueprints
from cardwin.players.kinds import PYTHON
from cardwin.players.loki import state as loki_state
from cardwin.players.loki.play import begin_lokis, decide_loki, end_lokis, watch_lokis
from cardwin.players.loki.state import Lokis, forget_everybody, lokis_of, no_lokis
from cardwin.players.network.inputs import prefetch_odds
from cardwin.players.network.networks import (
    NetworkForm,
    Networks,
    decide_network,
    forget_all,
    networks_of,
    no_networks,
    note_aggression,
    prefetch_weights,
    with_own_memory,
    with_own_scratch,
)
from cardwin.players.robots import learner_kernels
from cardwin.players.robots.kernels import blind, matrix, standard, v1
from cardwin.players.robots.learner_kernels import Learning, forget, learn, note_action
from cardwin.players.robots.static import any_action, decide_static, nearest_legal

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Players(NamedTuple):
    """Players by number. kinds (players,); rows (players,): its row in the arrays of its kind, or -1.

    parameters (robots, any) of robots; learning, for those that learn; memory (players, any), totals of each player's
    actions; networks and lokis, with their own memory; blueprints. Arrays that no player needs are empty, so that all
    tables share one compiled engine. Learning changes parameters, playing changes memory; nothing else changes.
    """

    kinds: Ints
    rows: Ints
    parameters: Floats
    learning: Learning
    memory: Floats
    networks: Networks
    blueprints: Blueprints
    lokis: Lokis


def new_players(
    kinds: Ints, rows: Ints, parameters: Floats | None = None, learning: Learning | None = None,
    memory: Floats | None = None, networks: Networks | None = None, blueprints: Blueprints | None = None,
    lokis: Lokis | None = None,
) -> Players:  # fmt: skip
    """The structure of players, with empty arrays for what is not given."""
    return Players(
        np.ascontiguousarray(kinds, np.int64),
        np.ascontiguousarray(rows, np.int64),
        np.zeros((0, 0)) if parameters is None else parameters,
        NOBODY_LEARNS if learning is None else learning,
        np.zeros((0, learner_kernels.COLUMNS)) if memory is None else memory,
        no_networks() if networks is None else networks,
        no_blueprints() if blueprints is None else blueprints,
        no_lokis() if lokis is None else lokis,
    )


NOBODY_LEARNS = Learning(np.zeros((0, 0)), np.zeros((0, 0, 4)), np.zeros(0, np.int64), np.zeros(0, np.int64))


@borrowing
def decide(players: Players, who: Ints, t: Table, rng: Ints) -> tuple[int, int]:
    """The action of the player whose turn it is, and the total bet if it raises; always legal.

    who (seats,), streams by seat rng (any, 2). Static players are handled by `decide_static_at` instead.
    """
    player = who[t.actor]
    if players.kinds[player] == kinds.NETWORK:
        return decide_network(players.networks, players.rows[player], who, t, rng)
    if players.kinds[player] == kinds.BLUEPRINT:
        return decide_blueprint(players.blueprints, players.rows[player], t, rng)
    if players.kinds[player] == kinds.LOKI:
        return decide_loki(players.lokis, players.rows[player], who, t)
    return decide_robot(players.kinds[player], players.parameters, players.rows[player], t, rng)


@borrowing
def prefetch_player(players: Players, player: int, seat: int, t: Table) -> None:
    """Ask for what a player in a seat will read when it decides, while another player decides."""
    if players.kinds[player] == kinds.NETWORK:
        prefetch_weights(players.networks, players.rows[player])
        prefetch_odds(t, seat, players.networks.odds)


@borrowing
def decide_static_at(kind: int, t: Table, b: Betting, bits: int) -> tuple[int, int]:
    """The action of a static player at its turn, with 63 random bits if it needs any."""
    seat = b.actor
    facing = t.bet[seat] < b.current_bet
    may_raise = kind > kinds.LAST_PASSIVE and raise_refused(t, b) == FINE
    all_in = t.bet[seat] + t.stack[seat]
    least = min(all_in, b.current_bet + b.min_raise)
    if kind == kinds.RANDOM:  # by far the most frequent kind
        return any_action(facing, may_raise, bits), least
    most = least if t.limit else all_in
    return decide_static(kind, facing, b.raises, least if may_raise else 0, most if may_raise else 0, bits)


@called
def decide_robot(kind: int, parameters: Floats, number: int, t: Table, rng: Ints) -> tuple[int, int]:
    """The action of a robot that decides from its view and named parameters, which are in that row; rng as above."""
    action, amount, _, _ = think_at(kind, parameters[number], t, rng[t.actor])
    return action, amount


@kernel
def think_at(kind: int, parameters: Floats, t: Table, rng: Stream) -> tuple[int, int, float, float]:
    """`think` of the actor's view."""
    row = np.empty(VIEW_SIZE, np.int64)
    write_view(t, t.actor, row)
    return think(kind, parameters, row, rng)


@kernel
def think(kind: int, parameters: Floats, row: Ints, rng: Stream) -> tuple[int, int, float, float]:
    """A robot's action in a view (VIEW_SIZE,), and for the explanation its strength and pot odds, -1 if not computed.

    Parameters (any,).
    """
    if kind == kinds.STANDARD:
        action, amount, strength, odds = standard(parameters, row, rng)
    elif kind == kinds.V1:
        action, amount, strength, odds = v1(parameters, row, rng)
    elif kind == kinds.MATRIX:
        action, amount, strength, odds = matrix(parameters, row, rng)
    else:
        action, amount, strength, odds = blind(parameters, rng)
    action, amount = nearest_legal(action, amount, row[TO_CALL] > 0, row[MIN_RAISE_TO], row[MAX_RAISE_TO])
    return action, amount, strength, odds


@borrowing
def observe(players: Players, player: int, action: int, price: int, old_bet: int, new_bet: int, big_blind: int) -> None:
    """Record a player's action, at a price to call; the bets are those of its street, before and after a raise."""
    if len(players.memory):
        note_action(players.memory, player, action, price)
    if players.networks.aggression:
        note_aggression(players.networks, player, action, old_bet, new_bet, big_blind)


@borrowing
def begin_watching(players: Players, who: Ints, t: Table) -> None:
    """A hand has begun, and blinds are posted: players who follow it begin to; who (seats,)."""
    if len(players.lokis.notes):
        begin_lokis(players.lokis, players.kinds, players.rows, who, t)


@borrowing
def watch(players: Players, who: Ints, t: Table, actor: int, current_bet: int, action: int, amount: int) -> None:
    """Show an action that is about to be made to players who follow the hand; `current_bet` is the bet to match."""
    if len(players.lokis.notes):
        watch_lokis(players.lokis, players.kinds, players.rows, who, t, actor, current_bet, action, amount)


@borrowing
def end_hand(players: Players, who: Ints, t: Table) -> None:
    """A hand is over: players learn from what they won and from what was shown; who (seats,)."""
    if len(players.lokis.notes):
        end_lokis(players.lokis, players.kinds, players.rows, who, t)
    if len(players.memory) == 0:
        return
    for seat in range(t.seats):
        if who[seat] >= 0:
            player, chips = who[seat], t.stack[seat] - t.start[seat]
            learn(players.learning, players.parameters, players.memory, players.rows[player], player, chips)


@borrowing
def meet(players: Players, player: int) -> None:
    """The player now sits among new opponents."""
    if len(players.memory):
        forget(players.learning, players.parameters, players.rows[player], False)
    if players.kinds[player] == kinds.LOKI:
        forget_everybody(players.lokis, players.rows[player])


@borrowing
def begin_match(players: Players) -> None:
    """All players start again."""
    if len(players.memory):
        for player in range(len(players.kinds)):
            forget(players.learning, players.parameters, players.rows[player], True)
        players.memory[:] = 0.0
    if len(players.networks.memory):
        forget_all(players.networks)
    for row in range(len(players.lokis.notes)):
        forget_everybody(players.lokis, row)


def players_of(forms: Sequence[CompiledForm | None]) -> Players:
    """The structure of players by their compiled forms; a player without a form is called in Python."""
    robots: list[CompiledForm] = []
    nets: list[NetworkForm] = []
    blueprints: list[Blueprint] = []
    lokis: list[tuple[float, ...]] = []
    known: dict[CompiledForm, int] = {}
    rows = np.full(len(forms), -1)
    numbers = np.array([PYTHON if form is None else form.kind for form in forms], np.int64)
    for player, form in enumerate(forms):
        if form is None or form.kind <= kinds.LAST_STATIC:
            continue
        if form.network is not None:
            # Kernels read networks of one shape; one of another shape is called in Python.
            if nets and not form.network.alike(nets[0]):
                numbers[player] = PYTHON
            else:
                rows[player] = len(nets)
                nets.append(form.network)
            continue
        if form.blueprint is not None:
            if form.blueprint not in blueprints:
                blueprints.append(form.blueprint)
            rows[player] = blueprints.index(form.blueprint)
            continue
        if form.kind == kinds.LOKI:
            rows[player] = len(lokis)
            lokis.append(form.parameters)
            continue
        # Equal robots share a row, but learners have their own.
        if form.steps or form not in known:
            known[form] = len(robots)
            robots.append(form)
        rows[player] = known[form]
    learns = any(form.steps for form in robots)
    return new_players(
        numbers,
        rows,
        _filled([form.parameters for form in robots]) if robots else None,
        _learning(robots) if learns else None,
        np.zeros((len(forms), learner_kernels.COLUMNS)) if learns else None,
        networks_of(nets, len(forms)) if nets else None,
        blueprints_of(blueprints, win_odds_store.load_or_build()) if blueprints else None,
        lokis_of(lokis) if lokis else None,
    )


def _filled(rows: Sequence[Sequence[float]]) -> Floats:
    """Rows as one array, the shorter ones padded with 0."""
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
    """The same players with their own parameters and memory, for parallel work."""
    if len(players.memory):
        players = players._replace(parameters=players.parameters.copy(), memory=players.memory.copy())
    if len(players.lokis.notes):
        players = players._replace(lokis=loki_state.with_own_memory(players.lokis))
    return players._replace(networks=with_own_memory(players.networks)) if len(players.networks.memory) else players


def own_scratch(players: Players) -> Players:
    """The same players and the same memory, with their own scratch, for another thread."""
    if len(players.lokis.notes):
        players = players._replace(lokis=loki_state.with_own_scratch(players.lokis))
    return players._replace(networks=with_own_scratch(players.networks)) if len(players.networks.memory) else players


def remembers(players: Players) -> bool:
    """Whether hands depend on earlier hands."""
    return len(players.memory) > 0 or len(players.networks.memory) > 0 or len(players.lokis.notes) > 0
