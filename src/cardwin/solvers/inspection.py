"""A policy at every information set, and the exact cost of each of its mistakes against a given opponent.

The policy's loss against a best response splits over its information sets: at each, the probability that its own play
reaches the set, times the EV loss of its choices there with best play afterwards. They add up to the best
response's value minus the policy's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from cardwin.games.base import Game
from cardwin.solvers import exact
from cardwin.solvers.policy import Policy

Row = TypeVar("Row", bound=tuple[Any, ...])


@dataclass(frozen=True)
class Choice:
    """An action: its probability, and the chips that it costs each time; None if the set is never reached."""

    action: str
    probability: Fraction
    cost: Fraction | None


@dataclass(frozen=True)
class Inside:
    """An information set: its text, the probability of reaching it, the choices, and the chips lost here a game.

    `forced` is the action that every best response takes here, if there is only one.
    """

    knows: str
    reach: Fraction
    choices: tuple[Choice, ...]
    loss: Fraction
    forced: str | None


def inside(policy: Policy, seat: int, against: Policy) -> list[Inside]:
    """All information sets of a seat, in the tree's order."""
    seqs = policy.tree.sequences[seat]
    response = exact.respond(policy.tree, seat, against.exact(1 - seat))
    behaviour = policy.exact(seat)
    plan = exact.plan_of(seqs, behaviour)
    found = []
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        value, reached = response.action_values[first : first + count], response.reached[index]
        short = [max(value) - chips for chips in value]
        chances = behaviour[first : first + count]
        choices = tuple(
            Choice(str(action), chance, cost / reached if reached else None)
            for action, chance, cost in zip(seqs.actions[index], chances, short, strict=True)
        )
        best = [choice.action for choice in choices if choice.cost == 0]
        lost = sum((chance * cost for chance, cost in zip(chances, short, strict=True)), Fraction(0))
        found.append(
            Inside(seqs.infosets[index], plan[parent] * reached, choices, plan[parent] * lost,
                   best[0] if len(best) == 1 else None)
        )  # fmt: skip
    return found


def by_card(game: Game, rows: Sequence[Row], most: int) -> list[Row]:
    """Rows that begin with an information set's text, grouped by card in the game's order.

    The tree's order follows the other seat's cards. It is kept if there are more than `most` rows, since only the first
    are shown: it begins with the first decision of every card.
    """
    cards = [card for card, _ in game.start().chance_outcomes()]
    held = [str(row[0]).partition(" ")[0] for row in rows]
    if len(rows) > most or not set(held) <= set(cards):
        return list(rows)
    return [row for _, row in sorted(zip(held, rows, strict=True), key=lambda pair: cards.index(pair[0]))]
