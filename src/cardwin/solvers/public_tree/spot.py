"""Post-flop spots: a board, a pot, stacks and two ranges, solved with a menu of bet sizes.

The player out of position (OOP) acts first on every street, the player in position (IP) last. Amounts are doubled
inside, so that half of an odd pot is a whole number. Only holdings of the two ranges are stored; suits are merged if
board and ranges allow it. A locked decision keeps given probabilities: nobody learns there, and best responses follow
them too, so that the exploitability is that of the game with the lock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.cards.card import cards_text, parse_cards
from cardwin.cards.holdings import CLASS_NAMES, HOLDING_CARDS, HOLDINGS, class_index, holding_index, parse_range
from cardwin.core.arrays import Floats
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError, shorten
from cardwin.core.executor import open_executor
from cardwin.core.kernel import clock
from cardwin.games.betting.game import BettingGame
from cardwin.games.betting.tree import DECISION, BettingStreet, betting_tree
from cardwin.solvers.public_tree.solver import PublicTreeSolver

ALL_IN = ("all-in", "allin", "a")
STREETS = {3: "flop", 4: "turn", 5: "river"}
SCALE = 2  # internal chips per chip
CAP = 3  # a bet and two raises on each street
MAX_CHIPS = 10**8
CHECK_EVERY, MAX_ITERATIONS = 10, 5000
SEATS = ("oop", "ip")


Locks = Mapping[str, Mapping[str, Sequence[float]]]  # by line, then by range
Report = Callable[[int, float, float], None]  # iterations, seconds, exploitability in percent of the pot


@dataclass(frozen=True, eq=False)
class Spot:
    """A spot to solve; ranges are weights (1326,), sizes pot fractions for each street that is left."""

    board: tuple[int, ...]
    pot: int
    stack: int
    ranges: tuple[Floats, Floats]
    sizes: tuple[tuple[float, ...], ...]

    @property
    def game(self) -> BettingGame:
        """The betting game from this board on."""
        streets = 6 - len(self.board)
        stack = self.pot + SCALE * self.stack
        return BettingGame(
            "spot",
            (len(self.board), *[1] * (streets - 1)),
            (0,) * streets,
            (CAP,) * streets,
            (self.pot, self.pot),
            pot_sizes=self.sizes,
            stack=stack,
            min_bet=SCALE,
        )


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution(BriefRepr):
    """A solved spot: exploitability in percent of the pot, EV of both in chips (their share of the pot included).

    `strategy` has the first decision's probabilities by holding and action, `actions` the names of the actions.
    """

    board: str
    exploitability: float
    ev_oop: float
    ev_ip: float
    iterations: int
    seconds: float
    actions: tuple[str, ...]
    strategy: dict[str, list[float]]
    solver: PublicTreeSolver

    def by_class(self) -> dict[str, list[float]]:
        """Return the mean probabilities by class of holdings, such as AKs, weighted as in the range."""
        weights, sums = np.zeros(len(CLASS_NAMES)), np.zeros((len(CLASS_NAMES), len(self.actions)))
        for text, chances in self.strategy.items():
            high, low = parse_cards(text)
            weight = self.solver.ranges[0][holding_index(high, low)]
            weights[class_index(high, low)] += weight
            sums[class_index(high, low)] += weight * np.array(chances)
        held = np.flatnonzero(weights)
        return {CLASS_NAMES[number]: (sums[number] / weights[number]).tolist() for number in held}


def read_spot(board: str, pot: int, stack: int, range_oop: str, range_ip: str, sizes: str) -> Spot:
    """Parse and validate a spot.

    Args:
        board: three to five cards.
        pot: chips in the pot.
        stack: chips behind of each player.
        range_oop: the range of the player out of position.
        range_ip: the range of the player in position.
        sizes: bet sizes in percent of the pot, see `read_sizes`.

    Raises:
        InputError: a text is invalid, or no deal is possible.

    """
    cards = parse_cards(board)
    if len(cards) not in STREETS:
        raise InputError(
            f"invalid board {board!r}: expected a flop, turn or river of 3, 4 or 5 cards, got {len(cards)}"
        )
    for name, chips in (("pot", pot), ("stack", stack)):
        if not 1 <= chips <= MAX_CHIPS:
            raise InputError(f"invalid {name}: expected 1 to {MAX_CHIPS} chips, got {chips}")
    free = ~np.asarray(np.isin(HOLDING_CARDS, cards).any(axis=1))
    ranges = [parse_range(text) * free for text in (range_oop, range_ip)]
    for name, text in zip(SEATS, (range_oop, range_ip), strict=True):
        for part in text.split(","):
            if part.strip() and not (parse_range(part) * free).any():
                raise InputError(
                    f"every hand of {part.strip()!r} in --range-{name} shares a card with the board {cards_text(cards)}"
                )
    weights = ranges[1]
    by_card = np.bincount(HOLDING_CARDS.ravel(), np.repeat(weights, 2), 52)
    left = weights.sum() - by_card[HOLDING_CARDS].sum(axis=1) + weights
    if not (ranges[0] * left > 1e-9).any():
        raise InputError("the two ranges share a card in every pair of hands, so no deal is possible")
    return Spot(cards, pot, stack, (ranges[0], ranges[1]), read_sizes(sizes, 6 - len(cards), pot))


def read_sizes(text: str, streets: int, pot: int) -> tuple[tuple[float, ...], ...]:
    """Return the pot fractions of each street.

    Args:
        text: percents such as `33,75,all-in`, or for each street `33,a/75,a/75,a`.
        streets: the number of streets.
        pot: chips in the pot.

    """
    parts = text.split("/")
    if len(parts) not in (1, streets):
        raise InputError(
            f"invalid --sizes {text!r}: expected one list, or one for each of {streets} streets, got {len(parts)}"
        )
    sizes = tuple(_street_sizes(part, pot) for part in parts)
    return sizes * streets if len(parts) == 1 else sizes


def _street_sizes(text: str, pot: int) -> tuple[float, ...]:
    names = [part.strip().rstrip("%").lower() for part in text.split(",") if part.strip()]
    if not any(name in ALL_IN for name in names):
        raise InputError(f"invalid --sizes {text!r}: expected an all-in, as in '{text},all-in'")
    fractions = []
    for name in names:
        if name in ALL_IN:
            continue
        try:
            percent = float(name)
        except ValueError:
            percent = float("nan")
        if not 0 < percent <= 10_000:
            raise InputError(
                f"invalid size {name!r} in --sizes {text!r}: expected percents of the pot, such as 33,75,all-in"
            )
        if percent / 100 * pot < 1:
            raise InputError(
                f"a bet of {percent:g}% of {pot} is below the minimum of 1 chip: leave {name} out of --sizes"
            )
        fractions.append(percent / 100)
    return tuple(fractions)


def solve_spot(
    spot: Spot,
    *,
    until: float = 0.5,
    iterations: int = MAX_ITERATIONS,
    method: str = "dcfr",
    workers: int = 1,
    locks: Locks | None = None,
    prepare: Callable[[PublicTreeSolver], None] | None = None,
    report: Report | None = None,
) -> SpotSolution:
    """Solve a spot until its exploitability is low enough, or for a number of iterations.

    It has more than seven parameters because all are options of one command and of the page.

    Args:
        spot: the spot.
        until: the exploitability to reach, in percent of the pot.
        iterations: the maximum number of iterations.
        method: a variant of regret minimisation (`variants`).
        workers: the number of threads.
        locks: decisions of the first street with given probabilities.
        prepare: called before the first iteration, to lock decisions of later streets too.
        report: called at every check with iterations, seconds and exploitability.

    """
    if not until > 0:
        raise InputError(f"invalid until={until:g}: expected a positive exploitability in percent of the pot")
    if not 1 <= iterations <= MAX_ITERATIONS:
        raise InputError(f"invalid number of iterations: expected 1 to {MAX_ITERATIONS}, got {iterations}")
    start, game = clock(), spot.game
    locked = [read_lock(spot, line, probabilities) for line, probabilities in (locks or {}).items()]
    with open_executor(workers) as executor:
        solver = PublicTreeSolver(
            game,
            method,
            dtype=np.float32,
            executor=executor,
            start=spot.board,
            ranges=spot.ranges,
            alike=[column for _, shares in locked for column in shares.T],
        )
        for point, shares in locked:
            solver.lock(0, point, 0, shares)
        if prepare is not None:
            prepare(solver)
        while True:
            solver.step(min(CHECK_EVERY, iterations - solver.iterations))
            exploitability = 100 * solver.bounds().exploitability / (SCALE * spot.pot)
            if report is not None:
                report(solver.iterations, clock() - start, exploitability)
            if exploitability <= until or solver.iterations >= iterations:
                break
        return _solution(spot, solver, exploitability, clock() - start)


def read_lock(spot: Spot, line: str, probabilities: Mapping[str, Sequence[float]]) -> tuple[int, Floats]:
    """Parse a locked decision of the first street: return its point and its probabilities (1326, actions).

    Args:
        spot: the spot.
        line: the actions before the decision, such as `check, bet 50`.
        probabilities: by range, in the order of the actions; a later range replaces an earlier one.

    """
    tree = betting_tree(spot.game)[0]
    point = 0
    for name in filter(None, (part.strip() for part in line.split(","))):
        names = _names(spot, tree, point)
        if tree.kind[point] != DECISION or name not in names:
            raise InputError(f"invalid lock {line!r}: expected one of {', '.join(names) or 'no action'}, got {name!r}")
        point = int(tree.first_child[point]) + names.index(name)
    if tree.kind[point] != DECISION:
        raise InputError(f"invalid lock {line!r}: expected a decision of the first street after these actions")
    count = int(tree.children[point])
    shares = np.zeros((HOLDINGS, count))
    for text, chances in probabilities.items():
        valid = (
            isinstance(chances, list | tuple)
            and len(chances) == count
            and all(_is_chance(chance) for chance in chances)
        )
        if not valid or abs(sum(chances) - 1) > 1e-6:
            raise InputError(
                f"invalid lock {line!r}: expected {count} probabilities of sum 1 for {text}, got {shorten(chances)}"
            )
        shares[parse_range(text) > 0] = chances
    missing = np.flatnonzero((spot.ranges[tree.actor[point]] > 0) & ~shares.any(axis=1))
    if len(missing):
        raise InputError(f"invalid lock {line!r}: {cards_text(HOLDING_CARDS[missing[0]])} has no probabilities")
    return point, shares


def _is_chance(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _names(spot: Spot, tree: BettingStreet, point: int) -> list[str]:
    """Return the names of a decision's actions, in chips of this street."""
    facing = tree.kind[point] == DECISION and tree.chips[point, 0] != tree.chips[point, 1]
    names = []
    for name in tree.actions[point]:
        if name == "f":
            names.append("fold")
        elif name == "c":
            names.append("call" if facing else "check")
        else:
            chips = (int(name[1:]) - spot.pot) / SCALE
            names.append(f"{'raise' if facing else 'bet'} {chips:g}")
    return names


def _solution(spot: Spot, solver: PublicTreeSolver, exploitability: float, seconds: float) -> SpotSolution:
    won = solver.value() / SCALE
    tree = solver.tree[0]
    shares = solver.average_strategy(0, 0)
    shown = {
        cards_text(HOLDING_CARDS[holding]): [round(float(chance), 6) for chance in shares[holding]]
        for holding in np.flatnonzero((spot.ranges[0] > 0) & shares.any(axis=1))
    }
    actions = tuple(_names(spot, tree, 0))
    return SpotSolution(
        cards_text(spot.board),
        exploitability,
        spot.pot / 2 + won,
        spot.pot / 2 - won,
        solver.iterations,
        seconds,
        actions,
        shown,
        solver,
    )
