"""Deals and plays small games: one hand between players, or many between behaviours at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at, draw_index, draw_uniform, key_of, prf, stream_of
from cardwin.games.base import CHANCE, NOBODY, Action, Game, SmallView, small_view
from cardwin.players.base import Player
from cardwin.solvers.tree import Tree


@dataclass(frozen=True)
class Move:
    """One decision: the seat, its information state and its action."""

    seat: int
    information_state: str
    action: Action


@dataclass(frozen=True)
class SmallRecord:
    """The record of one hand."""

    dealt: tuple[str, ...]
    moves: tuple[Move, ...]
    chips: tuple[int, ...]


def play_hand(game: Game, players: Sequence[Player[SmallView]], key: int) -> SmallRecord:
    """One hand. The cards have a random stream and each seat its own, so that the same key deals the same cards.

    No stream reveals another.
    """
    cards, *seats = (stream_of(prf(key, number)) for number in range(3))
    state, dealt, moves = game.start(), [], []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            outcomes = state.chance_outcomes()
            card = outcomes[draw_index(cards, [float(chance) for _, chance in outcomes])][0]
            dealt.append(card)
            state = state.apply(card)
        else:
            seat = state.actor
            view = small_view(state, seat)
            action = players[seat].act(view, seats[seat])
            moves.append(Move(seat, view.information_state, action))
            state = state.apply(action)
    return SmallRecord(tuple(dealt), tuple(moves), state.returns())


def play_in_turns(
    game: Game, one: Player[SmallView], other: Player[SmallView], hands: int, seed: int, *, seat: int | None = None,
    begin: Callable[[int, int], None], end: Callable[[int, SmallRecord], None],
) -> None:  # fmt: skip
    """Hands between two players, who alternate seats unless one has a fixed seat.

    `begin` receives every hand's number and the seat of the first player, `end` that seat and the record.
    """
    for number in range(hands):
        mine = number % 2 if seat is None else seat
        begin(number, mine)
        players = (one, other) if mine == 0 else (other, one)
        end(mine, play_hand(game, players, key_of(seed, "hand", number)))


@kernel
def play_from(
    node: int, actor: Ints, first: Ints, count: Ints, sequence: Ints, chance: Floats, chips: Floats,
    behaviour0: Floats, behaviour1: Floats, rng: Stream,
) -> float:  # fmt: skip
    """The first seat's chips in one hand that starts at a node."""
    while actor[node] != NOBODY:
        point, choice, last = draw_uniform(rng), 0, count[node] - 1
        while choice < last:
            if actor[node] == CHANCE:
                point -= chance[first[node] + choice]
            elif actor[node] == 0:
                point -= behaviour0[sequence[node] + choice]
            else:
                point -= behaviour1[sequence[node] + choice]
            if point < 0:
                break
            choice += 1
        node = first[node] + choice
    return float(chips[node])


@kernel
def _sample_many(
    actor: Ints, first: Ints, count: Ints, sequence: Ints, chance: Floats, chips: Floats,
    behaviour0: Floats, behaviour1: Floats, key: int, out: Floats,
) -> None:  # fmt: skip
    rng = np.zeros(2, np.int64)
    for hand in range(len(out)):
        rng[0], rng[1] = bits_at(key, hand), 0
        out[hand] = play_from(0, actor, first, count, sequence, chance, chips, behaviour0, behaviour1, rng)


def sample_hands(tree: Tree, behaviour0: Floats, behaviour1: Floats, hands: int, key: int) -> Floats:
    """The first seat's chips (hands,) in hands between two behaviours (sequences,)."""
    nodes, out = tree.nodes, np.empty(hands)
    _sample_many(
        nodes.actor, nodes.first, nodes.count, nodes.sequence, nodes.chance, nodes.chips,
        behaviour0, behaviour1, key, out,
    )  # fmt: skip
    return out
