"""The opponent models of López Pozuelo (2015), chapters 4 and 5.3 and Appendix D.

A row holds a gene for the lowest card, for the cards between, and for the highest. The dissertation has three
cards; with more, every card between plays like its queen.
"""

from fractions import Fraction

from cardwin.core.errors import InputError, unknown_name
from cardwin.games.base import Game
from cardwin.games.small.kuhn import Kuhn

Row = tuple[str, str, str]
Model = dict[str, Row]

NEVER: Row = ("0", "0", "0")
ALWAYS: Row = ("1", "1", "1")
TOP: Row = ("0", "0", "1")
UPPER: Row = ("0", "1", "1")
HALF: Row = ("0", "1/2", "1")
MOSTLY: Row = ("0", "7/10", "1")

KUHN: dict[str, Model] = {
    "shy": {"B": NEVER, "C": TOP},
    "safe": {"B": TOP, "C": TOP},
    "rational": {"B": HALF, "C": HALF},
    "bluffer": {"B": ("1/2", "7/10", "1"), "C": MOSTLY},
    "folder": {"B": NEVER, "C": NEVER},
    "caller": {"B": ALWAYS, "C": ALWAYS},
}
BREADTH: dict[str, Model] = {
    "shy": {"B": NEVER, "B>1": NEVER, "B10": NEVER, "C1": TOP, "C2": TOP, "C10": TOP},
    "safe": {"B": TOP, "B>1": TOP, "B10": TOP, "C1": TOP, "C2": TOP, "C10": TOP},
    "rational": {"B": UPPER, "B>1": HALF, "B10": TOP, "C1": UPPER, "C2": HALF, "C10": TOP},
    "bluffer": {
        "B": ALWAYS,
        "B>1": ("1/2", "1", "1"),
        "B10": ("3/10", "1/2", "1"),
        "C1": UPPER,
        "C2": HALF,
        "C10": TOP,
    },
}
DEPTH: dict[str, Model] = {
    "shy": {"B": NEVER, "NF": TOP, "R": NEVER, "C": TOP},
    "safe": {"B": TOP, "NF": TOP, "R": TOP, "C": TOP},
    "rational": {"B": HALF, "NF": HALF, "R": HALF, "C": HALF},
    "bluffer": {"B": ("1/2", "7/10", "1"), "NF": ("1/2", "7/10", "1"), "R": ("1", "1/2", "1"), "C": MOSTLY},
}


def _replies(*rows: Row) -> Model:
    """Return rows for not folding to, raising and calling 1, 2 and 10, in that order."""
    return dict(zip((f"{kind}{bet}" for kind in ("NF", "R", "C") for bet in (1, 2, 10)), rows, strict=True))


FULL: dict[str, Model] = {
    "shy": {"B": NEVER, "B>1": NEVER, "B10": NEVER, **_replies(*(TOP,) * 3, *(NEVER,) * 3, *(TOP,) * 3)},
    "safe": {"B": TOP, "B>1": TOP, "B10": TOP, **_replies(*(TOP,) * 9)},
    "rational": {"B": UPPER, "B>1": HALF, "B10": TOP, **_replies(*(UPPER, HALF, TOP) * 3)},
    "bluffer": {
        "B": ALWAYS,
        "B>1": ("1/2", "1", "1"),
        "B10": ("1/2", "1/2", "1"),
        **_replies(
            *(("1/2", "1", "1"), ("1/2", "7/10", "1"), ("1/2", "1/2", "1")),
            *(ALWAYS, ("1", "7/10", "1"), ("1", "1/2", "1")),
            *(UPPER, HALF, TOP),
        ),
    },
}


def models(game: Game) -> dict[str, Model]:
    """Return the models of a game by name; empty if it has none."""
    if not isinstance(game, Kuhn):
        return {}
    if len(game.bets) == 1:
        return DEPTH if game.with_raise else KUHN
    return FULL if game.with_raise else BREADTH


def model_genes(game: Game, name: str) -> list[Fraction]:
    """Return a model's genes in the game's order, the same for both seats.

    Raises:
        InputError: the game has no such model, or the model has no genes for its bets.

    """
    known = models(game)
    if name not in known or not isinstance(game, Kuhn):
        raise unknown_name(f"model for {game.name}", name, known)
    genes = []
    for gene in game.gene_order:
        row, _, card = gene.partition("_")
        if row not in known[name]:
            raise InputError(f"the model {name} has no gene {row} for {game.name}: expected bets of 1, 2 and 10")
        column = 0 if card == game.cards[0] else 2 if card == game.cards[-1] else 1
        genes.append(Fraction(known[name][row][column]))
    return genes
