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
from cardwin.arena.live_hands import NO_LISTENERS, LiveHands
from cardwin.arena.live_hands import Listeners as Listeners
from cardwin.arena.live_table import LiveTable, check_players
from cardwin.arena.referee import NO_FAULTS, Referee, Report
from cardwin.arena.seating import KINDS
from cardwin.arena.stakes import difference_bounds
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError, unknown_name
from cardwin.core.executor import Workers
from cardwin.core.rng import key_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import Makers, makers_of
from cardwin.players.specs import IN_PROCESS, Untrusted, expand_specs
from cardwin.stats.comparisons import is_order_decided
from cardwin.stats.intervals import block_means

if TYPE_CHECKING:
    from cardwin.arena.value_function import ValueFunction

FIRST_LOOK = 1_000  # hands before the first look, if play stops once the order is certain
MOST_HANDS = 100_000_000
BLOCK_HANDS = 65_536  # hands with one secret
MOST_KEPT = 4_000_000  # hands whose results are kept one by one
DEALS_SUMMED = 16  # deals of longer matches in one sum
PORTION = 1_000_000  # hands of longer matches that are held at once, at most
STACKS = {
    "reset": "every player has the full stack before every hand",
    "kept": "stacks are kept, and the match ends when one player has everything",
    "rebuy": "stacks are kept, and a player without chips rebuys",
}


@dataclass(frozen=True)
class MatchOptions:
    """How a match is played.

    Attributes:
        duplicate: Whether each deal is played once in each seating, with the same cards.
        stacks: A key of `STACKS`.
        all_in_adjusted: Whether all-in hands count as their mean over the possible boards.
        reduce_variance: Whether chance and known decisions are corrected for (AIVAT, see `corrections`).
        until_certain: Whether play stops as soon as the order of the players is certain.
        seating: How seats are drawn, a key of `seating.KINDS`.
        in_python: Whether all players are called in Python.
        untrusted: How players from outside the package are run.

    """

    duplicate: bool = False
    stacks: str = "reset"
    all_in_adjusted: bool = False
    reduce_variance: bool = False
    until_certain: bool = False
    seating: str = "drawn"
    in_python: bool = False
    untrusted: Untrusted = IN_PROCESS

    def __post_init__(self) -> None:
        if self.stacks not in STACKS:
            raise unknown_name("kind of stacks", self.stacks, STACKS)
        if self.seating not in KINDS:
            raise unknown_name("kind of seating", self.seating, KINDS)
        if self.stacks != "reset" and (self.duplicate or self.adjusted or self.until_certain):
            needs = "duplicates, adjustment and until_certain need reset stacks"
            raise InputError(f"{self.stacks} stacks depend on earlier hands: {needs}")
        if self.duplicate and self.reduce_variance:
            raise InputError("duplicates already reduce the variance of the cards: choose one of the two")

    @property
    def adjusted(self) -> bool:
        """Whether results are adjusted in any way."""
        return self.all_in_adjusted or self.reduce_variance


RESET = MatchOptions()


@dataclass(frozen=True)
class MatchRecord:
    """The players and the chips (hands, players) that each won in each hand.

    Each deal was played `per_deal` times in a row. `adjusted` are the chips after the all-in equity adjustment and
    variance reduction, if requested; the latter is by the `value_function` of that hash, fixed before the match, and
    can move no result by more than `moved` chips. The referee's `report` has the
    players' faults. `certain`: whether the order of the players is certain, if play was to continue until then. Without
    a seed, `secrets` are those of the blocks of hands. In very long matches a row of `chips` is the sum of `summed`
    hands, and `hashed` is the digest of all hands.

    `stakes` (rows,) is the largest amount that a seat had put into each hand, before an uncalled part was returned. It
    is empty if it is unknown, or if stacks carry over.
    """

    game: HoldemGame
    specs: tuple[str, ...]
    seed: int | None
    chips: Ints
    options: MatchOptions = RESET
    per_deal: int = 1
    adjusted: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    report: Report = NO_FAULTS
    certain: bool | None = None
    moved: float = 0.0
    secrets: tuple[Revealed, ...] = ()
    summed: int = 1
    hashed: str = ""
    value_function: str = ""
    pilot: int = 0
    stakes: Floats = field(default_factory=lambda: np.zeros(0))

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
        return values if self.per_deal == 1 else block_means(values, self.per_deal)

    @property
    def at_stake(self) -> Floats:
        """The mean stakes of each deal, or of as many as were summed, (samples,)."""
        stakes: Floats = self.stakes.reshape(-1, 1 if self.summed > 1 else self.per_deal).mean(axis=1)
        return stakes

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

    `makers` build the players, once for each seating. Players with memory continue from one `play` to the next.
    `cards` is a key, or secrets that are drawn for every block of hands. Hands are numbered from `first` on.
    """

    def __init__(
        self,
        game: HoldemGame,
        makers: Makers,
        cards: int | CardSecrets,
        options: MatchOptions = RESET,
        workers: Workers = 1,
        referee: Referee | None = None,
        listeners: Listeners = NO_LISTENERS,
    ) -> None:
        players = [make() for make in makers]
        check_players(game, players, len(players))
        plan = Plan(game, makers, 0, options.duplicate, options.adjusted, options.in_python, options.seating)
        self.value_function: ValueFunction | None = None
        self._cards, self._plan, self.game, self.options, self._workers = cards, plan, game, options, workers
        self.adjust, self.per_deal = plan.adjust, plan.per_deal
        self.chips = np.zeros((0, len(makers)), np.int64)
        self.adjusted, self.stakes = np.zeros((0, len(makers))), np.zeros(0)
        self.over, self.first = False, 0
        self._hands: CompiledHands | LiveHands | CashGame
        if options.stacks != "reset":
            rebuy = options.stacks == "rebuy"
            self._hands = CashGame(
                game,
                players,
                CashGameRules(),
                rebuy=rebuy,
                in_python=options.in_python,
                referee=referee,
                listeners=listeners,
            )
        elif options.in_python or listeners.on_hand is not None or not compiled_players(players).all_compiled:
            self._hands = LiveHands(plan, players, workers, referee, listeners)
        else:
            self._hands = CompiledHands(plan, players, workers, referee)

    def play(self, hands: int, progress: Callable[[int], None] | None = None, more: bool = True) -> None:
        """Play this number of further hands, rounded up to whole deals; fewer if one player wins all chips.

        Without `more` hands to come, Python players with memory may also be sent to worker processes.
        """
        count = -(-hands // self.per_deal) * self.per_deal
        if not 1 <= len(self.chips) + count <= MOST_HANDS:
            raise InputError(f"expected 1 to {MOST_HANDS} hands, got {len(self.chips) + count}")
        if self.options.reduce_variance and self.value_function is None:
            self._fix_value_function()
        if isinstance(self._cards, int):
            self._use_key(self._cards)
            self._play_block(count, progress, more)
            return
        block = count if self._is_one_block(more) else BLOCK_HANDS // self.per_deal * self.per_deal
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

    def _is_one_block(self, more: bool) -> bool:
        """Return whether players with memory may be sent to worker processes, which then play all hands."""
        return not more and isinstance(self._hands, LiveHands) and self._hands.is_parallel

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
        has_stakes = not isinstance(self._hands, CashGame)
        first, chips = self.first + before, np.zeros((count, seats + has_stakes), np.int64)
        adjusted = np.zeros((count if self.adjust else 0, seats))
        done = progress or (lambda _: None)
        played = self._hands.play(first, chips, adjusted, done, more)
        self.over = played < count
        self.chips = np.concatenate([self.chips, chips[:played, :seats]])
        self.stakes = np.concatenate([self.stakes, *chips[:, seats:].T])
        self.adjusted = np.concatenate([self.adjusted, adjusted])

    def play_long(self, hands: int, progress: Callable[[int], None] | None = None) -> tuple[Ints, Floats, int, str]:
        """Play compiled players for this number of hands or a few more, without storing every hand.

        Returns the chips (sums, players) of consecutive hands, their mean stakes (sums,), the number of hands per sum,
        and the digest of all hands.
        """
        summed = DEALS_SUMMED * self.per_deal
        left, sums, stakes, digest = -(-hands // summed) * summed, [], [], hashlib.blake2b(digest_size=16)
        while left:
            self.play(min(left, max(1, PORTION // summed) * summed), progress)
            left -= len(self.chips)
            digest.update(np.ascontiguousarray(self.chips).data)
            sums.append(self.chips.reshape(-1, summed, self.chips.shape[1]).sum(axis=1))
            stakes.append(self.stakes.reshape(-1, summed).mean(axis=1))
            self.first, self.chips, self.stakes = self.first + len(self.chips), self.chips[:0].copy(), self.stakes[:0]
        return np.concatenate(sums), np.concatenate(stakes), summed, digest.hexdigest()

    @property
    def can_be_long(self) -> bool:
        """Whether `play_long` is possible: compiled players, no adjustment, full stacks before every hand."""
        return isinstance(self._hands, CompiledHands) and not self.adjust

    @property
    def remembers(self) -> bool:
        """Whether hands depend on earlier ones, by their stacks or by players' memory."""
        if isinstance(self._hands, CompiledHands):
            return self._hands.compiled.remember
        return isinstance(self._hands, CashGame) or not self._hands.stateless

    @property
    def values(self) -> Floats | Ints:
        """The results (hands, players): chips, after variance reduction if requested."""
        return self.adjusted if self.adjust else self.chips

    @property
    def moved(self) -> float:
        """The maximum change of a result by variance reduction, in chips."""
        return 0.0 if self.value_function is None else self.value_function.bound * self.game.min_bet

    def comment(self, names: Sequence[str], print_line: Callable[[str], None]) -> None:
        """Print every further move; only for matches in Python."""
        from cardwin.arena.commentary import Commentator

        def watch(table: LiveTable) -> None:
            Commentator(table, names, print_line)

        if isinstance(self._hands, LiveHands):
            self._hands.on_table = watch
        elif isinstance(self._hands, CashGame) and self._hands.live is not None:
            watch(self._hands.live)


def match(
    game: HoldemGame,
    specs: Sequence[str],
    hands: int,
    seed: int | None = None,
    workers: Workers = 1,
    options: MatchOptions = RESET,
    listeners: Listeners = NO_LISTENERS,
) -> MatchRecord:
    """Play hands between players given by specifications; without a seed the cards come from secrets.

    With `until_certain`, `hands` is the maximum.
    """
    names = tuple(expand_specs(specs))
    if listeners.print_line is not None:
        options = replace(options, in_python=True)
    game.tables(len(names))
    referee = Referee(names, options.untrusted.limit, options.untrusted.time_bank)
    cards = CardSecrets() if seed is None else key_of(seed, "match")
    played = Match(game, makers_of(names, options.untrusted, forfeit=True), cards, options, workers, referee, listeners)
    if listeners.print_line is not None:
        played.comment(names, listeners.print_line)
    certain: bool | None = None
    summed, hashed = 1, ""
    if options.until_certain:
        certain = play_until_certain(played, hands, listeners.progress)
    elif MOST_KEPT < hands <= MOST_HANDS and played.can_be_long:
        played.chips, played.stakes, summed, hashed = played.play_long(hands, listeners.progress)
    else:
        played.play(hands, listeners.progress, more=False)
    function = played.value_function
    return MatchRecord(
        game,
        names,
        seed,
        played.chips,
        options,
        played.per_deal,
        played.adjusted,
        referee.report(),
        certain,
        moved=played.moved,
        secrets=tuple(cards.revealed) if isinstance(cards, CardSecrets) else (),
        summed=summed,
        hashed=hashed,
        value_function=function.hash if function else "",
        pilot=function.pilot if function else 0,
        stakes=played.stakes,
    )


def play_until_certain(
    played: Match, max_hands: int, progress: Callable[[int], None] | None = None, pairs: int = 0
) -> bool:
    """Test the results after some hands, then after half as many again each time, until the order is certain.

    The evidence is valid for any number of tests. `pairs` is the total number of comparisons, if not only these.
    """
    bounds = difference_bounds(played.game, played.chips.shape[1])
    while len(played.chips) < max_hands and not played.over:
        more = min(max(FIRST_LOOK, len(played.chips) // 2), max_hands - len(played.chips))
        played.play(more, progress)
        values = block_means(played.values, played.per_deal)
        if is_order_decided(values, (bounds[0] - 2 * played.moved, bounds[1] + 2 * played.moved), pairs):
            return True
    return False


def play_match(
    game: HoldemGame,
    players: Sequence[HoldemPlayer],
    hands: int,
    key: int,
    options: MatchOptions = RESET,
    referee: Referee | None = None,
    listeners: Listeners = NO_LISTENERS,
) -> Ints:
    """Return the chips (hands, players) that these player objects won in each hand, seated in turns."""
    makers = [lambda player=player: player for player in players]
    played = Match(game, makers, key, replace(options, seating="rotation"), 1, referee, listeners)
    played.play(hands)
    return played.chips
