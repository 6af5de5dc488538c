"""Cards as small integers, 4 * rank + suit: ranks 0..12 are 2..A, suits 0..3 are clubs, diamonds, hearts, spades."""

from collections.abc import Iterable

from cardwin.core.errors import InputError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SIGNS = "♣♦♥♠"
DECK = tuple(range(52))

CARD_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_OF_NAME = {name.lower(): card for card, name in enumerate(CARD_NAMES)}
_SEPARATORS = str.maketrans(dict.fromkeys(" ,;\t[]", "") | dict(zip(SUIT_SIGNS, SUITS, strict=True)))


def parse_cards(text: str) -> tuple[int, ...]:
    """Parse the cards in a text such as `AhKd`, `10h 9h` or `A♥, K♦`.

    Returns:
        The cards in the order of the text.

    Raises:
        InputError: a card is invalid or occurs twice.

    """
    letters = text.translate(_SEPARATORS).replace("10", "T")
    names = [letters[i : i + 2] for i in range(0, len(letters), 2)]
    cards = []
    for name in names:
        card = _CARD_OF_NAME.get(name.lower())
        if card is None:
            raise InputError(
                f"invalid card {name!r} in {text!r}: expected a rank of {RANKS} and a suit of {SUITS}, as in 10d"
            )
        if card in cards:
            raise InputError(f"duplicate card {CARD_NAMES[card]} in {text!r}")
        cards.append(card)
    return tuple(cards)


def cards_text(cards: Iterable[int], signs: bool = False) -> str:
    """Return the cards' names in a row, `AhKd`, or with suit signs, `A♥K♦`."""
    if signs:
        return "".join(RANKS[card // 4] + SUIT_SIGNS[card % 4] for card in cards)
    return "".join(CARD_NAMES[card] for card in cards)
