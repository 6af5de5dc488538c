"""The positions of a recorded hand are those that replaying it from the start reaches."""

from cardwin.arena.deal import deal_holdem
from cardwin.core.rng import draw_below, stream_of
from cardwin.games.base import NOBODY
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.history import positions
from cardwin.games.holdem.saved import history_of


def test_positions_are_the_states_that_were_played() -> None:
    rng = stream_of(3)
    for seed in range(20):
        state = deal_holdem(holdem_game("holdem-nl", {}), 2 + seed % 5, seed)
        states = []
        while state.actor != NOBODY:
            states.append(state)
            actions = state.legal_actions()
            state = state.apply(actions[draw_below(rng, len(actions))])
        found = [position for position, _ in positions(history_of(state))]
        assert len(found) == len(states)
        for one, other in zip(found, states, strict=True):
            assert sorted(one.stacks) == sorted(other.stacks)
            assert one.view(one.actor).pot == other.view(other.actor).pot
            assert one.hole(one.actor) == other.hole(other.actor)
