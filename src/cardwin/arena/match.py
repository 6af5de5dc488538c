"""Matches of hold'em: the same stacks every hand, or carried over; every deal once, or once for each seating.

A hand's random streams come from its number, so the number of workers changes nothing. Seats are drawn for every deal
(see `seating`). Duplicate play repeats the cards only: decisions have their own stream in every hand, and
every seating has its own players, so that no player remembers a deal. `independent_hands` plays hands with full stacks,
`cash_game` those whose stacks are carried over.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cardwin.arena.card_secrets import CardSecrets, Revealed
from cardwin.arena.cash_game import CashGame, CashGameRules
from cardwin.arena.independent_hands import CompiledHands, Plan
from cardwin.arena.live_hands import LiveHands
from cardwin.arena.live_hands import OnHand as OnHand
from cardwin.arena.live_table import LiveTable, check_players
from cardwin.arena.recorded_hands import HandRecorder
from cardwin.arena.referee import NO_FAULTS, TIME_LIMIT, Referee, Report
from cardwin.arena.seating import KINDS
from cardwin.arena.stakes import difference_bounds
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError, unknown
from cardwin.core.executor import Workers
from cardwin.core.rng import key_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.builders import Makers, makers_of
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.specs import expand_specs
from cardwin.stats.comparisons import settled
from cardwin.stats.intervals import blocked

if TYPE_CHECKING:
    from cardwin.arena.value_function import ValueFunction

FIRST_LOOK = 1_000  # hands before the first look, if play stops once the order is certain
MOST_HANDS = 100_000_000
BLOCK_HANDS = 65_536  # hands with one secret
MOST_KEPT = 4_000_000  # hands whose results are kept one by one
DEALS_SUMMED = 16  # deals of longer matches in one sum
PORTION = 1_000_000  # hands of longer matches that are held at once, at most
STACKS = {"reset": "every player has the full stack before every hand",
          "kept": "stacks are kept, and the match ends when one player has everything",
          "rebuy": "stacks are kept, and a player without chips rebuys"}  # fmt: skip


@dataclass(frozen=True)
class MatchRecord:
    """The players and the chips (hands, players) that each won in each hand.

    Each deal was played `per_deal` times in a row. `adjusted` are the chips after the all-in equity adjustment and
    variance reduction, if requested; the latter is by the `value_function` of that hash, fixed before the match, and
    can move no result by more than `moved` chips. The referee's `report` has the
    players' faults. `certain`: whether the order of the players is certain, if play was to continue until then. Without
    a seed, `secrets` are those of the blocks of hands. In very long matches a row of `chips` is the sum of `summed`
    hands, and `hashed` is the digest of all hands.
    """

    game: HoldemGame
    specs: tuple[str, ...]
    seed: int | None
    chips: Ints
    per_deal: int = 1
    adjusted: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    report: Report = NO_FAULTS
    certain: bool | None = None
    seating: str = "drawn"
    moved: float = 0.0
    stacks: str = "reset"
    secrets: tuple[Revealed, ...] = ()
    summed: int = 1
    hashed: str = ""
    value_function: str = ""
    pilot: int = 0

    @property
    def hands(self) -> int:
        """The number of hands played."""
        return len(self.chips) * self.summed

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return self.hands // self.per_deal

    @property
    def by_deal(self) -> Floats | Ints:
        """Each player's mean result in each deal, or in as many as were summed, (samples, players): independent."""
        values: Floats | Ints = self.adjusted if len(self.adjusted) else self.chips
        if self.summed > 1:
            return values / self.summed
        return values if self.per_deal == 1 else blocked(values, self.per_deal)

    @property
    def digest(self) -> str:
        """A hash of the result's numbers, without the hands in which a player exceeded its time limit."""
        if self.hashed:
            return self.hashed
        late = [hand - 1 for _, hand in self.report.late]
        counted = np.delete(self.chips, late, axis=0) if late else self.chips
        return hashlib.blake2b(np.ascontiguousarray(counted).data, digest_size=16).hexdigest()


class Match:
    """A match that can be continued: `play` adds hands, and hand n is the same whenever it is played.

    `makers` build the players, once for each seating; `in_python` calls all of them in Python. Players with memory are
    kept from one `play` to the next. `cards` is a key, or secrets that are drawn for every block of hands.
    A recorder receives the hands of matches with Python players. Hands are numbered from `first` on.
    """

    def __init__(self, game: HoldemGame, makers: Makers, cards: int | CardSecrets, *, duplicate: bool = False,
                 stacks: str = "reset", adjust: bool = False, reduce_variance: bool = False, workers: Workers = 1,
                 in_python: bool = False, seating: str = "drawn", referee: Referee | None = None,
                 on_hand: OnHand | None = None, recorder: HandRecorder | None = None,
                 first: int = 0) -> None:  # fmt: skip
        if stacks not in STACKS:
            raise unknown("kind of stacks", stacks, STACKS)
        if stacks != "reset" and (duplicate or adjust or reduce_variance):
            raise InputError(f"{stacks} stacks depend on earlier hands: duplicates and adjustment need reset stacks")
        if duplicate and reduce_variance:
            raise InputError("duplicates already reduce the variance of the cards: choose one of the two")
        if seating not in KINDS:
            raise unknown("kind of seating", seating, KINDS)
        players = [make() for make in makers]
        check_players(game, players, len(players))
        live = in_python or on_hand is not None or not compiled_players(players).all_compiled
        plan = Plan(game, makers, 0, duplicate, adjust or reduce_variance, in_python, seating)
        self.value_function: ValueFunction | None = None
        self._cards, self._plan, self.game, self.seating = cards, plan, game, seating
        self._reduce_variance, self._workers = reduce_variance, workers
        self.adjust, self.per_deal = plan.adjust, plan.per_deal
        self.chips = np.zeros((0, len(makers)), np.int64)
        self.adjusted = np.zeros((0, len(makers)))
        self.over, self.first = False, first
        self._hands: CompiledHands | LiveHands | CashGame
        if stacks != "reset":
            self._hands = CashGame(game, players, 0, CashGameRules(), rebuy=stacks == "rebuy", in_python=in_python,
                                  referee=referee, on_hand=on_hand, recorder=recorder)  # fmt: skip
        elif live:
            self._hands = LiveHands(plan, players, self._workers, referee, on_hand, recorder)
        else:
            self._hands = CompiledHands(plan, players, self._workers)

    def play(self, hands: int, progress: Callable[[int], None] | None = None, more: bool = True) -> None:
        """Play this number of further hands, rounded up to whole deals; fewer if one player wins all chips.

        Without `more` hands to come, Python players with memory may also be sent to worker processes.
        """
        count = -(-hands // self.per_deal) * self.per_deal
        if not 1 <= len(self.chips) + count <= MOST_HANDS:
            raise InputError(f"{len(self.chips) + count} hands: from 1 to {MOST_HANDS} can be played")
        if self._reduce_variance and self.value_function is None:
            self._fix_value_function()
        if isinstance(self._cards, int):
            self._use_key(self._cards)
            self._play_block(count, progress, more)
            return
        block = count if self._in_one_go(more) else BLOCK_HANDS // self.per_deal * self.per_deal
        for start in range(0, count, block):
            size = min(block, count - start)
            self._use_key(self._cards.begin())
            self._play_block(size, progress, more or start + size < count)
            self._cards.end()
            if self.over:
                return

    def _fix_value_function(self) -> None:
        """Choose the value function, before the first hand."""
        from cardwin.arena.value_function import fitted_function, plain_function

        if isinstance(self._hands, CompiledHands):
            self.value_function = fitted_function(self._plan, self._workers)
        else:
            self.value_function = plain_function(self.game, len(self._plan.makers))
        self._plan = replace(self._plan, weights=self.value_function.weights)

    def _in_one_go(self, more: bool) -> bool:
        """Whether players with memory may be sent to worker processes, which play all hands there."""
        return not more and isinstance(self._hands, LiveHands) and self._hands.spreads

    def _use_key(self, key: int) -> None:
        """Deal the next hands by this key."""
        plan = self._plan.with_key(key)
        if isinstance(self._hands, CashGame):
            self._hands.key = key
        else:
            self._hands.plan = plan
        self._plan = plan

    def _play_block(self, count: int, progress: Callable[[int], None] | None, more: bool) -> None:
        before, seats = self.chips.shape
        first, chips = self.first + before, np.zeros((count, seats), np.int64)
        adjusted = np.zeros((count if self.adjust else 0, seats))
        done = progress or (lambda _: None)
        played = self._hands.play(first, chips, adjusted, done, more)
        self.over = played < count
        self.chips = np.concatenate([self.chips, chips[:played]]) if before else chips[:played]
        self.adjusted = np.concatenate([self.adjusted, adjusted])

    def play_long(self, hands: int, progress: Callable[[int], None] | None = None) -> tuple[Ints, int, str]:
        """Play compiled players for this number of hands or a few more, without keeping every hand.

        Returns the chips (sums, players) of so many hands in a row, that number, and the digest of all hands.
        """
        summed = DEALS_SUMMED * self.per_deal
        left, sums, digest = -(-hands // summed) * summed, [], hashlib.blake2b(digest_size=16)
        while left:
            self.play(min(left, max(1, PORTION // summed) * summed), progress)
            left -= len(self.chips)
            digest.update(np.ascontiguousarray(self.chips).data)
            sums.append(self.chips.reshape(-1, summed, self.chips.shape[1]).sum(axis=1))
            self.first, self.chips = self.first + len(self.chips), self.chips[:0].copy()
        return np.concatenate(sums), summed, digest.hexdigest()

    @property
    def can_be_long(self) -> bool:
        """Whether `play_long` can play it: compiled players, nothing adjusted, full stacks before every hand."""
        return isinstance(self._hands, CompiledHands) and not self.adjust

    @property
    def remembers(self) -> bool:
        """Whether hands depend on earlier ones, by their stacks or by what players remember."""
        if isinstance(self._hands, CompiledHands):
            return self._hands.compiled.remember
        return isinstance(self._hands, CashGame) or not self._hands.stateless

    @property
    def values(self) -> Floats | Ints:
        """The results (hands, players): chips, after variance reduction if requested."""
        return self.adjusted if self.adjust else self.chips

    @property
    def moved(self) -> float:
        """Variance reduction moves no result by more than this many chips."""
        return 0.0 if self.value_function is None else self.value_function.bound * self.game.least_bet

    def comment(self, names: Sequence[str], say: Callable[[str], None]) -> None:
        """Report every move from here on; only for matches in Python."""
        from cardwin.arena.interactive.commentary import Commentator

        def sit_in(table: LiveTable) -> None:
            Commentator(table, names, say)

        if isinstance(self._hands, LiveHands):
            self._hands.on_table = sit_in
        elif isinstance(self._hands, CashGame) and self._hands.live is not None:
            sit_in(self._hands.live)


def match(game: HoldemGame, specs: Sequence[str], hands: int, seed: int | None = None, workers: Workers = 1, *,
          duplicate: bool = False, stacks: str = "reset", adjust: bool = False, reduce_variance: bool = False,
          until_certain: bool = False, seating: str = "drawn", isolated: bool = False, allow_weak: bool = False,
          limit: float | None = TIME_LIMIT, on_hand: OnHand | None = None, say: Callable[[str], None] | None = None,
          progress: Callable[[int], None] | None = None) -> MatchRecord:  # fmt: skip
    """Play hands between players given by specifications, seated by `seating` (see the module of that name).

    `until_certain` stops as soon as the order of the players is certain, after `hands` at the latest. `limit` is the
    time in seconds for an action of untrusted players, which with `isolated` run in separate processes (`makers_of`).
    `say` receives every move, all cards shown. `reduce_variance` is AIVAT (see `corrections`).
    Without a seed the cards come from secrets (see `card_secrets`).
    """
    names = tuple(expand_specs(specs))
    if until_certain and stacks != "reset":
        raise InputError(f"{stacks} stacks make hands depend on each other, so `until_certain` needs reset stacks")
    game.tables(len(names))
    referee = Referee(names, limit)
    cards = CardSecrets() if seed is None else key_of(seed, "match")
    played = Match(game, makers_of(names, isolated, limit, allow_weak=allow_weak), cards, duplicate=duplicate,
                   stacks=stacks, adjust=adjust, reduce_variance=reduce_variance, workers=workers, seating=seating,
                   referee=referee, on_hand=on_hand, in_python=say is not None)  # fmt: skip
    if say is not None:
        played.comment(names, say)
    certain: bool | None = None
    summed, hashed = 1, ""
    if until_certain:
        certain = play_until_certain(played, hands, progress)
    elif MOST_KEPT < hands <= MOST_HANDS and played.can_be_long:
        played.chips, summed, hashed = played.play_long(hands, progress)
    else:
        played.play(hands, progress, more=False)
    function = played.value_function
    return MatchRecord(
        game, names, seed, played.chips, played.per_deal, played.adjusted, referee.report(), certain, played.seating,
        played.moved, stacks, tuple(cards.revealed) if isinstance(cards, CardSecrets) else (), summed, hashed,
        function.hash if function else "", function.pilot if function else 0,
    )  # fmt: skip


def play_until_certain(played: Match, most: int, progress: Callable[[int], None] | None = None, pairs: int = 0) -> bool:
    """Look at the results after some hands, then after half as many again each time, until the order is certain.

    The evidence is valid for any number of looks. `pairs` is the total number of comparisons, if not only these.
    """
    bounds = difference_bounds(played.game, played.chips.shape[1])
    while len(played.chips) < most and not played.over:
        more = min(max(FIRST_LOOK, len(played.chips) // 2), most - len(played.chips))
        played.play(more, progress)
        values = blocked(played.values, played.per_deal)
        if settled(values, (bounds[0] - 2 * played.moved, bounds[1] + 2 * played.moved), pairs):
            return True
    return False


def play_match(game: HoldemGame, players: Sequence[HoldemPlayer], hands: int, key: int, workers: Workers = 1, *,
               in_python: bool = False, stacks: str = "reset", referee: Referee | None = None,
               on_hand: OnHand | None = None) -> Ints:  # fmt: skip
    """The chips (hands, players) that these player objects won in each hand, in the order given, without duplicates."""
    makers = [lambda one=one: one for one in players]
    played = Match(game, makers, key, stacks=stacks, workers=workers, in_python=in_python, seating="rotation",
                   referee=referee, on_hand=on_hand)  # fmt: skip
    played.play(hands)
    return played.chips
