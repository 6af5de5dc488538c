"""Gymnasium: one learner against our players, `make("holdem-nl", against=["loki", "call"])`.

An episode is one hand. The learner's seat keeps its number while the button moves. Rewards come at the end: big blinds
in no-limit, small bets in limit hold'em, chips in small games. An illegal action is a check, or a fold if checking is
not free, and `info["illegal"]` is then True.

Importing this module registers `cardwin/holdem-nl-v0`, `cardwin/holdem-limit-v0`, `cardwin/kuhn-v0` and
`cardwin/leduc-v0`, so that `gymnasium.make("cardwin/kuhn-v0", against=["equilibrium"])` works too.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from cardwin.arena.live_table import LiveTable
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, prf, random_seed, stream_of
from cardwin.games import game as game_of
from cardwin.games import is_holdem
from cardwin.games.base import NOBODY, Game, small_view
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.observation import POT_SHARES, SHAPE, Actions, observation_of
from cardwin.games.holdem.view import HoldemView
from cardwin.games.small import observation as small
from cardwin.interop.learning_tables import SmallTable
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import player, spec_of
from cardwin.players.small_games.policies import PolicyPlayer, policy

Opponent = str | type[HoldemPlayer] | HoldemPlayer
Observation = dict[str, Any]
LEARNER = 0
GAMES = ("holdem-nl", "holdem-limit", "kuhn", "leduc")
FOLD, CALL = 0, 1


def observation_space(shape: tuple[int, ...], actions: int) -> spaces.Dict:
    """Return the space of an observation: its planes and the mask of legal actions."""
    planes, mask = spaces.Box(0.0, 1.0, shape, np.float32), spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": planes, "action_mask": mask})


def action_space(actions: int) -> spaces.Discrete:
    """Return the space of numbered actions."""
    return spaces.Discrete(actions)


class _Holdem:
    """The learner's side of a hold'em table; the other seats are players."""

    def __init__(self, game: HoldemGame, others: Sequence[HoldemPlayer], shares: Sequence[float]) -> None:
        self.choice = Actions(game.kind == "limit", tuple(shares))
        self.shape, self.actions = SHAPE, len(self.choice.names)
        self.unit = float(game.small_bet if game.kind == "limit" else game.min_bet)
        self.table = LiveTable(game, [None, *others])

    def begin(self, key: int, hand: int) -> None:
        seats, stack = self.table.seats, self.table.game.stack
        self.table.begin([stack] * seats, hand % seats, child(key, hand), logged=bool(self.table.watchers))

    @property
    def over(self) -> bool:
        return self.table.actor == NOBODY

    @property
    def view(self) -> HoldemView:
        return self.table.view(LEARNER) if self.over else self.table.turn

    def arrays(self) -> tuple[Any, Any]:
        return observation_of(self.view), self.choice.mask(self.view)

    def take(self, number: int) -> None:
        self.table.take(self.choice.action(self.table.turn, number))

    def won(self) -> float:
        return self.table.won[LEARNER] / self.unit

    def __str__(self) -> str:
        return str(self.view)


class _Small:
    """The learner's side of a small game against a policy; seats alternate."""

    def __init__(self, game: Game, other: str) -> None:
        self.table, self.other = SmallTable(game), PolicyPlayer(policy(game, other))
        self.shape, self.actions = self.table.shape, self.table.actions
        self.seat, self._rng = 0, stream_of(0)

    def begin(self, key: int, hand: int) -> None:
        self.seat = hand % 2
        self._rng[:] = prf(child(key, hand), 1 + (1 - self.seat)), 0
        self.table.begin(key, hand, {})
        self._answer()

    def _answer(self) -> None:
        while self.table.actor == 1 - self.seat:
            action = self.other.act(small_view(self.table.state, 1 - self.seat), self._rng)
            self.table.take(small.action_number(self.table.state, action))

    @property
    def over(self) -> bool:
        return self.table.actor == NOBODY

    def arrays(self) -> tuple[Any, Any]:
        return self.table.observe(self.seat)

    def take(self, number: int) -> None:
        self.table.take(number)
        self._answer()

    def won(self) -> float:
        return self.table.won()[self.seat]

    def __str__(self) -> str:
        return self.table.state.information_state(self.seat)


class PokerEnv(gymnasium.Env):  # type: ignore[misc]  # its types are not read
    """One learner against players (hold'em) or a policy (small games)."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  the interface is Gymnasium's

    def __init__(
        self,
        game: str | Game = "holdem-nl",
        against: Opponent | Sequence[Opponent] = ("random",),
        *,
        shares: Sequence[float] = POT_SHARES,
        render_mode: str | None = None,
    ) -> None:
        rules = game_of(game) if isinstance(game, str) else game
        opponents = list(against) if isinstance(against, list | tuple) else [against]
        self.side = _side(rules, opponents, shares)
        self.observation_space = observation_space(self.side.shape, self.side.actions)
        self.action_space = action_space(self.side.actions)
        self.render_mode = render_mode
        self._seed: int | None = None
        self._key, self._hand = 0, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a hand, up to the learner's first decision. A hand that ends before it is dealt again."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._seed is None:
            self._seed = random_seed() if seed is None else seed
            self._key, self._hand = key_of(self._seed, "match"), 0
        while True:
            self.side.begin(self._key, self._hand)
            self._hand += 1
            if not self.side.over:
                return self._observation(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the others' up to its next decision or the end of the hand."""
        if self.side.over:
            raise InputError("the hand is over: reset() deals the next one")
        mask = self.side.arrays()[1]
        legal = 0 <= int(action) < self.side.actions and bool(mask[int(action)])
        self.side.take(int(action) if legal else FOLD if mask[FOLD] else CALL)
        over = self.side.over
        return self._observation(), self.side.won() if over else 0.0, over, False, {} if legal else {"illegal": True}

    def action_masks(self) -> Any:
        """Return the mask of legal actions as booleans; masked learners expect this name."""
        return self.side.arrays()[1].astype(bool)

    def render(self) -> str | None:
        """Return the learner's view of the table as text."""
        return str(self.side) if self.render_mode == "ansi" else None

    def _observation(self) -> Observation:
        planes, mask = self.side.arrays()
        return {"observation": planes, "action_mask": mask}


def _side(game: Game, against: list[Any], shares: Sequence[float]) -> _Holdem | _Small:
    if is_holdem(game):
        return _Holdem(game, [player(spec_of(opponent)) for opponent in against], shares)
    if len(against) != 1 or not isinstance(against[0], str):
        raise InputError(f"{game.name} is played against one policy, such as uniform or equilibrium")
    return _Small(game, "uniform" if against[0] == "random" else against[0])


make = PokerEnv


def register() -> None:
    """Register our environments with `gymnasium.make`."""
    for name in GAMES:
        if f"cardwin/{name}-v0" not in gymnasium.registry:
            entry = f"{__name__}:{PokerEnv.__name__}"
            gymnasium.register(f"cardwin/{name}-v0", entry_point=entry, kwargs={"game": name})


register()
