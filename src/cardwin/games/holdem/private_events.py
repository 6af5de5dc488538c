"""Events that only one seat is notified of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dealt:
    """The notified seat's own cards, at the start of a hand, for players with `sees_cards`.

    Public events (`events`) never contain cards that are not shown, and a view comes only with a decision; programs
    of other tables expect their cards in every hand, whether they get to act or not.
    """

    cards: tuple[int, ...]
