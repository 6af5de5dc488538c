"""Opening a table of any game for people and players, by their specifications."""

from collections.abc import Sequence

from cardwin.arena.interactive.small_table import SmallTable
from cardwin.arena.interactive.table import PERSON, HoldemTable, InteractiveTable, Review, no_review, people_in
from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games import is_holdem


def open_table(
    game: str,
    specs: Sequence[str],
    seed: int,
    open_cards: bool = False,
    names: Sequence[str] | None = None,
    review: Review = no_review,
) -> InteractiveTable:
    """Open a table of a game with at least one person.

    Args:
        game: The specification of the game.
        specs: The players by seat, `person` for a person.
        seed: The seed of cards and decisions.
        open_cards: Whether all cards are shown after a hand.
        names: The names by which players are shown, by default their specifications.
        review: Computes the costs of decisions in hold'em, once a hand is over.

    Raises:
        InputError: there is no person, or a player or the game is unknown.

    """
    if not people_in(specs):
        raise InputError(f"no person at the table: one of the players should be {PERSON!r}")
    rules = game_of(game)
    if is_holdem(rules):
        return HoldemTable(rules, specs, seed, open_cards, names, review)
    return SmallTable(rules, specs, seed, open_cards, names)


SMALL = (("kuhn", ("equilibrium",)),)  # first, so that small games can be played while the others compile
LARGE = (
    ("holdem-nl", ("call", "random", "v1", "standard", "matrix")),
    ("holdem-limit", ("loki",)),
    ("holdem-simple", ("call",)),
)


def warm_up(games: Sequence[tuple[str, Sequence[str]]] = (*SMALL, *LARGE)) -> None:
    """Play a hand of every kind with the most frequent players, so that their kernels are compiled."""
    for game, others in games:
        table = open_table(game, [PERSON, *others], 1)
        for _ in range(3):
            table.deal()
            while table.turn == 0:
                first = table.look(0)["actions"][-1 if game == "kuhn" else 0]
                table.take(0, first.get("text", first["name"]))
