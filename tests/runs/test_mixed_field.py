"""Fitness in a mixed field, its reliability, and the final."""

from functools import partial

import numpy as np
import pytest

from cardwin.arena import multi_table
from cardwin.arena.engine import new_scratch
from cardwin.arena.tournament import Structure
from cardwin.cards.card import parse_cards
from cardwin.cards.holdings import HOLDING_CARDS
from cardwin.core.errors import InputError
from cardwin.core.executor import open_executor
from cardwin.core.rng import generator_of
from cardwin.evolution.hall import reliability
from cardwin.games.base import NOBODY
from cardwin.games.holdem import holdem_game
from cardwin.players.network.decision import NORMALISED, Shape, weights_of
from cardwin.players.network.networks import NetworkForm
from cardwin.reports.tournament_evolution import selection_text
from cardwin.runs.experiment import load
from cardwin.runs.problems.tournament import form_of
from cardwin.runs.problems.tournament.mixed_field import (
    BLIND,
    Field,
    MixedResults,
    by_size,
    deal_holding,
    expected_chips,
    field_players,
    play_field,
    play_member,
    scales_and_shares,
    table_plans,
)
from cardwin.runs.problems.tournament.problem import TournamentProblem

NL, LIKE = holdem_game("holdem-nl", {}), NetworkForm(np.zeros(783, np.float32))
SMALL = Field(tournaments=12, deals=20, rings=6, ring_hands=10)


def networks(count: int, key: int = 1) -> np.ndarray:
    return generator_of(key).uniform(-1, 1, (count, 783)).astype(np.float32)


def played(members: np.ndarray, hall: np.ndarray, workers: int = 1) -> MixedResults:
    with open_executor(workers) as executor:
        return play_field(partial(play_member, NL, Structure(), SMALL, LIKE, hall, 5), members, executor)


def test_a_member_has_the_same_result_whoever_else_is_measured() -> None:
    members, hall = networks(5), networks(3, key=2)
    together, alone = played(members, hall), played(members[2:3], hall)
    assert np.array_equal(together.places[:, 2], alone.places[:, 0])
    assert np.array_equal(together.heads_up[:, 2], alone.heads_up[:, 0])
    assert np.array_equal(together.rings[:, 2], alone.rings[:, 0])
    assert np.array_equal(together.fitness[2:3], alone.fitness)
    twins = played(np.concatenate([members[:1], members[:1]]), hall)
    assert twins.fitness[0] == twins.fitness[1]


def test_a_tournament_that_ends_when_its_member_is_out_places_it_as_a_whole_one_does() -> None:
    players = field_players(networks(1), networks(3, key=2), Field().forms, LIKE)
    (_, orders, keys), *_ = by_size(table_plans(Field(full=1.0), 3, 5, 40), 5)
    places, hands = [], []
    for watched in (NOBODY, 0):
        counts, both_keys = multi_table.new_counts(40, 10), np.stack([keys, keys], axis=1)
        levels = Structure().levels(NL, 9)
        multi_table.play_tournaments(NL.tables(9), orders, levels, players.arrays, both_keys, counts, watched)
        places.append(counts.ranks)
        hands.append(counts.hands)
    assert np.array_equal(places[0][:, 0], places[1][:, 0])
    assert np.array_equal(hands[0][:, 0], hands[1][:, 0])
    assert len(set(places[0][:, 0])) > 4
    assert hands[1].sum() < hands[0].sum()


def test_workers_do_not_change_the_results() -> None:
    members, hall = networks(20), networks(3, key=2)
    assert np.array_equal(played(members, hall).fitness, played(members, hall, workers=2).fitness)


def test_tables_are_drawn_as_the_settings_say() -> None:
    plans = table_plans(Field(), 10, 1, 400)
    sizes = np.array([len(plan.seated) for plan in plans])
    assert set(sizes) == {9, 2, 3, 4, 6}
    assert 0.6 < (sizes == 9).mean() < 0.8
    seated = np.concatenate([plan.seated for plan in plans])
    assert 0.4 < (seated < 10).mean() < 0.6
    for plan in plans:
        from_hall = plan.seated[plan.seated < 10]
        assert len(set(from_hall)) == len(from_hall)
        assert 0 <= plan.open_seat < len(plan.seated)
    assert {len(plan.seated) for plan in table_plans(Field(seats=(5,)), 0, 1, 9)} == {5}


def test_heads_up_results_are_duplicates() -> None:
    """A network that always calls plays Caller in both seats of every deal: it wins exactly nothing."""
    weights = np.zeros((1, 783), np.float32)
    weights[0, -3:] = (-50, 50, -50)  # the output's biases: fold, call, raise
    results = played(weights, np.zeros((0, 783), np.float32))
    caller = BLIND.index("call")
    assert results.heads_up[caller].tolist() == [[0.0, 0.0]]


def test_robots_of_the_field_play_heads_up_and_at_the_tables() -> None:
    """A network that always raises wins a blind of Folder in every hand: half a big one or a whole one in turn."""
    weights = np.zeros((1, 783), np.float32)
    weights[0, -3:] = (-50, -50, 50)
    field = Field(tournaments=3, deals=4, robots=("fold", "matrix"))
    results = play_member(NL, Structure(), field, LIKE, np.zeros((0, 783), np.float32), 5, weights[0])
    assert results.heads_up.shape == (2, 1, 2)
    assert results.heads_up[0, 0].tolist() == [0.75, 0.75]
    assert results.scales.tolist() == [0.4, 1.0]


def test_robots_are_two_thirds_of_the_fitness_heads_up_and_the_hall_one_third() -> None:
    robots = Field(robots=(*BLIND, "matrix", "v1")).forms
    opponents = [2, 3, 4, 5, 6, 7, 8, 9, 0, 1]  # with a hall of two: the robots, then the hall
    scales, shares = scales_and_shares(opponents, 2, robots)
    assert np.allclose(shares, [1 / 12] * 8 + [1 / 6] * 2)
    assert scales.tolist() == [0.4, 4, 4, 3, 4, 0.5, 1, 1, 1, 1]
    assert np.allclose(scales_and_shares(opponents[:8], 2, robots)[1], 1 / 8), "nobody in the hall"
    assert scales_and_shares([0, 1], 2, robots)[1].tolist() == [0.5, 0.5]


def test_hands_that_are_all_in_before_the_flop_count_as_a_mean_over_boards() -> None:
    """Aces have 81.9% against kings with two suits in common, and lose this board: the mean does not depend on it."""
    dealt = NL.start([parse_cards("AcAd"), parse_cards("KcKd")], parse_cards("KsKh2c3d4s"))
    early = dealt.apply("raise 10000").apply("call")
    found = [one_hand(early.tables.copy(), 0, key) for key in range(300)]
    assert np.mean(found) == pytest.approx(10_000 * (2 * 0.819 - 1), abs=4 * np.std(found) / np.sqrt(300))
    assert np.std(found) < 10_000 / 3, "one board alone has a deviation of 7,700"
    assert one_hand(early.tables.copy(), 0, 5) == found[5]
    late = dealt.apply("call").apply("check").apply("check").apply("bet 9900").apply("call")
    assert one_hand(late.tables.copy(), 0, 5) == -10_000, "on the flop the board is the one that came"


def one_hand(tables: np.ndarray, seat: int, key: int) -> float:
    return float(expected_chips(tables[0], seat, key, new_scratch(0)))


def test_ring_tables_pay_chips() -> None:
    """Among folders a network that always raises wins the blinds of every hand, but for those that it posts itself."""
    weights = np.zeros((1, 783), np.float32)
    weights[0, -3:] = (-50, -50, 50)
    field = Field(tournaments=1, deals=2, rings=3, ring_hands=18, seats=(9,), robots=("fold",))
    results = play_member(NL, Structure(), field, LIKE, np.zeros((0, 783), np.float32), 5, weights[0])
    # In nine hands seven times 1.5 big blinds, once 1 as small blind, once .5 as big blind.
    assert results.rings.mean(axis=(1, 2)).tolist() == pytest.approx([12 / 9] * 3)


def test_a_strong_holding_is_dealt_from_one_deck() -> None:
    """Whoever had the cards gets those that were there: no card is twice in a deal."""
    state = NL.start([(51, 3), (47, 5), (6, 7)], (43, 9, 10, 11, 12))
    for holding in range(0, 1326, 5):
        tables = state.tables.copy()
        deal_holding(tables[0], 1, holding)
        cards = [*tables["hole"][0, :6].tolist(), *tables["board"][0].tolist()]
        assert len(set(cards)) == 11
        assert sorted(cards[2:4]) == sorted(HOLDING_CARDS[holding].tolist())


@pytest.mark.parametrize("spec", ["v2", "net:by-hand", "python:os:system", "nobody"])
def test_robots_of_the_field_have_no_memory(spec: str) -> None:
    with pytest.raises(InputError, match=spec):
        load("neuro-es", [f'field.robots=["{spec}"]'], 3)


def test_networks_of_the_field_stand_in_the_hall() -> None:
    _, experiment = load("neuro-es", ['field.networks=["net:by-hand", "net:by-hand-2"]', "tournaments=4"], 3)
    problem = TournamentProblem(experiment)  # type: ignore[arg-type]
    with open_executor(1) as executor:
        empty = {"red": problem.hall("red", 1)}
        results = problem.evaluate({"red": networks(2)}, empty, 7, executor).results  # type: ignore[union-attr]
    assert len(results.heads_up) == len(experiment.field.robots) + 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", ["call", "net:nobody", "python:os:system"])
def test_networks_of_the_field_are_of_one_shape(spec: str) -> None:
    with pytest.raises(InputError, match=spec.split(":")[-1]):
        load("neuro-es", [f'field.networks=["{spec}"]'], 3)
    with pytest.raises(InputError, match="same shape"):
        load("neuro-es", ['field.networks=["net:by-hand"]', "network.hidden=5"], 3)


def test_reliability_tells_skill_from_chance() -> None:
    rng = generator_of(4)
    skill = rng.standard_normal(400)
    clear = [skill + 0.1 * rng.standard_normal(400) for _ in range(2)]
    noise = [rng.standard_normal(400) for _ in range(2)]
    assert reliability(*clear) > 0.98
    assert abs(reliability(*noise)) < 0.2
    half = [skill + rng.standard_normal(400) for _ in range(2)]
    assert reliability(*half) == pytest.approx(2 / 3, abs=0.1)
    assert reliability(np.zeros(3), np.ones(3)) == 0


@pytest.mark.parametrize("preset", ["neuro-es", "neuro-hof"])
def test_a_final_states_what_fresh_tournaments_give(preset: str) -> None:
    """The champion is chosen by some tournaments and its fitness stated from others: it does not flatter."""
    _, experiment = load(preset, ["final=60", "tournaments=8", "field.deals=20", "field.rings=4"], 3)
    problem = TournamentProblem(experiment)  # type: ignore[arg-type]
    living, hall = networks(12), problem.hall("red", 1)
    with open_executor(1) as executor:
        champion = problem.final("red", living, {"red": hall}, 7, executor)
        assert champion is not None
        fresh = [
            problem.fresh_fitness("red", living, {"red": hall}, executor, champion.genes[None], 60, key)[0]
            for key in range(8)
        ]
    assert any(np.array_equal(champion.genes, one) for one in living)
    assert abs(champion.fitness - np.mean(fresh)) < 5 * np.std(fresh) + 1e-9
    assert champion.ci95 is not None
    assert champion.ci95 > 0
    (best,) = problem.answer({"red": champion})["best"]
    assert best["low"] < best["fitness"] < best["high"]


def test_the_report_says_whether_selection_was_above_chance() -> None:
    assert selection_text(np.full(3, 0.5)).startswith("too few")
    rng = generator_of(2)
    assert selection_text(0.5 + 0.1 * rng.standard_normal(40)).startswith("selection was above chance")
    assert "not shown" in selection_text(0.3 * rng.standard_normal(40))


def test_genes_of_normalised_inputs_play_as_the_weights_they_stand_for() -> None:
    """Members, hall and champion's file are mapped alike, in a mixed field and in tournaments."""
    genes, hall = networks(2), networks(3, key=2)
    for preset in ("neuro-es", "neuro-hof"):
        found = []
        for kind, change in (("normalised", np.array), ("weights", lambda own: weights_of(own, Shape(), NORMALISED))):
            changes = [f"network.genes={kind}", "tournaments=4", "population.size=11"]
            problem = TournamentProblem(load(preset, changes, 3)[1])  # type: ignore[arg-type]
            archive = problem.hall("red", 1)
            archive.add(change(hall), np.zeros(len(hall)))
            with open_executor(1) as executor:
                judged = problem.evaluate({"red": change(genes)}, {"red": archive}, 7, executor)
            found.append((judged.fitness["red"], form_of(problem.experiment, change(genes[0])).weights))
        assert np.array_equal(found[0][0], found[1][0])
        assert np.array_equal(found[0][1], found[1][1])
