"""Hands with full stacks: every deal once, or once for each seating, in any order and by any number of workers.

Hand n has the cards of deal n // hands a deal and its own decisions, so only players with memory depend on the
order. Each seating has its own players; all deals share them if the order is drawn for every deal.
Hands are divided into units of work in a way that depends on the players only:

1. compiled players without memory: blocks of a fixed size;
2. players with memory, or called in Python: the hands of one table, in order;
3. Python players that are `stateless`: the hands of one table in blocks, with newly built players in each.
Threads play the units of compiled players, processes those of Python players given by specifications.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from cardwin.arena.corrections import BOUND, COLUMNS
from cardwin.arena.engine import StackRules, play_hands
from cardwin.arena.live_table import compiled_players, greet, remind
from cardwin.arena.recorded_hands import RecordedHand, recorded_player
from cardwin.arena.runouts import Floats, Ints
from cardwin.arena.seating import ORDERS, Seating, player_numbers, seating_of
from cardwin.core.executor import executor_of
from cardwin.core.rng import child
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import own_scratch, remembers
from cardwin.players.registry import HoldemPlayer, is_untrusted, only_here, player
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import require_walls

BLOCK = 4096  # hands of compiled players

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]
Done: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Named:
    """Builds the player of a specification, here or in another process; an untrusted one in its own process.

    `limit` is the time of an untrusted player for an action, in seconds.
    """

    spec: str
    isolated: bool = False
    limit: float | None = None

    def __call__(self) -> HoldemPlayer:
        """A new player."""
        if self.isolated and is_untrusted(self.spec):
            return IsolatedPlayer(self.spec, self.limit)
        return player(self.spec)


def _itself(one: HoldemPlayer) -> HoldemPlayer:
    return one


def makers_of(specs: Sequence[str], isolated: bool = False, limit: float | None = None,
              recorded: Sequence[RecordedHand] | None = None, allow_weak: bool = False) -> Makers:  # fmt: skip
    """Builders for the player of each specification; unknown names raise an error at once.

    With `isolated`, untrusted players are each built in their own process, which is refused where the sandbox is
    incomplete, unless `allow_weak`. With `recorded` hands they are not built at all: they do again what they did there.
    """
    if isolated and recorded is None and any(map(is_untrusted, specs)):
        require_walls(allow_weak)
    makers: list[Callable[[], HoldemPlayer]] = []
    for number, spec in enumerate(specs):
        if recorded is not None and is_untrusted(spec):
            again = recorded_player(number, recorded)
            makers.append(partial(_itself, again))
        else:
            makers.append(partial(player, spec) if only_here(spec) else Named(spec, isolated, limit))
    for make in dict(zip(specs, makers, strict=True)).values():
        make()
    return makers


@dataclass(frozen=True)
class Plan:
    """A match's parameters: enough to build any of its tables, here or in another process.

    `numbers` are those by which the players know each other where seats are drawn; `weights` (players, any) are the
    value function of corrections, without rows if there is none.
    """

    game: HoldemGame
    makers: Makers
    key: int = 0
    duplicate: bool = False
    adjust: bool = False
    in_python: bool = False
    kind: str = "drawn"
    numbers: tuple[int, ...] = ()
    weights: Floats = field(default_factory=lambda: np.zeros((0, BOUND + 1)))

    @cached_property
    def seating(self) -> Seating:
        """The seating of this match."""
        return seating_of(len(self.makers), self.kind, self.duplicate, child(self.key, ORDERS))

    @property
    def per_deal(self) -> int:
        """The number of hands of a deal."""
        return int(self.seating.per_deal)

    @property
    def tables(self) -> int:
        """The number of sets of players: one for each seating of a deal."""
        return self.per_deal

    def with_key(self, key: int) -> "Plan":
        """The same match, from here on with the cards of another key; players keep the numbers of the first."""
        return replace(self, key=key, numbers=self.numbers or player_numbers(len(self.makers), key))

    @property
    def decisions(self) -> int:
        """The key of decisions: with duplicates they have their own random streams."""
        return child(self.key, -1) if self.duplicate else self.key


class CompiledHands:
    """Hands of compiled players. `players` are those of the first table."""

    def __init__(self, plan: Plan, players: Sequence[HoldemPlayer], workers: int) -> None:
        self.plan, self.workers = plan, workers
        others = [make() for _ in range(1, plan.tables) for make in plan.makers]
        self.players = [*players, *others]
        greet(self.players, len(players))
        self.compiled = compiled_players(self.players)

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool,  # noqa: ARG002
             columns: Floats | None = None) -> int:  # fmt: skip
        """Hands from number `first` on into chips and adjusted (hands, players), which may be empty; their number.

        The columns of corrections go into columns (hands, players, COLUMNS), if given.
        """
        plan, seats = self.plan, len(self.plan.makers)
        rules = StackRules(plan.game.stack, False, False, 2, False, 0, 0, 0)
        columns = np.zeros((0, seats, COLUMNS)) if columns is None else columns

        def play(numbers: Ints) -> None:
            play_hands(
                plan.game.tables(seats), rules, plan.seating, own_scratch(self.compiled), plan.key, plan.decisions,
                numbers, first, chips, adjusted, plan.weights, columns,
            )  # fmt: skip
            done(len(numbers))

        with executor_of(self.workers) as executor:
            for _ in executor.map(play, self._units(np.arange(first, first + len(chips)))):
                pass
        remind(self.players, self.compiled)
        return len(chips)

    def _units(self, numbers: Ints) -> list[Ints]:
        if not remembers(self.compiled):
            return [numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK)]
        return [numbers[numbers % self.plan.tables == table] for table in range(self.plan.tables)]
