"""Printed values of the dissertation: the fittest players' winnings and its tables of chromosomes.

Tables are written row by row, rows separated by slashes, in its notation: 0, 1, ↓, ↑, ~ and a few decimals.
"""

from dataclasses import dataclass

ANY = "~ ~ ~"


@dataclass(frozen=True)
class Case:
    """The counter-strategy to one model in one seat (0, 1), and the winnings of its fittest, if printed."""

    model: str
    seat: int
    won: float | None
    table: str | None

    @property
    def marks(self) -> list[str] | None:
        """The table, gene by gene."""
        return None if self.table is None else self.table.replace("/", " ").split()


@dataclass(frozen=True)
class Variant:
    """A game of the dissertation, its section, and its counter-strategies."""

    game: str
    place: str
    cases: tuple[Case, ...]


def _rows(*rows: str) -> str:
    return " / ".join(rows)


KUHN = Variant(
    "kuhn",
    "5.1.1",
    (
        Case("shy", 0, 0.34, _rows("1 0 ~", ANY)),
        Case("shy", 1, 0.34, _rows("1 0 ~", ANY)),
        Case("safe", 0, 0.34, _rows("1 0 ~", "~ 0 ~")),
        Case("safe", 1, 0.47, _rows("1 ~ ~", "0 0 ~")),
        Case("rational", 0, 0.23, _rows("0 0 1", "0 0 1")),
        Case("rational", 1, 0.32, _rows("1 ~ 1", "0 0 1")),
        Case("bluffer", 0, 0.33, _rows("0 0 0", "0 1 1")),
        Case("bluffer", 1, 0.35, _rows("↓ ~ 1", "0 1 1")),
        Case("folder", 0, 1.0, _rows("1 1 ~", ANY)),
        Case("folder", 1, None, None),
        Case("caller", 0, 0.59, _rows("0 1 1", "0 1 1")),
        Case("caller", 1, None, None),
    ),
)
BREADTH = Variant(
    "kuhn-breadth",
    "5.3.1",
    (
        Case("shy", 0, 0.33, _rows("1 0 ~", "0 ↓ ~", "0 ↓ ~", ANY, ANY, ANY)),
        Case("shy", 1, 0.33, _rows("1 0 ↓", "0 ↓ ↑", "0 0 ~", ANY, "↑ ~ ~", "↓ ~ ~")),
        Case("safe", 0, 0.33, _rows("1 0 ~", "0 ↓ ~", "0 ↓ ~", ANY, "↓ ~ ~", "↓ 0 ~")),
        Case("safe", 1, 0.46, _rows("1 ~ ↑", "↓ ~ ~", ANY, "~ ↓ ~", "~ 0 ↑", "0 ~ ↓")),
        Case("rational", 0, 1.24, _rows("0 0 1", "0 0 1", "~ ~ 1", "0 ~ ~", "0 ~ ~", "0 0 ~")),
        Case("rational", 1, 0.47, _rows(ANY, ANY, ANY, "0 ↓ 1", "0 0 1", ANY)),
        Case("bluffer", 0, 2.06, _rows("0 0 0", "0 0 ~", ANY, "~ 1 1", "0 1 1", "0 0 1")),
        Case("bluffer", 1, 1.89, _rows(ANY, ANY, ANY, "~ 1 1", "0 0 1", ANY)),
    ),
)
# The first stage, bets of 1 and 2, was run but its results were not printed.
BREADTH_2 = Variant(
    "kuhn-breadth:bets=1/2",
    "4.3.2",
    tuple(Case(model, seat, None, None) for model in ("shy", "safe", "rational", "bluffer") for seat in (0, 1)),
)
DEPTH = Variant(
    "kuhn-depth",
    "5.3.2",
    (
        Case("shy", 0, 0.32, _rows("1 0 ~", ANY, ANY, ANY)),
        Case("shy", 1, 0.32, _rows("1 0 ~", ANY, ANY, ANY)),
        Case("safe", 0, 0.34, _rows("1 0 ~", "↓ 0 ~", ANY, "0 ↓ ~")),
        Case("safe", 1, 0.46, _rows("1 ~ ~", "0 0 ~", "↓ ↓ ~", ANY)),
        Case("rational", 0, 0.28, _rows("0 0 1", "0 0 1", "~ ~ ↑", "↓ ~ 1")),
        Case("rational", 1, 0.40, _rows("1 ~ 1", "0 0 1", "↓ ↓ 1", "0 ~ 1")),
        Case("bluffer", 0, 0.46, _rows("0 0 1", "0 1 1", "~ 0 ~", "↓ ↑ 1")),
        Case("bluffer", 1, 0.63, _rows("↓ 1 1", "0 1 1", "~ 0 1", "↓ 1 1")),
    ),
)
# The Bluffer's two tables show a thirteenth row for twelve decisions; the free row before the calls is left out.
FULL = Variant(
    "kuhn-full",
    "Appendix D",
    (
        Case("shy", 0, 0.33, _rows("1 0 ~", "0 ↓ ~", "0 ↓ ~", *(ANY,) * 9)),
        Case("shy", 1, 0.33, _rows("1 0 ~", "0 ↓ ~", "0 ↓ ~", *(ANY,) * 9)),
        Case(
            "safe",
            0,
            0.33,
            _rows(
                *("1 0 ↓", "0 ↓ .6", "0 0 ~", "~ ↓ ~", ANY, "0 0 ~"),
                *("~ ~ ↓", "↑ ~ ↓", "↓ ~ ↑", "0 ~ ~", "~ ↓ ~", "↓ ~ ~"),
            ),
        ),
        Case(
            "safe",
            1,
            0.44,
            _rows(
                *("1 ↓ ~", "↑ ~ ↑", ANY, "↓ ~ ~", ".5 .5 .5", "0 0 ~"),
                *("~ 0 ~", ANY, ANY, "~ 0 ~", ANY, "↓ ~ ~"),
            ),
        ),
        Case(
            "rational",
            0,
            0.57,
            _rows(
                *("0 0 0", "0 ↓ 0", "0 0 0", "0 ~ 1", "0 ~ 1", "0 0 ~"),
                *("~ ~ 1", "1 ~ 1", "~ 0 ~", "0 ~ 1", "0 ~ 1", ANY),
            ),
        ),
        Case(
            "rational",
            1,
            0.59,
            _rows(*(ANY, ANY, ANY, "0 ~ 1", "0 ~ 1", "0 0 ~"), *(ANY, "1 ~ 1", ANY, ANY, ANY, ANY)),
        ),
        Case(
            "bluffer",
            0,
            2.82,
            _rows(*("1 0 1", "0 0 1", "↓ ↓ 1", ANY, ANY, "↓ 0 ~"), *(ANY, ANY, ANY, "0 ~ ~", ANY, "~ ~ 1")),
        ),
        Case(
            "bluffer",
            1,
            3.82,
            _rows(*("1 1 1", "0 1 1", "↓ 1 1", ANY, ANY, "0 0 ~"), *(ANY, ANY, ANY, ANY, ANY, "~ ~ 1")),
        ),
    ),
)


@dataclass(frozen=True)
class Player:
    """A printed chromosome, the seat it was evolved for, and its winnings against models: on average, up to."""

    name: str
    seat: int
    genes: str
    against: dict[str, tuple[float, float]]


COEVOLVED_1 = Player(
    "co-evolved player 1",
    0,
    ".1,0,.43,.01,.56,1",
    {"shy": (0.02, 0.14), "safe": (-0.07, 0.07), "rational": (-0.02, 0.14), "bluffer": (0.03, 0.20)},
)
COEVOLVED_2 = Player(
    "co-evolved player 2",
    1,
    ".44,0,1,.0027,.24,1",
    {"shy": (0.07, 0.22), "safe": (0.10, 0.25), "rational": (0.10, 0.28), "bluffer": (0.08, 0.26)},
)
MIXED_1 = Player(
    "mixed player 1",
    0,
    ".00046,0,.063,0,.49,1",
    {"shy": (0.015, 0.15), "safe": (-0.02, 0.12), "rational": (0.03, 0.20), "bluffer": (0.03, 0.23)},
)

# Appendix E: the genes of co-evolution in the wider games, by seat.
COEVOLVED_TABLES = {
    "kuhn-breadth": (
        _rows("0 0 ~", "~ 0 ↓", "0 ~ 1", "0 ↑ 1", "0 ~ 1", "0 0 1"),
        _rows("↑ 0 1", "0 0 0", "0 ~ ~", "0 ~ 1", "0 0 1", "~ ↓ ~"),
    ),
    "kuhn-depth": (_rows("~ 0 ↑", "0 ~ 1", "~ 0 1", "0 ↓ 1"), _rows("~ 0 1", "0 ~ 1", "↓ 0 1", "0 ~ 1")),
    "kuhn-full": (
        _rows(
            *("↓ 0 ↑", "↓ 0 ↑", "0 0 0", "0 1 0", "0 0 1", "0 0 1"),
            *("~ 0 ~", "~ 0 1", "↓ ~ ↑", "0 ↓ 1", "0 ~ 1", "0 ~ 1"),
        ),
        _rows(
            *("↓ 0 ↑", "↓ 0 ↑", "0 0 0", "0 ~ 0", "0 0 1", "0 0 1"),
            *("~ ~ ~", "~ 0 1", "↓ ~ ↑", "0 1 1", "0 ~ 1", "↓ ~ 1"),
        ),
    ),
}

# Appendix A: the fittest against Caller, which won .59.
CALLERS_BANE = ".01,.98,.97,0,.87,1"

# 5.1.1 computes the values of some choices, card by card: (model, seat, card, genes set, printed).
EARNINGS = (
    ("rational", 0, "Q", {"B_Q": 1}, -0.5),
    ("rational", 0, "Q", {"B_Q": 0, "C_Q": 1}, -0.5),
    ("rational", 0, "Q", {"B_Q": 0, "C_Q": 0}, 0.0),
    ("bluffer", 0, "K", {"B_K": 1}, 1.35),
    ("bluffer", 0, "K", {"B_K": 0, "C_K": 0}, -0.2),
    ("bluffer", 0, "K", {"B_K": 0, "C_K": 1}, 1.6),
    ("bluffer", 0, "J", {"B_J": 0, "C_J": 0}, -1.0),
    ("bluffer", 0, "Q", {"B_Q": 0, "C_Q": 1}, -0.25),
)

# Choices whose value it states once they are reached: (place, game, model, seat, reached, genes set, printed).
REACHED = (
    ("5.1.1", "kuhn", "rational", 1, "J after check", {"B_J": 1}, -0.5),
    ("5.1.1", "kuhn", "bluffer", 1, "J after check", {"B_J": 1}, -1.1),
    ("5.1.1", "kuhn", "bluffer", 1, "K after check", {"B_K": 1}, 1.16),
    ("5.3.2", "kuhn-depth", "rational", 1, "J after check", {"B_J": 1, "C_J": 0}, -0.5),
    ("5.3.2", "kuhn-depth", "rational", 1, "J after check", {"B_J": 1, "C_J": 1}, -0.75),
)
# How often a bet is called: (model, seat of the bettor, reached, printed as, value).
CALLED = (
    ("rational", 0, "J first to act", "75%", 0.75),
    ("rational", 1, "K after check", "1/6", 1 / 6),
)

# Its claims about the seats: (place, game, model, which seat is better off: 1, 2, or 0 for neither).
ADVANTAGES = (
    ("5.1.1", "kuhn", "shy", 0),
    ("5.1.1", "kuhn", "safe", 2),
    ("5.1.1", "kuhn", "rational", 2),
    ("5.1.1", "kuhn", "bluffer", 0),
    ("5.3.1", "kuhn-breadth", "shy", 0),
    ("5.3.1", "kuhn-breadth", "rational", 1),
    ("5.3.1", "kuhn-breadth", "bluffer", 1),
    ("5.3.2", "kuhn-depth", "shy", 0),
    ("5.3.2", "kuhn-depth", "rational", 2),
    ("5.3.2", "kuhn-depth", "bluffer", 2),
    ("Appendix D", "kuhn-full", "shy", 0),
)

BLUFF, SANDBAG = "bluffs", "sandbags"  # bets the lowest card, checks the highest
# Deceptions that it names or denies: (place, game, model, seat, which, whether the counter-strategy does it).
DECEPTIONS = (
    ("5.1.1", "kuhn", "shy", 0, BLUFF, True),
    ("5.1.1", "kuhn", "shy", 1, BLUFF, True),
    ("5.1.1", "kuhn", "safe", 0, BLUFF, True),
    ("5.1.1", "kuhn", "safe", 1, BLUFF, True),
    ("5.1.1", "kuhn", "rational", 0, BLUFF, False),
    ("5.1.1", "kuhn", "rational", 0, SANDBAG, False),
    ("5.1.1", "kuhn", "rational", 1, BLUFF, True),
    ("5.1.1", "kuhn", "bluffer", 0, SANDBAG, True),
    ("5.1.1", "kuhn", "bluffer", 1, SANDBAG, False),
    ("5.3.1", "kuhn-breadth", "shy", 0, BLUFF, True),
    ("5.3.1", "kuhn-breadth", "shy", 1, BLUFF, True),
    ("5.3.1", "kuhn-breadth", "safe", 0, BLUFF, True),
    ("5.3.1", "kuhn-breadth", "safe", 1, BLUFF, True),
    ("5.3.1", "kuhn-breadth", "rational", 0, BLUFF, False),
    ("5.3.1", "kuhn-breadth", "rational", 0, SANDBAG, False),
    ("5.3.1", "kuhn-breadth", "bluffer", 0, SANDBAG, True),
    ("5.3.2", "kuhn-depth", "shy", 0, BLUFF, True),
    ("5.3.2", "kuhn-depth", "shy", 1, BLUFF, True),
    ("5.3.2", "kuhn-depth", "safe", 0, BLUFF, True),
    ("5.3.2", "kuhn-depth", "safe", 1, BLUFF, True),
    ("5.3.2", "kuhn-depth", "rational", 0, BLUFF, False),
    ("5.3.2", "kuhn-depth", "rational", 0, SANDBAG, False),
    ("5.3.2", "kuhn-depth", "rational", 1, BLUFF, True),
    ("5.3.2", "kuhn-depth", "bluffer", 0, SANDBAG, False),
    ("5.3.2", "kuhn-depth", "bluffer", 0, BLUFF, False),
    ("5.3.2", "kuhn-depth", "bluffer", 1, SANDBAG, False),
    ("5.3.2", "kuhn-depth", "bluffer", 1, BLUFF, False),
    ("5.3.3", "kuhn-full", "rational", 0, SANDBAG, True),
    ("5.3.3", "kuhn-full", "bluffer", 0, BLUFF, True),
    ("5.3.3", "kuhn-full", "bluffer", 1, BLUFF, True),
)
