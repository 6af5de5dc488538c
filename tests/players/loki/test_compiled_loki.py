"""The compiled Loki decides as the player in Python did at commit 9828ff1, and as the one that explains itself does."""

import json

import numpy as np
import pytest

from cardwin.analysis.local_best_response import local_best_response
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.arena.tournament import Structure, TournamentOptions, tournament
from cardwin.cards.all_combos import potentials
from cardwin.cards.ehs import ANY_TWO, board_ehs, ehs_table, exact_evaluation, find_board, write_effective
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.preflop import holding_incomes
from cardwin.core.arrays import Floats, Ints
from cardwin.core.rng import generator_of, key_of
from cardwin.games.base import Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.hooks import PYTHON
from cardwin.players.compiled import players_of
from cardwin.players.loki import state
from cardwin.players.loki.model import Contexts, reweight, write_field
from cardwin.players.loki.opponent_model import OpponentModel
from cardwin.players.loki.play import LOKI, lokis_of
from cardwin.players.loki.player import Loki
from cardwin.players.loki.postflop import against_all
from cardwin.players.loki.public_hand import LokiSituation, PublicHand
from cardwin.players.loki.state import LokiSettings
from cardwin.players.registry import player
from players.loki import decisions

LIMIT, NO_LIMIT = holdem_game("holdem-limit", {}), holdem_game("holdem-nl", {})
RECORDED = json.loads(decisions.FILE.read_text(encoding="utf-8"))
TABLES = dict(decisions.tables())
FIVE = ["loki", "loki:model=generic", "loki:model=none", "random", "call"]
FOUR = ["loki", "loki:model=generic", "random", "raise"]
TWELVE = [*FIVE, "standard", "loki", "loki:tightness=tight", "raise", "loki", "random", "call"]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("in_python", [False, True], ids=["compiled", "in Python"])
def test_the_first_decisions_are_those_that_were_recorded(name: str, in_python: bool) -> None:
    one = TABLES[name]
    assert decisions.hash_hands(one, one.few, in_python) == RECORDED[name][0]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_all_decisions_are_those_that_were_recorded(name: str) -> None:
    assert sum(one.hands for one in TABLES.values()) >= 5_000
    assert decisions.hash_hands(TABLES[name], TABLES[name].hands) == RECORDED[name][1]


def test_every_variant_is_compiled() -> None:
    forms = [getattr(player(spec), "compiled", None) for spec in decisions.VARIANTS]
    assert all(players_of(forms).slot_of(row).kind is LOKI for row in range(len(forms)))  # type: ignore[union-attr]


def test_matches_and_tournaments_are_those_of_the_player_in_python() -> None:
    """Digests of commit 9828ff1."""
    found = {
        "heads-up": match(LIMIT, ["loki", "call"], 200, 1).digest,
        "duplicate": match(LIMIT, ["loki", "loki:model=none"], 200, 1, options=MatchOptions(duplicate=True)).digest,
        "five seats": match(LIMIT, FIVE, 60, 1, options=MatchOptions(duplicate=True)).digest,
        "drawn seats": match(LIMIT, FIVE, 100, 1).digest,
        "rebuy": match(NO_LIMIT, FOUR, 100, 1, options=MatchOptions(stacks="rebuy")).digest,
        "kept": match(
            holdem_game("holdem-nl", {"stack": "1500"}), FOUR, 100, 1, options=MatchOptions(stacks="kept")
        ).digest,
        "with a player in Python": match(LIMIT, ["loki", "xcs:caller-beater"], 60, 1).digest,
        "tournament": tournament(NO_LIMIT, TWELVE, 2, 1, options=TournamentOptions(Structure(seats=4))).digest,
    }
    assert found == {
        "heads-up": "ee8a2639d2c245f6ed02e2573e3f9559",
        "duplicate": "b83dcba7a57df6ad2cd62f6979ce47c5",
        "five seats": "f6fa1bbbf2552b25992f49d870e0f245",
        "drawn seats": "39713fe398e2782be4fe3192951fdf03",
        "rebuy": "a5a96fcebc2624ec7fad0bccc5aa70a7",
        "kept": "80873bbb443947cdc01d084b0c4260dd",
        "with a player in Python": "613809863b0d28f14eb7068e4efa2519",
        "tournament": "992717892cf1aa5eb44b190172290f47",
    }


def test_yardsticks_ask_the_player_in_python() -> None:
    """What a local best response won at commit 9828ff1."""
    found = local_best_response(LIMIT, "loki", 20, 1)
    assert (found.won.mean, found.frozen) == (0.475, True)


def test_the_table_of_strengths_is_exact() -> None:
    kept, draws, values = ehs_table(), generator_of(3), np.empty(HOLDINGS)
    for size in (3, 4) * 4:
        cards = draws.permutation(52)
        board, (a, b) = np.sort(cards[:size]), cards[size : size + 2]
        found = exact_evaluation(kept, a, b, board)
        assert found == (hand_strength(a, b, board, ANY_TWO), *hand_potential(a, b, board, ANY_TWO, 1))
        write_effective(kept, *find_board(kept, board), size, values)
        now = board_ehs(tuple(board.tolist())).strengths(ANY_TWO)
        assert values == pytest.approx(now + (1.0 - now) * potentials(board, False, ANY_TWO, 1)[0], abs=1e-12)


def test_powers_are_those_of_python() -> None:
    for number in range(1, 200):
        for opponents in range(1, 10):
            assert against_all(number / 211, opponents) == (number / 211) ** opponents


# What it knows of its opponents


def counts_of(loki: object) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    assert isinstance(loki, Loki)
    return loki.model.counts


def test_the_player_has_the_counts_of_its_compiled_form() -> None:
    lokis = [player("loki"), player("loki")]
    for one, in_python in zip(lokis, (False, True), strict=True):
        table = LiveTable(LIMIT, [one, player("random"), player("raise")], in_python=in_python)
        assert (PYTHON in table.compiled.kinds[:1]) == in_python
        for hand in range(40):
            table.play([10_000] * 3, hand % 3, key_of(1, hand))
    assert counts_of(lokis[0])[1].sum() > 50
    assert (counts_of(lokis[0]) == counts_of(lokis[1])).all()


def test_a_saved_hand_has_what_the_lokis_knew() -> None:
    tables = [LiveTable(LIMIT, [None, player("loki")]) for _ in range(2)]
    for hand in range(12):
        tables[0].begin([10_000] * 2, hand % 2, key_of(4, hand))
        while tables[0].actor >= 0:
            tables[0].take("raise" if tables[0].turn.min_raise_to else "call")
    tables[0].begin([10_000] * 2, 0, key_of(4, 12))
    tables[1].load(tables[0].save())
    for table in tables:
        table.take("raise")
    assert str(tables[0].turn) == str(tables[1].turn)
    assert (tables[0].compiled.slots[0].state.counts == tables[1].compiled.slots[0].state.counts).all()
    assert tables[0].compiled.slots[0].state.counts.sum() > 10


def assign_places(lokis: state.Lokis, ids: Ints) -> None:
    state.assign_places(lokis.notes[0], lokis.counts[0], lokis.shown[0], ids, len(ids))


def test_places_stay_with_players_and_are_cleared_when_they_leave() -> None:
    lokis = lokis_of([player("loki").compiled.data])  # type: ignore[attr-defined]
    assign_places(lokis, np.array([7, 3, 5]))
    lokis.counts[0, 1] = 4
    assign_places(lokis, np.array([5, 7, 3]))  # other seats
    assert [state.place_of(lokis.notes[0], one) for one in (7, 3, 5)] == [0, 1, 2]
    assert lokis.counts[0, 1].min() == 4
    assign_places(lokis, np.array([5, 7, 9]))  # somebody else for number 3
    assert state.place_of(lokis.notes[0], 3) == state.FREE
    assert not lokis.counts.any()
    assert sorted(state.place_of(lokis.notes[0], one) for one in (7, 9, 5)) == [
        0,
        2,
        3,
    ]  # from its seat on, the next free one


def test_copies_share_nothing() -> None:
    players = players_of([player("loki").compiled])  # type: ignore[attr-defined]
    lokis, copy = players.slots[0].state, players.copy().slots[0].state
    copy.counts[:] = 1
    copy.notes[:] = 1
    assert not lokis.counts.any()
    assert lokis.notes[0, state.PLACES] == state.FREE


def test_own_contexts_and_loaded_counts_are_played_in_python() -> None:
    contexts = Contexts("one", lambda _: 0, np.array([[0.2, 0.4, 0.4]]), np.array([-1]))
    assert not hasattr(Loki(LokiSettings(), contexts), "compiled")
    assert not hasattr(Loki(keeps=True), "compiled")


# Papp's readings


@pytest.mark.parametrize(
    ("reading", "others", "hands"),
    [
        ("rates=seven", ("loki:model=generic",), 150),
        ("field=normalised", ("loki:model=generic", "call", "random"), 200),
        ("zero-mu=on", ("call",), 250),
    ],
)
def test_readings_change_decisions_and_both_forms_agree(reading: str, others: tuple[str, ...], hands: int) -> None:
    plain = "loki:doubts=off"
    with_reading, usual = (
        decisions.Table("holdem-limit", (spec, *others), 0, 0) for spec in (f"{plain},{reading}", plain)
    )
    found = decisions.hash_hands(with_reading, hands)
    assert found == decisions.hash_hands(with_reading, hands, in_python=True)
    assert found != decisions.hash_hands(usual, hands)


def field_of(ranges: list[Floats], normalised: bool = False) -> Floats:
    field = np.empty(HOLDINGS)
    write_field(np.array(ranges), len(ranges), 0, normalised, field)
    return field


def test_a_normalised_field_gives_every_opponent_the_same_weight() -> None:
    wide, narrow = np.ones(HOLDINGS), np.full(HOLDINGS, 0.01)
    narrow[-1] = 1.0
    plain, normalised = field_of([wide, narrow]), field_of([wide, narrow], True)
    assert plain[-1] == 1.0
    assert plain[0] == pytest.approx(0.505)
    assert normalised.sum() == pytest.approx(1.0)
    assert normalised[-1] == pytest.approx((1 / HOLDINGS + 1 / (1 + 0.01 * (HOLDINGS - 1))) / 2)
    assert (field_of([narrow], True) == narrow).all()


def test_a_threshold_of_nothing_counts_if_asked_to() -> None:
    hand, called = PublicHand(players=2, boards=[(), (4, 9, 38)]), LokiSituation(1, 1, 10, 60, 2)
    found = []
    for zero in (False, True):
        model = OpponentModel(LokiSettings(zero_mu=zero))
        model.counts[1, :, 1] = 100  # it has never folded
        model.observe(1, called, Action("call"))
        found.append(model.weights(1, hand))
    assert (found[0] == 1).all()
    assert found[1].min() == pytest.approx(0.5, abs=0.1)  # (h + .4) / .8
    assert found[1].max() == 1


def test_seven_players_rates_whatever_the_table() -> None:
    model = OpponentModel(LokiSettings("generic", rates="seven"))
    model.observe(1, LokiSituation(0, 1, 10, 15, 2), Action("raise", 20))
    rates = holding_incomes(7)
    mean = float(np.sort(rates)[round(0.8 * (HOLDINGS - 1))])
    expected = ANY_TWO.copy()
    reweight(expected, rates, mean, 330.0)
    assert (model.weights(1, PublicHand(players=2)) == expected).all()
