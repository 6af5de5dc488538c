"""A dealer of the Annual Computer Poker Competition: plays a match by a game file and writes the dealer's log.

The hands, their seating and the statistics are those of a match (`match`, `small_match`); the positions rotate, and
with duplicates every deal is played in each seating. A response that is malformed, invalid or late ends the match, as
the protocol's text suggests; the deals that were completed before count.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.live_hands import Listeners
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Match, MatchOptions, MatchRecord
from cardwin.arena.referee import DecisionPlace, FaultRecord, Referee
from cardwin.arena.small_match import SmallTables
from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError
from cardwin.core.files import open_atomic
from cardwin.core.rng import key_of
from cardwin.games.base import NOBODY, Game
from cardwin.games.formats.acpc_game import GameFile, table_of
from cardwin.games.formats.small_states import betting_of, card_text
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.adapters.acpc import betting_text, board_texts
from cardwin.players.adapters.adapter import Hand, record
from cardwin.players.adapters.remote import RemotePlayer
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import makers_of
from cardwin.players.specs import Untrusted


class FailedResponseError(Exception):
    """A player's response ended the match."""


class StrictReferee(Referee):
    """A referee that ends the match at the first fault."""

    def fresh_copy(self, hands: int = 0) -> "StrictReferee":  # noqa: ARG002  it has no time bank
        """Return a new referee for the same players, without records."""
        return StrictReferee(self.specs, self.limit)

    def _record_fault(self, player: FaultRecord, reason: str, location: DecisionPlace | None = None) -> None:
        super()._record_fault(player, reason, location)
        raise FailedResponseError(str(player.first[-1]))


@dataclass(frozen=True)
class DealtMatch:
    """A match that was dealt: its record, and the reason for an early end, if any."""

    record: MatchRecord
    ended: str = ""


def playable(file: GameFile) -> HoldemGame:
    """Return the game of a file with equal stacks and the default blinds."""
    seats = len(file.stacks)
    game = replace(file.game, small_blind=min(blind for blind in file.blinds if blind))
    default = table_of(game, seats)
    first = 1 if seats == 2 else 2 % seats
    if file.stacks != default.stacks or file.blinds != default.blinds or file.first not in (NOBODY, first):
        raise InputError(
            f"blind = {' '.join(map(str, file.blinds))}, stack = {' '.join(map(str, file.stacks))}: a match is dealt "
            f"with equal stacks, blinds of {' '.join(map(str, default.blinds))} and player {first + 1} first"
        )
    if file.caps and file.caps != tuple(file.game.tables(seats)["cap"][0].tolist()):
        raise InputError(
            f"maxRaises = {' '.join(map(str, file.caps))}: a match is dealt with the default number of raises"
        )
    return game


@dataclass(frozen=True)
class DealOptions:
    """How a dealer plays a match.

    Attributes:
        duplicate: Whether every deal is played in each seating.
        untrusted: How programs are run.
        log: The file of the dealer's log, or None.
        title: The name of the match in the log.

    """

    duplicate: bool = False
    untrusted: Untrusted = field(default_factory=lambda: Untrusted(None))
    log: Path | None = None
    title: str = ""


class DealerLog:
    """Writes the dealer's log: a line for each hand, the score at the end. `won` has each player's chips by hand."""

    def __init__(self, file: IO[bytes] | None, players: int) -> None:
        self._file, self._names = file, [f"p{number + 1}" for number in range(players)]
        self.won: list[list[int]] = []

    def line(self, text: str) -> None:
        """Write a line."""
        if self._file is not None:
            self._file.write(f"{text}\n".encode())

    def begin(self, title: str, specs: Sequence[str] = ()) -> None:
        """Write the title and the players."""
        self.line(f"# name/game/hands/seed {title}")
        for name, spec in zip(self._names, specs, strict=False):
            self.line(f"# {name} {' '.join(spec.split())}")

    def hand(self, number: int, fields: Sequence[str], won: Sequence[int], order: Sequence[int]) -> None:
        """Write a finished hand.

        Args:
            number: The number of the hand.
            fields: Its betting and its cards.
            won: Chips by position.
            order: The players by position.

        """
        names = "|".join(self._names[player] for player in order)
        self.line(f"STATE:{number}:{':'.join(fields)}:{'|'.join(map(str, won))}:{names}")
        chips = [0] * len(self._names)
        for player, result in zip(order, won, strict=True):
            chips[player] = result
        self.won.append(chips)

    def holdem_hand(self, number: int, table: LiveTable, events: list[Event]) -> None:
        """Write a finished hand of hold'em."""
        starts = [int(stack) for stack in table.tables["start"][0, : table.seats]]
        hand = Hand(0, 0, int(table.tables["button"][0]), tuple(starts), table.game.big_blind, ())
        for event in events:
            record(hand, event)
        holes = "|".join(cards_text(table.hole(seat)) for seat in hand.order)
        fields = betting_text(hand, table.game.kind == "limit"), "/".join([holes, *board_texts(hand)])
        won, players = ([values[seat] for seat in hand.order] for values in (table.won, table.player_ids))
        self.hand(number, fields, won, players)

    def small_hand(self, number: int, state: Any, order: Sequence[int]) -> None:
        """Write a finished hand of a small game."""
        cards = "/".join(["|".join(map(card_text, state.dealt[:2])), *map(card_text, state.dealt[2:])])
        self.hand(number, (betting_of(state), cards), state.returns(), order)

    def end(self) -> None:
        """Write the score."""
        score = [sum(column) for column in zip(*self.won, strict=True)] or [0] * len(self._names)
        self.line(f"SCORE:{'|'.join(map(str, score))}:{'|'.join(self._names)}")


def deal_match(
    file: GameFile,
    specs: Sequence[str],
    hands: int,
    seed: int | None,
    options: DealOptions = DealOptions(),
    progress: Callable[[int], None] | None = None,
) -> DealtMatch:
    """Deal hands of hold'em between players.

    Args:
        file: The game file.
        specs: The players' specifications.
        hands: The number of hands over all seatings.
        seed: The seed of cards and decisions; without one the cards come from secrets.
        options: Duplicates, programs and the log.
        progress: Called with the number of hands that were played.

    Raises:
        InputError: the file's game is not dealt, or a player is unknown.

    """
    game = playable(file)
    if len(specs) != len(file.stacks):
        raise InputError(f"{len(specs)} players: the game file has {len(file.stacks)}")
    with _opened(options.log) as out:
        log = DealerLog(out, len(specs))
        log.begin(f"{options.title} {hands} {'secret' if seed is None else seed}", specs)
        referee = StrictReferee(specs, options.untrusted.limit)
        seated: list[HoldemPlayer] = []
        makers = [partial(_seat, seated, game.kind == "limit", make) for make in makers_of(specs, options.untrusted)]
        cards = CardSecrets() if seed is None else key_of(seed, "deal")
        match_options = MatchOptions(duplicate=options.duplicate, seating="rotation")
        played = Match(game, makers, cards, match_options, 1, referee, Listeners(log.holdem_hand))
        ended = ""
        try:
            played.play(hands, progress, more=False)
        except FailedResponseError as error:
            ended = str(error)
        finally:
            for player in seated:  # so that clients see the end of the match
                getattr(player, "close", lambda: None)()
        log.end()
    complete = len(log.won) // played.per_deal * played.per_deal
    chips = np.array(log.won[:complete], np.int64).reshape(complete, len(specs))
    secrets = tuple(cards.revealed) if isinstance(cards, CardSecrets) else ()
    match_record = MatchRecord(
        game,
        tuple(specs),
        seed,
        chips,
        match_options,
        played.per_deal,
        report=referee.report(),
        secrets=secrets,
        stakes=played.stakes[:complete] if len(played.stakes) >= complete else np.zeros(0),
    )
    return DealtMatch(match_record, ended)


def _seat(seated: list[HoldemPlayer], limit: bool, make: Callable[[], HoldemPlayer]) -> HoldemPlayer:
    """Build a player and add it to a list; a remote client is informed of the kind of betting."""
    seated.append(make())
    if isinstance(seated[-1], RemotePlayer):
        seated[-1].use_betting(limit)
    return seated[-1]


@dataclass
class SmallDealt:
    """What each player won in each hand, and the reason for an early end, if any."""

    won: list[list[int]] = field(default_factory=list)
    ended: str = ""


def deal_small(
    game: Game,
    specs: Sequence[str],
    hands: int,
    seed: int,
    options: DealOptions = DealOptions(),
) -> SmallDealt:
    """Deal hands of a small game between policies, clients (acpc:PORT) and programs, as `deal_match` does."""
    untrusted = options.untrusted
    referee = StrictReferee(specs, untrusted.limit)
    tables = SmallTables(game, specs, referee, options.duplicate, untrusted.allow_weak_sandbox)
    dealt, key, per_deal = SmallDealt(), key_of(seed, "deal"), tables.per_deal
    try:
        with _opened(options.log) as out:
            log = DealerLog(out, len(specs))
            dealt.won = log.won
            log.begin(f"{options.title} {hands} {seed}")
            for number in range(-(-hands // per_deal) * per_deal):
                log.small_hand(number, tables.play(number, key), tables.order(number))
            log.end()
    except FailedResponseError as error:
        dealt.ended = str(error)
    finally:
        tables.close()
    return dealt


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[bytes] | None]:
    """Open a new file, if a path is given."""
    if path is None:
        yield None
        return
    with open_atomic(path) as file:
        yield file
