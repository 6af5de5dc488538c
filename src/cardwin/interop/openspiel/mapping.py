"""The mapping between our games and OpenSpiel's: games, actions, chance outcomes and tabular policies."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pyspiel

from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, Action, Game, State
from cardwin.games.small.kuhn import Kuhn
from cardwin.games.small.leduc import CARDS, Leduc
from cardwin.games.small.observation import OPENSPIEL_NUMBERS
from cardwin.interop.openspiel.registered import PARAMETER, registered
from cardwin.interop.openspiel.their_games import PREFIX, OpenSpielGame, OpenSpielState, openspiel_game
from cardwin.solvers.exact import Exact
from cardwin.solvers.policy import Policy
from cardwin.solvers.tree import tree_of


def to_openspiel(game: Game | str) -> Any:
    """Return the OpenSpiel game of one of ours.

    Args:
        game: A small game of ours.

    Returns:
        OpenSpiel's own Kuhn poker or Leduc hold'em, otherwise ours as it is registered there.

    """
    rules = game_of(game) if isinstance(game, str) else game
    if isinstance(rules, OpenSpielGame):
        return rules.loaded
    if isinstance(rules, Kuhn) and len(rules.cards) == 3 and rules.bets == (1,) and not rules.with_raise:
        return pyspiel.load_game("kuhn_poker")
    if isinstance(rules, Leduc):
        return pyspiel.load_game("leduc_poker")
    return registered(rules)


def from_openspiel(game: Any) -> Game:
    """Return our game of an OpenSpiel game.

    Args:
        game: A `pyspiel.Game`.

    Returns:
        Our rules if both libraries have the game, otherwise OpenSpiel's game as one of ours.

    """
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
    """Return our chance outcome of OpenSpiel's number."""
    if isinstance(state, OpenSpielState):
        return state.outcomes[number]
    cards = game.cards if isinstance(game, Kuhn) else CARDS if isinstance(game, Leduc) else ()
    return cards[number] if cards else state.chance_outcomes()[number][0]


def numbers_of(game: Any, state: State) -> dict[int, Action]:
    """Return our legal actions at a position by their numbers in an OpenSpiel game."""
    legal = state.legal_actions()
    if isinstance(state, OpenSpielState):
        return state.numbers
    name = game.get_type().short_name
    if name in OPENSPIEL_NUMBERS:
        return {OPENSPIEL_NUMBERS[name][action.name]: action for action in legal}
    return dict(enumerate(legal))


def following(game: Game, spiel: Any, state: State, number: int) -> State:
    """Return our position after OpenSpiel's number of an action or outcome."""
    if state.actor == CHANCE:
        registered_here = spiel.get_type().short_name.startswith("cardwin")
        return state.apply(state.chance_outcomes()[number][0] if registered_here else _outcome(game, state, number))
    return state.apply(numbers_of(spiel, state)[number])


def pairs_of(game: Game, spiel: Any) -> Iterator[tuple[State, Any]]:
    """Yield every position of our game with OpenSpiel's state of the same position."""
    stack = [(game.start(), spiel.new_initial_state())]
    while stack:
        ours, theirs = stack.pop()
        yield ours, theirs
        stack += [(following(game, spiel, ours, number), theirs.child(number)) for number in theirs.legal_actions()]


def export_policy(policy: Policy, game: Any = None) -> Any:
    """Return a policy of both seats as a `pyspiel.TabularPolicy`.

    Args:
        policy: A policy of ours.
        game: The OpenSpiel game, by default `to_openspiel` of the policy's game.

    """
    rules = policy.tree.game
    spiel = to_openspiel(rules) if game is None else game
    choices = [dict(policy.choices(seat)) for seat in (0, 1)]
    table: dict[str, list[tuple[int, float]]] = {}
    for ours, theirs in pairs_of(rules, spiel):
        if ours.actor >= 0:
            chances = dict(choices[ours.actor][ours.information_state(ours.actor)])
            numbers = numbers_of(spiel, ours)
            table[theirs.information_state_string()] = [
                (number, float(chances[numbers[number]])) for number in sorted(numbers)
            ]
    return pyspiel.TabularPolicy(table)


def import_policy(game: Game | str, policy: Any, spiel: Any = None) -> Policy:
    """Return our policy of an OpenSpiel policy.

    The probabilities are read exactly. If they do not sum to 1 because of rounding, each is changed by less than it
    takes to change the float; if they are further from 1, they are scaled.

    Args:
        game: A small game of ours.
        policy: An object with `action_probabilities(state)`.
        spiel: The OpenSpiel game, by default `to_openspiel(game)`.

    Raises:
        InputError: the probabilities of an information set are invalid.

    """
    rules = game_of(game) if isinstance(game, str) else game
    spiel, tree = to_openspiel(rules) if spiel is None else spiel, tree_of(rules)
    first = [{text: row[1] for text, row in zip(s.infosets, s.layout.tolist(), strict=True)} for s in tree.sequences]
    behaviours: list[Exact] = [[Fraction(1)] * seqs.count for seqs in tree.sequences]
    for ours, theirs in pairs_of(rules, spiel):
        if ours.actor >= 0:
            chances, numbers = policy.action_probabilities(theirs), numbers_of(spiel, ours)
            by_action = {action: float(chances.get(number, 0.0)) for number, action in numbers.items()}
            exact = _exactly([by_action[action] for action in ours.legal_actions()])
            start = first[ours.actor][ours.information_state(ours.actor)]
            behaviours[ours.actor][start : start + len(exact)] = exact
    return Policy(tree, (behaviours[0], behaviours[1]), "imported")


def _exactly(chances: list[float]) -> Exact:
    """Return fractions that sum to 1 and equal these floats, if the floats sum to 1 up to rounding."""
    if min(chances) < 0 or not all(map(math.isfinite, chances)) or not sum(chances) > 0:
        raise InputError(f"expected the probabilities of an information set's actions, got {chances}")
    exact = [Fraction(chance) for chance in chances]
    steps = [Fraction(math.ulp(chance)) if chance else Fraction(0) for chance in chances]
    missing, room = 1 - sum(exact, Fraction(0)), sum(steps, Fraction(0))
    if missing and abs(missing) * 2 < room:
        exact = [chance + missing * step / room for chance, step in zip(exact, steps, strict=True)]
    elif missing:
        exact = [chance / sum(exact) for chance in exact]
    return exact
