"""Logs of the Annual Computer Poker Competition's dealer: `STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2`.

Fields: hand number, betting by street (f, c, r; in no-limit rAMOUNT, the total of the whole hand), cards of each seat
and of the streets, chips won, players. Seats are in our order: heads-up the first is the big blind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cardwin.cards.card import parse_cards
from cardwin.errors import InputError
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, History, Step, act, start_of
from cardwin.games.holdem.state import HoldemState

_MOVE = re.compile(r"([fcr])(\d{0,12})")


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One line of a log: the hand and the chips that the dealer says each seat won."""

    number: int
    history: History
    won: tuple[float, ...]


def read_log(text: str, game: HoldemGame) -> Iterator[LoggedHand]:
    """The hands of a log that was played by a game's rules with its stacks and blinds."""
    for line in text.splitlines():
        if line.startswith("STATE:"):
            yield read_line(line, game)


def read_line(line: str, game: HoldemGame) -> LoggedHand:
    """The hand of one STATE line."""
    parts = line.strip().split(":")
    if len(parts) != 6 or parts[0] != "STATE" or not parts[1].isdecimal():
        raise InputError(f"{line!r} is no STATE line: number, betting, cards, chips and players are needed")
    _, number, betting, cards, chips, _ = parts
    holes, *streets = cards.split("/")
    hole = tuple(parse_cards(text) for text in holes.split("|"))
    seats = len(hole)
    order = (game.big_blind, game.small_blind) if seats == 2 else (game.small_blind, game.big_blind)
    blinds = order + (0,) * (seats - 2)
    deals = tuple(Step(DEAL, cards=parse_cards(text)) for text in streets)
    dealt = History(game, (game.stack,) * seats, (game.ante,) * seats, blinds, False, hole, deals)
    try:
        steps = _steps(dealt, betting.split("/"))
    except InputError as error:
        raise InputError(f"hand {number}: {error}") from error
    return LoggedHand(int(number), replace(dealt, steps=tuple(steps)), tuple(map(float, chips.split("|"))))


def _steps(dealt: History, betting: list[str]) -> list[Step]:
    """Moves and deals in order. A log leaves out whose move it is, so the hand is played along."""
    state = start_of(dealt)
    steps: list[Step] = []
    for street, text in enumerate(betting):
        steps += dealt.steps[street - 1 : street] if street else ()
        for move in _MOVE.finditer(text):
            step = _step(state, move[1], move[2])
            steps.append(step)
            state = act(state, step)
    return steps


def _step(state: HoldemState, letter: str, amount: str) -> Step:
    if state.actor == NOBODY:
        raise InputError("a move after the hand is over")
    view = state.view(state.actor)
    if letter != "r":
        return Step(FOLD if letter == "f" else CALL, state.actor)
    if not amount:
        return Step(RAISE, state.actor, view.min_raise_to)
    before = view.contributed[view.seat] - view.bets[view.seat]
    return Step(RAISE, state.actor, int(amount) - before)
