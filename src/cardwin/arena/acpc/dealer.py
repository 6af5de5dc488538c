"""A dealer of the Annual Computer Poker Competition: plays a match by a game file and writes the dealer's log.

The hands, their seating and the statistics are those of a match (`arena.match`); the positions rotate, and with
duplicates every deal is played in each seating. A response that is malformed, invalid or late ends the match, as the
protocol's text suggests; the deals that were completed before count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.live_hands import Listeners
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Match, MatchOptions, MatchRecord
from cardwin.arena.referee import Conduct, Place, Referee
from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.base import NOBODY
from cardwin.games.formats.acpc_game import GameFile, table_of
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.adapters.acpc import betting_text
from cardwin.players.adapters.adapter import Hand, record
from cardwin.players.adapters.remote import RemotePlayer
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import makers_of
from cardwin.players.specs import Untrusted


class FailedResponseError(Exception):
    """A player's response ended the match."""


class StrictReferee(Referee):
    """A referee that ends the match at the first fault."""

    def anew(self) -> "StrictReferee":
        """A new referee for the same players, without records."""
        return StrictReferee(self.specs, self.limit)

    def _blame(self, conduct: Conduct, reason: str, place: Place | None = None) -> None:
        super()._blame(conduct, reason, place)
        raise FailedResponseError(str(conduct.first[-1]))


@dataclass(frozen=True)
class DealtMatch:
    """A match that was dealt: its record, and what ended it early, if anything did."""

    record: MatchRecord
    ended: str = ""


def playable(file: GameFile) -> HoldemGame:
    """The game of a file with equal stacks and the usual blinds."""
    seats = len(file.stacks)
    game = replace(file.game, small_blind=min(blind for blind in file.blinds if blind))
    usual = table_of(game, seats)
    first = 1 if seats == 2 else 2 % seats
    if file.stacks != usual.stacks or file.blinds != usual.blinds or file.first not in (NOBODY, first):
        raise InputError(
            f"blind = {' '.join(map(str, file.blinds))}, stack = {' '.join(map(str, file.stacks))}: a match is dealt "
            f"with equal stacks, blinds of {' '.join(map(str, usual.blinds))} and player {first + 1} first"
        )
    if file.caps and file.caps != tuple(file.game.tables(seats)["cap"][0].tolist()):
        raise InputError(
            f"maxRaises = {' '.join(map(str, file.caps))}: a match is dealt with the usual number of raises"
        )
    return game


class DealerLog:
    """Writes the dealer's log: a line for each hand, the score at the end."""

    def __init__(self, file: IO[bytes] | None, specs: Sequence[str]) -> None:
        self._file, self._names = file, [f"p{number + 1}" for number in range(len(specs))]
        self.won: list[list[int]] = []

    def begin(self, about: str, specs: Sequence[str]) -> None:
        """Write the head."""
        self._line(f"# name/game/hands/seed {about}")
        for name, spec in zip(self._names, specs, strict=True):
            self._line(f"# {name} {' '.join(spec.split())}")

    def _line(self, text: str) -> None:
        if self._file is not None:
            self._file.write(f"{text}\n".encode())

    def hand(self, number: int, table: LiveTable, events: list[Event]) -> None:
        """Write a hand that is over."""
        hand = _hand_of(table, events)
        order = sorted(range(hand.seats), key=hand.position)
        hole = table.tables["hole"][0].tolist()
        board = [hand.board[:3], hand.board[3:4], hand.board[4:5]][: hand.street]
        hands = "|".join(cards_text(hole[2 * seat : 2 * seat + 2]) for seat in order)
        won = "|".join(str(table.won[seat]) for seat in order)
        names = "|".join(self._names[table.who[seat]] for seat in order)
        betting = betting_text(hand, table.game.kind == "limit")
        self._line(f"STATE:{number}:{betting}:{'/'.join([hands, *map(cards_text, board)])}:{won}:{names}")
        chips = [0] * hand.seats
        for seat, who in enumerate(table.who):
            chips[who] = table.won[seat]
        self.won.append(chips)

    def end(self) -> None:
        """Write the score."""
        score = [sum(column) for column in zip(*self.won, strict=True)] or [0] * len(self._names)
        self._line(f"SCORE:{'|'.join(map(str, score))}:{'|'.join(self._names)}")


def _hand_of(table: LiveTable, events: list[Event]) -> Hand:
    """The record of a hand from its events."""
    starts = [int(stack) for stack in table.tables["start"][0, : table.seats]]
    hand = Hand(0, 0, int(table.tables["button"][0]), tuple(starts), table.game.big_blind, ())
    for event in events:
        record(hand, event)
    return hand


def deal_match(
    file: GameFile, specs: Sequence[str], hands: int, seed: int | None, *, duplicate: bool = False,
    limit: float | None = None, allow_weak: bool = False, log: Path | None = None, about: str = "",
    progress: Callable[[int], None] | None = None,
) -> DealtMatch:  # fmt: skip
    """Deal hands between players given by specifications, and write the log if a path is given."""
    game = playable(file)
    if len(specs) != len(file.stacks):
        raise InputError(f"{len(specs)} players: the game file has {len(file.stacks)}")
    with _opened(log) as out:
        writer = DealerLog(out, specs)
        writer.begin(f"{about} {hands} {'secret' if seed is None else seed}", specs)
        referee = StrictReferee(specs, limit)
        seated: list[HoldemPlayer] = []
        makers = [
            partial(_kept, seated, game.kind == "limit", make)
            for make in makers_of(specs, Untrusted(limit, allow_weak_sandbox=allow_weak))
        ]
        cards = CardSecrets() if seed is None else key_of(seed, "deal")
        options = MatchOptions(duplicate=duplicate, seating="rotation")
        played = Match(game, makers, cards, options, 1, referee, Listeners(writer.hand))
        ended = ""
        try:
            played.play(hands, progress, more=False)
        except FailedResponseError as error:
            ended = str(error)
        finally:
            for one in seated:  # so that clients see the end of the match
                getattr(one, "close", lambda: None)()
        writer.end()
    complete = len(writer.won) // played.per_deal * played.per_deal
    chips = np.array(writer.won[:complete], np.int64).reshape(complete, len(specs))
    secrets = tuple(cards.revealed) if isinstance(cards, CardSecrets) else ()
    record = MatchRecord(
        game, tuple(specs), seed, chips, options, played.per_deal, report=referee.report(), secrets=secrets
    )
    return DealtMatch(record, ended)


def _kept(seated: list[HoldemPlayer], limit: bool, make: Callable[[], HoldemPlayer]) -> HoldemPlayer:
    """A new player, which is also added to a list; a client is informed of the game."""
    seated.append(make())
    if isinstance(seated[-1], RemotePlayer):
        seated[-1].plays(limit)
    return seated[-1]


def _opened(path: Path | None) -> Any:
    from contextlib import nullcontext

    from cardwin.core.files import open_atomic

    return nullcontext(None) if path is None else open_atomic(path)
