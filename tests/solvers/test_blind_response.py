"""Best responses to players that do not look at their cards: published values, and brute force on a small deck."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest

from cardwin.cards.ranks import rank_cards
from cardwin.core.errors import InputError
from cardwin.core.executor import Serial
from cardwin.games.betting.game import FLOP_HOLDEM, BettingGame, limit_holdem, shrink_deck
from cardwin.solvers.blind_boards import boards_of
from cardwin.solvers.blind_response import BlindPlay, best_response, mixture, response_values, uniform_play
from support import answer, call

LIMIT = limit_holdem("holdem-limit", (5, 10), 10, 20)
TINY = shrink_deck(LIMIT, 3, 3, (1, 0, 0, 1))  # nine cards: two holdings and a board


class BruteForce:
    """The value of a best response by plain recursion over every history, holding and board; nothing is merged."""

    def __init__(self, game: BettingGame, play: BlindPlay, seat: int) -> None:
        self.game, self.play, self.seat = game, play, seat
        self.ranks: dict[tuple[int, ...], int] = {}

    def value(self) -> float:
        holdings = list(combinations(self.game.cards, 2))
        return sum(self.act(one, (), 0, list(self.game.blinds), 0, 0, False) for one in holdings) / len(holdings)

    def rank(self, cards: tuple[int, ...]) -> int:
        if cards not in self.ranks:
            self.ranks[cards] = rank_cards(np.array(cards))
        return self.ranks[cards]

    def act(
        self, holding: tuple[int, ...], board: tuple[int, ...], street: int, chips: list[int], actor: int, raises: int,
        acted: bool,
    ) -> float:  # fmt: skip
        values: dict[str, float] = {}
        facing = chips[actor] < chips[1 - actor]
        if facing:
            values["f"] = -chips[actor] if actor == self.seat else chips[actor]
        after = list(chips)
        after[actor] = max(chips)
        if acted:
            values["c"] = self.next_street(holding, board, street + 1, after)
        else:
            values["c"] = self.act(holding, board, street, after, 1 - actor, raises, True)
        if raises < self.game.caps[street]:
            raised = list(chips)
            raised[actor] = max(chips) + self.game.limit_sizes[street]
            values["r"] = self.act(holding, board, street, raised, 1 - actor, raises + 1, True)
        if actor == self.seat:
            return max(values.values())
        chances: Mapping[str, float] = self.play(tuple(values))
        return sum(chances[name] * value for name, value in values.items())

    def next_street(self, holding: tuple[int, ...], board: tuple[int, ...], street: int, chips: list[int]) -> float:
        left = [card for card in self.game.cards if card not in (*holding, *board)]
        if street == self.game.streets:
            others = list(combinations(left, 2))
            ours = self.rank(tuple(sorted((*holding, *board))))
            theirs = [self.rank(tuple(sorted((*other, *board)))) for other in others]
            return chips[0] * sum((ours < one) - (ours > one) for one in theirs) / len(others)
        deals = list(combinations(left, self.game.board[street]))
        first = self.game.first[street]
        return sum(self.act(holding, (*board, *deal), street, chips, first, 0, False) for deal in deals) / len(deals)


@pytest.mark.parametrize("play", [mixture(0.2, 0.5, 0.3)])
def test_a_mixture_agrees_with_brute_force_on_a_small_deck(play: BlindPlay) -> None:
    agrees(TINY, play)


@pytest.mark.slow
@pytest.mark.parametrize("play", [mixture(0.6, 0.1, 0.3), mixture(0, 0.3, 0.7), uniform_play])
def test_three_more_agree_with_brute_force(play: BlindPlay) -> None:
    agrees(shrink_deck(LIMIT, 3, 3, (1, 1, 1, 1)), play)


def agrees(game: BettingGame, play: BlindPlay) -> None:
    found = response_values(game, boards_of(game, Serial()), play, Serial())
    assert found == pytest.approx([BruteForce(game, play, seat).value() for seat in (0, 1)], abs=1e-11)


def test_always_fold_loses_its_blind() -> None:
    game = shrink_deck(LIMIT, 2, 5)
    assert response_values(game, boards_of(game, Serial()), mixture(1, 0, 0), Serial()) == pytest.approx((10, 5))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "published"),
    [("fold", 750), ("call", 1163.48), ("raise", 3697.69), ("blind:call=.5,raise=.5", 2406.55)],
)
def test_published_values_of_limit_holdem(spec: str, published: float) -> None:
    """Johanson and others (2011), table 1."""
    found = answer("exploitability", "holdem-limit", "--policy", spec, "--workers", "2")
    assert found["exploitability"] == pytest.approx(published, abs=0.005)
    assert sum(found["seats"]) / 2 == pytest.approx(found["exploitability"] / 100)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["holdem-limit:stack=100", "--policy", "call"], "at least 240"),
        (["holdem-limit", "--policy", "blind:call=.6,raise=.6"], "at most 1"),
        (["holdem-limit", "--policy", "blind:call=2"], "from 0 to 1"),
        (["holdem-limit", "--policy", "call", "--seat", "1"], "no seat"),
    ],
)
def test_wrong_players_and_stacks_are_refused_in_one_sentence(words: list[str], said: str) -> None:
    done = call("exploitability", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_games_of_another_shape_are_refused() -> None:
    with pytest.raises(InputError, match="flop, turn and river"):
        best_response(FLOP_HOLDEM, mixture(0, 1, 0))
