"""Matches of Kuhn poker and Leduc hold'em in which other people's programs sit, beside policies.

Two players change seats with every deal; with duplicates every deal is played in both seatings, by two sets of players,
so that none knows the other's cards from the first. A referee calls the programs: what is no legal action is a fault,
and a check or a fold instead. The cards have a random stream and each seat its own; none reveals another.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cardwin.arena.card_secrets import CardSecrets, Revealed
from cardwin.arena.referee import NO_FAULTS, Referee, Report
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, child, draw_below, key_of, prf, stream_of
from cardwin.games.base import CHANCE, CHECK, FOLD, NOBODY, Action, Game, State, small_view, validate_move
from cardwin.games.formats.small_states import state_text
from cardwin.games.small.observation import shape_of
from cardwin.players.adapters.remote import RemoteSmallPlayer, prepare, small_server
from cardwin.players.adapters.small import check_small
from cardwin.players.sandbox.small_process import IsolatedSmallPlayer
from cardwin.players.sandbox.walls import require_walls
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.players.specs import TIME_LIMIT, is_program, is_sandboxed, is_untrusted, needs_sandbox
from cardwin.stats.intervals import block_means

MOST_HANDS = 10_000_000
Program: TypeAlias = IsolatedSmallPlayer | RemoteSmallPlayer


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
    def most(self) -> float:
        """The most chips that a hand can bring or cost."""
        return float(shape_of(self.game).max_chips)

    @property
    def digest(self) -> str:
        """A hash of the results, without the hands in which a player exceeded its time limit."""
        late = [hand - 1 for _, hand in self.report.late]
        counted = np.ascontiguousarray(np.delete(self.chips, late, axis=0))
        return hashlib.blake2b(counted.data, digest_size=16).hexdigest()


class SmallTables:
    """Two players at a table, or with duplicates two of each at two tables."""

    def __init__(self, game: Game, specs: Sequence[str], referee: Referee, *, duplicate: bool = False,
                 allow_weak: bool = False) -> None:  # fmt: skip
        if len(specs) != 2:
            raise InputError(f"{len(specs)} players: {game.name} is played by two")
        for spec in filter(is_untrusted, specs):
            check_small(spec, game)
        if any(map(needs_sandbox, specs)):
            require_walls(allow_weak)
        for spec in filter(is_program, specs):
            prepare(spec)
        self.game, self.referee, self.per_deal = game, referee, 2 if duplicate else 1
        self._tables: list[list[Program | PolicyPlayer]] = []
        try:
            for _ in range(self.per_deal):
                self._tables.append([])
                for spec in specs:
                    self._tables[-1].append(seated(game, spec, referee.limit))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the programs, or their connections."""
        for one in (one for table in self._tables for one in table):
            if not isinstance(one, PolicyPlayer):
                one.close()

    def order(self, number: int) -> tuple[int, int]:
        """The players of both seats in a hand."""
        deal, table = divmod(number, self.per_deal)
        first = (deal + table) % 2
        return first, 1 - first

    def play(self, number: int, key: int) -> State:
        """The last position of a hand; the key's cards and decisions belong to the hand's number."""
        deal, table = divmod(number, self.per_deal)
        who = self.order(number)
        players = [self._tables[table][one] for one in who]
        cards = stream_of(prf(child(key, deal), 0))
        streams = [stream_of(prf(child(child(key, -1), number), seat + 1)) for seat in (0, 1)]
        self.referee.begin_hand(number + 1)
        state = self.game.start()
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                outcomes = state.chance_outcomes()
                state = state.apply(outcomes[draw_below(cards, len(outcomes))][0])
                continue
            self._show(state, deal, who, players)
            seat, line = state.actor, state_text(state, deal, state.actor)
            state = state.apply(decision(self.referee, who[seat], players[seat], state, line, streams[seat], self.game))
        self._show(state, deal, who, players)
        return state

    def _show(self, state: State, number: int, who: Sequence[int], players: Sequence[Program | PolicyPlayer]) -> None:
        """Show both programs what their seats know."""
        for seat, one in enumerate(players):
            if not isinstance(one, PolicyPlayer):
                self.referee.watcher(who[seat], one.show)(state_text(state, number, seat))


def decision(
    referee: Referee, who: int, one: Program | PolicyPlayer, state: State, line: str, rng: Stream, game: Game
) -> Action:
    """A player's action at a position, which its seat knows as `line`; a check or fold if a program fails."""
    if isinstance(one, PolicyPlayer):
        return one.act(small_view(state, state.actor), rng)
    answer = referee.ask(who, one.decide, line, rng)
    if answer is not None:
        try:
            validate_move(game.name, state, answer)
        except InputError as error:
            referee.blame(who, str(error))
        else:
            referee.accept(who)
            return answer
    return CHECK if CHECK in state.legal_actions() else FOLD


def seated(game: Game, spec: str, limit: float | None) -> Program | PolicyPlayer:
    """A new player of a specification. Programs of other people are never in this process."""
    if is_program(spec) and not is_sandboxed(spec):
        return small_server(spec, game, limit)
    if is_untrusted(spec):
        return IsolatedSmallPlayer(spec, game, limit)
    chosen = policy(game, spec)
    for seat in (0, 1):
        chosen.exact(seat)  # an error if it plays one seat only: players change seats
    return PolicyPlayer(chosen)


def small_match(game: Game, specs: Sequence[str], hands: int, seed: int | None = None, *, duplicate: bool = False,
                limit: float | None = TIME_LIMIT, allow_weak: bool = False,
                progress: Callable[[int], None] | None = None) -> SmallMatchRecord:  # fmt: skip
    """Play hands between two policies or programs; without a seed the cards come from a secret."""
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"{hands} hands: from 1 to {MOST_HANDS} can be played")
    referee = Referee(specs, limit)
    tables = SmallTables(game, specs, referee, duplicate=duplicate, allow_weak=allow_weak)
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
