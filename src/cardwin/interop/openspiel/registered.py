"""Our small games in OpenSpiel, so that its algorithms run on them.

`cardwin_kuhn`, `cardwin_leduc` and so on are the games by their names here; `cardwin` takes any specification as its
parameter `game`. Actions and chance outcomes are numbered by their place in our lists.
"""

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from cardwin.games import SMALL_GAMES
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State
from cardwin.solvers.tree import zero_sum_tree_of

PARAMETER = "game"


def registered(game: Game | str) -> Any:
    """Return one of our small games as a `pyspiel.Game`."""
    return pyspiel.load_game("cardwin", {PARAMETER: game if isinstance(game, str) else game.name})


class _SharedPosition:
    """A position that copies share, since it never changes."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __deepcopy__(self, _: object) -> "_SharedPosition":
        return self


class RegisteredState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A position of a small game of ours."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.shared = _SharedPosition(game.rules.start())

    @property
    def ours(self) -> State:
        """Our position."""
        return self.shared.state

    def current_player(self) -> Any:
        """Return the seat to act, chance, or the terminal player at the end."""
        special = {CHANCE: pyspiel.PlayerId.CHANCE, NOBODY: pyspiel.PlayerId.TERMINAL}
        return special.get(self.ours.actor, self.ours.actor)

    def _legal_actions(self, seat: int) -> list[int]:
        return list(range(len(self.ours.legal_actions()))) if seat == self.ours.actor else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the outcomes with their probabilities."""
        return [(number, float(chance)) for number, (_, chance) in enumerate(self.ours.chance_outcomes())]

    def _apply_action(self, number: int) -> None:
        self.shared = _SharedPosition(self.ours.apply(self._move(number)))

    def _move(self, number: int) -> Action | str:
        if self.ours.actor == CHANCE:
            return self.ours.chance_outcomes()[number][0]
        return self.ours.legal_actions()[number]

    def _action_to_string(self, seat: int, number: int) -> str:  # noqa: ARG002  the signature is OpenSpiel's
        return str(self._move(number))

    def is_terminal(self) -> bool:
        """Return whether the hand is over."""
        return self.ours.actor == NOBODY

    def returns(self) -> list[float]:
        """Return the chips won by each seat, 0 before the end."""
        return [float(chips) for chips in self.ours.returns()] if self.is_terminal() else [0.0, 0.0]

    def __str__(self) -> str:
        return str(self.ours)


class _Observer:
    """The text of an information set; there are no tensors."""

    def __init__(self) -> None:
        self.tensor, self.dict = None, {}  # type: ignore[var-annotated]

    def set_from(self, state: Any, seat: int) -> None:
        """Do nothing: there are no tensors."""

    def string_from(self, state: Any, seat: int) -> str:
        """Return what a seat knows, with its number: our texts may be equal for both seats."""
        return f"seat {seat + 1}: {state.ours.information_state(seat)}"


def _type_of(name: str, title: str, parameters: dict[str, Any]) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification=parameters,
    )


def _info_of(game: Game) -> Any:
    """Return the sizes of a game that OpenSpiel needs."""
    nodes = zero_sum_tree_of(game).nodes
    chance = nodes.actor == CHANCE
    moves = np.zeros(len(nodes.actor), np.int64)
    for node, (first, count) in enumerate(zip(nodes.first.tolist(), nodes.children.tolist(), strict=True)):
        moves[first : first + count] = moves[node] + (not chance[node])
    return pyspiel.GameInfo(
        num_distinct_actions=int(nodes.children[~chance].max()),
        max_chance_outcomes=int(nodes.children[chance].max()) if chance.any() else 0,
        num_players=2,
        min_utility=float(min(nodes.chips.min(), -nodes.chips.max())),
        max_utility=float(max(nodes.chips.max(), -nodes.chips.min())),
        utility_sum=0.0,
        max_game_length=int(moves.max()),
    )


def _class_of(kind: Any, spec: str) -> type:
    """Return a class whose games have this type; its game is the parameter, or by default `spec`."""

    class RegisteredGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            values = parameters or {}
            self.rules = game_of(str(values.get(PARAMETER, spec)))
            super().__init__(kind, _info_of(self.rules), values)

        def new_initial_state(self) -> RegisteredState:
            return RegisteredState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:  # noqa: ARG002
            return _Observer()

    return RegisteredGame


@cache
def register() -> None:
    """Register our small games with OpenSpiel, once, when `cardwin.openspiel` is imported."""
    kind = _type_of("cardwin", "A small game of Cardwin", {PARAMETER: "kuhn"})
    pyspiel.register_game(kind, _class_of(kind, "kuhn"))
    for name in SMALL_GAMES:
        kind = _type_of(f"cardwin_{name.replace('-', '_')}", game_of(name).title, {})
        pyspiel.register_game(kind, _class_of(kind, name))
