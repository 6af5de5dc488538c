"""The public-tree solver agrees with OpenSpiel's universal_poker to 1e-9 on small decks."""

import numpy as np
import pyspiel
import pytest

from cardwin.cards.card import CARD_NAMES
from cardwin.cards.holdings import HOLDING_CARDS
from cardwin.core.rng import generator_of
from cardwin.games.betting.game import BettingGame, validate_betting_game
from cardwin.games.betting.tree import DECISION
from cardwin.solvers.public_tree.solver import PublicTreeSolver

THEIR_STACK = 2**31 - 1


def small_game(board: tuple[int, ...], caps: tuple[int, ...], suits: int = 2, ranks: int = 5) -> BettingGame:
    streets = len(board)
    first, sizes = (0, 1, 1)[:streets], (100, 100, 200)[:streets]
    return validate_betting_game(BettingGame("small", board, first, caps, (50, 100), suits, ranks, sizes))


def their_game(game: BettingGame) -> "pyspiel.Game":
    def joined(values: tuple[int, ...]) -> str:
        return " ".join(map(str, values))

    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "limit",
            "numPlayers": 2,
            "numRounds": game.streets,
            "blind": joined(game.blinds),
            "raiseSize": joined(game.limit_sizes),
            "firstPlayer": joined(tuple(seat + 1 for seat in game.first)),
            "maxRaises": joined(game.caps),
            "numSuits": game.suits,
            "numRanks": game.ranks,
            "numHoleCards": 2,
            "numBoardCards": joined(game.board),
        },
    )


def card_texts(cards: "tuple[int, ...] | np.ndarray[tuple[int, ...], np.dtype[np.int64]]") -> str:
    return "".join(CARD_NAMES[card] for card in sorted(cards, reverse=True))


def their_policy(solver: PublicTreeSolver) -> "pyspiel.TabularPolicy":
    """The averages as a table of OpenSpiel's information states."""
    table: dict[str, list[tuple[int, float]]] = {}
    for street, (tree, level) in enumerate(zip(solver.tree, solver.levels, strict=True)):
        for point in np.flatnonzero(tree.kind == DECISION):
            chips = tree.chips[point]
            actions = [{"f": 0, "c": 1, "r": 2}[name] for name in tree.actions[point]]
            money = " ".join(str(THEIR_STACK - each) for each in chips)
            pot = f"[Round {street}][Player: {tree.actor[point]}][Pot: {2 * chips.max()}][Money: {money}]"
            for board in range(level.boards):
                shares = solver.average_strategy(street, int(point), board)
                public = card_texts(level.cards[board])
                for holding in np.flatnonzero(shares.any(axis=1)):
                    key = f"{pot}[Private: {card_texts(HOLDING_CARDS[holding])}][Public: {public}]"
                    key += f"[Sequences: {tree.lines[point].replace('/', '|')}]"
                    table[key] = list(zip(actions, map(float, shares[holding]), strict=True))
    return pyspiel.TabularPolicy(table)


def randomise(solver: PublicTreeSolver, seed: int) -> None:
    rng = generator_of(seed)
    for street in solver.averages:
        for table in street:
            table[:] = rng.random(table.shape) ** 3  # many near 0


@pytest.mark.parametrize(
    ("board", "caps", "ranks"),
    [
        ((0,), (2,), 4),
        ((0, 1), (1, 2), 3),
        pytest.param((0,), (3,), 5, marks=pytest.mark.slow),
        pytest.param((0, 1), (1, 1), 5, marks=pytest.mark.slow),
        pytest.param((0, 3), (1, 1), 4, marks=pytest.mark.slow),  # 5 ranks: 20 GB in OpenSpiel
    ],
)
def test_random_policies(board: tuple[int, ...], caps: tuple[int, ...], ranks: int) -> None:
    game = small_game(board, caps, ranks=ranks)
    theirs = their_game(game)
    solver = PublicTreeSolver(game, folded=False)
    randomise(solver, 7)
    policy = their_policy(solver)
    root = theirs.new_initial_state()
    assert solver.value() == pytest.approx(pyspiel.expected_returns(root, policy, -1, True)[0], abs=1e-9)
    bounds = solver.bounds()
    for seat, ours in ((0, bounds.high), (1, -bounds.low)):
        best = pyspiel.TabularBestResponse(theirs, seat, policy).value(root.history_str())
        assert ours == pytest.approx(best, abs=1e-9)
    assert bounds.exploitability == pytest.approx(pyspiel.exploitability(theirs, policy), abs=1e-9)


@pytest.mark.parametrize(("method", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_the_solvers_path(method: str, solver: str) -> None:
    """Iteration by iteration the same averages, on one suit.

    With two suits there are exact ties between actions. OpenSpiel then plays its rounding errors, we play both actions.
    """
    game = small_game((0, 1), (1, 1), suits=1, ranks=6)
    theirs = their_game(game)
    their_solver = getattr(pyspiel, solver)(theirs)
    ours = PublicTreeSolver(game, method)
    root = theirs.new_initial_state()
    for _ in range(6):
        their_solver.evaluate_and_update_policy()
        ours.step()
        average = their_solver.average_policy()
        assert ours.value() == pytest.approx(pyspiel.expected_returns(root, average, -1, True)[0], abs=1e-9)
    assert ours.bounds().exploitability == pytest.approx(pyspiel.exploitability(theirs, average), abs=1e-9)
