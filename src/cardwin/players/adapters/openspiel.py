"""Bots and policies of OpenSpiel at our tables, by its games `universal_poker`, `kuhn_poker` and `leduc_poker`.

BOT is an object with `step(state)` (a `pyspiel.Bot`) or `action_probabilities(state)` (a policy), or a class or
function that makes one; it is called with the game and the player's number, as far as it takes arguments.

Each decision is a state of OpenSpiel, built by dealing the cards that the seat knows and playing the betting so far.
Cards that it does not know are others of the deck, never the true ones. In `universal_poker` players are numbered from
the first left of the button. Its actions are 0 to fold, 1 to check or call; in no-limit (`fullgame`) the total that the
player puts in during the hand, in limit (`fcpa`) 2 to raise. `games.small.numbering` has those of the small games.
"""

import importlib
import inspect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games import game as game_of
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.view import LIMIT, HoldemView
from cardwin.games.small.observation import OPENSPIEL_NAMES, OPENSPIEL_NUMBERS, shape_of
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.adapters.programs import named_in, seed_generators
from cardwin.players.specs import ProgramSpec

LIMIT_RAISE = 2


class OpenSpielBot(Adapter):
    """A bot or policy of a module. One is built for each player number, when that number is first needed."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__()
        module, _, name = spec.target.rpartition(":")
        try:
            self._spiel: Any = importlib.import_module("pyspiel")
        except ModuleNotFoundError:
            raise InputError("openspiel: needs OpenSpiel: pip install open_spiel") from None
        self._source: Any = named_in(importlib.import_module(module), name, callable)
        self._game: Any = None
        self._text, self._informed = "", 0  # the loaded game, and the moves of this hand that the bot was informed of
        self._small_hand = (-1, 0)
        self._bots: dict[int, Any] = {}

    def begin_hand(self, hand: Hand) -> None:  # noqa: ARG002  the game is known with the blinds
        """Restart all bots."""
        self._restart(*self._bots.values())

    def _restart(self, *bots: Any) -> None:
        self._informed = 0
        for bot in bots:
            if hasattr(bot, "restart"):
                bot.restart()

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:
        """Return the bot's action in hold'em."""
        if hand.ante or any(stack == 0 for stack in hand.stacks):
            raise ProgramError("universal_poker has no antes and no empty seats")
        bot = self._bot(game_text(hand, view), hand.position(hand.seat))
        moves = list(_numbered_moves(hand, bool(view.row[LIMIT])))
        state, answer = self._answer_of(bot, hand.position(hand.seat), _known_cards(hand), moves, rng)
        return _action(hand, view, state, answer)

    def ask_small(self, position: SmallPosition, rng: Stream) -> Action:
        """Return the bot's action in a small game."""
        name, ours = OPENSPIEL_NAMES[position.game], position.state
        bot = self._bot(name, position.seat)
        if self._small_hand != (position.match_state.hand, position.seat):
            self._small_hand = position.match_state.hand, position.seat
            self._restart(bot)
        deck, numbers = shape_of(game_of(position.game)).deck, OPENSPIEL_NUMBERS[name]
        rounds = getattr(ours, "rounds", None) or (ours.moves,)
        moves = [(index % 2, numbers[move.name]) for played in rounds for index, move in enumerate(played)]
        _, answer = self._answer_of(bot, position.seat, [deck.index(card) for card in ours.dealt], moves, rng)
        actions = {numbers[action.name]: action for action in ours.legal_actions()}
        return actions.get(answer) or illegal(answer)

    def _bot(self, game: str, number: int) -> Any:
        """Return the bot of a player number, for the game with this text."""
        if game != self._text:
            self._text, self._game, self._bots = game, self._spiel.load_game(game), {}
        if number not in self._bots:
            self._bots[number] = made_by(self._source, self._game, number)
        return self._bots[number]

    def _answer_of(
        self, bot: Any, number: int, cards: Sequence[int], moves: Sequence[tuple[int, int]], rng: Stream
    ) -> tuple[Any, Any]:
        """Return the state after these cards and moves (player, action), and the bot's answer to it.

        The bot is informed of other players' moves that are new to it.
        """
        seed_generators(rng)
        state, deal = self._game.new_initial_state(), iter(cards)
        for index, (player, action) in enumerate(moves):
            _deal(state, deal)
            if index >= self._informed and player != number and hasattr(bot, "inform_action"):
                bot.inform_action(state, player, action)
            state.apply_action(action)
        _deal(state, deal)
        self._informed = len(moves)
        answer = bot.step(state) if hasattr(bot, "step") else drawn(bot, state, rng)
        self.answered(answer)
        return state, answer


def _deal(state: Any, cards: Iterator[int]) -> None:
    """Deal cards until a player has the turn."""
    while state.is_chance_node():
        state.apply_action(next(cards))


def _known_cards(hand: Hand) -> list[int]:
    """Return all hole cards by position, then the board; unknown hole cards are others of the deck."""
    others = (card for card in range(52) if card not in {*hand.hole, *hand.board})
    hole = [card for seat in hand.order for card in (hand.hole if seat == hand.seat else (next(others), next(others)))]
    return [*hole, *hand.board]


def _numbered_moves(hand: Hand, limit: bool) -> Iterator[tuple[int, int]]:
    """Yield the player's number and the number of its action, for each move so far."""
    spent = {seat: sum(post.chips for post in hand.posted if post.seat == seat) for seat in hand.order}
    for move in hand.moves:
        spent[move.seat] += move.chips
        number = 0 if move.action.name == "fold" else 1
        if move.action.name in ("bet", "raise"):
            number = LIMIT_RAISE if limit else spent[move.seat]
        yield hand.position(move.seat), number


def game_text(hand: Hand, view: HoldemView) -> str:
    """Return the text by which OpenSpiel loads `universal_poker` for a table."""
    blinds = {post.seat: post.chips for post in hand.posted if post.kind == "blind"}
    blind = " ".join(str(blinds.get(seat, 0)) for seat in hand.order)
    first = "2 1 1 1" if hand.seats == 2 else f"{3 % hand.seats or hand.seats} 1 1 1"
    stack = " ".join(str(hand.stacks[seat]) for seat in hand.order)
    common = (
        f"numPlayers={hand.seats},numRounds=4,blind={blind},firstPlayer={first},numSuits=4,numRanks=13,"
        f"numHoleCards=2,numBoardCards=0 3 1 1,stack={stack}"
    )
    if not view.row[LIMIT]:
        return f"universal_poker(betting=nolimit,bettingAbstraction=fullgame,{common})"
    small = hand.big_blind
    sizes = f"{small} {small} {2 * small} {2 * small}"
    return f"universal_poker(betting=limit,bettingAbstraction=fcpa,raiseSize={sizes},maxRaises=3 4 4 4,{common})"


def made_by(source: Any, game: Any, number: int) -> Any:
    """Return a bot or policy from an object of the module: itself, or what it builds."""
    if not inspect.isclass(source) and _is_bot(source):
        return source
    count = 2
    with suppress(TypeError, ValueError):
        parameters = inspect.signature(source).parameters.values()
        count = sum(name.default is name.empty and name.kind is name.POSITIONAL_OR_KEYWORD for name in parameters)
    bot = source(*(game, number)[:count])
    if not _is_bot(bot):
        raise ProgramError("expected an object with step(state) or action_probabilities(state), got one with neither")
    return bot


def _is_bot(candidate: Any) -> bool:
    return hasattr(candidate, "step") or hasattr(candidate, "action_probabilities")


def drawn(policy: Any, state: Any, rng: Stream) -> int:
    """Return an action sampled from a policy's probabilities."""
    chances = dict(policy.action_probabilities(state))
    point, total = draw_uniform(rng) * sum(chances.values()), 0.0
    for number, chance in chances.items():
        total += chance
        if point < total:
            return int(number)
    raise ProgramError("the policy's probabilities do not sum to 1")


def _action(hand: Hand, view: HoldemView, state: Any, answer: Any) -> Action:
    """Return the action of a number, with the amount moved to the nearest legal one."""
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
    total = number - hand.paid_before(view.street)
    amount = view.min_raise_to if view.row[LIMIT] else min(max(total, view.min_raise_to), view.max_raise_to)
    return Action("raise" if view.current_bet else "bet", amount)
