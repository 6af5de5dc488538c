"""Policies for PettingZoo's tables: a function from an observation and a mask to the number of an action.

Observations, masks and numbered actions are those of our own PettingZoo environment (`games.holdem.observation` and
`games.small.observation`), so that a policy trained there plays here unchanged. POLICY is a function
`policy(observation, mask)`, or a class or function without arguments that makes one.
"""

import importlib
import inspect
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games import game as game_of
from cardwin.games.base import Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.observation import Actions, observation_of
from cardwin.games.holdem.view import BIG_BLIND, LIMIT, SEAT_COUNT, STARTS, VIEW_SIZE, HoldemView
from cardwin.games.small.observation import small_action, small_mask, small_observation
from cardwin.players.adapters.adapter import illegal
from cardwin.players.adapters.programs import named_in, seed_generators
from cardwin.players.specs import ProgramSpec


def compile_observations() -> None:
    """Compile the kernels of observations, outside the sandbox, where the cache of compiled code can be written."""
    row = [0] * VIEW_SIZE
    row[SEAT_COUNT], row[STARTS], row[STARTS + 1], row[BIG_BLIND] = 2, 100, 100, 2
    view = HoldemView(tuple(row))
    observation_of(view)
    for limit in (False, True):
        Actions(limit=limit).mask(view)


class PettingZooPolicy:
    """A policy of a module. It decides from the view alone."""

    stateless = False  # the policy may store anything

    def __init__(self, spec: ProgramSpec) -> None:
        self._policy = policy_of(spec)
        self._answer = ""
        compile_observations()

    def act(self, view: HoldemView | SmallPosition, rng: Stream) -> Action:
        """Return the policy's action."""
        seed_generators(rng)
        if isinstance(view, SmallPosition):
            game, state = game_of(view.game), view.state
            number = self._policy(small_observation(game, state, view.seat), small_mask(game, state, view.seat))
        else:
            actions = Actions(limit=bool(view.row[LIMIT]))
            number = self._policy(observation_of(view), actions.mask(view))
        self._answer = str(number)[:200]
        try:
            if isinstance(view, SmallPosition):
                return small_action(game, state, int(number))
            return actions.action(view, int(number))
        except (InputError, TypeError, ValueError):
            return illegal(number)

    def explain(self) -> dict[str, Any]:
        """Return the number that the policy answered with."""
        return {"answer": self._answer}


def policy_of(spec: ProgramSpec) -> Any:
    """Return the function of observation and mask that a specification names."""
    module, _, name = spec.target.rpartition(":")
    policy = named_in(importlib.import_module(module), name, callable)
    if not callable(policy):
        raise InputError(
            f"expected a function policy(observation, mask), got {name} in {module}, which is not callable"
        )
    return policy() if _is_factory(policy) else policy


def _is_factory(policy: Any) -> bool:
    """Return whether this is a class, or a function without arguments."""
    return inspect.isclass(policy) or not inspect.signature(policy).parameters
