"""Tabular policies to OpenSpiel and back, bit for bit."""

import math
from fractions import Fraction
from typing import Any

import pyspiel

from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games.base import Game
from cardwin.interop.openspiel.mapping import numbers_of, pairs_of, there
from cardwin.solvers.exact import Exact
from cardwin.solvers.policy import Policy
from cardwin.solvers.tree import tree_of


def export_policy(given: Policy, game: Any = None) -> Any:
    """A policy of both seats as a `pyspiel.TabularPolicy` of an OpenSpiel game, by default `there(...)`."""
    rules = given.tree.game
    spiel = there(rules) if game is None else game
    chosen = [dict(given.choices(seat)) for seat in (0, 1)]
    table: dict[str, list[tuple[int, float]]] = {}
    for ours, theirs in pairs_of(rules, spiel):
        if ours.actor >= 0:
            chances = dict(chosen[ours.actor][ours.information_state(ours.actor)])
            numbers = numbers_of(spiel, ours)
            table[theirs.information_state_string()] = [(one, float(chances[numbers[one]])) for one in sorted(numbers)]
    return pyspiel.TabularPolicy(table)


def import_policy(game: Game | str, given: Any, spiel: Any = None) -> Policy:
    """Our policy of an OpenSpiel policy for a game of ours; any object with `action_probabilities(state)` is one.

    The probabilities are read exactly. Where they do not sum to 1 because of rounding, each is changed by less than it
    takes to change the float; where they are further from 1, they are scaled.
    """
    rules = game_of(game) if isinstance(game, str) else game
    spiel, tree = there(rules) if spiel is None else spiel, tree_of(rules)
    first = [{text: row[1] for text, row in zip(s.infosets, s.layout.tolist(), strict=True)} for s in tree.sequences]
    behaviours: list[Exact] = [[Fraction(1)] * seqs.count for seqs in tree.sequences]
    for ours, theirs in pairs_of(rules, spiel):
        if ours.actor >= 0:
            chances, numbers = given.action_probabilities(theirs), numbers_of(spiel, ours)
            by_action = {action: float(chances.get(number, 0.0)) for number, action in numbers.items()}
            exact = _exactly([by_action[action] for action in ours.legal_actions()])
            place = first[ours.actor][ours.information_state(ours.actor)]
            behaviours[ours.actor][place : place + len(exact)] = exact
    return Policy(tree, (behaviours[0], behaviours[1]), "imported")


def _exactly(chances: list[float]) -> Exact:
    """Fractions that sum to 1 and are these floats, if they sum to 1 up to rounding."""
    if min(chances) < 0 or not all(map(math.isfinite, chances)) or not sum(chances) > 0:
        raise InputError(f"{chances} are no probabilities of the actions of an information set")
    exact = [Fraction(chance) for chance in chances]
    steps = [Fraction(math.ulp(chance)) if chance else Fraction(0) for chance in chances]
    missing, room = 1 - sum(exact, Fraction(0)), sum(steps, Fraction(0))
    if missing and abs(missing) * 2 < room:
        exact = [one + missing * step / room for one, step in zip(exact, steps, strict=True)]
    elif missing:
        exact = [one / sum(exact) for one in exact]
    return exact
