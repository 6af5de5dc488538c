"""Fitness in a mixed field: small tables shared by all members of a generation, and heads-up matches.

1. For every tournament a number of seats, the opponents (members of the hall, or robots) and one open seat are drawn.
   Every member takes that seat in turn, with the same decks. Fixed networks may stand in the hall from the beginning.
2. Every member plays each robot and some members of the hall heads-up: the same deals, each in both seats, with the
   full stack before every hand.
3. Every member takes the open seat at ring tables drawn like those of tournaments, for some hands, with the full stack
   before every hand: in a tournament among players who bet everything it pays to fold aces, in a ring game it does not.
   In half of the hands it is dealt a strong holding, because important holdings are rare.
4. Fitness is the mean of the share of opponents outlasted minus 1, with a weight, and of tournaments won, plus means of
   tanh(big blinds per hand / scale), so that no opponent that gives chips away outweighs the others: over heads-up
   opponents, of which robots are two thirds and the hall one third, and with a weight over ring tables. Hands that are
   all-in before the flop count as the mean over some boards: against a player who bets everything chance would decide,
   and not who calls with what.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field as Bounds

from cardwin.arena import multi_table
from cardwin.arena.engine import CARDS, RUNOUTS, DealScratch, advance, begin_hand, new_scratch
from cardwin.arena.runouts import mean_chips
from cardwin.arena.tournament import Structure
from cardwin.cards.holdings import HOLDING_CARDS, parse_range
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.experiment import Share, TomlTable
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, generator_of, prf
from cardwin.evolution import Archive, Population
from cardwin.evolution.hall import gene_spread, reliability
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import ALL_IN, FOLDER, RANDOM, Players, begin_match
from cardwin.games.holdem.table import SEATS, Table, Tables
from cardwin.players.compiled import CompiledForm, CompiledKind, CompiledPlayers, players_of
from cardwin.players.network.networks import NETWORK, NetworkForm, network_population
from cardwin.players.registry import player
from cardwin.players.specs import is_untrusted
from cardwin.runs.problem import Figures

BLIND = ("fold", "call", "raise", "random", "call-or-raise", "all-in")  # the robots that ignore their cards
# Scales of winnings in big blinds per hand, by opponent: Folder loses .75 at most, and a player who never calls an
# all-in loses .75 to All-in. Beating All-in counts more than the amount: in tournaments it pays not to call.
SCALES: dict[CompiledKind | int, float] = {FOLDER: 0.4, RANDOM: 3.0, ALL_IN: 0.5}
BLIND_SCALE, SCALE, RING_SCALE = 4.0, 1.0, 4.0
STRONG = np.flatnonzero(parse_range("TT+, AQs+, AKo")).astype(np.int64)  # holdings that half of the ring hands deal
BOARDS = 12  # of a hand that is all-in before the flop: a twelfth of the variance that its board would add
HEADS_UP, RINGS = -1, -2  # the children of a generation's key for heads-up matches and ring tables
HOLDING = -3  # and the one of a hand's key for a strong holding


class FieldSettings(TomlTable):
    """The mixed field, which only the fitness `mixed` uses.

    Attributes:
        seats: Numbers of seats at a table.
        full: Chance that a table has the first of these numbers of seats.
        hall_share: Share of opponents that come from the hall of fame.
        deals: Deals of each heads-up match.
        hall_heads_up: Opponents from the hall of fame that each member meets heads-up.
        rings: Tables with several seats in each generation.
        ring_hands: Hands at each table with several seats.
        ring_weight: Weight of the tables with several seats in the fitness.
        place_weight: Weight of the places in tournaments in the fitness.
        robots: Robots that every member meets heads-up.
        networks: Networks that are in the hall of fame from the beginning.

    """

    seats: tuple[Annotated[int, Bounds(ge=2, le=10)], ...] = (9, 2, 3, 4, 6)
    full: Share = 0.7
    hall_share: Share = 0.5
    deals: Annotated[int, Bounds(ge=2, le=1_000_000)] = 100
    hall_heads_up: Annotated[int, Bounds(ge=0, le=1_000)] = 3
    rings: Annotated[int, Bounds(ge=0, le=10_000)] = 24
    ring_hands: Annotated[int, Bounds(ge=2, le=1_000_000)] = 50
    ring_weight: Annotated[float, Bounds(ge=0, le=100)] = 1.0
    place_weight: Annotated[float, Bounds(ge=0, le=100)] = 1.0
    robots: tuple[str, ...] = BLIND
    networks: tuple[str, ...] = ()


class Field(FieldSettings):
    """The field of a generation."""

    tournaments: int = 80

    @cached_property
    def forms(self) -> list[CompiledForm]:
        """The robots for kernels."""
        return [robot_form(spec) for spec in self.robots]


def compiled_form(spec: str) -> CompiledForm | None:
    """Return the compiled form of a player of this package, by its name; None if it has none."""
    return None if is_untrusted(spec) else getattr(player(spec), "compiled", None)


def robot_form(spec: str) -> CompiledForm:
    """Return a robot without memory, by its name; other players cannot sit several times at one table."""
    form = compiled_form(spec)
    if form is None or (not isinstance(form.kind, int) and form.kind.remembers):
        raise InputError(f"invalid field.robots {spec!r}: expected a robot without memory, such as call, v1 or matrix")
    return form


def fixed_networks(specs: Sequence[str], like: NetworkForm) -> Population:
    """Return the weights (networks, genes) of networks with the shape and the inputs of the members, by their names."""
    rows = [np.zeros((0, like.shape.weights), np.float32)]
    for spec in specs:
        form = compiled_form(spec)
        if form is None or form.kind is not NETWORK or form.shape != like.layout:
            raise InputError(f"invalid field.networks {spec!r}: expected a network of the same shape, as net:by-hand")
        rows.append(form.data.weights[None])
    return np.concatenate(rows)


@dataclass(frozen=True)
class TablePlan:
    """One tournament: the player in each seat, and the seat that members take."""

    number: int
    seated: Ints
    open_seat: int


@dataclass(frozen=True)
class MixedResults:
    """Results by member.

    Attributes:
        places: The share of opponents who outlasted it, (tournaments, members).
        wins: Whether it won, (tournaments, members).
        heads_up: Big blinds per hand heads-up, (opponents, members, halves).
        rings: Big blinds per hand at ring tables, (tables, members, halves).
        scales: The scale of each opponent, (opponents,), see `scales_and_shares`.
        shares: The share of each opponent in the fitness, (opponents,).
        ring_weight: The weight of ring tables.
        place_weight: The weight of places.

    """

    places: Floats
    wins: Floats
    heads_up: Floats
    rings: Floats
    scales: Floats
    shares: Floats
    ring_weight: float
    place_weight: float

    @property
    def fitness(self) -> Floats:
        """The fitness (members,)."""
        return self._payoff(slice(None), self.heads_up.mean(axis=2), self.rings.mean(axis=2))

    @property
    def halves(self) -> tuple[Floats, Floats]:
        """The fitness by every other tournament and by half of the deals, for its reliability."""
        first, second = (
            self._payoff(slice(half, None, 2), self.heads_up[:, :, half], self.rings[:, :, half]) for half in (0, 1)
        )
        return first, second

    def _payoff(self, chosen: slice, heads_up: Floats, rings: Floats) -> Floats:
        payoff: Floats = (self.wins[chosen] - self.place_weight * self.places[chosen]).mean(axis=0)
        # A matrix product would depend on the number of members in its last bits.
        payoff = payoff + (self.shares[:, None] * np.tanh(heads_up / self.scales[:, None])).sum(axis=0)
        return payoff + self.ring_weight * np.tanh(rings / RING_SCALE).mean(axis=0) if len(rings) else payoff


@kernel
def expected_chips(t: Table, seat: int, key: int, scratch: DealScratch) -> float:
    """Return the chips that a seat won in a finished hand; a mean over some boards if all bets came before the flop."""
    if t.live == 1 or t.board_size[t.decided] > 0:
        return float(t.stack[seat] - t.start[seat])
    chips, stream = np.empty(t.seats), scratch.rng[SEATS]
    stream[0], stream[1] = prf(key, RUNOUTS), 0
    mean_chips(t, BOARDS, stream, scratch.log, chips)
    return float(chips[seat])


@kernel
def deal_holding(t: Table, seat: int, holding: int) -> None:
    """Give a seat the two cards of a holding; a player who has one of them gets the seat's card for it."""
    for card in range(2):
        wanted, old = HOLDING_CARDS[holding, card], t.hole[2 * seat + card]
        for other in range(2 * t.seats):
            if t.hole[other] == wanted:
                t.hole[other] = old
        for other in range(len(t.board)):
            if t.board[other] == wanted:
                t.board[other] = old
        t.hole[2 * seat + card] = wanted


@kernel
def play_hands(
    tables: Tables, orders: Ints, stack: int, hands: int, players: Players, keys: Ints, heads_up: bool, won: Floats
) -> None:
    """Play hands at tables of one size, with the full stack before every hand.

    Heads-up every deal is played in both seats. At larger tables half of the hands deal player 0 a strong holding. One
    kernel plays both, because the engine is compiled once for each kernel that calls it.

    Args:
        tables: (1,), the variant.
        orders: (tables, seats), the player in every seat of each; one of them is player 0.
        stack: the chips of every player.
        hands: the number of hands at each table.
        players: the players.
        keys: (tables,), a key for each.
        heads_up: whether the tables are heads-up matches.
        won: (tables, 2), receives the chips per hand that player 0 won, in even and in odd deals.

    """
    t, scratch, ids = tables[0], new_scratch(len(players.states)), np.empty(orders.shape[1], np.int64)
    for row in range(len(orders)):
        begin_match(players)
        for hand in range(hands):
            deal, shift = (hand // 2, hand % 2) if heads_up else (hand, 0)
            key = child(keys[row], deal)
            decisions = child(child(keys[row], HEADS_UP), hand) if heads_up else key
            own_seat = 0
            for seat in range(len(ids)):
                ids[seat] = orders[row, (seat + shift) % len(ids)]
                own_seat = seat if ids[seat] == 0 else own_seat
                t.stack[seat] = stack
            t.button = deal % len(ids)
            begin_hand(t, ids, players, prf(key, CARDS), decisions, scratch)
            if not heads_up and hand % 4 > 1:
                deal_holding(t, own_seat, STRONG[bits_at(child(key, HOLDING), 0) % len(STRONG)])
            advance(t, ids, players, scratch)
            won[row, deal % 2] += expected_chips(t, own_seat, key, scratch) / (hands // 2)


def field_players(
    members: Population, hall: Population, robots: Sequence[CompiledForm], like: NetworkForm
) -> CompiledPlayers:
    """Return the members (members, genes), then the hall, then the robots, as players."""
    weights = np.ascontiguousarray(np.concatenate([members, hall]), np.float32)
    return network_population(weights, like, len(weights) + len(robots)).merge(players_of(robots))


@lru_cache(maxsize=4)  # all members of a generation have the same
def table_plans(field: Field, hall: int, key: int, count: int) -> list[TablePlan]:
    """Return `count` tables of a generation; players are numbered from the hall's first member on, then the robots."""
    rng, plans = generator_of(key), []
    for number in range(count):
        full = len(field.seats) == 1 or rng.random() < field.full
        seats = field.seats[0] if full else int(rng.choice(field.seats[1:]))
        # A member of the hall sits at a table once at most: it remembers what it saw there.
        from_hall = iter(rng.permutation(hall).tolist())
        seated = [hall + int(rng.integers(len(field.robots))) for _ in range(seats)]
        for seat in range(seats):
            if rng.random() < field.hall_share:
                seated[seat] = next(from_hall, seated[seat])
        plans.append(TablePlan(number, np.array(seated), int(rng.integers(seats))))
    return plans


def heads_up_opponents(field: Field, hall: int, key: int) -> list[int]:
    """Return the robots, and some members of the hall, numbered as in `table_plans`."""
    chosen = generator_of(child(key, HEADS_UP)).permutation(hall)[: field.hall_heads_up]
    return [*(hall + number for number in range(len(field.robots))), *chosen.tolist()]


def scales_and_shares(opponents: Sequence[int], hall: int, robots: Sequence[CompiledForm]) -> tuple[Floats, Floats]:
    """Return each opponent's scale in big blinds per hand, and its share of the heads-up fitness.

    Robots have two thirds in equal parts, the hall one third; either has all if the other is missing.
    """
    kinds = [NETWORK if number < hall else robots[number - hall].kind for number in opponents]
    scales = [SCALES.get(kind, BLIND_SCALE if isinstance(kind, int) else SCALE) for kind in kinds]
    network = np.array([kind is NETWORK for kind in kinds])
    shares = np.where(network, 1 / max(1, network.sum()), 2 / max(1, (~network).sum()))
    return np.array(scales), shares / shares.sum()


def play_member(
    game: HoldemGame,
    structure: Structure,
    field: Field,
    like: NetworkForm,
    hall: Population,
    key: int,
    member: Population,
) -> MixedResults:
    """Play one member (genes,), always as player 0, so that its results do not depend on the other members."""
    players = field_players(member[None], hall, field.forms, like)
    places, wins = np.zeros((field.tournaments, 1)), np.zeros((field.tournaments, 1))
    for numbers, orders, keys in by_size(table_plans(field, len(hall), key, field.tournaments), key):
        seats = orders.shape[1]
        mine = _places(game, structure, players, orders, keys)
        places[numbers], wins[numbers] = (mine - 1) / (seats - 1), mine == 1
    rings, rings_key = np.zeros((field.rings, 2)), child(key, RINGS)
    for numbers, orders, keys in by_size(table_plans(field, len(hall), rings_key, field.rings), rings_key):
        won = np.zeros((len(numbers), 2))
        tables = game.tables(orders.shape[1])
        play_hands(tables, orders, game.stack, field.ring_hands, players.arrays, keys, False, won)
        rings[numbers] = won
    opponents = heads_up_opponents(field, len(hall), key)
    pairs, won = np.array([(0, 1 + number) for number in opponents]), np.zeros((len(opponents), 2))
    keys = np.full(len(pairs), child(key, HEADS_UP))
    play_hands(game.tables(2), pairs, game.stack, 2 * field.deals, players.arrays, keys, True, won)
    return MixedResults(
        places,
        wins,
        won[:, None] / game.min_bet,
        rings[:, None] / game.min_bet,
        *scales_and_shares(opponents, len(hall), field.forms),
        field.ring_weight,
        field.place_weight,
    )


def by_size(plans: Sequence[TablePlan], key: int) -> Iterator[tuple[list[int], Ints, Ints]]:
    """Yield tables of one size together: their numbers, the player in every seat (tables, seats), their keys.

    The member is player 0, and the numbers of the others are one larger than in the plans.
    """
    for seats in sorted({len(plan.seated) for plan in plans}):
        alike = [plan for plan in plans if len(plan.seated) == seats]
        orders = np.stack([plan.seated for plan in alike]) + 1
        orders[np.arange(len(alike)), [plan.open_seat for plan in alike]] = 0
        numbers = [plan.number for plan in alike]
        yield numbers, orders, np.array([child(key, number) for number in numbers])


def _places(game: HoldemGame, structure: Structure, players: CompiledPlayers, orders: Ints, keys: Ints) -> Floats:
    """Return the place of player 0 in tournaments at one table, (tournaments, 1); they end when it is out."""
    seats, counts = orders.shape[1], multi_table.new_counts(len(orders), len(players.kinds))
    levels, both_keys = structure.levels(game, seats), np.stack([keys, keys], axis=1)
    multi_table.play_tournaments(game.tables(seats), orders, levels, players.arrays, both_keys, counts, 0)
    return counts.ranks[:, :1]


def play_field(play: Callable[[Population], MixedResults], members: Population, executor: Executor) -> MixedResults:
    """Return the results of all members (members, genes), each played by itself."""
    parts = list(executor.map(play, members))
    names = ("places", "wins", "heads_up", "rings")
    joined: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names}
    return replace(parts[0], **joined)


@dataclass(frozen=True)
class MixedEvaluation:
    """One generation in a mixed field: the population's name, its members, their results.

    Attributes:
        name: The population.
        members: Its genes (members, genes).
        results: Their results.
        hall_size: The number of members of its hall.
        style_of: Returns the style before the flop of a network with these genes.

    """

    name: str
    members: Population
    results: MixedResults
    hall_size: int
    style_of: Callable[[Population], Mapping[str, float]]

    @property
    def fitness(self) -> Mapping[str, Floats]:
        """The fitness that selection uses."""
        return {self.name: self.results.fitness}

    @property
    def values(self) -> Mapping[str, Floats]:
        """The fitness itself: noise-free fitness is unknown."""
        return self.fitness

    def admit(self, name: str, hall: Archive) -> None:
        """Add the fittest member to the hall."""
        best = int(np.argmax(self.fitness[name]))
        hall.add(self.members[best][None], self.fitness[name][best][None])

    def figures(self, name: str) -> Figures:  # noqa: ARG002  there is one population
        """Return places, wins and heads-up results of the last member, which stands for the search if any does."""
        last, results = -1, self.results
        rings = np.tanh(results.rings[:, last].mean(axis=1) / RING_SCALE)
        heads_up = np.tanh(results.heads_up[:, last].mean(axis=1) / results.scales)
        metrics = {
            "best_outlived": float(1 - results.places[:, last].mean()),
            "mean_outlived": float(1 - results.places.mean()),
            "best_wins": float(results.wins[:, last].mean()),
            "best_rings": float(rings.mean()) if len(rings) else 0.0,
            "best_heads_up": float(results.shares @ heads_up),
            "hall": float(self.hall_size),
            "spread": gene_spread(self.members),
            "reliability": reliability(*results.halves),
        }
        return Figures({**metrics, **self.style_of(self.members[last])}, {})
