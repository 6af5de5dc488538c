"""Bots and policies of OpenSpiel at hold'em tables, by its game `universal_poker`.

BOT is an object with `step(state)` (a `pyspiel.Bot`) or `action_probabilities(state)` (a policy), or a class or
function that makes one; it is called with the game and the player's number, as far as it takes arguments.

Each decision is shown as a state of `universal_poker`, built by dealing the cards that the seat knows and playing the
betting so far. Cards that it does not know are others of the deck, never the true ones. Players are numbered from the
first left of the button. Actions are 0 to fold, 1 to check or call; in no-limit (`fullgame`) the total that the player
puts in during the hand, in limit (`fcpa`) 2 to raise.
"""

import importlib
import inspect
from contextlib import suppress
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.view import LIMIT, HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.adapters.python_files import named_in, seed_generators
from cardwin.players.specs import ProgramSpec

LIMIT_RAISE = 2


class OpenSpielBot(Adapter):
    """A bot or policy of a module, for each player's number one, made when it is first needed."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__()
        module, _, name = spec.target.rpartition(":")
        try:
            self._spiel: Any = importlib.import_module("pyspiel")
        except ModuleNotFoundError:
            raise InputError("openspiel: needs OpenSpiel: pip install open_spiel") from None
        self._given: Any = named_in(importlib.import_module(module), name, callable)
        self._game: Any = None
        self._text, self._seen = "", 0
        self._bots: dict[int, Any] = {}

    def begin_hand(self, hand: Hand) -> None:  # noqa: ARG002  the game is known with the blinds
        """A new hand: bots begin again."""
        self._seen = 0
        for one in self._bots.values():
            if hasattr(one, "restart"):
                one.restart()

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:
        """The bot's action."""
        if hand.ante or any(stack == 0 for stack in hand.stacks):
            raise ProgramError("universal_poker has no antes and no empty seats")
        self._load(hand, view)
        number = hand.position(hand.seat)
        if number not in self._bots:
            self._bots[number] = made_by(self._given, self._game, number)
        seed_generators(rng)
        bot = self._bots[number]
        state = self._state(hand, view, bot)
        answer = bot.step(state) if hasattr(bot, "step") else drawn(bot, state, rng)
        self.answered(answer)
        return _action(hand, view, state, answer)

    def _load(self, hand: Hand, view: HoldemView) -> None:
        """Load the game of this table."""
        text = game_text(hand, view)
        if text != self._text:
            self._text, self._game, self._bots = text, self._spiel.load_game(text), {}

    def _state(self, hand: Hand, view: HoldemView, bot: Any) -> Any:
        """The state of the present decision; the bot is informed of actions that are new."""
        limit, order = bool(view.row[LIMIT]), sorted(range(hand.seats), key=hand.position)
        state, used = self._game.new_initial_state(), {*hand.hole, *hand.board}
        others = (card for card in range(52) if card not in used)
        for seat in order:
            for card in hand.hole if seat == hand.seat else (next(others), next(others)):
                state.apply_action(card)
        spent = {seat: sum(one.chips for one in hand.posted if one.seat == seat) for seat in order}
        board = list(hand.board)
        for place, move in enumerate(hand.moves):
            while state.is_chance_node():
                state.apply_action(board.pop(0))
            spent[move.seat] += move.chips
            number = 0 if move.action.name == "fold" else 1
            if move.action.name in ("bet", "raise"):
                number = LIMIT_RAISE if limit else spent[move.seat]
            if place >= self._seen and move.seat != hand.seat and hasattr(bot, "inform_action"):
                bot.inform_action(state, hand.position(move.seat), number)
            state.apply_action(number)
        self._seen = len(hand.moves)
        while state.is_chance_node():
            state.apply_action(board.pop(0))
        return state


def game_text(hand: Hand, view: HoldemView) -> str:
    """The parameters of `universal_poker` for a table."""
    order = sorted(range(hand.seats), key=hand.position)
    blinds = {one.seat: one.chips for one in hand.posted if one.kind == "blind"}
    blind = " ".join(str(blinds.get(seat, 0)) for seat in order)
    first = "2 1 1 1" if hand.seats == 2 else f"{3 % hand.seats or hand.seats} 1 1 1"
    stack = " ".join(str(hand.stacks[seat]) for seat in order)
    common = (
        f"numPlayers={hand.seats},numRounds=4,blind={blind},firstPlayer={first},numSuits=4,numRanks=13,"
        f"numHoleCards=2,numBoardCards=0 3 1 1,stack={stack}"
    )
    if not view.row[LIMIT]:
        return f"universal_poker(betting=nolimit,bettingAbstraction=fullgame,{common})"
    small = hand.big_blind
    sizes = f"{small} {small} {2 * small} {2 * small}"
    return f"universal_poker(betting=limit,bettingAbstraction=fcpa,raiseSize={sizes},maxRaises=3 4 4 4,{common})"


def made_by(given: Any, game: Any, number: int) -> Any:
    """A bot or policy from what the module has."""
    if not inspect.isclass(given) and (hasattr(given, "step") or hasattr(given, "action_probabilities")):
        return given
    wanted = 2
    with suppress(TypeError, ValueError):
        taken = inspect.signature(given).parameters.values()
        wanted = sum(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in taken)
    made = given(*(game, number)[:wanted])
    if not (hasattr(made, "step") or hasattr(made, "action_probabilities")):
        raise ProgramError("what the module makes has neither step(state) nor action_probabilities(state)")
    return made


def drawn(policy: Any, state: Any, rng: Stream) -> int:
    """An action drawn from a policy's probabilities."""
    chances = dict(policy.action_probabilities(state))
    point, total = draw_uniform(rng) * sum(chances.values()), 0.0
    for number, chance in chances.items():
        total += chance
        if point < total:
            return int(number)
    raise ProgramError("the policy's probabilities do not sum to 1")


def _action(hand: Hand, view: HoldemView, state: Any, answer: Any) -> Action:
    """The action of a number; one that is legal there is moved to the nearest amount that is legal here."""
    try:
        number = int(answer)
    except (TypeError, ValueError):
        return illegal(answer)
    if number not in state.legal_actions():
        return illegal(answer)
    if number == 0:
        return FOLD if view.to_call else CHECK
    if number == 1 or not view.min_raise_to:
        return CALL if view.to_call else CHECK
    total = number - (hand.paid(hand.seat) - hand.paid(hand.seat, view.street))
    amount = view.min_raise_to if view.row[LIMIT] else min(max(total, view.min_raise_to), view.max_raise_to)
    return Action("raise" if view.current_bet else "bet", amount)
