"""Logs and match states of the Annual Computer Poker Competition's dealer.

A log has one line per hand, `STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2`: hand number, betting by street
(f, c, r; in no-limit rAMOUNT, the total of the whole hand), cards of each seat and of the streets, chips won, players.
Comments (`#`) and the last line (`SCORE:`) are not hands.

A match state is one seat's view of a hand, `MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c`: the seat's position (0 is left of
the button), the hand's number, the betting by street, and the known cards of all seats and of the board. The betting
is replayed by the dealer's rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY
from cardwin.games.formats.acpc_game import GameFile, table_of
from cardwin.games.holdem import replaying, rules
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    NOTE,
    RAISE,
    History,
    ReplayResult,
    Step,
    complete_history,
    position,
    replay,
    stack_mismatch,
)
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN

ROUNDING = 1e-4  # of the dealer's printed payoffs
_NUMBER = re.compile(r"[0-9]{1,18}")
_MOVES = {"f": rules.FOLD, "c": rules.CALL}
_MOVE = re.compile(r"([fc])|r(\d{0,12})", re.ASCII)
_WON = re.compile(r"-?\d{1,12}(\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One line of a log: the hand, and the chips that each seat won according to the dealer."""

    number: int
    history: History
    won: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MatchState:
    """A seat's view of a hand: betting and cards as texts, as the dealer wrote them."""

    position: int
    hand: int
    betting: str
    cards: str


def read_match_state(line: str) -> MatchState:
    """Return the view in a line of the dealer."""
    parts = line.strip().split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE" or not all(map(_NUMBER.fullmatch, parts[1:3])):
        raise InputError(f"expected MATCHSTATE:position:hand:betting:cards, got {line[:60]!r}")
    return MatchState(int(parts[1]), int(parts[2]), parts[3], parts[4])


def position_after(file: GameFile, view: MatchState) -> HoldemState:
    """Return the position that a match state describes."""
    seats = len(file.stacks)
    if not 0 <= view.position < seats:
        raise InputError(f"invalid position {view.position}: expected 0 to {seats - 1}")
    state = partial_hand(view.betting, view.cards, file)
    if UNKNOWN in state.hole(view.position):
        raise InputError(f"position {view.position} has no cards: expected the seat's own cards")
    return state


def read_log(text: str, game: HoldemGame | GameFile) -> Iterator[LoggedHand]:
    """Return the hands of a log.

    Args:
        text: The log.
        game: The rules, with stacks and blinds.

    Raises:
        InputError: At the first line that is invalid.

    """
    for _, line in _lines(text):
        yield read_line(line, game)


def replay_log(text: str, game: HoldemGame | GameFile) -> list[ReplayResult]:
    """Replay every hand of a log by our rules, and compare it with the dealer's payoffs."""
    lines = list(_lines(text))
    if not any(line.startswith("STATE:") for _, line in lines):
        return [ReplayResult("", None, 1, "no hand in this file: expected lines that begin with STATE", False)]
    return [_replay_line(number, line, game) for number, line in lines]


def replayed_log(text: str, game: HoldemGame | GameFile) -> Iterator[LoggedHand]:
    """Return the hands of a log whose replay gives the dealer's payoffs."""
    for number, line in _lines(text):
        if not _replay_line(number, line, game).reason:
            yield _read_line(line, game)


def _replay_line(number: int, line: str, game: HoldemGame | GameFile) -> ReplayResult:
    name = line.split(":")[1] if line.count(":") > 1 else ""
    hand = None
    try:
        hand = _read_line(line, game)
        state = replay(hand.history)
    except InputError as error:
        return ReplayResult(name, None, number, str(error), hand is not None)
    start = hand.history.stacks
    limit = hand.history.game.kind == "limit"
    won = dealer_payoffs(hand.history, state) if limit else list(map(Fraction, state.returns()))
    recorded = [Decimal(str(chips)) + stack for chips, stack in zip(hand.won, start, strict=True)]
    close = all(abs(float(ours) - theirs) < ROUNDING for ours, theirs in zip(won, hand.won, strict=True))
    if not close and stack_mismatch(state, recorded, start):
        expected, got = (", ".join(f"{float(chips):.12g}" for chips in seats) for seats in (hand.won, won))
        return ReplayResult(name, None, number, f"expected the dealer's payoffs {expected}, got {got}")
    if any(chips.denominator > 1 for chips in won) or list(state.returns()) == won:
        return ReplayResult(name, state.stacks)
    return ReplayResult(name, tuple(stack + int(chips) for stack, chips in zip(start, won, strict=True)))


def dealer_payoffs(history: History, state: HoldemState) -> list[Fraction]:
    """Return the chips that the dealer pays in limit hold'em, if a raise beyond a stack may lower the bet to match.

    A seat that then calls takes the rest of its bet back; one that folds loses all of it. Pots are layers of the chips
    paid. Chips that folded seats paid beyond all others are lost.
    """
    stacks, seats = history.stacks, range(len(history.stacks))
    spent, street, folded = list(history.blinds), 0, set[int]()
    bet = max(spent)
    for step in history.steps:
        if step.kind == FOLD:
            folded.add(step.seat)
        elif step.kind == CALL:
            spent[step.seat] = min(bet, stacks[step.seat])
        elif step.kind == RAISE:
            size = history.game.small_bet if street < 2 else history.game.big_bet
            spent[step.seat] = bet = min(bet + size, stacks[step.seat])
        street += step.kind == DEAL
    if len(folded) + 1 == len(stacks):
        return [Fraction(-spent[seat] if seat in folded else sum(spent) - spent[seat]) for seat in seats]
    strength, won = state.table.strength.tolist(), [Fraction(-chips) for chips in spent]
    below = 0
    for level in sorted({spent[seat] for seat in seats if seat not in folded}):
        able = [seat for seat in seats if seat not in folded and spent[seat] >= level]
        winners = [seat for seat in able if strength[seat] == max(strength[other] for other in able)]
        pot = sum(min(chips, level) - min(chips, below) for chips in spent)
        for seat in winners:
            won[seat] += Fraction(pot, len(winners))
        below = level
    return won


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines that should be hands, with their line numbers."""
    lines = map(str.strip, text.removeprefix("\ufeff").split("\n"))
    for number, line in enumerate(lines, 1):
        if line and not line.startswith(("#", "SCORE:")):
            yield number, line


def read_line(line: str, game: HoldemGame | GameFile) -> LoggedHand:
    """Return the hand of one STATE line. An error names the hand."""
    try:
        return _read_line(line, game)
    except InputError as error:
        raise InputError(f"hand {line.split(':')[1]}: {error}" if line.count(":") == 5 else str(error)) from error


def _read_line(line: str, game: HoldemGame | GameFile) -> LoggedHand:
    parts = line.strip().split(":")
    if len(parts) != 6 or parts[0] != "STATE" or not _NUMBER.fullmatch(parts[1]):
        raise InputError(f"expected STATE:number:betting:cards:chips:players, got {line[:60]!r}")
    _, number, betting, cards, chips, _ = parts
    holes, *streets = cards.split("/")
    hole = tuple(parse_cards(text) or (UNKNOWN, UNKNOWN) for text in holes.split("|"))
    table = game if isinstance(game, GameFile) else table_of(game, len(hole))
    seats = len(table.stacks)
    if len(hole) != seats or any(len(pair) != 2 for pair in hole):
        raise InputError(f"expected two cards for each of {seats} seats, got {holes[:60]!r}")
    won = _won(chips, seats)
    history = betting_history(table, hole, betting.split("/"), [parse_cards(text) for text in streets])
    return LoggedHand(int(number), history, won)


def partial_hand(betting: str, cards: str, table: GameFile) -> HoldemState:
    """Return the position after the betting and cards of a hand that need not be over, as the dealer sends them.

    Hands that are not shown are empty: `r300c/` and `|QhKd/2c3c4d`.
    """
    holes, *streets = cards.split("/")
    hole = [parse_cards(text) or (UNKNOWN, UNKNOWN) for text in holes.split("|")]
    seats = len(table.stacks)
    if len(hole) > seats or any(len(pair) != 2 for pair in hole):
        raise InputError(f"expected two cards or none for each of {seats} seats, got {holes[:60]!r}")
    hole += [(UNKNOWN, UNKNOWN)] * (seats - len(hole))
    return position(
        betting_history(table, tuple(hole), betting.split("/"), [parse_cards(text) for text in streets if text])
    )


def _won(text: str, seats: int) -> tuple[float, ...]:
    chips = text.split("|")
    if len(chips) != seats or not all(_WON.fullmatch(each) for each in chips):
        raise InputError(f"expected the chips won by each of {seats} seats, such as 20|-20, got {text[:60]!r}")
    return tuple(map(float, chips))


def betting_history(
    table: GameFile, hole: tuple[tuple[int, ...], ...], betting: list[str], streets: list[tuple[int, ...]]
) -> History:
    """Return the hand, over or not, with this betting and these cards by street. A log does not name the actor."""
    if len(streets) != len(betting) - 1:
        raise InputError(f"expected the cards of {len(betting) - 1} streets after the first, got {len(streets)}")
    steps: list[Step] = []
    rows: list[tuple[int, int, int]] = []
    for street, text in enumerate(betting):
        if street:
            steps.append(Step(DEAL, cards=streets[street - 1]))
            rows.append((replaying.DEAL, NOBODY, len(streets[street - 1])))
        moves = list(_moves(text, table.game.kind == "limit"))
        rows += moves
        steps += [Step(NOTE)] * len(moves)
    seats = len(table.stacks)
    dealt = History(
        game=table.game,
        stacks=table.stacks,
        antes=(0,) * seats,
        blinds=table.blinds,
        dead_antes=False,
        hole=hole,
        steps=tuple(steps),
        caps=table.caps,
        first=table.first,
        customs=replaying.DEALER,
    )
    return complete_history(dealt, np.array(rows, np.int64).reshape(len(rows), 3))


def _moves(text: str, limit: bool) -> Iterator[tuple[int, int, int]]:
    """Yield the moves of one street as steps of the actor."""
    start = 0
    while start < len(text):
        move = _MOVE.match(text, start)
        if not move or (move[2] is not None and (move[2] == "") != limit):
            size = "r" if limit else "r with an amount"
            raise InputError(f"invalid move {text[start : start + 12]!r}: expected f, c or {size}")
        if move[1]:
            yield _MOVES[move[1]], NOBODY, 0
        else:
            yield (replaying.RAISE_MINIMUM if limit else replaying.RAISE_OF_HAND), NOBODY, int(move[2] or 0)
        start = move.end()
