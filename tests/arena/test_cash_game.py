"""Sessions: chips kept and conserved, both forms alike, options, and an end."""

import numpy as np
import pytest

from cardwin.arena.cash_game import CashGameRules, play_cash_game
from cardwin.arena.engine import StackRules, next_hand_at
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import player
from cardwin.players.robots.learner import Learner
from cardwin.players.specs import expand_specs

SIMPLE = holdem_game("holdem-simple", {"stack": "2000", "blind": "100", "ante": "50"})


def seated(*specs: str) -> list[HoldemPlayer]:
    return [player(spec) for spec in expand_specs(specs)]


TABLE = (
    "call:reraise=fold",
    "standard*2",
    "v1:rollouts=10",
    "v2:rollouts=10",
    "random",
    "v2:rollouts=5,learns=fair,after=play",
)


def learnt(players: list[HoldemPlayer]) -> list[list[float]]:
    return [one.robot.values.tolist() + one.tally.tolist() for one in players if isinstance(one, Learner)]


@pytest.mark.parametrize("rules", [CashGameRules(60), CashGameRules(200, 3), CashGameRules(60, rising=True)])
def test_both_forms_play_the_same_session(rules: CashGameRules) -> None:
    tables = [seated(*TABLE) for _ in range(2)]
    before = learnt(tables[0])
    compiled, live = (
        play_cash_game(SIMPLE, table, 3, rules, in_python=in_python)
        for table, in_python in zip(tables, (False, True), strict=True)
    )
    assert (compiled.stacks == live.stacks).all()
    assert (compiled.stacks.sum(axis=1) == 14_000).all()
    # In Python a learner learns when it is asked, or with the next hand.
    for one, other in zip(*tables, strict=True):
        if isinstance(one, Learner) and isinstance(other, Learner):
            assert one.value("threshold") == other.value("threshold")
            assert one.value("fair") == other.value("fair")
    assert learnt(tables[0]) == learnt(tables[1])
    assert all(now != then for now, then in zip(learnt(tables[0]), before, strict=True))


def test_looking_at_learners_hand_by_hand_changes_nothing() -> None:
    values: list[float] = []
    tables = [seated(*TABLE) for _ in range(2)]
    learner = tables[0][4]
    assert isinstance(learner, Learner)
    one = play_cash_game(
        SIMPLE, tables[0], 2, CashGameRules(80), after_hand=lambda: values.append(learner.value("threshold"))
    )
    other = play_cash_game(SIMPLE, tables[1], 2, CashGameRules(80))
    assert (one.stacks == other.stacks).all()
    assert learnt(tables[0]) == learnt(tables[1])
    assert len(set(values)) > 2


def test_both_forms_play_the_same_with_two_rising_blinds() -> None:
    game = holdem_game("holdem-nl", {"stack": "600", "ante": "10"})
    rules = CashGameRules(30, rising=True)
    forms = [play_cash_game(game, seated("call*4", "standard"), 2, rules, in_python=live) for live in (False, True)]
    assert (forms[0].stacks == forms[1].stacks).all()
    assert (forms[0].stacks[-1] == 0).any()


def test_a_session_ends_when_too_few_are_left() -> None:
    cash_game = play_cash_game(SIMPLE, seated("all-in*6"), 1, CashGameRules(1000, 3))
    assert cash_game.rounds < 1000
    assert (cash_game.stacks[-1] > 0).sum() < 3
    assert (cash_game.stacks[-2] > 0).sum() >= 3


def test_rising_blinds_end_it_sooner() -> None:
    lengths = [
        [play_cash_game(SIMPLE, seated("call*6"), key, CashGameRules(3000, 2, rising)).rounds for key in range(40)]
        for rising in (False, True)
    ]
    assert np.mean(lengths[1]) < 0.8 * np.mean(lengths[0])


def test_a_v2_forgets_and_begins_anew_in_every_session() -> None:
    table = seated(*TABLE)
    first, second = (
        (play_cash_game(SIMPLE, table, 3, CashGameRules(40)).stacks.tolist(), [one[:-2] for one in learnt(table)])
        for _ in range(2)
    )
    assert first == second


def test_mistakes_are_named() -> None:
    with pytest.raises(InputError, match="0 rounds"):
        play_cash_game(SIMPLE, seated("call*2"), 1, CashGameRules(0))
    with pytest.raises(InputError, match="fixed sizes"):
        play_cash_game(holdem_game("holdem-limit", {}), seated("call*2"), 1, CashGameRules(10, rising=True))
    with pytest.raises(InputError, match="invalid min_players: expected 2 to 2, got 3"):
        play_cash_game(SIMPLE, seated("call*2"), 1, CashGameRules(10, 3))


def test_the_button_goes_to_the_next_who_has_chips() -> None:
    tables = holdem_game("holdem-nl", {}).tables(4)
    tables["stack"][0, :4] = (100, 0, 100, 100)
    rules = StackRules(100, True, False, 2, False, 50, 100, 0)
    buttons = []
    for _ in range(4):
        assert next_hand_at(tables, rules)
        buttons.append(int(tables["button"][0]))
    assert buttons == [2, 3, 0, 2]
    tables["stack"][0, :4] = (0, 0, 0, 100)
    assert not next_hand_at(tables, rules)
