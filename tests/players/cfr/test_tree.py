"""The betting tree of a blueprint: its size, its order, its payoffs, and the games that have none."""

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.games.betting.game import limit_holdem
from cardwin.games.holdem import holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.cfr.tree import CHILD, COUNT, SLOT, Tree, betting_of, lines_of, row_starts, tree_of


def tree_by(spec: str) -> Tree:
    return tree_of(betting_of(holdem_game(*split_spec(spec))))


@pytest.fixture(scope="module")
def limit() -> Tree:
    return tree_by("holdem-limit")


def test_limit_has_the_known_numbers_of_nodes(limit: Tree) -> None:
    assert np.bincount(limit.street).tolist() == [8, 70, 630, 5670]
    assert limit.width.sum() == limit.nodes[:, COUNT].sum()


@pytest.mark.parametrize("spec", ["holdem-limit", "holdem-nl:stack=2000", "holdem-nl:stack=300,ante=10"])
def test_every_node_is_the_child_of_one_that_comes_before_it(spec: str) -> None:
    tree = tree_by(spec)
    parents = np.full(len(tree.nodes), -1)
    ends = []
    for node, row in enumerate(tree.nodes.tolist()):
        for child in row[CHILD : CHILD + row[COUNT]]:
            if child >= 0:
                assert parents[child] < 0
                assert child > node
                parents[child] = node
            else:
                ends.append(-1 - child)
    assert (parents[1:] >= 0).all()
    assert sorted(ends) == list(range(len(tree.payoff)))


@pytest.mark.parametrize("spec", ["holdem-limit", "holdem-nl:stack=2000"])
def test_slots_of_a_row_are_all_used_once(spec: str) -> None:
    tree = tree_by(spec)
    for seat in (0, 1):
        for street in range(4):
            here = (tree.actor == seat) & (tree.street == street)
            used = [
                slot + place for slot, count in tree.nodes[here][:, [SLOT, COUNT]].tolist() for place in range(count)
            ]
            assert sorted(used) == list(range(tree.width[seat, street]))


def test_payoffs_are_what_the_loser_put_in(limit: Tree) -> None:
    folds = limit.payoff[:, 0] == limit.payoff[:, 2]
    assert (limit.payoff[~folds, 0] == -limit.payoff[~folds, 2]).all()
    assert (limit.payoff[~folds, 1] == 0).all()
    # A fold before the flop loses the small blind; four bets on every street lose 24 small bets.
    assert limit.payoff[folds, 0].min() < limit.payoff[limit.nodes[0, CHILD] * -1 - 1, 0] == -0.5
    assert limit.payoff.max() == 24.0
    deep = tree_by("holdem-nl:stack=2000")
    assert deep.payoff.max() == 20.0
    assert deep.raise_to.max() == 2000


def test_lines_name_the_nodes(limit: Tree) -> None:
    lines = lines_of(limit_holdem("any", (5, 10), 10, 20))
    assert lines[0] == ""
    assert len(lines) == len(set(lines)) == len(limit.nodes)
    assert all(line.count("/") == street for line, street in zip(lines, limit.street, strict=True))


def test_rows_lie_one_after_the_other(limit: Tree) -> None:
    starts = row_starts(limit, (169, 10, 10, 10))
    assert starts[0].tolist() == [0, 169 * 11, 169 * 11 + 910, 169 * 11 + 9100, 169 * 11 + 9100 + 73710]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("holdem-simple", "has no blueprint"),
        ("holdem-nl", "at most 50 big blinds"),
        ("holdem-limit:stack=100", "stack for all bets"),
    ],
)
def test_games_without_a_blueprint(spec: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        tree_by(spec)
