"""A spot's seat locked to a hold'em player: what the player would do at each of its decisions, with every holding.

The spot is played on a hold'em table: before the flop the player in position raised to half of the pot and the other
called, earlier streets were checked. The big blind is a tenth of the pot, or the smallest bet of the menu if that is
less. At each decision of the seat, on every board, the player says its chances (`holding_chances`). A raise is the one
of the menu that is nearest to what the player would bet.
"""

from collections.abc import Sequence

import numpy as np

from cardwin.analysis.holding_chances import CLASSES, holding_chances
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import key_of
from cardwin.games.base import Action
from cardwin.games.betting.tree import DECISION
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import RAISE_TO, Players, begin_match
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, why_no_raise
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, Tables
from cardwin.players.compiled import compiled_players
from cardwin.players.registry import player
from cardwin.players.specs import is_untrusted
from cardwin.solvers.public_tree.solver import PublicTreeSolver
from cardwin.solvers.public_tree.spot import SEATS, Spot

MAX_QUESTIONS = 400_000  # decisions on boards, each with all holdings
BLINDS_OF_POT = 5  # big blinds in half of the pot


@kernel
def answers_at(
    tables: Tables,
    players: Players,
    ids: Ints,
    rng: Ints,
    cards: Ints,
    possible: Floats,
    by_class: Floats,
    chances: Floats,
    sizes: Ints,
) -> None:
    """Write the actor's chances (1326, 4) on a board and its totals (1326,) of a raise; by_class is scratch."""
    t = tables[0]
    for index in range(len(cards)):
        t.board[index] = cards[index]
    player = ids[t.actor]
    holding_chances(players, player, ids, t, rng, possible, by_class, chances)
    for holding in range(HOLDINGS):
        sizes[holding] = 0
        if possible[holding] > 0.0 and why_no_raise(t) == FINE:
            sizes[holding] = int(chances[holding, RAISE_TO])


@kernel
def begin(players: Players) -> None:
    """Begin a match of all players."""
    begin_match(players)


class SeatLock:
    """Locks a seat's decisions of a solver to a player."""

    def __init__(self, spot: Spot, seat: int, spec: str) -> None:
        self.spot, self.seat, self.spec = spot, seat, spec
        refusal = InputError(
            f"{spec} cannot say its chances with every holding, so --lock-{SEATS[seat]} needs another player: "
            "standard, a static robot, blind or a network"
        )
        if is_untrusted(spec):
            raise refusal
        self.players = compiled_players([player(spec), player(spec)])
        if not self.players.knows(seat):
            raise refusal

    def __call__(self, solver: PublicTreeSolver) -> None:
        """Lock every decision of the seat on every board."""
        points = [
            (street, int(point))
            for street, tree in enumerate(solver.tree)
            for point in np.flatnonzero((tree.kind == DECISION) & (tree.actor == self.seat))
        ]
        questions = sum(solver.levels[street].boards for street, _ in points)
        if questions > MAX_QUESTIONS:
            raise InputError(
                f"{self.spec} would be asked {questions:,} times with all holdings, more than {MAX_QUESTIONS:,}: "
                "begin on a later street, or leave out sizes"
            )
        for street, point in points:
            self._lock(solver, street, point)

    def _lock(self, solver: PublicTreeSolver, street: int, point: int) -> None:
        tree, level = solver.tree[street], solver.levels[street]
        state = position(self.spot, tree.lines[point])
        tables, spent = state.tables.copy(), spent_before(state)
        chances, sizes = np.zeros((HOLDINGS, 4)), np.zeros(HOLDINGS, np.int64)
        by_class, rng = np.zeros((CLASSES, 4)), np.zeros((2, 2), np.int64)
        rng[:, 0] = key_of(0, "lock")
        for board, cards in enumerate(level.cards):
            dealt = np.array(cards, np.int64)
            possible = np.where(np.isin(HOLDING_CARDS, dealt).any(axis=1), 0.0, 1.0)
            begin(self.players.arrays_with_probabilities)
            answers_at(
                tables,
                self.players.arrays_with_probabilities,
                np.arange(2),
                rng,
                dealt,
                possible,
                by_class,
                chances,
                sizes,
            )
            shares = menu_shares(tree.actions[point], chances, sizes + spent)
            solver.lock(street, point, board, np.where(possible[:, None] > 0, shares, 0.0))


def position(spot: Spot, line: str) -> HoldemState:
    """Return the position after a betting line of a spot, such as `cr300c/c`; a raise has the actor's total chips."""
    bets = [max(1, round(fraction * 2 * spot.pot)) for street in spot.sizes for fraction in street]
    blind = max(1, min([spot.pot // BLINDS_OF_POT, *bets]))
    moves = [f"raise {spot.pot}", "call"]
    if spot.pot < 2 * blind:
        blind, moves = spot.pot, ["call", "check"]
    game = HoldemGame("nl", stack=spot.game.stack, small_blind=max(1, blind // 2), big_blind=blind)
    free = [card for card in range(52) if card not in spot.board]
    state = game.start([free[5:7], free[7:9]], [*spot.board, *free[: BOARD - len(spot.board)]])
    for move in [*moves, *["check", "check"] * (len(spot.board) - 3)]:
        state = state.apply(move)
    for street in line.split("/"):
        for step in steps_of(street):
            state = state.apply(move_of(state, step))
    return state


def spent_before(state: HoldemState) -> int:
    """Return what the actor had put in before this street."""
    t, seat = state.tables[0], state.actor
    return int(t["start"][seat] - t["stack"][seat] - t["bet"][seat])


def steps_of(street: str) -> list[str]:
    """Return the actions of a street's line: `cr300c` is c, r300, c."""
    steps: list[str] = []
    for letter in street:
        if letter.isdigit():
            steps[-1] += letter
        else:
            steps.append(letter)
    return steps


def move_of(state: HoldemState, step: str) -> Action | str:
    """Return a line's action as a move at the table."""
    view = state.view(state.actor)
    if step == "f":
        return "fold"
    if step == "c":
        return "call" if view.to_call else "check"
    return Action("raise" if view.current_bet else "bet", int(step[1:]) - spent_before(state))


def menu_shares(actions: Sequence[str], chances: Floats, totals: Ints) -> Floats:
    """Return the probabilities (1326, actions) of a menu's actions.

    Args:
        actions: The names of the menu's actions.
        chances: The probabilities of fold, call and raise, (1326, 3 or more).
        totals: The actor's total chips after its raise, (1326,).

    """
    shares = np.zeros((len(chances), len(actions)))
    call = actions.index("c")
    shares[:, actions.index("f") if "f" in actions else call] += chances[:, FOLD]
    shares[:, call] += chances[:, CALL]
    raises = [(index, int(name[1:])) for index, name in enumerate(actions) if name.startswith("r")]
    if not raises:
        shares[:, call] += chances[:, RAISE]
        return shares
    indices, amounts = np.array(raises).T
    nearest = indices[np.abs(totals[:, None] - amounts).argmin(axis=1)]
    shares[np.arange(len(shares)), nearest] += chances[:, RAISE]
    return shares
