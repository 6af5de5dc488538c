"""Pools of really played deals and tournaments, from which `interval_coverage.py` draws matches with replacement.

A cell of 2,000 matches would take hours if every match were played. Instead a pool of deals is played once, and a match
is a sample of independent deals from it: its true mean is the pool's mean, known exactly. Within a deal nothing is
changed, so rare losses of several stacks stay as they were played.
"""

from collections.abc import Iterator, Sequence

from cardwin.arena.match import Match, MatchOptions
from cardwin.arena.tournament import Structure, Tournaments
from cardwin.core.arrays import Floats
from cardwin.core.rng import Stream, generator_of, key_of
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import HoldemGame, HoldemView, holdem_game
from cardwin.players.registry import makers_of
from cardwin.stats.intervals import block_means

GAME = holdem_game("holdem-nl", {})
FIRST_ACE = 48  # cards by rank, then suit


class AcesOnly:
    """Calls any bet with two aces, and otherwise checks or folds."""

    stateless = True

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Call with aces."""
        if CALL in view.legal_actions and min(view.hole) >= FIRST_ACE:
            return CALL
        return CHECK if CHECK in view.legal_actions else FOLD


def play_pool(specs: Sequence[str], deals: int, options: MatchOptions, game: HoldemGame = GAME) -> Match:
    """Play a pool of deals; `aces` calls with aces only."""
    makers = [AcesOnly if spec == "aces" else makers_of([spec])[0] for spec in specs]
    played = Match(game, makers, key_of(10, "pool", *specs), options=options)
    played.play(deals * played.per_deal)
    return played


def deals_of(specs: Sequence[str], deals: int, *, duplicate: bool = True) -> Floats:
    """Return the mean chips (deals, players) of every player in every deal."""
    played = play_pool(specs, deals, MatchOptions(duplicate=duplicate))
    return block_means(played.chips, played.per_deal)


def places_of(specs: Sequence[str], tournaments: int) -> Floats:
    """Return the places (tournaments, players) of freezeout tournaments."""
    series = Tournaments(GAME, makers_of(specs), key_of(7, "pool", *specs), Structure(growth=2.0, every=10))
    return series.play(0, tournaments).ranks


def symmetric(pool: Floats, matches: int, size: int, name: str) -> Iterator[Floats]:
    """Yield samples (size,) of the differences (n,) of two identical players with random signs, one per match.

    Identical players can be exchanged, so the distribution of their difference is symmetric and its mean exactly zero.
    """
    draw = generator_of(key_of(9, name, size))
    for _ in range(matches):
        yield draw.choice(pool, size) * draw.choice([-1.0, 1.0], size)
