"""Our players and policies as bots of OpenSpiel.

In `universal_poker` a bot reads the betting and its own cards from OpenSpiel's state, whose text has them as a line of
the ACPC dealer's protocol. OpenSpiel does not announce the end of a hand to a bot, so no player learns from it.
"""

import re
from typing import Any

import pyspiel

from cardwin.core.errors import InputError
from cardwin.core.rng import key_of, random_seed, stream_of
from cardwin.games.base import Action, small_view
from cardwin.games.formats.acpc import partial_hand
from cardwin.games.formats.acpc_game import GameFile, read_game
from cardwin.games.holdem.events import HandBegan, MatchBegan
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.view import HoldemView
from cardwin.interop.openspiel.mapping import following, from_openspiel, numbers_of
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import player, spec_of
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.solvers.policy import Policy

_ACPC = re.compile(r"ACPC State: STATE:\d+:([^:\s]*):(\S+)")
_RAISE = re.compile(r"r(\d+)$")


def bot(
    source: "str | Policy | HoldemPlayer | type[HoldemPlayer]", game: Any, seat: int, seed: int | None = None
) -> Any:
    """Return a `pyspiel.Bot` that plays as one of our players in `universal_poker`, or as a policy in a small game.

    Args:
        source: A player of ours, or a policy, or its specification.
        game: The `pyspiel.Game`.
        seat: The bot's player number.
        seed: The seed of the bot's choices, drawn by default.

    Raises:
        InputError: the player does not play this game.

    """
    seed = random_seed() if seed is None else seed
    if game.get_type().short_name == "universal_poker":
        if isinstance(source, Policy):
            raise InputError("a policy of a small game does not play Texas hold'em: name a player, such as loki")
        return HoldemBot(player(spec_of(source)), game, seat, seed)
    rules = from_openspiel(game)
    known = policy(rules, source) if isinstance(source, str) else source
    if not isinstance(known, Policy):
        raise InputError(f"{rules.name} is played by a policy, such as uniform or equilibrium")
    return PolicyBot(known, game, seat, seed)


class PolicyBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel ships no types
    """A policy of a small game."""

    def __init__(self, known: Policy, game: Any, seat: int, seed: int) -> None:
        pyspiel.Bot.__init__(self)
        self.player, self.spiel, self.seat = PolicyPlayer(known), game, seat
        self.rules = known.tree.game
        self._rng = stream_of(key_of(seed, "openspiel", seat))

    def restart(self) -> None:
        """Do nothing: a policy has no memory."""

    def restart_at(self, state: Any) -> None:
        """Do nothing: a policy has no memory."""

    def step(self, state: Any) -> int:
        """Return the number of an action sampled from the policy."""
        ours = self.rules.start()
        for number in state.history():
            ours = following(self.rules, self.spiel, ours, number)
        action = self.player.act(small_view(ours, self.seat), self._rng)
        return next(number for number, legal in numbers_of(self.spiel, ours).items() if legal == action)


class HoldemBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel ships no types
    """One of our hold'em players; it receives the view of its own seat, and public events."""

    def __init__(self, player: HoldemPlayer, game: Any, seat: int, seed: int) -> None:
        pyspiel.Bot.__init__(self)
        self.player, self.seat, self.table = player, seat, table_of(game)
        self.full = game.get_parameters()["bettingAbstraction"] == "fullgame"
        self._rng = stream_of(key_of(seed, "openspiel", seat))
        self._history: list[int] = []
        self._sent = 0
        self._send(MatchBegan(len(self.table.stacks)))

    def restart(self) -> None:
        """Forget the last hand."""
        self._history, self._sent = [], 0

    def restart_at(self, state: Any) -> None:  # noqa: ARG002  the signature is OpenSpiel's
        """Forget the last hand."""
        self.restart()

    def _send(self, event: Any) -> None:
        watch = getattr(self.player, "watch", None)
        if watch is not None:
            watch(event)

    def step(self, state: Any) -> int:
        """Return the number of OpenSpiel's legal action that is nearest to the player's."""
        ours = position_of(state, self.table, self.seat)
        history = list(state.history())
        if history[: len(self._history)] != self._history:
            self.restart()
        self._history = history
        self._send_events(ours)
        view = ours.view(self.seat)
        return self._number(state, view, self.player.act(view, self._rng))

    def _send_events(self, state: HoldemState) -> None:
        if self._sent == 0:
            view = state.view(self.seat)
            self._send(HandBegan(view.button, view.starting_stacks, view.big_blind, you=self.seat))
        events = state.events
        for event in events[self._sent :]:
            self._send(event)
        self._sent = len(events)

    def _number(self, state: Any, view: HoldemView, action: Action) -> int:
        legal = state.legal_actions()
        if action.name == "fold" and 0 in legal:
            return 0
        raises = [number for number in legal if number > 1]
        if action.name in ("fold", "check", "call") or not raises:
            return 1
        total = view.contributed[view.seat] - view.bets[view.seat] + action.amount
        if self.full:
            return int(min(raises, key=lambda number: abs(number - total)))
        return int(min(raises, key=lambda number: abs(_total_after(state, number) - total)))


def _total_after(state: Any, number: int) -> int:
    """Return the raiser's chips in the hand after a numbered raise; 0 in limit, which has one raise only."""
    line = _ACPC.search(str(state.child(number)))
    size = _RAISE.search(line[1].rstrip("/")) if line else None
    return int(size[1]) if size else 0


def table_of(game: Any) -> GameFile:
    """Return the table of a `universal_poker` game, whose parameters are those of the ACPC's game files."""
    parameters = game.get_parameters()
    lines = [f"{name} = {value}" for name, value in parameters.items() if name in _TABLE and str(value)]
    return read_game("\n".join(["GAMEDEF", str(parameters["betting"]), *lines, "END GAMEDEF"]))


_TABLE = (
    *("numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises"),
    *("numSuits", "numRanks", "numHoleCards", "numBoardCards"),
)


def position_of(state: Any, table: GameFile, seat: int) -> HoldemState:
    """Return the position of a `universal_poker` state as one seat knows it: the other hands are unknown."""
    line = _ACPC.search(str(state))
    if line is None:
        raise InputError("expected a state of universal_poker in which a player decides, got another state")
    holes, slash, board = line[2].partition("/")
    known = [cards if other == seat else "" for other, cards in enumerate(holes.split("|"))]
    return partial_hand(line[1], "|".join(known) + slash + board, table)
