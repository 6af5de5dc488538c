"""Logs of the Annual Computer Poker Competition's dealer: `STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2`.

Fields: hand number, betting by street (f, c, r; in no-limit rAMOUNT, the total of the whole hand), cards of each seat
and of the streets, chips won, players. Comments (`#`) and the last line (`SCORE:`) are not hands.
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
from cardwin.games.formats.finishing import why_different
from cardwin.games.holdem import replaying, rules
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    NOTE,
    RAISE,
    History,
    Replayed,
    Step,
    completed,
    position,
    replay,
)
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN

ROUNDING = 1e-4  # of the dealer's printed payoffs
_MOVES = {"f": rules.FOLD, "c": rules.CALL}
_MOVE = re.compile(r"([fc])|r(\d{0,12})", re.ASCII)
_WON = re.compile(r"-?\d{1,12}(\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One line of a log: the hand and the chips that each seat won according to the dealer."""

    number: int
    history: History
    won: tuple[float, ...]


def read_log(text: str, game: HoldemGame | GameFile) -> Iterator[LoggedHand]:
    """The hands of a log, played by a game's rules with its stacks and blinds."""
    for _, line in _lines(text):
        yield read_line(line, game)


def replay_log(text: str, game: HoldemGame | GameFile) -> list[Replayed]:
    """Every hand of a log, replayed by our rules and compared with the dealer's payoffs."""
    lines = list(_lines(text))
    if not any(line.startswith("STATE:") for _, line in lines):
        return [Replayed("", None, 1, "no hand in this file: the dealer's logs have lines that begin with STATE")]
    return [_replay_line(number, line, game) for number, line in lines]


def replayed_log(text: str, game: HoldemGame | GameFile) -> Iterator[LoggedHand]:
    """The hands of a log that are replayed to the dealer's payoffs."""
    for number, line in _lines(text):
        if not _replay_line(number, line, game).reason:
            yield _read_line(line, game)


def _replay_line(number: int, line: str, game: HoldemGame | GameFile) -> Replayed:
    name = line.split(":")[1] if line.count(":") > 1 else ""
    try:
        hand = _read_line(line, game)
        state = replay(hand.history)
    except InputError as error:
        return Replayed(name, None, number, str(error))
    start = hand.history.stacks
    limit = hand.history.game.kind == "limit"
    won = dealer_payoffs(hand.history, state) if limit else list(map(Fraction, state.returns()))
    recorded = [Decimal(str(chips)) + stack for chips, stack in zip(hand.won, start, strict=True)]
    close = all(abs(float(one) - other) < ROUNDING for one, other in zip(won, hand.won, strict=True))
    if not close and why_different(state, recorded, start):
        ours, theirs = (", ".join(f"{float(chips):.12g}" for chips in seats) for seats in (won, hand.won))
        return Replayed(name, None, number, f"the seats win {ours}, the dealer says {theirs}")
    if any(chips.denominator > 1 for chips in won) or list(state.returns()) == won:
        return Replayed(name, state.stacks)
    return Replayed(name, tuple(stack + int(chips) for stack, chips in zip(start, won, strict=True)))


def dealer_payoffs(history: History, state: HoldemState) -> list[Fraction]:
    """What the dealer pays in limit hold'em, where a raise beyond a seat's stack may lower the bet to match.

    A seat that then calls takes the rest of its bet back, and one that folds loses it all. Pots are layers of the chips
    paid; what folded seats paid beyond all others is lost.
    """
    stacks, seats = history.stacks, range(len(history.stacks))
    spent, street, folded = list(history.blinds), 0, set[int]()
    bet = max(spent)
    for step in history.steps:
        if step.what == FOLD:
            folded.add(step.seat)
        elif step.what == CALL:
            spent[step.seat] = min(bet, stacks[step.seat])
        elif step.what == RAISE:
            size = history.game.small_bet if street < 2 else history.game.big_bet
            spent[step.seat] = bet = min(bet + size, stacks[step.seat])
        street += step.what == DEAL
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
    """The lines that should be hands, with their numbers."""
    lines = map(str.strip, text.removeprefix("\ufeff").split("\n"))
    for number, line in enumerate(lines, 1):
        if line and not line.startswith(("#", "SCORE:")):
            yield number, line


def read_line(line: str, game: HoldemGame | GameFile) -> LoggedHand:
    """The hand of one STATE line; an error names the hand."""
    try:
        return _read_line(line, game)
    except InputError as error:
        raise InputError(f"hand {line.split(':')[1]}: {error}" if line.count(":") == 5 else str(error)) from error


def _read_line(line: str, game: HoldemGame | GameFile) -> LoggedHand:
    parts = line.strip().split(":")
    if len(parts) != 6 or parts[0] != "STATE" or not re.fullmatch(r"[0-9]{1,18}", parts[1]):
        raise InputError(f"{line[:60]!r} is no STATE line: number, betting, cards, chips and players are needed")
    _, number, betting, cards, chips, _ = parts
    holes, *streets = cards.split("/")
    hole = tuple(parse_cards(text) or (UNKNOWN, UNKNOWN) for text in holes.split("|"))
    table = game if isinstance(game, GameFile) else table_of(game, len(hole))
    seats = len(table.stacks)
    if len(hole) != seats or any(len(pair) != 2 for pair in hole):
        raise InputError(f"{holes[:60]!r} should be two cards for each of {seats} seats")
    won = _won(chips, seats)
    history = betting_history(table, hole, betting.split("/"), [parse_cards(text) for text in streets])
    return LoggedHand(int(number), history, won)


def partial_hand(betting: str, cards: str, table: GameFile) -> HoldemState:
    """The position after the betting and cards of a hand that need not be over, as the dealer tells its players.

    Hands that are not shown are empty: `r300c/` and `|QhKd/2c3c4d`.
    """
    holes, *streets = cards.split("/")
    hole = [parse_cards(text) or (UNKNOWN, UNKNOWN) for text in holes.split("|")]
    seats = len(table.stacks)
    if len(hole) > seats or any(len(pair) != 2 for pair in hole):
        raise InputError(f"{holes[:60]!r} should be two cards for each of {seats} seats, or none")
    hole += [(UNKNOWN, UNKNOWN)] * (seats - len(hole))
    return position(
        betting_history(table, tuple(hole), betting.split("/"), [parse_cards(text) for text in streets if text])
    )


def _won(text: str, seats: int) -> tuple[float, ...]:
    chips = text.split("|")
    if len(chips) != seats or not all(_WON.fullmatch(each) for each in chips):
        raise InputError(f"{text[:60]!r} should be what each of {seats} seats won, such as 20|-20")
    return tuple(map(float, chips))


def betting_history(
    table: GameFile, hole: tuple[tuple[int, ...], ...], betting: list[str], streets: list[tuple[int, ...]]
) -> History:
    """The hand, over or not, with this betting by street and these cards. A log does not name the actor."""
    if len(streets) != len(betting) - 1:
        raise InputError(f"{len(betting)} streets of betting and the cards of {len(streets)} after the first")
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
        table.game, table.stacks, (0,) * seats, table.blinds, False, hole, tuple(steps),
        caps=table.caps, first=table.first, customs=replaying.DEALER,
    )  # fmt: skip
    return completed(dealt, np.array(rows, np.int64).reshape(len(rows), 3))


def _moves(text: str, limit: bool) -> Iterator[tuple[int, int, int]]:
    """The moves of one street as steps of the actor."""
    place = 0
    while place < len(text):
        move = _MOVE.match(text, place)
        if not move or (move[2] is not None and (move[2] == "") != limit):
            size = "r" if limit else "r with an amount"
            raise InputError(f"{text[place : place + 12]!r} is no move: f, c or {size} is")
        if move[1]:
            yield _MOVES[move[1]], NOBODY, 0
        else:
            yield (replaying.RAISE_LEAST if limit else replaying.RAISE_OF_HAND), NOBODY, int(move[2] or 0)
        place = move.end()
