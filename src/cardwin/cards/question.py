"""Questions about win odds, parsed from text and checked before anything is computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwin.cards.card import CARD_NAMES, cards_text, parse_cards
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDINGS, Weights, parse_range
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.cards.equity import Equity

MAX_OPPONENTS = 9


@dataclass(frozen=True)
class Question:
    """A hand or range, its opponents, and the cards that are known."""

    hand: Weights
    against: tuple[Weights, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def before_the_flop(self) -> bool:
        """Whether it is one class of hands against random ones with no known card, which the shipped table answers."""
        members = self.hand > 0
        plain = not self.board and not self.dead and all((weights == 1).all() for weights in self.against)
        return plain and len(set(CLASS_OF_HOLDING[members])) == 1 and len(set(self.hand[members])) == 1


def parse_question(
    hand: str, board: str = "", opponents: int | None = None, against: Sequence[str] = (), dead: str = ""
) -> Question:
    """Parse a question.

    Args:
        hand: two cards such as `AhKh`, or a range.
        board: 0, 3, 4 or 5 cards.
        opponents: the number of opponents with random hands; 1 by default.
        against: the ranges of the opponents, instead of their number.
        dead: cards that are known to be out of play.

    Raises:
        InputError: a text is invalid or a card is named twice.

    """
    if against and opponents is not None:
        raise InputError("give either the number of opponents or their ranges, not both")
    count = len(against) or (1 if opponents is None else opponents)
    if not 1 <= count <= MAX_OPPONENTS:
        raise InputError(f"invalid number of opponents: expected 1 to {MAX_OPPONENTS}, got {count}")
    ranges = tuple(parse_range(each) for each in against) or (np.ones(HOLDINGS),) * count
    board_cards, dead_cards = parse_cards(board), parse_cards(dead)
    if len(board_cards) not in (0, 3, 4, 5):
        raise InputError(f"invalid board {board!r}: expected 0, 3, 4 or 5 cards, got {len(board_cards)}")
    question = Question(_read_hand(hand), ranges, board_cards, dead_cards)
    _check_cards(hand, question)
    return question


def _read_hand(text: str) -> Weights:
    """Return the weights of two cards or of a range. Four letters that are not a hand of a range are read as cards."""
    shortened = text.replace("10", "T").strip()
    if len(shortened) == 4 and not any(sign in shortened for sign in "+-,%"):
        cards = parse_cards(text)
        return parse_range("".join(CARD_NAMES[card] for card in cards))
    return parse_range(text)


def _check_cards(hand: str, question: Question) -> None:
    known = [*question.board, *question.dead]
    members = np.flatnonzero(question.hand)
    if len(members) == 1:
        known += parse_cards(hand)
    for card in known:
        if known.count(card) > 1:
            raise InputError(f"duplicate card {CARD_NAMES[card]} among hand, board and dead cards")


@dataclass(frozen=True, repr=False)
class HandRank(BriefRepr):
    """The value of a hand: its category, its best five cards, and its rank from 1 (royal flush) to 7462."""

    hand: str
    category: str
    best_five: str
    value: int


def rank_hand(text: str) -> HandRank:
    """Return the value of five to seven cards."""
    cards = parse_cards(text)
    if not 5 <= len(cards) <= 7:
        raise InputError(f"invalid hand {text!r}: expected 5 to 7 cards, got {len(cards)}")
    from cardwin.cards.ranks import best_five, category_of, rank_five

    best = best_five(cards)
    value = rank_five(*best)
    return HandRank(text, category_of(value), cards_text(best), value)


def answer_question(question: Question) -> "Equity":
    """Return the odds: from the shipped table before the flop, otherwise by enumeration or simulation."""
    from cardwin.cards.equity import Equity, equity
    from cardwin.cards.preflop import preflop

    if question.before_the_flop:
        row, column = CLASS_OF_HOLDING[np.flatnonzero(question.hand)[0]], len(question.against) - 1
        win, tie, share, error = (float(part[row, column]) for part in preflop())
        return Equity(win, tie, share, error, "table")
    return equity([question.hand, *question.against], question.board, question.dead)
