"""What a classifier system sees of a hand, and the player that goes by its rules."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cardwin.analysis.hand_review import read_hand, review_decisions
from cardwin.cards.card import parse_cards
from cardwin.cards.ehs import ehs_table, strength_and_potential
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import HOLDING_CARDS, holding_index
from cardwin.core.errors import InputError
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.rules import CALL, RAISE
from cardwin.players.registry import player
from cardwin.players.xcs.encoding import (
    FIRST_COUNTER,
    LONG_AGO,
    MEMORY,
    SEEN,
    SINCE_BLUFF,
    Encoding,
    begin_hand,
    record_action,
    reset_memory,
    update_memory,
    write_situation,
)
from cardwin.players.xcs.files import write
from cardwin.players.xcs.player import player_of
from rule_sets import about_of, random_rules
from support import answer, refusal

LIMIT = holdem_game("holdem-limit", {})
ANY_TWO = np.ones(1326)


def test_strength_and_potential_are_what_counting_finds() -> None:
    kept = ehs_table()
    a, b = parse_cards("AdQc")
    strength, potential = strength_and_potential(kept, a, b, np.array(parse_cards("3h4cJh")))
    assert strength == pytest.approx(0.585106, abs=0.002)
    assert potential == pytest.approx(0.108312, abs=0.002)
    rng = np.random.default_rng(3)
    for size in (3, 4, 5, 3, 4):
        cards = rng.choice(52, size + 2, replace=False)
        board = cards[2:]
        strength, potential = strength_and_potential(kept, cards[0], cards[1], board)
        assert strength == pytest.approx(hand_strength(cards[0], cards[1], board, ANY_TWO), abs=0.0021)
        exact = hand_potential(cards[0], cards[1], board, ANY_TWO, 1)[0] if size < 5 else 0.0
        assert potential == pytest.approx(exact, abs=0.0021)


def test_before_the_flop_strength_is_a_rank() -> None:
    kept, nothing = ehs_table(), np.zeros(0, np.int64)
    ranks = np.array([strength_and_potential(kept, a, b, nothing)[0] for a, b in HOLDING_CARDS.tolist()])
    assert ranks.mean() == pytest.approx(0.5)
    assert ranks.argmax() in [holding_index(a, b) for a in range(48, 52) for b in range(48, a)]  # aces
    assert ranks[holding_index(*parse_cards("7c2d"))] < 0.1


def seen_in(encoding: Encoding, view: HoldemView, strength: float = 0.55, potential: float = 0.1) -> dict[str, str]:
    """Which value of each field a view has."""
    memory, words = np.zeros(MEMORY, np.int64), np.zeros(len(encoding.fields.layout.full), np.int64)
    reset_memory(memory)
    row = np.array(view.row)
    update_memory(memory, row)
    write_situation(encoding.coded, row, strength, potential, memory, words)
    found = {}
    for one, allowed in zip(encoding.fields.seen, encoding.fields.allowed(words), strict=False):
        (found[one.name],) = [value for value, is_on in zip(one.values, allowed, strict=True) if is_on]
    return found


def test_a_view_is_told_in_bins() -> None:
    state = LIMIT.start(["AhKh", "QcQd", "2s3d"], "2c7d9hTsJs", button=0)
    found = seen_in(Encoding(see=(*SEEN, "bluff")), state.view(0))
    assert found == {
        "hand strength": "0.5 to 0.6",
        "potential": "0.075 to 0.15",
        "the pot in small bets": "0 to 3",
        "bets to call": "1",
        "the round": "before the flop",
        "players to act after us": "0",
        "opponents in": "2",
        "the opponents' bets and raises": "0",
        "hands since a bluff": "4 to 1e+09",
    }
    raised = state.apply("raise 20").apply("raise 30")
    found = seen_in(Encoding(), raised.view(2))
    assert (found["bets to call"], found["the opponents' bets and raises"]) == ("2 or more", "2")
    assert (found["players to act after us"], found["the pot in small bets"]) == ("1", "6 to 12")


def test_binary_coding_numbers_the_same_bins() -> None:
    encoding = Encoding(see=("hs", "round"), coding="binary", widths={"hs": 5})
    state = LIMIT.start(["AhKh", "QcQd"], "2c7d9hTsJs")
    found = seen_in(encoding, state.view(state.actor), strength=0.85)
    assert [found[f"hand strength (bit {place} of 3)"] for place in (1, 2, 3)] == ["1", "0", "0"]
    assert [found[f"the round (bit {place} of 2)"] for place in (1, 2)] == ["0", "0"]


def test_raises_of_others_are_told_from_our_own() -> None:
    state, memory = LIMIT.start(["AhKh", "QcQd"], "2c7d9hTsJs", button=0), np.zeros(MEMORY, np.int64)
    reset_memory(memory)
    begin_hand(memory)
    theirs = []
    for move in ("raise 20", "raise 30", "raise 40", "call", "bet 10", "raise 20", "call", "check", "bet 20", "call"):
        if state.actor == 0:
            update_memory(memory, np.array(state.view(0).row))
            theirs.append(int(memory[4] + memory[5]))
            record_action(memory, RAISE if move.startswith(("raise", "bet")) else CALL, 0.1, 0.4, 0)
        state = state.apply(move)
    assert theirs == [0, 1, 2, 2]  # before the flop, again, on the flop; on the turn nobody else bet


def test_a_history_names_the_rounds_in_which_others_bet() -> None:
    encoding = Encoding(see=("history",))
    state, memory = LIMIT.start(["AhKh", "QcQd"], "2c7d9hTsJs", button=0), np.zeros(MEMORY, np.int64)
    reset_memory(memory)
    begin_hand(memory)
    words, found = np.zeros(len(encoding.fields.layout.full), np.int64), []
    for move in ("raise 20", "raise 30", "call", "check", "check", "bet 20", "raise 40", "call", "check", "bet 20"):
        if state.actor == 0:
            row = np.array(state.view(0).row)
            update_memory(memory, row)
            write_situation(encoding.coded, row, 0.5, 0.1, memory, words)
            (allowed,) = encoding.fields.allowed(words)
            found.append(encoding.fields.seen[0].values[allowed.index(True)])
            record_action(memory, RAISE if move.startswith(("raise", "bet")) else CALL, 0.1, 0.4, 0)
        state = state.apply(move)
    first = "before the flop"
    assert found == ["none", first, first, f"{first}, turn", f"{first}, turn"]
    begin_hand(memory)
    update_memory(memory, np.array(LIMIT.start(["AhKh", "QcQd"], "2c7d9hTsJs", button=0).view(0).row))
    write_situation(encoding.coded, row, 0.5, 0.1, memory, words)
    assert encoding.fields.allowed(words)[0].index(True) == 0
    with pytest.raises(InputError, match="from 16 to 16"):
        Encoding(see=("history",), widths={"history": 8})


def test_counters_count_hands_since() -> None:
    memory = np.zeros(MEMORY, np.int64)
    reset_memory(memory)
    assert memory[SINCE_BLUFF] == LONG_AGO
    rule_text = []
    for strength, register in ((0.1, 0b01), (0.9, 0b10), (0.9, 0b00)):
        begin_hand(memory)
        record_action(memory, RAISE, strength, 0.4, register)
        after = memory.copy()
        begin_hand(after)
        rule_text.append((int(after[SINCE_BLUFF]), *map(int, after[FIRST_COUNTER : FIRST_COUNTER + 2])))
    assert rule_text == [(0, 0, LONG_AGO), (1, 1, 0), (2, 2, 1)]


@pytest.mark.parametrize(
    ("wrong", "parts"),
    [
        ({"see": ("hs", "luck"), "coding": "gray", "register": 9}, ("luck", "gray", "register_bits is 9")),
        ({"widths": {"hs": 99, "round": 5}, "bluff_below": 2.0}, ("hs has 99", "round has 5", "bluff_below is 2.0")),
        ({"see": ("hs", "counters")}, ("register_bits",)),
        ({"see": ()}, ("at least one",)),
    ],
)
def test_sights_that_make_no_sense_are_refused_whole(wrong: dict[str, object], parts: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        Encoding(**wrong)  # type: ignore[arg-type]
    assert all(part in str(caught.value) for part in parts), caught.value


def test_rules_of_something_else_are_refused_by_name(tmp_path: Path) -> None:
    rules, path = random_rules(Encoding(), 20, 1), tmp_path / "some.xcs"
    for changed, part in (
        (replace(rules, about={"problem": "multiplexer-6"}), "rules for multiplexer-6"),
        (replace(rules, about={"game": "kuhn"}), "rules for kuhn"),
        (replace(rules, about=about_of(Encoding(widths={"hs": 9}))), "other fields"),
        (replace(rules, about={"game": "holdem"}), "what its rules see"),
    ):
        write(path, changed)
        with pytest.raises(InputError, match=part) as caught:
            player(f"xcs:{path}")
        assert "some.xcs" in str(caught.value)
    assert "no file" in refusal(
        "match", f"xcs:{tmp_path / 'none.xcs'}", "call", "--game", "holdem-limit", "--hands", "2"
    )


HAND = """
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 1000]
actions = ["d dh p1 QdKd", "d dh p2 TcTs", "p2 cbr 20", "p1 cc", "d db Jc9c6s", "p1 cbr 10", "p2 cc", "d db Jh",
  "p1 cbr 20", "p2 f"]
"""


def test_it_explains_by_the_rules_that_fired(tmp_path: Path) -> None:
    hand, rules = tmp_path / "hand.phh", tmp_path / "rules.xcs"
    hand.write_text(HAND)
    rule_set = random_rules(Encoding(), 2_000, 2)
    write(rules, rule_set)
    found = answer("explain", str(hand), "--seat", "1", "--player", f"xcs:{rules}")["decisions"]
    assert len(found) == 3
    for decision, thought in zip(found, review_decisions(read_hand(hand), 0, player_of(rule_set)), strict=True):
        promises = {name: decision[f"expects of {name}"] for name in ("check or call", "bet or raise")}
        best = max(promises, key=lambda name: promises[name])
        assert decision["action"].split()[0] in best or decision["action"] == "fold"
        assert decision["rules that fired"] >= len(decision["rules"]) > 0
        assert all(" then " in rule and "expects" in rule for rule in decision["rules"])
        assert thought.as_dict()["rules"] == decision["rules"]
