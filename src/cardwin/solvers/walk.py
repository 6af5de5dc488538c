"""Every position of a small game, breadth first, as the arrays from which `tree` is assembled.

There are two walks with the same result. `walk_states` applies every action and outcome at every position.
`walk_product` is for games with public betting (`games.base.PublicBettingGame`). Such a game is the product of two
small trees, the lines of betting and the deals: a position is a line and a deal, an action changes the line and an
outcome the deal. Two facts make most positions equal to another one with the same line:

1. A seat knows the line and the outcomes that it sees. Deals that it cannot distinguish share an information set.
2. Hands are compared at the end. Deals whose hands are in the same order have the same returns.

So the rules are asked about each line, each deal and the first of equal positions; the rest is array operations on all
positions of one depth. Positions are numbered line by line: `base[line] + deal`.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import methodcaller
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.games.base import CHANCE, NOBODY, Action, Game, PublicBettingGame, PublicBettingState, State

AnyValue = TypeVar("AnyValue", bound=Hashable)

SEATS = 2


@dataclass(frozen=True)
class InformationSets:
    """One seat's information sets, in the order in which a walk reaches them. Texts are computed when first read.

    positions: the first position of each set. parents: (infosets,) parent sequence. counts: (infosets,) number of
    actions.
    """

    seat: int
    gene_order: tuple[str, ...]
    positions: Iterable[State]
    parents: Ints
    counts: Ints

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each set: what the seat observes."""
        return tuple(state.information_state(self.seat) for state in self.positions)

    @cached_property
    def actions(self) -> tuple[tuple[Action, ...], ...]:
        """The legal actions in each set."""
        return tuple(state.legal_actions() for state in self.positions)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The gene names that the game gives to each set."""
        if not self.gene_order:
            return ((),) * len(self.counts)
        return tuple(state.gene_names() for state in self.positions)

    @cached_property
    def gene_names(self) -> tuple[str, ...]:
        """The names of all genes: those of the game, then one per further action of each set without names."""
        sets = zip(self.texts, self.actions, self.names, strict=True)
        more = (f"{text}: beyond {action}" for text, legal, names in sets if not names for action in legal[:-1])
        return (*self.gene_order, *more)

    def layout(self) -> Ints:
        """Return the parent sequence, first own sequence and number of actions of each set (infosets, 3)."""
        return np.stack([self.parents, 1 + np.cumsum(self.counts) - self.counts, self.counts], axis=1)

    def gene(self) -> Ints:
        """Return the gene of each sequence, or -1 (sequences,)."""
        gene, unnamed = [-1], len(self.gene_order)
        for names, count in zip(self.names, self.counts.tolist(), strict=True):
            if names:
                gene.extend(map(self.gene_order.index, names))
            else:
                gene.extend(range(unnamed, unnamed + count - 1))
                unnamed += count - 1
            gene.append(-1)
        return np.array(gene, dtype=np.int64)


@dataclass(frozen=True)
class Terminals:
    """Terminal nodes: each seat's last sequence, the exact probability of the deal, and each seat's chips.

    weights: probability times chips of the first seat, rounded once.
    """

    sequences: Ints  # (terminals, seats)
    chances: tuple[Fraction, ...]
    payoffs: npt.NDArray[Any]  # (terminals, seats), integers; objects if chips are fractions
    weights: Floats  # (terminals,)

    @cached_property
    def chips(self) -> tuple[int, ...]:
        """The first seat's chips."""
        return tuple(self.payoffs[:, 0].tolist())

    @cached_property
    def zero_sum(self) -> bool:
        """Whether both seats' chips sum to 0 at every terminal, exactly."""
        return not self.payoffs.sum(axis=1).any()

    @cached_property
    def exact_weights(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Probability times chips of each seat."""
        first, second = (
            tuple(chance * chips for chance, chips in zip(self.chances, self.payoffs[:, seat].tolist(), strict=True))
            for seat in range(SEATS)
        )
        return first, second

    def weights_of(self, seat: int) -> Floats:
        """Return probability times chips of a seat, rounded once (terminals,)."""
        if seat == 0:
            return self.weights
        return -self.weights if self.zero_sum else np.array([float(weight) for weight in self.exact_weights[seat]])


class Nodes(NamedTuple):
    """Every position in breadth-first order, for sampling games: children of a node are contiguous.

    actor: CHANCE, NOBODY or a seat. first, children: the first child and their number. sequence: of a seat's first
    action here. chance: the probability of this outcome after a chance node (1 elsewhere). chips: of the first seat, at
    the end.
    """

    actor: Ints
    first: Ints
    children: Ints
    sequence: Ints
    chance: Floats
    chips: Floats


@dataclass(frozen=True)
class Walk:
    """The result of a walk: positions, and each seat's last sequence before them (nodes, seats).

    wrong_chance: the first position whose outcomes' probabilities do not sum to 1, with their sum.
    """

    nodes: Nodes
    last: Ints
    infosets: tuple[InformationSets, ...]
    terminals: Terminals
    wrong_chance: tuple[int, Fraction] | None = None


def last_sequences(nodes: Nodes) -> Ints:
    """Return each seat's last sequence before every position (nodes, seats), passed on from depth to depth."""
    parent = np.repeat(np.arange(len(nodes.children)), nodes.children)  # of every position but the start
    taken = nodes.sequence[parent] + np.arange(1, len(nodes.children)) - nodes.first[parent]
    moved = nodes.actor[parent][:, None] == np.arange(SEATS)
    last, start, stop = np.zeros((len(nodes.children), SEATS), np.int64), 0, 1
    while start < stop:
        below = slice(stop - 1, stop - 1 + nodes.children[start:stop].sum())  # the next depth, without the start
        last[below.start + 1 : below.stop + 1] = np.where(moved[below], taken[below, None], last[parent[below]])
        start, stop = stop, below.stop + 1
    return last


def _information_sets(
    game: Game, seat: int, nodes: Nodes, last: Ints, first: Ints | list[int], states: Iterable[State]
) -> InformationSets:
    """Return a seat's information sets, given the number and state of the first position of each."""
    return InformationSets(seat, game.gene_order, states, last[first, seat], nodes.children[first])


def walk_states(game: Game) -> Walk:
    """Walk a game position by position."""
    known: list[dict[str, int]] = [{} for _ in range(SEATS)]  # the first sequence of each set by its text
    reached: list[list[tuple[int, State]]] = [[] for _ in range(SEATS)]  # the first position of each set
    sequences = [1] * SEATS
    nodes: list[tuple[int, int, int, int, float, int]] = []
    ends: list[tuple[Fraction, tuple[int, ...]]] = []
    wrong_chance = None
    queue: list[tuple[State, Fraction, float]] = [(game.start(), Fraction(1), 1.0)]
    for node, (state, chance, step) in enumerate(queue):
        below, seat, first_sequence, chips = len(queue), state.actor, 0, 0
        if seat == CHANCE:
            outcomes = state.chance_outcomes()
            queue.extend((state.apply(outcome), chance * part, float(part)) for outcome, part in outcomes)
            if wrong_chance is None and (total := sum(part for _, part in outcomes)) != 1:
                wrong_chance = node, Fraction(total)
        elif seat == NOBODY:
            returns = _returns(game, state)
            ends.append((chance, returns))
            chips = returns[0]
        else:
            legal, text = state.legal_actions(), state.information_state(seat)
            if text not in known[seat]:
                known[seat][text] = sequences[seat]
                sequences[seat] += len(legal)
                reached[seat].append((node, state))
            first_sequence = known[seat][text]
            queue.extend((state.apply(action), chance, 1.0) for action in legal)
        nodes.append((seat, below, len(queue) - below, first_sequence, step, chips))
    *integers, chances, won = zip(*nodes, strict=True)
    actor, first, count, own_sequence = (np.array(column, dtype=np.int64) for column in integers)
    weights = np.array([float(chance * returns[0]) for chance, returns in ends])
    exact, payoffs = zip(*ends, strict=True)
    positions = Nodes(actor, first, count, own_sequence, np.array(chances, np.float64), np.array(won, np.float64))
    last = last_sequences(positions)
    infosets = (
        _information_sets(game, seat, positions, last, [node for node, _ in sets], [state for _, state in sets])
        for seat, sets in enumerate(reached)
    )
    terminals = Terminals(last[actor == NOBODY], exact, np.array(payoffs), weights)
    return Walk(positions, last, tuple(infosets), terminals, wrong_chance)


def _returns(game: Game, state: State) -> tuple[int, ...]:
    """Return the chips of both seats at the end."""
    returns = state.returns()
    if len(returns) != SEATS:
        raise InputError(f"{game.name}: expected returns of {SEATS} seats, got {returns} at the end of {state}")
    return returns


@dataclass(frozen=True)
class Line:
    """A line of betting: the position after it, if the first outcome is dealt every time.

    dealt: the number of outcomes so far. copies: the number of positions with this line. first, count: the lines that
    continue this one.
    """

    state: PublicBettingState
    actor: int
    dealt: int
    copies: int
    first: int
    count: int


def lines_of(game: PublicBettingGame) -> list[Line]:
    """Return the lines of betting of a game, breadth first."""
    lines: list[Line] = []
    queue = [(game.start(), 0, 1)]
    for state, dealt, copies in queue:
        first, actor = len(queue), state.actor
        if actor == CHANCE:
            outcomes = state.chance_outcomes()
            queue.append((state.apply(outcomes[0][0]), dealt + 1, copies * len(outcomes)))
        elif actor != NOBODY:
            queue.extend((state.apply(action), dealt, copies) for action in state.legal_actions())
        lines.append(Line(state, actor, dealt, copies, first, len(queue) - first))
    return lines


@dataclass(frozen=True)
class Deals:
    """The deals of a game, breadth first: the outcomes so far, and the exact probability of all of them.

    steps: the probability of the last outcome. first, count: the deals with one outcome more. wrong: the first deal
    whose further outcomes do not have probabilities that sum to 1, with their sum.
    """

    outcomes: list[tuple[str, ...]]
    chances: list[Fraction]
    steps: Floats
    first: Ints
    count: Ints
    wrong: tuple[int, Fraction] | None = None

    def first_alike(self, lines: list[Line], key: Callable[[PublicBettingState], Hashable]) -> Ints:
        """Return for each deal the first one with the same key of the position after it (deals,).

        The shortest line is compared for each number of outcomes. A deal that no line has is like itself only.
        """
        states = {line.dealt: line.state for line in reversed(lines)}
        index: dict[Hashable, int] = {}
        alike = np.arange(len(self.outcomes))
        for deal, outcomes in enumerate(self.outcomes):
            if (state := states.get(len(outcomes))) is not None:
                alike[deal] = index.setdefault((len(outcomes), key(state.redeal(outcomes))), deal)
        return alike


def deals_of(lines: list[Line]) -> Deals:
    """Return the deals of a game with these lines."""
    dealers = {line.dealt: line.state for line in lines if line.actor == CHANCE}
    outcomes: list[tuple[str, ...]] = [()]
    chances, steps, first, count, wrong = [Fraction(1)], [1.0], [], [], None
    for deal, dealt in enumerate(outcomes):
        first.append(len(outcomes))
        if (dealer := dealers.get(len(dealt))) is not None:
            further = dealer.redeal(dealt).chance_outcomes()
            if wrong is None and (total := sum(part for _, part in further)) != 1:
                wrong = deal, Fraction(total)
            for outcome, part in further:
                outcomes.append((*dealt, outcome))
                chances.append(chances[deal] * part)
                steps.append(float(part))
        count.append(len(outcomes) - first[-1])
    return Deals(outcomes, chances, np.array(steps), np.array(first), np.array(count), wrong)


def _ranking(state: PublicBettingState) -> tuple[int, ...]:
    """Return the places of the hands, the weakest first: strengths 3, 9, 3 are 0, 1, 0."""
    strengths = state.strengths()
    return tuple(map(sorted(set(strengths)).index, strengths))


class _Product:
    """The lines and deals of a game with public betting.

    base: (lines,) a line's position with deal d has the number base + d. size: the number of positions.
    seen: (seats, deals) the first deal that the seat cannot distinguish from this one.
    ranked: (deals,) the first deal whose hands have the same order.
    """

    def __init__(self, game: Game, lines: list[Line]) -> None:
        self.game, self.lines, self.deals = game, lines, deals_of(lines)
        self.actor, self.first, self.count, dealt = (
            np.array(column) for column in zip(*((x.actor, x.first, x.count, x.dealt) for x in lines), strict=True)
        )
        deals = np.bincount([len(outcomes) for outcomes in self.deals.outcomes])  # by number of outcomes
        ends = np.cumsum(deals[dealt])
        self.base, self.size = ends - np.cumsum(deals)[dealt], int(ends[-1])
        betting = [line for line in lines if line.actor >= 0]
        self.seen = np.array(
            [self.deals.first_alike(betting, methodcaller("information_state", seat)) for seat in range(SEATS)]
        )
        self.ranked = self.deals.first_alike([line for line in lines if line.actor == NOBODY], _ranking)

    def state(self, line: int, deal: int) -> PublicBettingState:
        """Return a position."""
        return self.lines[line].state.redeal(self.deals.outcomes[deal])

    def number(self, line: Ints, deal: Ints) -> Ints:
        """Return the numbers of positions (n,)."""
        numbers: Ints = self.base[line] + deal
        return numbers

    def expand(self) -> tuple[Ints, Ints, Ints]:
        """Return line, deal and number of children of all positions, breadth first."""
        line, deal, depths = np.zeros(1, np.int64), np.zeros(1, np.int64), []
        while len(line):
            dealing = self.actor[line] == CHANCE
            count = np.where(dealing, self.deals.count[deal], self.count[line])
            depths.append((line, deal, count))
            parent = np.repeat(np.arange(len(line)), count)
            nth = np.arange(len(parent)) - (np.cumsum(count) - count)[parent]
            dealing, line, deal = dealing[parent], line[parent], deal[parent]
            line = self.first[line] + np.where(dealing, 0, nth)
            deal = np.where(dealing, self.deals.first[deal] + nth, deal)
        line, deal, count = map(np.concatenate, zip(*depths, strict=True))
        return line, deal, count

    def steps(self, line: Ints, deal: Ints) -> Floats:
        """Return the probability of the last outcome for positions that follow one, and 1 for others (n,)."""
        dealt = np.zeros(len(self.lines), bool)
        dealt[self.first[self.actor == CHANCE]] = True
        return np.where(dealt[line], self.deals.steps[deal], 1.0)

    def terminals(self, line: Ints, deal: Ints, last: Ints) -> Terminals:
        """Return the terminal nodes (n,) with each seat's last sequence (n, seats)."""
        alike = self.ranked[deal]
        new = alike == deal
        returns, which = _distinct(_returns(self.game, state) for state in _Positions(self, line[new], deal[new]))
        payoffs = np.empty(self.size, np.int64)
        payoffs[self.number(line[new], deal[new])] = which
        payoff = payoffs[self.number(line, alike)]
        # There are few distinct probabilities and payoffs: each pair is multiplied once.
        chances, odds = _distinct(self.deals.chances)
        weights = np.array([[float(chance * chips[0]) for chips in returns] for chance in chances])
        return Terminals(
            last, tuple(np.array(chances)[odds[deal]].tolist()), np.array(returns)[payoff], weights[odds[deal], payoff]
        )


@dataclass(frozen=True)
class _Positions:
    """Positions (n,) of a product by line and deal, each built when it is read."""

    product: _Product
    line: Ints
    deal: Ints

    def __iter__(self) -> Iterator[PublicBettingState]:
        return map(self.product.state, self.line.tolist(), self.deal.tolist())


def _distinct(values: Iterable[AnyValue]) -> tuple[list[AnyValue], Ints]:
    """Return the distinct values, and the index of each value among them."""
    index: dict[AnyValue, int] = {}
    which = [index.setdefault(value, len(index)) for value in values]
    return list(index), np.array(which)


def walk_product(game: Game, lines: list[Line]) -> Walk:
    """Walk a game with public betting, given its lines.

    1. Expand all positions of one depth together.
    2. Number the sequences of each seat: a set is reached first by its first deal.
    3. Pass on the last sequences, and compute the returns of the ends.
    """
    product = _Product(game, lines)
    line, deal, count = product.expand()
    actor, sequence, chips, reached = product.actor[line], np.zeros(len(line), np.int64), np.zeros(len(line)), []
    for seat in range(SEATS):
        at = np.flatnonzero(actor == seat)
        alike = product.seen[seat, deal[at]]
        new = at[alike == deal[at]]
        first_sequence = np.empty(len(line), np.int64)
        first_sequence[product.number(line[new], deal[new])] = 1 + np.cumsum(count[new]) - count[new]
        sequence[at] = first_sequence[product.number(line[at], alike)]
        reached.append(new)
    nodes = Nodes(actor, 1 + np.cumsum(count) - count, count, sequence, product.steps(line, deal), chips)
    last, ends = last_sequences(nodes), np.flatnonzero(actor == NOBODY)
    terminals = product.terminals(line[ends], deal[ends], last[ends])
    chips[ends] = terminals.payoffs[:, 0]
    infosets = (
        _information_sets(game, seat, nodes, last, new, _Positions(product, line[new], deal[new]))
        for seat, new in enumerate(reached)
    )
    deals = product.deals.wrong
    wrong = None if deals is None else (int(np.flatnonzero((actor == CHANCE) & (deal == deals[0]))[0]), deals[1])
    return Walk(nodes, last, tuple(infosets), terminals, wrong)
