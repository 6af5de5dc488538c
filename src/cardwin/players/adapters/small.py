"""Other people's programs in Kuhn poker and Leduc hold'em.

What the program's seat knows is a line of the ACPC protocol (`games.formats.small_states`). An adapter is shown every
new line of its hands (`show`), and asked for an action by the line of its decision, the last one shown (`act`). All but
ACPC's decide by the position that the line describes, in which a card that the seat does not know is another of the
deck, never the true one.
"""

import importlib
import json
from collections.abc import Callable
from typing import Any, Protocol

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games import game as game_of
from cardwin.games.base import Action, Game, small_view
from cardwin.games.formats.acpc import read_match_state
from cardwin.games.formats.small_states import action_of, small_position
from cardwin.games.small.observation import (
    OPENSPIEL_NAMES,
    OPENSPIEL_NUMBERS,
    shape_of,
    small_action,
    small_mask,
    small_observation,
)
from cardwin.players.adapters.acpc import AcpcClient, client
from cardwin.players.adapters.adapter import illegal
from cardwin.players.adapters.http_json import JsonServer, action_in
from cardwin.players.adapters.openspiel import drawn, made_by
from cardwin.players.adapters.pettingzoo import policy_of
from cardwin.players.adapters.python_files import named_in, seed_generators
from cardwin.players.specs import PROGRAM_KINDS, ProgramSpec, is_program, read_program

GAMES = tuple(OPENSPIEL_NAMES)
KNOWN = ("acpc", "openspiel", "pettingzoo", "http")  # protocols that know these games


class SmallAdapter(Protocol):
    """A program at a table of a small game."""

    def show(self, line: str) -> None:
        """A new line of what its seat knows."""

    def act(self, line: str, rng: Stream) -> Action:
        """Its action at a decision."""

    def close(self) -> None:
        """End the program, or its connection."""


def check_small(spec: str, game: Game) -> None:
    """Raise an error if a program does not know a game."""
    if game.name not in GAMES:
        raise InputError(f"{spec}: programs play {' and '.join(GAMES)}; {game.name} is played by policies")
    if is_program(spec) and (kind := read_program(spec).kind) not in KNOWN:
        known = ", ".join(PROGRAM_KINDS[name].form for name in KNOWN)
        raise InputError(f"{spec}: {kind} bots know Texas hold'em only; {game.name} is played by {known}")


def small_adapter(spec: str, name: str, player: Callable[[str], Any]) -> SmallAdapter:
    """The adapter of a program that is started here, inside its sandbox; `player` builds those of `python:`."""
    game = game_of(name)
    if not is_program(spec):
        return PythonPlayer(game, player(spec))
    read = read_program(spec)
    if read.kind == "acpc":
        found = SmallAcpc(game, client(read))
        found.client.greet()
        return found
    return (SmallOpenSpiel if read.kind == "openspiel" else SmallPettingZoo)(game, read)


class _ByPosition:
    """A program that decides by the position alone."""

    whole_hands = True  # what failed is started again for its next decision

    def __init__(self, game: Game) -> None:
        self.game = game

    def show(self, line: str) -> None:
        """Nothing to keep: every line has the whole hand."""

    def close(self) -> None:
        """Nothing to end."""

    def act(self, line: str, rng: Stream) -> Action:
        """The program's action at the position of a line."""
        read = read_match_state(line)
        return self.decide(small_position(self.game, read), read.position, read.hand, rng)

    def decide(self, state: Any, seat: int, hand: int, rng: Stream) -> Action:
        """The program's action."""
        raise NotImplementedError


class PythonPlayer(_ByPosition):
    """A player with `act(view, rng)`, whose view has `seat`, `information_state` and `legal_actions`."""

    whole_hands = False

    def __init__(self, game: Game, player: Any) -> None:
        super().__init__(game)
        self._player = player

    def decide(self, state: Any, seat: int, hand: int, rng: Stream) -> Action:  # noqa: ARG002
        """The player's action."""
        action: Action = self._player.act(small_view(state, seat), rng)
        return action


class SmallAcpc:
    """A connected client of the ACPC."""

    whole_hands = True

    def __init__(self, game: Game, connected: AcpcClient) -> None:
        self.game, self.client = game, connected

    def show(self, line: str) -> None:
        """Send a line."""
        self.client.show(line)

    def act(self, line: str, rng: Stream) -> Action:  # noqa: ARG002  its randomness is its own
        """The client's action."""
        letter = self.client.answer_to(line)
        return action_of(small_position(self.game, read_match_state(line)), letter) or illegal(letter)

    def close(self) -> None:
        """Close the connection, and end the client if we started it."""
        self.client.close()


class SmallPettingZoo(_ByPosition):
    """A policy for our PettingZoo environment of the game (`games.small.observation`)."""

    def __init__(self, game: Game, spec: ProgramSpec) -> None:
        super().__init__(game)
        self._policy = policy_of(spec)

    def decide(self, state: Any, seat: int, hand: int, rng: Stream) -> Action:  # noqa: ARG002
        """The policy's action."""
        seed_generators(rng)
        number = self._policy(small_observation(self.game, state, seat), small_mask(self.game, state, seat))
        try:
            return small_action(self.game, state, int(number))
        except (InputError, TypeError, ValueError):
            return illegal(number)


class SmallOpenSpiel(_ByPosition):
    """A bot or policy of OpenSpiel's `kuhn_poker` or `leduc_poker`, one for each seat, made when first needed."""

    def __init__(self, game: Game, spec: ProgramSpec) -> None:
        super().__init__(game)
        module, _, name = spec.target.rpartition(":")
        try:
            spiel: Any = importlib.import_module("pyspiel")
        except ModuleNotFoundError:
            raise InputError("openspiel: needs OpenSpiel: pip install open_spiel") from None
        self._given: Any = named_in(importlib.import_module(module), name, callable)
        self._theirs: Any = spiel.load_game(OPENSPIEL_NAMES[game.name])
        self._numbers = OPENSPIEL_NUMBERS[OPENSPIEL_NAMES[game.name]]
        self._bots: dict[int, Any] = {}
        self._seen = -1, 0, 0

    def decide(self, state: Any, seat: int, hand: int, rng: Stream) -> Action:
        """The bot's action."""
        if seat not in self._bots:
            self._bots[seat] = made_by(self._given, self._theirs, seat)
        bot = self._bots[seat]
        if (hand, seat) != self._seen[:2]:
            self._seen = hand, seat, 0
            if hasattr(bot, "restart"):
                bot.restart()
        seed_generators(rng)
        there = self._there(state, seat, bot)
        number = bot.step(there) if hasattr(bot, "step") else drawn(bot, there, rng)
        actions = {self._numbers[action.name]: action for action in state.legal_actions()}
        return actions.get(number) or illegal(number)

    def _there(self, state: Any, seat: int, bot: Any) -> Any:
        """OpenSpiel's state of a position; the bot is informed of the other seat's new actions."""
        deck, (*_, seen) = shape_of(self.game).deck, self._seen
        there, dealt, turn = self._theirs.new_initial_state(), list(state.dealt), 0
        for moves in getattr(state, "rounds", None) or (state.moves,):
            while there.is_chance_node() and dealt:
                there.apply_action(deck.index(dealt.pop(0)))
            for place, move in enumerate(moves):
                number = self._numbers[move.name]
                if turn >= seen and place % 2 != seat and hasattr(bot, "inform_action"):
                    bot.inform_action(there, 1 - seat, number)
                there.apply_action(number)
                turn += 1
        self._seen = *self._seen[:2], turn
        return there


class SmallJson(_ByPosition):
    """A server that answers one JSON request a decision."""

    def __init__(self, game: Game, server: JsonServer) -> None:
        super().__init__(game)
        self._server = server

    def decide(self, state: Any, seat: int, hand: int, rng: Stream) -> Action:  # noqa: ARG002
        """The action that the server answers with."""
        question = self._server.timed(request_of(self.game, state, seat, hand))
        action = action_in(self._server.post(json.dumps(question).encode()))
        bets = [one for one in state.legal_actions() if one.name == action.name]
        return bets[0] if len(bets) == 1 and action.amount in (0, bets[0].amount) else action


def request_of(game: Game, state: Any, seat: int, hand: int) -> dict[str, Any]:
    """What a server is asked: the position as its seat knows it, and the legal actions."""
    stakes, rounds = state.stakes(), getattr(state, "rounds", None) or (state.moves,)
    acted = [
        {"what": "acted", "street": street, "seat": place % 2, "action": move.name, "amount": move.amount}
        for street, moves in enumerate(rounds)
        for place, move in enumerate(moves)
    ]
    return {
        "game": game.name, "hand": hand + 1, "seat": seat, "seats": 2, "hole": [state.dealt[seat]],
        "board": list(state.dealt[2:]), "pot": sum(stakes), "to_call": stakes[1 - seat] - stakes[seat],
        "contributed": list(stakes), "history": acted,
        "legal_actions": [{"name": one.name, "amount": one.amount} for one in state.legal_actions()],
    }  # fmt: skip
