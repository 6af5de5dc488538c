"""PettingZoo: every seat an agent, `env("holdem-nl", players=6)`, in its agent-environment-cycle interface.

An episode is one hand; `reset(seed=…)` begins a series of hands, `reset()` deals the next one of it. Agents are
`player_0` and so on, by seat, and stay until the hand is over. Rewards come at the end: big blinds in no-limit, small
bets in limit hold'em, chips in small games. `reset(options={"stacks": […], "button": 0})` sets up a hold'em hand.

The environment itself checks the order of calls and refuses illegal actions; PettingZoo's wrappers, which do the same
by other means and cost several times what a step does, can be put around it.
"""

from collections.abc import Sequence
from typing import Any

from pettingzoo import AECEnv

from cardwin.core.errors import InputError
from cardwin.core.rng import key_of, random_seed
from cardwin.games import game as game_of
from cardwin.games.base import NOBODY, Game
from cardwin.games.holdem.observation import POT_SHARES
from cardwin.interop.gymnasium import action_space, observation_space
from cardwin.interop.learning_tables import LearningTable, learning_table

Observation = dict[str, Any]


class PokerCycle(AECEnv):  # type: ignore[misc]  # its types are not read
    """A table of any of our games as PettingZoo's environment."""

    def __init__(self, table: LearningTable, name: str, render_mode: str | None = None) -> None:
        super().__init__()
        self.table, self.render_mode = table, render_mode
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(table.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: observation_space(table.shape, table.actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(table.actions) for agent in self.possible_agents}
        self._seeded = False
        self._key = self._hand = 0

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand: the first of a seed, or the next one."""
        if seed is not None or not self._seeded:
            self._key, self._hand = key_of(random_seed() if seed is None else seed, "match"), 0
            self._seeded = True
        self.table.begin(self._key, self._hand, options or {})
        self._hand += 1
        names = self.possible_agents
        self.agents = names[:]
        self.rewards, self._cumulative_rewards = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        self.terminations, self.truncations = dict.fromkeys(names, False), dict.fromkeys(names, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        self._skip_agent_selection = None
        if self.table.actor == NOBODY:
            self.agent_selection = names[0]
            self._end()
        else:
            self.agent_selection = names[self.table.actor]

    def observe(self, agent: str) -> Observation:
        """Return an agent's planes, and the mask of its legal actions, which is empty if it does not have the turn."""
        planes, mask = self.table.observe(self._seats[agent])
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent; None for an agent whose hand is over."""
        table = self.table
        if table.actor == NOBODY:
            if not self.agents:
                raise InputError("no agent has the turn: reset() deals a hand")
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError(
                f"{self.agent_selection} has the turn: expected an action from 0 to {table.actions - 1}, got None"
            )
        table.take(int(action))
        if table.actor == NOBODY:
            self._end()
        else:
            self.agent_selection = self.possible_agents[table.actor]

    def _end(self) -> None:
        self.rewards = dict(zip(self.possible_agents, self.table.won(), strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.possible_agents, True)
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the table with all cards open, as text."""
        return str(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resources are held."""


def env(
    game: str | Game = "holdem-nl",
    players: int = 2,
    *,
    shares: Sequence[float] = POT_SHARES,
    render_mode: str | None = None,
) -> PokerCycle:
    """Return the environment of a game.

    Args:
        game: A game or its specification, such as `holdem-nl:stack=20000`.
        players: The number of seats.
        shares: The no-limit bets in pots.
        render_mode: `ansi` for text, or None.

    """
    rules = game_of(game) if isinstance(game, str) else game
    name = f"cardwin_{rules.name.partition(':')[0].replace('-', '_')}_v0"
    return PokerCycle(learning_table(rules, players, shares), name, render_mode)


raw_env = env
