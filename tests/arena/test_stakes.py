"""The bounds of a deal hold for players who do their worst, and such players come near to them."""

import pytest

from cardwin.arena.match import Match, MatchOptions
from cardwin.arena.stakes import chips_at_stake, deal_bounds, difference_bounds
from cardwin.core.rng import Stream, key_of
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.players.registry import player

NL = holdem_game("holdem-nl", {})


class Dumper:
    """Puts in all but one blind, then folds to a raise, whatever its cards."""

    stateless = True

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """The largest raise that leaves a blind; then fold."""
        most = view.starting_stacks[view.seat] - view.big_blind
        if view.current_bet < most and view.min_raise_to <= most:
            return Action("raise", most)
        return FOLD if view.to_call else CHECK


class Caller:
    """Raises what is left when the bet is large, and calls otherwise."""

    stateless = True

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Everything, against a large bet."""
        if view.current_bet > 5_000 and view.max_raise_to > view.current_bet:
            return Action("raise", view.max_raise_to)
        return CALL if view.to_call else CHECK


def test_a_player_can_lose_its_stack_in_both_seats_of_a_deal() -> None:
    played = Match(NL, [Dumper, Caller], key_of(1, "stakes"), options=MatchOptions(duplicate=True))
    played.play(40)
    low, high = deal_bounds(NL, 2)
    deals = played.chips.reshape(-1, 2, 2).mean(axis=1)
    assert (low, high) == (-10_000, 10_000)
    assert deals[:, 0].max() == -9_900  # in every deal: half a stack is no bound
    assert low <= deals.min()
    assert deals.max() <= high


@pytest.mark.parametrize("seats", [6, 9])
def test_deals_stay_within_their_bounds_at_full_tables(seats: int) -> None:
    makers = [lambda spec=spec: player(spec) for spec in ("all-in", "random", "call", "raise", *["random"] * 5)]
    played = Match(NL, makers[:seats], key_of(2, "stakes"), options=MatchOptions(duplicate=True))
    played.play(200 * seats)
    deals = played.chips.reshape(-1, seats, seats).mean(axis=1)
    low, high = deal_bounds(NL, seats)
    assert low == -10_000
    assert high == 10_000 * (seats - 1)
    assert low <= deals.min()
    assert deals.max() <= high
    assert (deals < low / seats).mean() > 0.1  # the former bound
    assert abs(deals[:, 0] - deals[:, 1]).max() <= difference_bounds(NL, seats)[1] == 10_000 * seats


def test_limit_stakes_are_its_bets() -> None:
    assert chips_at_stake(holdem_game("holdem-limit", {})) < 300
    assert chips_at_stake(holdem_game("holdem-limit", {"stack": "100"})) == 100
