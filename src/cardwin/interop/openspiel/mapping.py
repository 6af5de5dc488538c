"""The same game on both sides: games, actions and chance outcomes of ours and their numbers in OpenSpiel."""

from collections.abc import Iterator
from typing import Any

import pyspiel

from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, Action, Game, State
from cardwin.games.small.kuhn import Kuhn
from cardwin.games.small.leduc import CARDS, Leduc
from cardwin.games.small.observation import OPENSPIEL_NUMBERS
from cardwin.interop.openspiel.registered import PARAMETER, registered
from cardwin.interop.openspiel.their_games import PREFIX, OpenSpielGame, OpenSpielState, openspiel_game


def there(game: Game | str) -> Any:
    """The OpenSpiel game of one of ours: its own Kuhn poker or Leduc hold'em, otherwise ours as it is registered."""
    rules = game_of(game) if isinstance(game, str) else game
    if isinstance(rules, OpenSpielGame):
        return rules.loaded
    if isinstance(rules, Kuhn) and len(rules.cards) == 3 and rules.bets == (1,) and not rules.with_raise:
        return pyspiel.load_game("kuhn_poker")
    if isinstance(rules, Leduc):
        return pyspiel.load_game("leduc_poker")
    return registered(rules)


def here(game: Any) -> Game:
    """Our game of an OpenSpiel game: our rules where both have the same game, otherwise OpenSpiel's as one of ours."""
    name = game.get_type().short_name
    if name == "kuhn_poker" and game.num_players() == 2:
        return game_of("kuhn")
    if name == "leduc_poker" and str(game) == "leduc_poker()":
        return game_of("leduc")
    if name == "cardwin":
        return game_of(game.get_parameters()[PARAMETER])
    if name.startswith("cardwin_"):
        return game_of(name.removeprefix("cardwin_").replace("_", "-"))
    return openspiel_game(f"{PREFIX}{game}")


def _outcome(game: Game, state: State, number: int) -> str:
    """Our chance outcome of OpenSpiel's number."""
    if isinstance(state, OpenSpielState):
        return state.outcomes[number]
    cards = game.cards if isinstance(game, Kuhn) else CARDS if isinstance(game, Leduc) else ()
    return cards[number] if cards else state.chance_outcomes()[number][0]


def numbers_of(game: Any, state: State) -> dict[int, Action]:
    """Our legal actions at a position by their numbers in an OpenSpiel game."""
    legal = state.legal_actions()
    if isinstance(state, OpenSpielState):
        return state.numbers
    name = game.get_type().short_name
    if name in OPENSPIEL_NUMBERS:
        return {OPENSPIEL_NUMBERS[name][action.name]: action for action in legal}
    return dict(enumerate(legal))


def following(game: Game, spiel: Any, state: State, number: int) -> State:
    """Our position after OpenSpiel's number of an action or outcome."""
    if state.actor == CHANCE:
        own = spiel.get_type().short_name.startswith("cardwin")
        return state.apply(state.chance_outcomes()[number][0] if own else _outcome(game, state, number))
    return state.apply(numbers_of(spiel, state)[number])


def pairs_of(game: Game, spiel: Any) -> Iterator[tuple[State, Any]]:
    """Every position of our game with OpenSpiel's state of the same position."""
    stack = [(game.start(), spiel.new_initial_state())]
    while stack:
        ours, theirs = stack.pop()
        yield ours, theirs
        stack += [(following(game, spiel, ours, number), theirs.child(number)) for number in theirs.legal_actions()]
