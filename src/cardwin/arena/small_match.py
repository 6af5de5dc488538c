"""Matches of small games in which other people's programs sit, beside policies.

Two players change seats with every deal. With duplicates every deal is played in both seatings, by two sets of players,
so that none knows the other's cards from the first. A referee calls the programs: an illegal action is a fault, and a
check or fold instead. The cards have a random stream and each seat its own; none reveals another.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.arena.card_secrets import CardSecrets, Revealed
from cardwin.arena.referee import NO_FAULTS, Referee, Report
from cardwin.arena.state_table import StateTable, sample_uniform_card
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, prf, stream_of
from cardwin.games.base import Game, State
from cardwin.players.adapters.remote import open_port
from cardwin.players.base import Player, StartError
from cardwin.players.registry import PlayerBuilder, check_small
from cardwin.players.sandbox.walls import require_walls
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.players.specs import Untrusted, is_program, is_untrusted, needs_sandbox
from cardwin.stats.intervals import block_means

MOST_HANDS = 10_000_000


@dataclass(frozen=True)
class SmallMatchRecord:
    """The chips (hands, 2) that each of two players won in each hand; each deal was played `per_deal` times in a row.

    The referee's `report` has the players' faults. Without a seed, `secrets` are those of the cards.
    """

    game: Game
    specs: tuple[str, ...]
    seed: int | None
    chips: Ints
    per_deal: int = 1
    report: Report = NO_FAULTS
    secrets: tuple[Revealed, ...] = ()

    @property
    def by_deal(self) -> Floats:
        """Each player's mean result in each deal (deals, 2): independent."""
        return block_means(self.chips, self.per_deal)

    @property
    def digest(self) -> str:
        """A hash of the results, without the hands in which a player exceeded its time limit."""
        late = [hand - 1 for _, hand in self.report.late]
        counted = np.ascontiguousarray(np.delete(self.chips, late, axis=0))
        return hashlib.blake2b(counted.data, digest_size=16).hexdigest()


class SmallTables:
    """Two players at a table, or with duplicates two of each at two tables."""

    def __init__(
        self, game: Game, specs: Sequence[str], referee: Referee, duplicate: bool, allow_weak_sandbox: bool
    ) -> None:
        if len(specs) != 2:
            raise InputError(f"{game.name}: expected 2 players, got {len(specs)}")
        for spec in filter(is_untrusted, specs):
            check_small(spec, game)
        if any(map(needs_sandbox, specs)):
            require_walls(allow_weak_sandbox)
        for spec in filter(is_program, specs):
            open_port(spec)
        self.game, self.referee, self.per_deal = game, referee, 2 if duplicate else 1
        self._table = StateTable(game, referee=referee, draw=sample_uniform_card)
        self._players: list[list[Player[object]]] = []  # by table
        try:
            for _ in range(self.per_deal):
                self._players.append([])
                for spec in specs:
                    self._players[-1].append(seated_player(game, spec, referee.limit))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the programs, or their connections."""
        for player in (player for players in self._players for player in players):
            getattr(player, "close", lambda: None)()

    def order(self, number: int) -> tuple[int, int]:
        """Return the players of both seats in a hand."""
        deal, table = divmod(number, self.per_deal)
        first = (deal + table) % 2
        return first, 1 - first

    def play(self, number: int, key: int) -> State:
        """Return the last position of a hand; the key's cards and decisions belong to the hand's number."""
        deal, table = divmod(number, self.per_deal)
        order = self.order(number)
        self._table.seat_players([self._players[table][player] for player in order], order)
        self.referee.begin_hand(number + 1)
        decisions = [stream_of(prf(child(child(key, -1), number), seat + 1)) for seat in (0, 1)]
        self._table.begin(stream_of(prf(child(key, deal), 0)), decisions, deal)
        return self._table.state


def seated_player(game: Game, spec: str, limit: float | None) -> Player[object]:
    """Build a player of a specification, which plays both seats. Programs of other people are never in this process."""
    if is_untrusted(spec):
        check_small(spec, game)
        return PlayerBuilder(spec, Untrusted(limit), game.name, absent_if=(StartError,))()  # type: ignore[return-value]  # its view is SmallPosition
    known = policy(game, spec)
    for seat in (0, 1):
        known.exact(seat)  # an error if it plays one seat only: players change seats
    return PolicyPlayer(known)  # type: ignore[return-value]


def small_match(
    game: Game,
    specs: Sequence[str],
    hands: int,
    seed: int | None = None,
    duplicate: bool = False,
    untrusted: Untrusted = Untrusted(),  # noqa: B008  it is frozen
    progress: Callable[[int], None] | None = None,
) -> SmallMatchRecord:
    """Play hands between two policies or programs.

    Args:
        game: A small game.
        specs: The specifications of two players.
        hands: The number of hands, rounded up to whole deals.
        seed: The seed of cards and decisions; without one the cards come from a secret.
        duplicate: Whether every deal is played in both seatings.
        untrusted: How programs are run.
        progress: Called with 1 after every hand.

    Raises:
        InputError: a player is unknown or cannot play the game.

    """
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"expected 1 to {MOST_HANDS} hands, got {hands}")
    referee = Referee(specs, untrusted.limit, untrusted.time_bank)
    tables = SmallTables(game, specs, referee, duplicate, untrusted.allow_weak_sandbox)
    secrets = CardSecrets()
    key = secrets.begin() if seed is None else key_of(seed, "small match")
    chips = np.zeros((-(-hands // tables.per_deal) * tables.per_deal, 2), np.int64)
    try:
        for number in range(len(chips)):
            chips[number, list(tables.order(number))] = tables.play(number, key).returns()
            if progress is not None:
                progress(1)
    finally:
        tables.close()
    if seed is None:
        secrets.end()
    return SmallMatchRecord(game, tuple(specs), seed, chips, tables.per_deal, referee.report(), tuple(secrets.revealed))
