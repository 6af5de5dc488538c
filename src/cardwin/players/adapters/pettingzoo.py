"""Policies for PettingZoo's tables: a function from an observation and a mask to the number of an action.

Observations, masks and numbered actions are those of our own PettingZoo environment (`games.holdem.observation`): a
policy trained there plays here as it is. POLICY is a function `policy(observation, mask)`, or a class or function
without arguments that makes one.
"""

import importlib
import inspect
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.observation import Actions, observation_of
from cardwin.games.holdem.view import BIG_BLIND, LIMIT, SEAT_COUNT, STARTS, VIEW_SIZE, HoldemView
from cardwin.players.adapters.adapter import illegal
from cardwin.players.adapters.python_files import named_in, seed_generators
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

    stateless = False  # the policy may remember what it likes

    def __init__(self, spec: ProgramSpec) -> None:
        self._policy = policy_of(spec)
        self._answer = ""
        compile_observations()

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The policy's action."""
        actions = Actions(limit=bool(view.row[LIMIT]))
        seed_generators(rng)
        number = self._policy(observation_of(view), actions.mask(view))
        self._answer = str(number)[:200]
        try:
            return actions.action(view, int(number))
        except (InputError, TypeError, ValueError):
            return illegal(number)

    def explain(self) -> dict[str, Any]:
        """The number that the policy answered with."""
        return {"answer": self._answer}


def policy_of(spec: ProgramSpec) -> Any:
    """The function of observation and mask that a specification names."""
    module, _, name = spec.target.rpartition(":")
    found = named_in(importlib.import_module(module), name, callable)
    if not callable(found):
        raise InputError(f"{name} in {module} is no function: policy(observation, mask) is needed")
    return found() if _makes_one(found) else found


def _makes_one(found: Any) -> bool:
    """Whether a name stands for a class, or for a function without arguments."""
    return inspect.isclass(found) or not inspect.signature(found).parameters
