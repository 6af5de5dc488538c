"""PettingZoo and Gymnasium: their own checkers, our cards, and observations that hold what a seat may know."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import wrappers

import cardwin
import cardwin.gymnasium
import cardwin.pettingzoo
from cardwin.core.errors import InputError
from cardwin.games.holdem.observation import PLANES, SHAPE, Actions, observation_of
from cardwin.games.small.observation import arrays_of

GAMES = [
    ("holdem-nl", 2),
    ("holdem-nl:ante=10", 6),
    ("holdem-limit", 3),
    ("holdem-simple", 4),
    ("kuhn", 2),
    ("leduc", 2),
]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_pettingzoo_accepts_the_environment(game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        # Its checker knows environments with masks by their names, and warns of all others.
        warnings.filterwarnings("ignore", message="Observation (is not a NumPy array|space for each agent probably)")
        api_test(cardwin.pettingzoo.env(game, players=players), num_cycles=60)
        seed_test(lambda: cardwin.pettingzoo.env(game, players=players), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "against"), [("holdem-nl", ["random"]), ("holdem-limit", ["call", "raise"]), ("kuhn", ["equilibrium"])]
)
def test_gymnasium_accepts_the_environment(game: str, against: list[str]) -> None:
    check_env(gymnasium.make(f"cardwin/{game}-v0", against=against).unwrapped)


def test_hands_are_those_of_deal() -> None:
    env = cardwin.pettingzoo.env("holdem-nl", players=3)
    env.reset(seed=5)
    for hand in (1, 2, 3):
        state = cardwin.deal("holdem-nl", 3, seed=5, hand=hand)
        assert env.agent_selection == f"player_{state.actor}"
        for seat in range(3):
            seen = env.observe(f"player_{seat}")["observation"]
            assert np.array_equal(seen, observation_of(state.view(seat)))  # type: ignore[arg-type]
        env.reset()


def test_small_games_deal_the_same_cards_as_deal() -> None:
    env = cardwin.pettingzoo.env("leduc")
    env.reset(seed=9)
    for hand in (1, 2):
        assert str(env.table) == str(cardwin.deal("leduc", seed=9, hand=hand))
        env.reset()


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_chips_are_conserved_and_masks_are_the_legal_actions(game: str, players: int) -> None:
    env, rng = cardwin.pettingzoo.env(game, players=players), np.random.default_rng(1)
    env.reset(seed=3)
    for _ in range(40):
        while not any(env.terminations.values()):
            mask = env.last()[0]["action_mask"]
            bad = np.flatnonzero(mask == 0)
            if len(bad):
                with pytest.raises(InputError, match="invalid action"):
                    env.step(int(bad[0]))
            env.step(int(rng.choice(np.flatnonzero(mask))))
        assert sum(env.rewards.values()) == pytest.approx(0)
        assert not env.last()[0]["action_mask"].any()
        while env.agents:
            env.step(None)
        env.reset()


def test_order_of_calls_is_checked() -> None:
    env = cardwin.pettingzoo.env("kuhn")
    with pytest.raises(InputError, match="reset"):
        env.step(1)
    env.reset(seed=1)
    with pytest.raises(InputError, match="has the turn"):
        env.step(None)


def test_pettingzoos_wrappers_fit_around_it() -> None:
    env = wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(cardwin.pettingzoo.env("leduc"), -1))
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(0)  # nothing to fold to
    assert env.rewards["player_0"] == -1


def test_options_set_stacks_and_button() -> None:
    env = cardwin.pettingzoo.env("holdem-nl", players=3)
    env.reset(seed=1, options={"stacks": [100, 5000, 2000], "button": 1})
    stacks = env.observe("player_0")["observation"][PLANES.index("stacks")]
    assert stacks[1, :3].tolist() == pytest.approx([0.02, 1, 0.4])
    assert stacks[3, :3].tolist() == [0, 1, 0]
    for options in ({"stacks": [1, 2]}, {"stacks": [1.5, 2, 3]}, {"stacks": [0, 0, 5]}, {"button": 3}):
        with pytest.raises(InputError):
            env.reset(options=options)


def test_an_observation_holds_what_the_seat_may_know_and_nothing_else() -> None:
    state = cardwin.deal("holdem-nl", 2, seed=2)
    state = state.apply("call").apply("check")
    view: Any = state.view(0)
    seen = observation_of(view)
    assert seen.shape == SHAPE
    cards = {(plane, int(rank) * 4 + int(suit)) for plane, suit, rank in zip(*np.nonzero(seen[:4]), strict=True)}
    assert cards == {(0, card) for card in view.hole} | {(1, card) for card in view.board}
    assert seen.min() >= 0
    assert seen.max() <= 1
    assert seen[6, 0, 0] == pytest.approx(200 / 20_000)


def test_numbers_mean_actions_and_back() -> None:
    actions, view = Actions(limit=False), cardwin.deal("holdem-nl", 2, seed=1).view(0)
    legal = [number for number, one in enumerate(actions.mask(view)) if one]  # type: ignore[arg-type]
    meant = [actions.action(view, number) for number in legal]  # type: ignore[arg-type]
    assert [str(one) for one in meant] == ["fold", "call", "raise 200", "raise 300", "raise 500", "raise 10000"]
    assert [actions.number(view, one) for one in meant] == legal  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"invalid action 3 \(bet 0.5 pot\)"):
        actions.action(view, 3)  # type: ignore[arg-type]
    for shares in ((1.0, 0.5), (0.0,), (-1.0,)):
        with pytest.raises(InputError, match="expected rising shares of the pot"):
            Actions(False, shares)


@pytest.mark.parametrize("game", ["kuhn", "kuhn-full", "leduc"])
def test_information_sets_have_different_observations(game: str) -> None:
    for seat in arrays_of(cardwin.game(game)):
        assert len({arrays.observation.tobytes() for arrays in seat.values()}) == len(seat)


def test_a_learner_against_call_wins_what_the_match_says() -> None:
    env = cardwin.gymnasium.make("kuhn", against="genes:0,0,0,0,0,0")  # never bets, never calls
    total = 0.0
    env.reset(seed=1)
    for _ in range(400):
        done = False
        while not done:
            _, reward, done, _, _ = env.step(2 if env.action_masks()[2] else 1)
        total += float(reward)
        env.reset()
    assert total == 400  # every bet wins the ante


def test_an_illegal_action_is_a_check_or_a_fold() -> None:
    env = cardwin.gymnasium.make("holdem-limit", against=["raise"], render_mode="ansi")
    seen, _ = env.reset(seed=1)
    assert "preflop" in str(env.render())
    mask = seen["action_mask"]
    assert mask[0] == 1
    seen, reward, done, _, info = env.step(99)
    assert (done, info) == (True, {"illegal": True})
    assert reward < 0
    with pytest.raises(InputError, match="reset"):
        env.step(1)


def test_unknown_games_and_players_are_named() -> None:
    with pytest.raises(InputError, match="onecard has no observations"):
        cardwin.pettingzoo.env("onecard")
    with pytest.raises(InputError, match="expected 2 players"):
        cardwin.pettingzoo.env("kuhn", players=3)
    with pytest.raises(InputError, match="one policy"):
        cardwin.gymnasium.make("kuhn", against=["uniform", "uniform"])
    with pytest.raises(InputError, match="unknown player"):
        cardwin.gymnasium.make("holdem-nl", against=["nobody"])
