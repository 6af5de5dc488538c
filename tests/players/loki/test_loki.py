"""Loki does what Papp (1998) wrote, number by number, and behaves at every table."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.cards.all_combos import potentials
from cardwin.cards.card import parse_cards
from cardwin.cards.ehs import board_ehs
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import CLASS_NAMES, HOLDINGS, holding_index
from cardwin.cards.preflop import class_incomes
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import Acted, BoardDealt, HandBegan, MatchBegan, Posted, Shown
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.state import HoldemState
from cardwin.players.loki.files import save_loki
from cardwin.players.loki.model import (
    CONTEXTS,
    NO_THRESHOLD,
    TWELVE,
    Contexts,
    implied_threshold,
    reweight,
    trust_in,
    write_frequencies,
)
from cardwin.players.loki.opponent_model import OpponentModel
from cardwin.players.loki.player import Loki
from cardwin.players.loki.postflop import (
    ALL_RULES,
    RULES,
    Evaluation,
    Price,
    Rules,
    against_all,
    choose_action,
    effective,
    effective_bet,
)
from cardwin.players.loki.preflop import STRATEGIES, TIGHTNESSES, choose, expected_in, follow, group_at, players_behind
from cardwin.players.loki.public_hand import CALLS, FOLDS, RAISES, LokiSituation, PublicHand, count_bets
from cardwin.players.loki.state import LokiSettings
from cardwin.players.registry import player

LIMIT = holdem_game("holdem-limit", {})
GAMES = [holdem_game(f"holdem-{kind}", {}) for kind in ("nl", "limit", "simple")]
EVERY = np.ones(HOLDINGS)


# Before the flop


def table(seats: int, hands: dict[int, str], board: str = "2c2d2h3c3d", button: int | None = None) -> HoldemState:
    """A limit hand in which some seats' cards matter and the others have what is left."""
    named = {seat: parse_cards(cards) for seat, cards in hands.items()}
    used = {*parse_cards(board), *(card for cards in named.values() for card in cards)}
    rest = [card for card in range(52) if card not in used]
    hole = [named.get(seat, rest[2 * seat : 2 * seat + 2]) for seat in range(seats)]
    return LIMIT.start(hole, parse_cards(board), button=button)


def after(state: HoldemState, *moves: str) -> HoldemView:
    for move in moves:
        name, _, amount = move.partition(" ")
        state = state.apply(Action(name, int(amount or 0)))
    return state.view(state.actor)


def choose_strategy(income: float, group: int, position: int, tightness: str) -> tuple[str, float]:
    strategy, threshold = choose(float(income), group, position, TIGHTNESSES.index(tightness))
    return STRATEGIES[strategy], threshold


def expected_players(view: HoldemView) -> float:
    return float(expected_in(np.array(view.row)))


def position_of(view: HoldemView) -> int:
    return int(players_behind(np.array(view.row)))


def test_ace_eight_suited_on_the_button_with_four_in_makes_two_bets() -> None:
    assert choose_strategy(338, group=1, position=0, tightness="moderate") == ("Make2", 200)
    # Eight seats: two have called, three have folded, the blinds are to come.
    view = after(table(8, {7: "Ah8h"}), "call", "fold", "call", "fold", "fold")
    assert view.seat == 7
    assert position_of(view) == 0
    assert expected_players(view) == pytest.approx(3 + 0.6 * 2)
    loki = Loki(LokiSettings(tightness="moderate"))
    loki.act(view, stream_of(1))
    assert loki.explain()["rule"] == "Make2"
    assert loki.explain()["income"] == round(class_incomes(4)[CLASS_NAMES.index("A8s")], 6)
    assert group_at(expected_players(view)) == 1


@pytest.mark.parametrize(
    ("tightness", "group", "position", "income", "strategy"),
    [
        ("tight", 0, 1, -1, "Make0"), ("tight", 0, 1, 0, "Make1"), ("tight", 0, 1, 200, "Make2"),
        ("loose", 0, 1, 0, "Make2"), ("moderate", 0, 0, 50, "Make2"), ("loose", 0, 5, 300, "Make4"),
        ("tight", 1, 2, 149, "Make0"), ("tight", 1, 2, 150, "Make1"), ("moderate", 1, 2, 100, "Make1"),
        ("loose", 1, 2, 70, "Make1"), ("loose", 1, 2, 220, "Make2"), ("tight", 1, 9, 580, "Make4"),
        ("loose", 2, 7, 210, "Make1"), ("moderate", 2, 7, 349, "Make0"), ("tight", 2, 7, 490, "Make1"),
        ("tight", 2, 7, 800, "Make2"), ("tight", 2, 7, 900, "Make4"), ("loose", 2, 0, 0, "Make1"),
    ],
)  # fmt: skip
def test_thresholds(tightness: str, group: int, position: int, income: float, strategy: str) -> None:
    assert choose_strategy(income, group, position, tightness)[0] == strategy


@pytest.mark.parametrize(
    ("strategy", "made", "to_call", "in_by_choice", "action"),
    [
        ("Make0", 1, 1, False, FOLD), ("Call1", 0, 0, False, CALL), ("Call1", 1, 1, False, CALL),
        ("Call1", 2, 2, False, FOLD), ("Call1", 2, 2, True, CALL), ("Make1", 0, 0, False, RAISE),
        ("Make1", 1, 1, False, CALL), ("Make1", 3, 2, False, FOLD), ("Make1", 2, 1, True, CALL),
        ("Call2", 3, 3, False, CALL), ("Make2", 1, 1, False, RAISE), ("Make2", 2, 2, False, CALL),
        ("Make4", 3, 1, True, RAISE), ("Make4", 4, 1, True, CALL),
    ],
)  # fmt: skip
def test_strategies(strategy: str, made: int, to_call: int, in_by_choice: bool, action: int) -> None:
    assert follow(STRATEGIES.index(strategy), made, to_call, in_by_choice) == action


def test_positions_and_players_expected() -> None:
    first = after(table(10, {}))
    assert (first.seat, position_of(first)) == (2, 7)
    assert expected_players(first) == pytest.approx(1 + 0.6 * 9)
    small_blind = after(table(10, {}), "fold", "fold", "fold", "fold", "fold", "fold", "call", "fold")
    assert (small_blind.seat, position_of(small_blind)) == (0, 2)
    assert expected_players(small_blind) == pytest.approx(2 + 0.6)
    raised = after(table(3, {}), "raise 20", "call")
    assert expected_players(raised) == 3
    heads_up = table(2, {}, button=1)
    assert position_of(after(heads_up)) == 0
    assert position_of(after(heads_up, "call")) == 1
    assert expected_players(after(heads_up, "call")) == 2


def test_the_strategy_is_kept_for_the_round() -> None:
    loki, state = Loki(LokiSettings(model="none", tightness="tight")), table(2, {0: "JcTd"}, button=1)
    assert loki.act(after(state, "call"), stream_of(1)).name == "check"
    facing = after(state, "call", "raise 20", "raise 30")
    assert loki.act(facing, stream_of(1)).name == "call"
    assert loki.explain()["rule"] == "Make1"


# After the flop


def price(**changes: object) -> Price:
    usual: dict[str, object] = {
        "pot": 60, "to_call": 0, "bets_made": 0, "bets_to_call": 0, "called": False, "bet": 10, "future": 40,
        "last_round": False,
    }  # fmt: skip
    return Price(**(usual | changes))  # type: ignore[arg-type]


def value(ehs_bet: float, ppot: float = 0.0, npot: float = 0.0) -> Evaluation:
    strength = (ehs_bet - ppot) / (1 - ppot)
    return Evaluation(strength, strength, ppot, npot)


def decide(value: Evaluation, price: Price, bluffing: bool, rules: Rules = ALL_RULES) -> tuple[int, str, float]:
    action, rule, threshold = choose_action(value, price, bluffing, rules)
    return action, RULES[rule], threshold


FACING = {"to_call": 10, "bets_made": 1, "bets_to_call": 1}
TWO = {"to_call": 20, "bets_made": 2, "bets_to_call": 2}


@pytest.mark.parametrize(
    ("ehs_bet", "ppot", "situation", "bluffing", "action", "rule"),
    [
        (0.85, 0.0, {}, False, RAISE, "raise while"),
        (0.90, 0.0, FACING, False, RAISE, "raise while"),
        (0.90, 0.0, TWO, False, CALL, "raise while"),
        (0.84, 0.0, {}, False, RAISE, "bet if nobody"),
        (0.50, 0.0, FACING, False, CALL, "bet if nobody"),
        (0.60, 0.0, TWO | {"called": True}, False, CALL, "bet if nobody"),
        (0.60, 0.0, TWO | {"pot": 30}, False, CALL, "showdown"),  # two bets cold: on to the odds
        (0.49, 0.17, {}, False, RAISE, "semi-bluff"),  # 20 / (60 + 40 + 20)
        (0.49, 0.16, {}, False, FOLD, "nothing to bet"),
        (0.10, 0.0, {}, True, RAISE, "kept up"),
        (0.45, 0.15, FACING, False, CALL, "pot odds"),  # 10 / 70
        (0.30, 0.10, FACING, False, FOLD, "nothing to call"),
        (0.34, 0.10, FACING, False, CALL, "showdown"),  # (10 + 40) / (70 + 80)
        (0.15, 0.0, FACING | {"last_round": True, "future": 0}, False, CALL, "pot odds"),
    ],
)
def test_rules_in_their_order(
    ehs_bet: float, ppot: float, situation: dict[str, object], bluffing: bool, action: int, rule: str
) -> None:
    decided, applied, _ = decide(value(ehs_bet, ppot), price(**situation), bluffing)
    assert decided == action
    assert applied.startswith(rule) or rule in applied


def test_negative_potential_counts_at_showdown_odds_only() -> None:
    assert decide(value(0.34, 0.1, npot=0.2), price(**FACING), False)[0] == FOLD
    assert decide(value(0.50, 0.1, npot=1.0), price(**FACING), False)[0] == CALL


def test_rules_can_be_switched_off() -> None:
    assert decide(value(0.49, 0.17), price(), False, Rules(semi_bluffs=False))[0] == FOLD
    assert decide(value(0.2, 0.15), price(**FACING), False, Rules(pot_odds=False))[0] == FOLD
    off = decide(value(0.34, 0.10), price(**FACING), False, Rules(showdown_odds=False))
    assert off == (FOLD, "nothing to call with", 10 / 70)


def evaluate(hole: str, shown: str, opponents: int, ahead: int) -> Evaluation:
    (a, b), board = parse_cards(hole), np.array(parse_cards(shown))
    hs = hand_strength(a, b, board, EVERY)
    return Evaluation(hs, against_all(hs, opponents), *hand_potential(a, b, board, EVERY, ahead))


def test_evaluation_is_against_all() -> None:
    found = evaluate("AdQc", "3h4cJh", 5, 2)
    assert found.hs == pytest.approx(0.585106, abs=5e-7)
    assert found.hs_n == pytest.approx(0.068576, abs=5e-7)
    assert (found.ppot, found.npot) == pytest.approx((0.208324, 0.273693), abs=5e-7)
    assert effective_bet(found) == pytest.approx(0.068576 + 0.931424 * 0.208324, abs=1e-6)
    assert effective(found) == pytest.approx(effective_bet(found) - 0.068576 * 0.273693, abs=1e-6)
    river = evaluate("AdQc", "3h4cJh5s6d", 1, 0)
    assert (river.ppot, river.npot) == (0, 0)


def test_a_semi_bluff_is_kept_up_until_somebody_bets() -> None:
    loki = Loki(LokiSettings(model="none"))
    # An open-ended straight flush draw on the flop, then nothing.
    state = table(2, {0: "8d7d", 1: "AsKs"}, board="9d6d2c2hKc", button=1)
    for name in ("call", "check"):
        state = state.apply(Action(name))
    rules = []
    for answer in ("call", "call", "call"):
        action = loki.act(state.view(0), stream_of(1))
        rules.append(loki.explain()["rule"])
        state = state.apply(action).apply(Action(answer))
    assert rules == ["semi-bluff", "semi-bluff", "semi-bluff kept up"]
    assert state.actor == NOBODY


# The model


def threshold_of(shares: tuple[float, ...], action: int, bets_to_call: int) -> float | None:
    threshold = implied_threshold(np.array(shares), action, bets_to_call)
    return None if threshold == NO_THRESHOLD else float(threshold)


def frequencies(contexts: Contexts, counts: Ints, context: int) -> Floats:
    shares = np.empty(3)
    write_frequencies(counts, contexts.defaults, contexts.before, context, True, shares)
    return shares


def reweighted(weights: Floats, values: Floats, mean: float, spread: float) -> Floats:
    result = weights.copy()
    reweight(result, values, mean, spread)
    return result


def test_a_raise_frequency_of_a_fifth_is_the_eightieth_percentile() -> None:
    assert threshold_of((0.1, 0.7, 0.2), RAISES, 1) == pytest.approx(0.8)
    assert threshold_of((0.1, 0.7, 0.2), CALLS, 1) == pytest.approx(0.1)
    assert threshold_of((0.1, 0.7, 0.2), CALLS, 0) is None
    assert threshold_of((0.1, 0.7, 0.2), FOLDS, 1) is None


def test_frequencies_mix_with_the_round_before() -> None:
    counts = np.zeros((12, 3), np.int64)
    assert frequencies(TWELVE, counts, 3 * 2 + 1).tolist() == pytest.approx([0.5, 0.3, 0.2])
    counts[1] = (0, 10, 0)  # ten calls of one bet before the flop
    assert frequencies(TWELVE, counts, 1).tolist() == pytest.approx([0.25, 0.65, 0.1])
    assert frequencies(TWELVE, counts, 4).tolist() == pytest.approx([0.25, 0.65, 0.1])
    counts[4] = (10, 70, 20)  # the document's player, a hundred times on the flop
    assert frequencies(TWELVE, counts, 4).tolist() == pytest.approx([0.1, 0.7, 0.2])
    assert frequencies(TWELVE, counts, 3).tolist() == [0, 0.5, 0.5]


def test_reweighting_is_linear_between_its_bounds_and_never_below_the_floor() -> None:
    values, weights = np.linspace(0, 1, HOLDINGS), np.full(HOLDINGS, 0.5)
    result = reweighted(weights, values, 0.6, 0.2)
    assert result == pytest.approx(np.maximum(0.5 * np.clip((values - 0.4) / 0.4, 0.01, 1), 0.01))
    assert result.min() == 0.01
    assert reweighted(result, values, 0.6, 0.2).min() == 0.01
    assert reweighted(EVERY, values, 0.6, 0.2)[round(0.6 * 1325)] == pytest.approx(0.5, abs=1e-3)


def hand_of(board: str = "", players: int = 10) -> PublicHand:
    cards = parse_cards(board)
    return PublicHand(players=players, boards=[cards[:size] for size in (0, 3, 4, 5) if size <= len(cards)])


def seen(street: int, bets: int) -> LokiSituation:
    return LokiSituation(street, bets, 10 * bets, 60, 3)


def test_one_reweighting_a_round_from_its_start_with_the_highest_threshold() -> None:
    hand, model = hand_of("3h4cJh"), OpponentModel(LokiSettings("generic"))
    model.observe(1, seen(1, 1), Action("call"))
    called = model.weights(1, hand)
    model.observe(1, seen(1, 1), Action("raise", 20))
    raised = model.weights(1, hand)
    model.observe(1, seen(1, 1), Action("call"))
    assert (model.weights(1, hand) == raised).all()
    only = OpponentModel(LokiSettings("generic"))
    only.observe(1, seen(1, 1), Action("raise", 20))
    assert (only.weights(1, hand) == raised).all()
    assert raised.sum() < called.sum() < HOLDINGS
    assert raised[holding_index(*parse_cards("JsJd"))] == 1
    assert raised[holding_index(*parse_cards("7s2d"))] == 0.01
    assert (model.weights(2, hand) == 1).all()
    model.begin_hand()
    assert (model.weights(1, hand) == 1).all()


def test_before_the_flop_income_rates_decide_and_low_thresholds_tell_nothing() -> None:
    hand, model = hand_of(), OpponentModel(LokiSettings("generic"))
    model.observe(1, seen(0, 1), Action("raise", 20))
    weights = model.weights(1, hand)
    at = [weights[holding_index(*parse_cards(cards))] for cards in ("AhAs", "AhKh", "7d2c")]
    assert at[0] == at[1] == 1
    assert at[2] < 0.2
    specific = OpponentModel(LokiSettings("specific"))
    specific.counts[1, 1] = (1, 99, 0)  # calls nearly always: a call tells nothing
    specific.observe(1, seen(0, 1), Action("call"))
    assert (specific.weights(1, hand) == 1).all()


def test_specific_models_learn_and_generic_ones_do_not() -> None:
    hand = hand_of("3h4cJh")
    ranges = {}
    for kind in ("generic", "specific", "none"):
        model = OpponentModel(LokiSettings(kind))
        for _ in range(40):
            model.observe(1, seen(1, 0), Action("bet", 10))  # a maniac
        model.begin_hand()
        model.observe(1, seen(1, 0), Action("bet", 10))
        ranges[kind] = model.weights(1, hand).sum()
    assert ranges["generic"] < 0.7 * HOLDINGS
    assert ranges["specific"] > 0.9 * HOLDINGS
    assert ranges["none"] == HOLDINGS


def test_somebody_who_shows_anything_is_not_believed() -> None:
    hand = hand_of("3h4cJh9s2d")
    liar, honest = OpponentModel(LokiSettings("specific")), OpponentModel(LokiSettings("specific"))
    rng = np.random.default_rng(1)
    for _ in range(60):
        for model in (liar, honest):
            model.begin_hand()
            model.observe(1, seen(1, 1), Action("raise", 20))
            model.observe(1, seen(1, 1), Action("call"))
        cards = rng.choice([card for card in range(52) if card not in hand.boards[-1]], 2, replace=False)
        liar.reveal(1, (int(cards[0]), int(cards[1])), hand, False)
        honest.reveal(1, parse_cards("JsJd"), hand, False)  # type: ignore[arg-type]
    assert trust_in(*liar.shown[1]) < 0.35
    assert trust_in(*honest.shown[1]) == 1.0
    assert liar.weights(1, hand).min() > 0.6
    assert honest.weights(1, hand).min() == 0.01
    believer = OpponentModel(LokiSettings(doubts=False))
    believer.shown[:] = liar.shown
    assert (believer.weights(1, hand) == 1.0).all()  # nothing was observed
    doubter = OpponentModel(LokiSettings())
    for model in (believer, doubter):
        model.shown[:] = liar.shown
        model.observe(1, seen(1, 1), Action("raise", 20))
    assert believer.weights(1, hand).min() == 0.01
    assert doubter.weights(1, hand).min() > 0.6


def test_other_contexts_can_be_plugged_in() -> None:
    def crowded(situation: LokiSituation) -> int:
        return int(situation.players > 2)

    contexts = Contexts("crowded", crowded, np.array([[0.2, 0.4, 0.4], [0.6, 0.3, 0.1]]), np.array([-1, -1]))
    loki = Loki(LokiSettings(model="generic"), contexts)
    assert loki.model.counts.shape == (10, 2, 3)
    loki.model.observe(1, seen(1, 1), Action("raise", 20))
    alone = OpponentModel(LokiSettings("generic"), contexts)
    alone.observe(1, LokiSituation(1, 1, 10, 60, 2), Action("raise", 20))
    hand = hand_of("3h4cJh")
    assert loki.model.weights(1, hand).sum() < alone.weights(1, hand).sum()


@pytest.mark.parametrize(("name", "size"), [("bets", 12), ("pot-odds", 12), ("players", 36), ("last-action", 36)])
def test_named_contexts_number_all_situations_and_fall_back_on_the_round_before(name: str, size: int) -> None:
    contexts = CONTEXTS[name]
    facts = product(range(4), range(4), (2, 3, 4, 5, 10), (-1, 1, 2), (40, 400))
    numbers = {
        contexts.number(LokiSituation(street, bets, 20 * bets, pot, players, last)): street
        for street, bets, players, last, pot in facts
    }
    assert sorted(numbers) == list(range(size))
    assert contexts.size == size
    for number, street in numbers.items():
        before = int(contexts.before[number])
        assert (numbers[before] == street - 1) if street else (before == -1)
    assert np.allclose(contexts.defaults.sum(axis=1), 1.0)


def test_contexts_distinguish_what_their_name_says() -> None:
    cheap, dear = LokiSituation(1, 1, 10, 90, 2), LokiSituation(1, 1, 10, 20, 2)
    crowd, after = LokiSituation(1, 1, 10, 90, 6), LokiSituation(1, 1, 10, 90, 2, last=1)
    for name, other in (("pot-odds", dear), ("players", crowd), ("last-action", after)):
        assert CONTEXTS[name].number(cheap) != CONTEXTS[name].number(other)
        assert CONTEXTS["bets"].number(cheap) == CONTEXTS["bets"].number(other)
        loki = player(f"loki:contexts={name}")
        assert isinstance(loki, Loki)
        assert loki.model.contexts is CONTEXTS[name]
        assert not hasattr(loki, "compiled")
    assert hasattr(player("loki:contexts=bets"), "compiled")
    with pytest.raises(InputError, match="contexts=odds: expected bets, pot-odds, players or last-action"):
        player("loki:contexts=odds")


def test_contexts_are_saved_and_own_ones_are_not(tmp_path: Path) -> None:
    loki = player("loki:contexts=last-action")
    assert isinstance(loki, Loki)
    loki.model.counts[1, 30, 2] = 7
    save_loki(tmp_path / "loki.json", loki)
    again = player(f"loki:file={tmp_path / 'loki.json'}")
    assert isinstance(again, Loki)
    assert again.model.contexts is CONTEXTS["last-action"]
    assert (again.model.counts == loki.model.counts).all()
    own = Contexts("one", lambda _: 0, np.array([[0.2, 0.4, 0.4]]), np.array([-1]))
    with pytest.raises(InputError, match="contexts of its own"):
        save_loki(tmp_path / "own.json", Loki(contexts=own))


def test_weights_from_income_rates() -> None:
    weights = OpponentModel(LokiSettings("none", weights="income")).weights(1, hand_of())
    assert weights.max() == weights[holding_index(51, 50)] == 1
    assert weights.min() == 0.01


@pytest.mark.parametrize(("board", "suitless"), [("3h4cJh5s6d", False), ("3h4cJh", True), ("3h4cJh5s", False)])
def test_values_of_holdings_are_their_effective_strengths(board: str, suitless: bool) -> None:
    cards = parse_cards(board)
    values = OpponentModel().values(hand_of(board), suitless)
    now = board_ehs(cards, suitless).strengths(EVERY)
    later = potentials(np.array(cards), suitless, EVERY, min(1, 5 - len(cards)))[0]
    assert values == pytest.approx(now + (1 - now) * later, abs=1e-12)


# What everybody sees


def test_bets_to_call() -> None:
    assert [count_bets(chips, 10, 100, 1) for chips in (0, 5, 10, 11, 20, 30)] == [0, 1, 1, 2, 2, 3]
    assert count_bets(10, 10, 15, 0) == 1  # limit's first decision
    assert count_bets(9_900, 9_900, 10_050, 0) == 2  # no-limit: all-in is no ordinary bet
    assert count_bets(51, 51, 100, 2) == 2


def test_situations_are_followed() -> None:
    hand = PublicHand.begun(HandBegan(2, (1000, 1000, 1000), 10, 1))
    for event in (Posted(0, "blind", 5), Posted(1, "blind", 10)):
        hand.follow(event)
    assert hand.situation(2) == LokiSituation(0, 1, 10, 15, 3)
    hand.follow(Acted(2, Action("raise", 20), 20, 0))
    assert hand.situation(0) == LokiSituation(0, 2, 15, 35, 3)
    hand.follow(Acted(0, Action("fold"), 0, 0))
    assert hand.situation(1) == LokiSituation(0, 1, 10, 35, 2)
    hand.follow(Acted(1, Action("call"), 10, 0))
    hand.follow(BoardDealt(1, (0, 1, 2)))
    assert hand.situation(1) == LokiSituation(1, 0, 0, 45, 2)
    hand.follow(Acted(1, Action("bet", 10), 10, 1))
    assert hand.situation(2).bets_to_call == 1
    assert hand.situation(1).last == RAISES
    assert hand.boards == [(), (0, 1, 2)]


# At the table

VARIANTS = ["loki", "loki:model=generic,tightness=tight,weights=income", "loki:model=none,showdown-odds=off"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_always_legal_and_the_same_again(game: object, seats: int) -> None:
    specs = [*VARIANTS, "random", "raise", "call-or-raise", *VARIANTS, "all-in"][:seats]
    records = [match(game, specs, 12, seed=3) for _ in range(2)]  # type: ignore[arg-type]
    assert records[0].report.faults == (0,) * seats
    assert records[0].digest == records[1].digest


def test_nothing_hidden_is_read() -> None:
    """Whatever the others hold, and whatever comes, Loki does the same."""
    runs = []
    for others, river in ((("AsKs", "2c2d"), "6d"), (("7h7d", "QsJd"), "8c")):
        state = table(3, {0: "9c9d", 1: others[0], 2: others[1]}, board=f"3h4cJh5s{river}", button=2)
        loki, with_report, explanation = Loki(), 0, []
        loki.watch(HandBegan(2, (10_000,) * 3, 10, 0))
        while state.actor != NOBODY and len(state.board) < 5:
            for event in state.events[with_report:]:
                loki.watch(event)
            with_report = len(state.events)
            action = state.legal_actions()[len(state.board) == 3 and state.actor == 1]  # one bets the flop
            if state.actor == 0:
                action = loki.act(state.view(0), stream_of(1))
                explanation.append((str(action), dict(loki.explain())))
            elif state.view(state.actor).to_call:
                action = Action("call")
            state = state.apply(action)
        runs.append(explanation)
    assert len(runs[0]) >= 3
    assert runs[0] == runs[1]


def test_acts_without_having_been_told_anything() -> None:
    state = table(2, {0: "AdQc", 1: "KsKc"}, board="3h4cJh5s6d", button=1)
    for name in ("call", "check"):
        state = state.apply(Action(name))
    loki = Loki()
    assert loki.act(state.view(0), stream_of(1)) == Action("bet", 10)
    assert loki.explain()["hs"] == pytest.approx(0.585106, abs=5e-7)


def test_a_new_hand_is_a_new_plan_even_if_nobody_tells() -> None:
    loki = Loki(LokiSettings(model="none"))
    rules = []
    for cards in ("AsAh", "7d2c", "AsAh"):
        loki.act(after(table(3, {2: cards}, board="3h4cJh5s6d")), stream_of(1))
        rules.append(loki.explain()["rule"])
    assert rules == ["Make4", "Make0", "Make4"]


def test_explanations_name_ten_holdings_that_are_possible() -> None:
    state = table(2, {0: "AdQc", 1: "KsKc"}, board="3h4cJh5s6d", button=1)
    loki = Loki(LokiSettings(model="generic"))
    loki.watch(HandBegan(1, (10_000,) * 2, 10, 0))
    state = state.apply(Action("raise", 20)).apply(Action("call")).apply(Action("check")).apply(Action("bet", 10))
    for event in state.events:
        loki.watch(event)
    loki.act(state.view(0), stream_of(1))
    thought = loki.explain()
    assert {"hs", "hs_n", "ppot", "npot", "ehs", "odds", "threshold", "rule"} <= set(thought)
    (opponent,) = thought["opponents"]
    assert opponent["seat"] == 2
    assert len(opponent["likely"]) == 10
    assert {name for name, weight in opponent["likely"][:3] if weight == 1} == {"JsJd", "JsJc", "JdJc"}
    cards = {name[i : i + 2] for name, _ in opponent["likely"] for i in (0, 2)}
    assert not cards & {"Ad", "Qc", "3h", "4c", "Jh"}


def test_what_was_counted_is_saved_and_loaded(tmp_path: Path) -> None:
    loki = player("loki:tightness=tight,showdown-odds=off")
    assert isinstance(loki, Loki)
    seated = LiveTable(LIMIT, [loki, player("random"), player("raise")])
    for hand in range(60):
        seated.play([10_000] * 3, hand % 3, key_of(1, hand))
    save_loki(tmp_path / "loki.json", loki)
    again = player(f"loki:file={tmp_path / 'loki.json'}")
    assert isinstance(again, Loki)
    assert again.settings == loki.settings
    assert (again.model.counts == loki.model.counts).all()
    assert (again.model.shown == loki.model.shown).all()
    assert loki.model.counts[1].sum() > 50
    again.watch(MatchBegan(3))
    assert again.model.counts.any()
    loki.watch(MatchBegan(3))
    assert not loki.model.counts.any()


def test_hands_shown_are_looked_at() -> None:
    loki = Loki()
    loki.watch(HandBegan(1, (10_000,) * 2, 10, 0))
    for event in (Posted(1, "blind", 5), Posted(0, "blind", 10), Acted(1, Action("raise", 20), 15, 0)):
        loki.watch(event)
    loki.watch(Shown(1, (0, 5)))
    assert loki.model.shown[1, 0] == 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("loki:model=clever", "specific.*generic"),
        ("loki:modl=none", r"\bmodel\b"),
        ("loki:file=/nowhere.json", "no file"),
        ("loki:lookahead=3", "lookahead=3: expected 1, 2 or 0"),
        ("loki:rates=ten", "rates=ten: expected players or seven"),
        ("loki:field=median", "field=median: expected mean or normalised"),
        ("loki:zero-mu=1", "zero-mu=1: expected off or on"),
    ],
)
def test_wrong_specifications_are_refused(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        player(spec)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    for content in ('{"player": "loki"}', '{"player": "loki", "parameters": {}, "counts": [[1]], "shown": []}'):
        (tmp_path / "loki.json").write_text(content)
        with pytest.raises(InputError):
            player(f"loki:file={tmp_path / 'loki.json'}")


@pytest.mark.parametrize(("opponent", "least"), [("call", 0.5), ("raise", 0.5), ("random", 0.3)])
def test_simple_players_are_beaten(opponent: str, least: float) -> None:
    record = match(LIMIT, ["loki", opponent], 1_000, seed=4, options=MatchOptions(duplicate=True))
    by_deal = record.by_deal[:, 0] / 10
    error = by_deal.std(ddof=1) / len(by_deal) ** 0.5
    assert by_deal.mean() > least
    assert by_deal.mean() - 3 * error > 0
