"""Ranks from pairs' results."""

import numpy as np
import pytest

from cardwin.stats.ranking import PairResult, rank_players
from leagues import by_chips, by_openskill, draw_league, scored


def results(error: float) -> list[PairResult]:
    skills = [300.0, 100.0, -400.0]
    pairs = [(0, 1), (0, 2), (1, 2)]
    return [PairResult(i, j, skills[i] - skills[j], error) for i, j in pairs]


def test_sure_results_give_sure_ranks_in_chips() -> None:
    ranking = rank_players(results(10.0), 3)
    assert ranking.order == [0, 1, 2]
    assert ranking.ranks.diagonal() == pytest.approx([1, 1, 1], abs=0.01)
    assert ranking.surely_above == [True, True]
    assert ranking.scores[0].mean == pytest.approx(450, abs=20)
    assert ranking.scores[0].low < 450 < ranking.scores[0].high


def test_few_hands_give_wide_chances() -> None:
    ranking = rank_players(results(3000.0), 3)
    assert ranking.ranks.max() < 0.6
    assert ranking.ranks.sum(axis=0) == pytest.approx([1, 1, 1])
    assert ranking.ranks.sum(axis=1) == pytest.approx([1, 1, 1])
    assert ranking.surely_above == [False, False]
    assert ranking.scores[0].mean < 300


def test_the_order_of_pairs_changes_nothing_and_no_spread_is_no_trouble() -> None:
    one, other = rank_players(results(100.0), 3), rank_players(results(100.0)[::-1], 3)
    assert (one.above == other.above).all()
    even = rank_players([PairResult(0, 1, 0.0, 0.0)], 2)
    assert even.above[0, 1] == pytest.approx(0.5, abs=0.1)


def test_chips_rank_better_than_meetings() -> None:
    """A small part of what `python tools/leagues.py` shows."""
    rows = np.array(
        [
            [scored(league, *model(league))[:3] for model in (by_chips, by_openskill)]
            for league in (draw_league(number, 2_000, 300.0, 100.0) for number in range(4))
        ]
    )
    chips, openskill = rows.mean(axis=0)
    assert chips[0] > openskill[0]
    assert chips[2] < openskill[2]
