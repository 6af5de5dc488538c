"""A generator of hands as poker rooms deal them: cents, antes, straddles, short blinds, players who come in, rake."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cardwin.core.rng import Stream, child, draw_below, shuffle_first, stream_of
from cardwin.games.base import NOBODY
from cardwin.games.formats.room_writer import RoomStyle, room_text
from cardwin.games.holdem.events import Won
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, History, Step, position, replay
from cardwin.games.holdem.replaying import ROOM
from cardwin.games.holdem.table import UNBOUNDED

NAMES = (
    "Kuca :P",
    "a (b) c",
    "[x]",
    "100%",
    "müller",
    "folds",
    "x: calls $5",
    "Seat 3",
    " 李",
    "d'Artagnan",
    "$$$",
    "o,o",
)


@dataclass(frozen=True)
class Written:
    """A text, and the stacks in units that its reader must find."""

    text: str
    history: History
    style: RoomStyle
    finishing: tuple[int, ...]


def generated_hands(count: int, key: int) -> Iterator[Written]:
    """Random hands, each by a key of its own."""
    for number in range(count):
        rng = stream_of(child(key, number))
        style = _style(rng)
        history = _played(_blank(rng, style), rng)
        style = replace(style, dead=_dead(history), mucks=draw_below(rng, 3) == 0)
        won = [event for event in replay(history).events if isinstance(event, Won)]
        biggest = max(won, key=lambda event: event.chips)
        rake = 0 if style.tournament else min(draw_below(rng, 60), biggest.chips)
        style = replace(style, rake=rake)
        first = sorted(won, key=lambda one: -one.chips)[0].seat
        stacks = list(replay(history).stacks)
        stacks[first] -= rake
        yield Written(room_text(history, number + 1, style), history, style, tuple(stacks))


def _style(rng: Stream) -> RoomStyle:
    kinds = (
        RoomStyle(100, "$", "USD"),
        RoomStyle(100, "€", "EUR"),
        RoomStyle(100, "£", "GBP", room="PokerStars Zoom Hand"),
        RoomStyle(1, tournament="77", table="77 1"),
        RoomStyle(1, room="PokerStars Game", tournament="9"),
        RoomStyle(1, table="Play (money) 'II'"),
        RoomStyle(100, "$", room="Poker Hand"),
    )
    return kinds[draw_below(rng, len(kinds))]


def _blank(rng: Stream, style: RoomStyle) -> History:
    """Stacks, posts and cards."""
    seats, limit = 2 + draw_below(rng, 9), draw_below(rng, 5) == 0
    small = (1 + draw_below(rng, 50)) * (1 if style.scale > 1 else 5)
    big = 2 * small
    stacks = [1 + draw_below(rng, big * (3 if draw_below(rng, 3) == 0 else 200)) for _ in range(seats)]
    ante = draw_below(rng, 3) * big // 10 if draw_below(rng, 2) else 0
    antes, blinds = [min(ante, stack) for stack in stacks], [0] * seats
    blinds[0], blinds[1] = (big, small) if seats == 2 else (small, big)
    if seats > 3 and draw_below(rng, 4) == 0 and stacks[2] > 2 * ante:
        blinds[2] = 2 * big
    dead = [0] * seats
    for seat in range(3, seats):
        comes = draw_below(rng, 12)
        if comes < 2 and stacks[seat] > 4 * big:
            blinds[seat], dead[seat] = -big, small if comes else 0
    short = len({ante for ante in antes if ante}) > 1
    if short:
        dead = [0] * seats
    game = HoldemGame("limit", 1, 0, big, 0, big, 2 * big) if limit else HoldemGame("nl", 1, 0, big)
    deck = np.arange(52)
    shuffle_first(rng, deck, 2 * seats)
    hole = tuple((int(deck[2 * seat]), int(deck[2 * seat + 1])) for seat in range(seats))
    names = tuple(NAMES[(draw_below(rng, 12) + seat) % 12] + str(seat) for seat in range(seats))
    return History(
        game,
        tuple(stacks),
        tuple(a + b for a, b in zip(antes, dead, strict=True)),
        tuple(blinds),
        any(dead) or not short,
        hole,
        (),
        names,
        caps=(UNBOUNDED,) * 4 if limit else (),
        customs=ROOM,
        to_match=2 * big if 2 * big in blinds else big,
    )


def _dead(history: History) -> tuple[int, ...]:
    least = min((ante for ante in history.antes if ante), default=0)
    usual = max(history.antes[seat] for seat in range(3)) if len(history.antes) > 2 else least
    return tuple(
        max(ante - usual, 0) if blind < 0 else 0 for ante, blind in zip(history.antes, history.blinds, strict=True)
    )


def _played(history: History, rng: Stream) -> History:
    """Random actions to the end, board cards where they are due."""
    used = {card for pair in history.hole for card in pair}
    deck = np.array([card for card in range(52) if card not in used])
    shuffle_first(rng, deck, 5)
    board, streets = deck[:5].tolist(), [(0, 3), (3, 4), (4, 5)]
    while True:
        state = position(history)
        dealt = len(history.board)
        due = len(state.board) if state.actor != NOBODY else 5 if int(state.tables["live"][0]) > 1 else dealt
        if dealt < due:
            first, last = next(one for one in streets if one[0] == dealt)
            history = replace(history, steps=(*history.steps, Step(DEAL, cards=tuple(board[first:last]))))
        elif state.actor == NOBODY:
            return history
        else:
            view, choice = state.view(state.actor), draw_below(rng, 10)
            step = Step(CALL, view.seat)
            if view.to_call and choice < 2:
                step = Step(FOLD, view.seat)
            elif view.min_raise_to and choice > 6:
                room = view.max_raise_to - view.min_raise_to
                amount = view.min_raise_to + (0 if choice == 7 else room if choice == 9 else draw_below(rng, room + 1))
                step = Step(RAISE, view.seat, amount)
            history = replace(history, steps=(*history.steps, step))
