"""The arena: a long heads-up match, a large tournament, many duplicate tables. There is no peer."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count

from cardwin.arena.match import MatchOptions, match
from cardwin.arena.tournament import Structure, TournamentOptions, Tournaments, tournament
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import makers_of
from speed import Result, seconds

GAME = holdem_game("holdem-nl", {})
NINE = ["fold", "call", "raise", "all-in", "random", "fold", "call", "raise", "random"]


def matches(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure a million hands heads-up, without and with duplicates, on one core."""
    for duplicate in (False, True):
        options = MatchOptions(duplicate=duplicate)
        taken = seconds(partial(match, GAME, ["call", "random"], 10**6, 1, options=options), 3)
        yield Result(f"a million hands heads-up{', duplicate' if duplicate else ''}", taken, "s")


def tournaments(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure a ten-seat tournament of 1,000 random players, and 1,000 nine-seat duplicate tables, on two cores."""
    thousand = Tournaments(GAME, makers_of(["random"] * 1000), 1, Structure())
    numbers = count()
    yield Result("tournament of 1,000", 1e3 * seconds(lambda: thousand.play(next(numbers), 1), 9), "ms")
    nine = seconds(lambda: tournament(GAME, NINE, 1000, 1, 2, options=TournamentOptions(duplicate=True)), 3)
    yield Result("9,000 tournaments at nine seats", nine, "s")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {"matches": matches, "tournaments": tournaments}
