"""Players whose decisions are arithmetic, in the form that batch tables call: a kind number and a row of parameters.

`decide` is one chain over the kinds. A new compiled player adds its number to the list, a branch to the chain and its
own kernel; it may read the actor's own cards and the public fields of the record, nothing else (the tests change the
hidden cards and expect the same decisions).
"""

import numpy as np
import numpy.typing as npt

from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, max_raise_to, min_raise_to, why_no_raise
from cardwin.games.holdem.table import Table
from cardwin.games.holdem.view import VIEW_SIZE, write_view
from cardwin.kernel import kernel
from cardwin.players.robot_kernels import matrix, standard, v1
from cardwin.rng import Stream, draw_below

Kinds = npt.NDArray[np.int64]
# Rows of parameters (players, any), or None where nobody reads any.
Parameters = npt.NDArray[np.float64] | None

# A seat of kind PYTHON is asked in Python; all others are decided here.
PYTHON, FOLDER, CALLER, TIMID_CALLER, RAISER, RANDOM, ALL_IN, CALL_OR_RAISE = -1, 0, 1, 2, 3, 4, 5, 6
LAST_STATIC = CALL_OR_RAISE  # up to here no parameters are read
STANDARD, V1, MATRIX = 7, 8, 9


@kernel
def decide(kinds: Kinds, parameters: Parameters, player: int, t: Table, rng: Stream) -> tuple[int, int]:
    """What a player does whose turn it is, and the total bet where it raises; always legal.

    Without parameters only players without them sit there, and the compiler leaves the others out, which is most of
    its work. No row of parameters is taken where none is read: every new row of an array counts its owners, which
    took a third of the time.
    """
    if parameters is None:
        return decide_static(kinds[player], t, rng)
    if kinds[player] <= LAST_STATIC:
        return decide_static(kinds[player], t, rng)
    return decide_robot(kinds[player], parameters[player], t, rng)


@kernel
def decide_static(kind: int, t: Table, rng: Stream) -> tuple[int, int]:
    """What a player does that has no parameters."""
    if kind == RANDOM:
        return decide_randomly(t, rng)
    if kind == CALLER:
        return nearest_legal(t, CALL, 0)
    if kind == TIMID_CALLER:
        return nearest_legal(t, FOLD if t.raises > 1 else CALL, 0)
    if kind == RAISER:
        return nearest_legal(t, RAISE, 0)
    if kind == ALL_IN:
        return nearest_legal(t, RAISE, max_raise_to(t))
    if kind == CALL_OR_RAISE:
        return nearest_legal(t, CALL + draw_below(rng, 2), 0)
    return nearest_legal(t, FOLD, 0)


@kernel
def decide_robot(kind: int, parameters: npt.NDArray[np.float64], t: Table, rng: Stream) -> tuple[int, int]:
    """What a robot does that decides from its view and named parameters."""
    row = np.empty(VIEW_SIZE, np.int64)
    write_view(t, t.actor, row)
    if kind == STANDARD:
        action, amount, _, _ = standard(parameters, row, rng)
    elif kind == V1:
        action, amount, _, _ = v1(parameters, row, rng)
    else:
        action, amount, _, _ = matrix(parameters, row, rng)
    return nearest_legal(t, action, amount)


@kernel
def nearest_legal(t: Table, action: int, amount: int) -> tuple[int, int]:
    """The legal action nearest to a wish: no fold where checking is free, a call where raising is not allowed."""
    if action == FOLD and t.bet[t.actor] < t.current_bet:
        return FOLD, 0
    if action == RAISE and why_no_raise(t) == FINE:
        return RAISE, min(max(amount, min_raise_to(t)), max_raise_to(t))
    return CALL, 0


@kernel
def decide_randomly(t: Table, rng: Stream) -> tuple[int, int]:
    """Fold, call or the least raise with equal chances facing a bet, otherwise check or the least bet."""
    first = FOLD if t.bet[t.actor] < t.current_bet else CALL
    last = RAISE if why_no_raise(t) == FINE else CALL
    action = first + draw_below(rng, last - first + 1)
    return action, min_raise_to(t) if action == RAISE else 0
