"""Local best response: known answers, lower bounds, and the chances by holding that it rests on."""

from typing import Any

import numpy as np
import pytest

from cardwin.analysis.holding_chances import holding_chances
from cardwin.analysis.local_best_response import local_best_response
from cardwin.analysis.python_response import holdings_of
from cardwin.analysis.situations import line_of
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS, holding_index
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of, key_of, stream_of
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.events import HandBegan, MatchBegan
from cardwin.games.holdem.hooks import write_probabilities
from cardwin.games.holdem.rules import RAISE
from cardwin.games.holdem.view import CODES
from cardwin.players.compiled import compiled_players
from cardwin.players.network.preflop import SITUATIONS, position_of, preflop_chances
from cardwin.players.registry import player
from support import answer, call

NL, LIMIT = holdem_game("holdem-nl", {}), holdem_game("holdem-limit", {})
# Exact best responses in heads-up limit hold'em (Johanson and others 2011, table 1), in small bets a hand.
LIMIT_VALUES = {"fold": 0.75, "call": 1.16348, "raise": 3.69769, "call-or-raise": 2.40655}


def test_always_fold_gives_all_its_blinds() -> None:
    """A small blind in one hand of two, a big blind in the other: 750 thousandths of a big blind."""
    for game in (NL, LIMIT):
        found = local_best_response(game, "fold", 20, 1)
        assert found.won.mean == {"mbb/h": 750.0}.get(found.unit, 0.75)
        assert found.exact


@pytest.mark.parametrize("spec", ["call", "raise", "call-or-raise"])
def test_it_never_exceeds_the_exact_best_response(spec: str) -> None:
    found = local_best_response(LIMIT, spec, 300, 1)
    assert found.won.low < LIMIT_VALUES[spec]
    assert found.won.mean > 0.8 * LIMIT_VALUES[spec]


def test_losses_by_situation_sum_to_the_total() -> None:
    found = local_best_response(NL, "random", 60, 2)
    assert sum(one.loss for one in found.situations) == pytest.approx(found.won.mean)
    assert sum(one.hands for one in found.situations) == found.hands == 120
    assert all(one.ci95 >= 0 for one in found.situations)


def test_workers_do_not_change_the_result() -> None:
    one, two = (local_best_response(NL, "net:by-hand", 130, 3, workers=workers) for workers in (1, 2))
    assert one == two


def test_a_network_keeps_no_memory_between_hands() -> None:
    """The same deals in one run or in two: a hand does not depend on those before it."""
    whole = local_best_response(NL, "net:large-hof", 70, 4)
    assert local_best_response(NL, "net:large-hof", 70, 4) == whole


def test_it_may_begin_on_a_later_street() -> None:
    found = local_best_response(NL, "random", 40, 5, first_street=3)
    assert not any(one.line.startswith("[raises]") for one in found.situations)


@pytest.mark.parametrize(
    ("spec", "words"),
    [("v2", "learns while it plays"), ("nearest-neighbour:nothing.phh,player=x", "nothing.phh"), ("nobody", "nobody")],
)
def test_players_that_cannot_say_are_refused(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        local_best_response(LIMIT, spec, 10, 1)


def test_a_line_ends_with_the_players_last_decision() -> None:
    assert line_of([-3, 5, 9, 2, -3, 1, 0, 0]) == ("flop", "[raises] calls / checks [raises] folds")
    assert line_of([5, -2, 9, -2, 0, 0, 0, 0]) == ("preflop", "calls")
    assert line_of([-1, 0, 0, 0, 0, 0, 0, 0]) == ("preflop", "")


def test_chances_by_holding_are_those_of_the_networks_chart() -> None:
    one = player("net:large-hof")
    chart = preflop_chances(one.compiled.data, SITUATIONS[0])  # type: ignore[attr-defined]
    state = position_of(SITUATIONS[0])
    players = compiled_players([one if seat == state.actor else None for seat in range(9)])
    tables, out = state.tables.copy(), np.zeros((1326, 4))
    streams, scratch = np.zeros((10, 2), np.int64), np.empty((169, 4))
    holding_chances(
        players.arrays_with_probabilities, state.actor, np.arange(10), tables[0], streams, np.ones(1326), scratch, out
    )
    assert np.allclose(out[:, :3], chart[CLASS_OF_HOLDING])


def test_chances_of_standard_are_its_actions() -> None:
    state = NL.start([(0, 1), (2, 3)], (4, 8, 12, 16, 20)).apply("call").apply("check")
    one, out = player("standard"), np.zeros(4)
    players, tables = compiled_players([one, one]), state.tables.copy()
    for holding in range(0, 1326, 97):
        cards = HOLDING_CARDS[holding]
        if set(cards.tolist()) & {4, 8, 12}:
            continue
        tables["hole"][0, 2 * state.actor : 2 * state.actor + 2] = cards
        write_probabilities(
            players.arrays_with_probabilities, state.actor, np.arange(2), tables[0], np.zeros((2, 2), np.int64), out
        )
        assert sorted(out[:3].tolist()) == [0.0, 0.0, 1.0]


def test_the_command_says_where_it_loses() -> None:
    asked = ("exploitability", "holdem-nl", "--policy", "fold", "--hands", "20", "--seed", "1")
    said = call(*asked).stdout
    for part in ("at least 750.0 mbb/h", "500.0", "[raises] folds"):
        assert part in said
    found = answer(*asked)
    assert (found["method"], found["exploitability"], found["hands"]) == ("lbr", 750, 20)
    assert sum(one["loss"] for one in found["situations"]) == 750
    bound = answer("exploitability", "holdem-limit", "--policy", "fold", "--method", "lbr", "--hands", "20")
    assert bound["exploitability"] == 0.75


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--bets", "x"),
        ("--bets", "0"),
        ("--bets", ""),
        ("--from-street", "lunch"),
        ("--hands", "0"),
        ("--seat", "1"),
        ("--method", "exact"),
        ("--method", "magic"),
    ],
)
def test_wrong_input_is_one_sentence(option: str, value: str) -> None:
    done = call("exploitability", "holdem-nl", "--policy", "call", option, value)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("spec", ["loki", "loki:model=generic", "xcs:caller-beater"])
def test_all_holdings_at_once_are_each_holding(spec: str) -> None:
    """What a Python player says for all holdings is what it does with the one that it has, in hands that it plays."""
    rng = generator_of(key_of(4, "hands"))
    for _ in range(5):
        deck = rng.permutation(52)
        state = LIMIT.start([deck[:2].tolist(), deck[2:4].tolist()], deck[4:9].tolist())
        one: Any = player(spec)
        seen = 0
        everything = holdings_of(player(spec))
        assert everything is not None
        began = HandBegan(1, state.view(0).starting_stacks, 10, 0)
        for watch in (one.watch, everything.watch):
            watch(MatchBegan(2))
            watch(began)
        while state.actor >= 0:
            for event in state.events[seen:]:
                one.watch(event)
                everything.watch(event)
            seen, view = len(state.events), state.view(state.actor)
            if state.actor == 0:
                did = one.act(view, stream_of(1))
                before = everything.copy().act(view)
                said = int(everything.act(view)[holding_index(*view.hole)])
                assert before[holding_index(*view.hole)] == said
                assert CODES[did.name] == said
                if said == RAISE:
                    assert did.amount == everything.raise_to(view)
                state = state.apply(did)
            else:
                state = state.apply(view.legal_actions[int(rng.integers(1, len(view.legal_actions)))])


def test_players_that_remember_are_frozen_and_that_is_said() -> None:
    found = local_best_response(LIMIT, "xcs:caller-beater", 20, 1)
    assert found.frozen
    assert local_best_response(LIMIT, "xcs:caller-beater", 20, 1) == found
    shown = call("exploitability", "holdem-limit", "--policy", "loki", "--hands", "8").stdout
    assert "adapts to its opponents" in shown
