"""OpenSpiel: policies carried both ways, our players as bots, our games there and its games here."""

from fractions import Fraction

import numpy as np
import pyspiel
import pytest

import cardwin
import cardwin.openspiel
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemView
from cardwin.results.small_leaderboard import exact_table
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import tree_of

NO_LIMIT = (
    "universal_poker(betting=nolimit,numPlayers=3,numRounds=4,blind=50 100 0,firstPlayer=3 1 1 1,numSuits=4,"
    "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 1500 900,bettingAbstraction={})"
)
LIMIT = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,raiseSize=10 10 20 20,"
    "maxRaises=3 4 4 4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=1000 1000,"
    "bettingAbstraction=fcpa)"
)


def random_policy(game: str, seed: int) -> Policy:
    tree, rng = tree_of(cardwin.game(game)), np.random.default_rng(seed)
    behaviours = []
    for seqs in tree.sequences:
        behaviour = np.ones(seqs.count)
        for _, first, count in seqs.layout.tolist():
            behaviour[first : first + count] = rng.dirichlet(np.ones(count))
        behaviours.append(behaviour)
    return from_arrays(tree, behaviours[0], behaviours[1], "random")


@pytest.mark.parametrize(
    ("game", "registered"),
    [
        ("kuhn", False),
        ("kuhn", True),
        ("kuhn-full", True),
        ("onecard", True),
        pytest.param("leduc", False, marks=pytest.mark.slow),
        pytest.param("leduc", True, marks=pytest.mark.slow),
    ],
)
def test_policies_go_there_and_come_back_bit_for_bit(game: str, registered: bool) -> None:
    there = cardwin.openspiel.registered(game) if registered else cardwin.openspiel.to_openspiel(game)
    for policy in (cardwin.policy(game, "equilibrium"), cardwin.policy(game, "uniform"), random_policy(game, 3)):
        exported = cardwin.openspiel.export_policy(policy, there)
        ours = cardwin.exploitability(game, policy).exploitability
        assert abs(pyspiel.exploitability(there, exported) - ours) < 1e-9
        back = cardwin.openspiel.import_policy(game, exported, there)
        for seat in (0, 1):
            assert back.behaviour(seat).tobytes() == policy.behaviour(seat).tobytes()
            layout = policy.tree.sequences[seat].layout.tolist()
            assert all(sum(back.exact(seat)[first : first + count]) == 1 for _, first, count in layout)


def test_a_policy_of_leduc_goes_there_and_comes_back() -> None:
    policy = random_policy("leduc", 5)
    exported = cardwin.openspiel.export_policy(policy)
    back = cardwin.openspiel.import_policy("leduc", exported)
    assert all(back.behaviour(seat).tobytes() == policy.behaviour(seat).tobytes() for seat in (0, 1))


def test_a_policy_that_does_not_sum_to_1_is_scaled() -> None:
    class Twice:
        def action_probabilities(self, state: object) -> dict[int, float]:
            return dict.fromkeys(state.legal_actions(), 1.0)  # type: ignore[attr-defined]

    class Nothing:
        def action_probabilities(self, state: object) -> dict[int, float]:  # noqa: ARG002
            return {}

    imported = cardwin.openspiel.import_policy("kuhn", Twice())
    assert imported.behaviour(0).tolist() == cardwin.policy("kuhn", "uniform").behaviour(0).tolist()
    with pytest.raises(InputError, match="expected the probabilities"):
        cardwin.openspiel.import_policy("kuhn", Nothing())


@pytest.mark.parametrize(("name", "ours"), [("cardwin_kuhn", "kuhn"), ("cardwin_kuhn_depth", "kuhn-depth")])
def test_their_cfr_solves_our_games(name: str, ours: str) -> None:
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, True)[0]
    assert value == pytest.approx(cardwin.solve(ours).value, abs=5e-3)


def test_our_games_pass_their_simulation() -> None:
    pyspiel.load_game("cardwin", {"game": "onecard:cards=3"})
    game = pyspiel.load_game("cardwin_leduc")
    for seed in range(20):
        state, rng = game.new_initial_state(), np.random.default_rng(seed)
        while not state.is_terminal():
            legal = state.legal_actions()
            state = state.clone()
            state.apply_action(int(rng.choice(legal)))
        assert sum(state.returns()) == 0
        assert abs(state.returns()[0]) <= game.max_utility()


@pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("liars_dice(dice_sides=2)", -1 / 2)])
def test_their_games_are_solved_here(name: str, value: float) -> None:
    spec = f"openspiel:{name}"
    solution = cardwin.solve(spec)
    game = pyspiel.load_game(name)
    exported = cardwin.openspiel.export_policy(solution.policy, game)
    assert pyspiel.exploitability(game, exported) < 1e-9
    assert cardwin.exploitability(spec, "uniform").exploitability == pytest.approx(
        pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    )
    if name == "kuhn_poker":
        assert solution.value == pytest.approx(value)
        assert solution.fraction == "-1/18"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("chess", "too many to enumerate"),
        ("kuhn_pokr", "did you mean kuhn_poker"),
        ("kuhn_poker(players=3)", "two players"),
        ("kuhn_poker(players=x)", "does not load"),
        ("goofspiel", "in turns"),
        ("cliff_walking", "two players"),
    ],
)
def test_their_games_that_cannot_be_played_here(name: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=reason):
        cardwin.game(f"openspiel:{name}")
    assert capfd.readouterr().err == ""


def test_a_game_that_is_not_zero_sum_is_played_and_not_solved() -> None:
    with pytest.raises(InputError, match=r"not zero-sum.* got \(10, 10\) after d0, d0, p0a0, p1a0"):
        cardwin.solve("openspiel:tiny_hanabi")
    found = exact_table("openspiel:tiny_hanabi", ["uniform", "uniform"])
    assert found.scores == (Fraction(67, 18), Fraction(67, 18))


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (NO_LIMIT.format("fullgame"), ("raise", "call", "random")),
        (NO_LIMIT.format("fchpa"), ("all-in", "standard", "fold")),
        (LIMIT, ("raise", "v1:rollouts=10")),
    ],
)
def test_our_players_are_bots_at_universal_poker(game: str, players: tuple[str, ...]) -> None:
    table = pyspiel.load_game(game)
    bots = [cardwin.openspiel.bot(spec, table, seat, seed=1) for seat, spec in enumerate(players)]
    won = [pyspiel.evaluate_bots(table.new_initial_state(), bots, seed) for seed in range(10)]
    assert all(sum(hand) == pytest.approx(0) for hand in won)
    assert any(any(hand) for hand in won)


def test_a_raiser_raises_and_a_watcher_is_told() -> None:
    table = pyspiel.load_game(NO_LIMIT.format("fullgame"))
    state = table.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[7])

    class Watcher:
        events: list[object] = []  # noqa: RUF012

        def watch(self, event: object) -> None:
            self.events.append(type(event).__name__)

        def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
            assert view.seat == 2
            assert len(view.hole) == 2
            return view.legal_actions[-1]

    bot = cardwin.openspiel.bot(Watcher, table, 2)
    assert bot.step(state) == 200
    assert Watcher.events == ["MatchBegan", "HandBegan", "Posted", "Posted"]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "cardwin_kuhn_full", "cardwin_leduc"])
def test_policies_are_bots_at_small_games(name: str) -> None:
    game = pyspiel.load_game(name)
    bots = [cardwin.openspiel.bot("uniform", game, seat, seed=1) for seat in (0, 1)]
    won = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(60)]
    assert len(set(won)) > 2
    with pytest.raises(InputError, match="played by a policy"):
        cardwin.openspiel.bot(cardwin.player("call"), game, 0)
