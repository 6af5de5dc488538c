"""Post-flop spots: a board, a pot, stacks and two ranges, solved with a menu of bet sizes.

The player out of position (OOP) acts first on every street, the player in position (IP) last. Amounts are doubled
inside, so that half of an odd pot is a whole number. Only holdings of the two ranges are kept; suits are folded where
board and ranges allow it. A locked decision keeps given probabilities: nobody learns there, and best responses follow
them too, so that the exploitability is that of the game with the lock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import cards_text, parse_cards
from cardwin.cards.holdings import HOLDING_CARDS, parse_range
from cardwin.core.display import Shown
from cardwin.core.errors import InputError
from cardwin.core.executor import executor_of
from cardwin.core.kernel import clock
from cardwin.games.betting.game import BettingGame
from cardwin.solvers.public_tree.solver import EVALUATE, PublicTreeSolver

Floats = npt.NDArray[np.float64]

ALL_IN = ("all-in", "allin", "a")
STREETS = {3: "flop", 4: "turn", 5: "river"}
SCALE = 2  # inner chips in a chip
CAP = 3  # a bet and two raises on each street
MOST_CHIPS = 10**8
MOST_BYTES = 6e9
CHECK_EVERY, MOST_ITERATIONS = 10, 5000
SEATS = ("oop", "ip")


@dataclass(frozen=True, eq=False)
class Spot:
    """What is to be solved; ranges are weights (1326,), sizes pot fractions for each street that is left."""

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
            "spot", (len(self.board), *[1] * (streets - 1)), (0,) * streets, (CAP,) * streets, (self.pot, self.pot),
            pot_sizes=self.sizes, stack=stack,
        )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution(Shown):
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


def read_spot(board: str, pot: int, stack: int, range_oop: str, range_ip: str, sizes: str) -> Spot:
    """A spot from its texts, checked."""
    cards = parse_cards(board)
    if len(cards) not in STREETS:
        raise InputError(f"board {board!r} has {len(cards)} cards: a spot is a flop, turn or river of 3, 4 or 5 cards")
    for name, chips in (("pot", pot), ("stack", stack)):
        if not 1 <= chips <= MOST_CHIPS:
            raise InputError(f"a {name} of {chips}: it should be 1 to {MOST_CHIPS} chips")
    free = ~np.asarray(np.isin(HOLDING_CARDS, cards).any(axis=1))
    ranges = [parse_range(text) * free for text in (range_oop, range_ip)]
    for name, weights, text in zip(SEATS, ranges, (range_oop, range_ip), strict=True):
        if not weights.any():
            raise InputError(f"every hand of --range-{name} {text!r} has a card of the board {cards_text(cards)}")
    weights = ranges[1]
    by_card = np.bincount(HOLDING_CARDS.ravel(), np.repeat(weights, 2), 52)
    left = weights.sum() - by_card[HOLDING_CARDS].sum(axis=1) + weights
    if not (ranges[0] * left > 1e-9).any():
        raise InputError("the two ranges share a card in every pair of hands, so no deal is possible")
    return Spot(cards, pot, stack, (ranges[0], ranges[1]), read_sizes(sizes, 6 - len(cards), pot))


def read_sizes(text: str, streets: int, pot: int) -> tuple[tuple[float, ...], ...]:
    """The pot fractions of each street from percents such as `33,75,all-in`, or for each street `33,a/75,a/75,a`."""
    parts = text.split("/")
    if len(parts) not in (1, streets):
        raise InputError(f"--sizes {text!r} has {len(parts)} streets: give one list, or one for each of {streets}")
    found = tuple(_street_sizes(part, pot) for part in parts)
    return found * streets if len(parts) == 1 else found


def _street_sizes(text: str, pot: int) -> tuple[float, ...]:
    names = [one.strip().rstrip("%").lower() for one in text.split(",") if one.strip()]
    if not any(name in ALL_IN for name in names):
        raise InputError(f"--sizes {text!r} has no all-in, which every menu needs: write '{text},all-in'")
    fractions = []
    for name in names:
        if name in ALL_IN:
            continue
        try:
            percent = float(name)
        except ValueError:
            percent = float("nan")
        if not 0 < percent <= 10_000:
            raise InputError(f"{name!r} in --sizes {text!r} should be percents of the pot, such as 33,75,all-in")
        if percent / 100 * pot < 1:
            raise InputError(
                f"a bet of {percent:g}% of {pot} is below the minimum of 1 chip: leave {name} out of --sizes"
            )
        fractions.append(percent / 100)
    return tuple(fractions)


def solve_spot(
    spot: Spot, *, until: float = 0.5, iterations: int = MOST_ITERATIONS, method: str = "dcfr", workers: int = 1,
    locks: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    report: Callable[[int, float, float], None] | None = None,
) -> SpotSolution:  # fmt: skip
    """Solve until the exploitability is at most so many percent of the pot, or for a number of iterations."""
    if not until > 0:
        raise InputError(f"until {until:g}: a positive exploitability in percent of the pot is needed")
    start, game = clock(), spot.game
    with executor_of(workers) as executor:
        solver = PublicTreeSolver(
            game, method, dtype=np.float32, executor=executor, start=spot.board, ranges=spot.ranges,
            most_bytes=MOST_BYTES,
        )  # fmt: skip
        for line, given in (locks or {}).items():
            solver.lock(line, given)
        while True:
            solver.step(min(CHECK_EVERY, iterations - solver.iterations))
            exploitability = 100 * solver.bounds().exploitability / (SCALE * spot.pot)
            if report is not None:
                report(solver.iterations, clock() - start, exploitability)
            if exploitability <= until or solver.iterations >= iterations:
                break
        return _solution(spot, solver, exploitability, clock() - start)


def _solution(spot: Spot, solver: PublicTreeSolver, exploitability: float, seconds: float) -> SpotSolution:
    won = solver.value() / SCALE
    tree = solver.tree[0]
    shares = solver.average_strategy(0, 0)
    shown = {
        cards_text(HOLDING_CARDS[holding]): [round(float(one), 6) for one in shares[holding]]
        for holding in np.flatnonzero((spot.ranges[0] > 0) & shares.any(axis=1))
    }
    actions = tuple(action_name(name, spot.pot) for name in tree.actions[0])
    return SpotSolution(
        cards_text(spot.board), exploitability, spot.pot / 2 + won, spot.pot / 2 - won, solver.iterations, seconds,
        actions, shown, solver,
    )  # fmt: skip


def action_name(name: str, pot: int) -> str:
    """The name of a first action in chips: check, or `bet 33`."""
    if name == "c":
        return "check"
    return f"bet {(int(name[1:]) - pot) / SCALE:g}"


__all__ = ["EVALUATE", "Spot", "SpotSolution", "read_spot", "solve_spot"]
