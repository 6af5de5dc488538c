"""Leaderboard: a heads-up round robin in duplicate, with a cross table, ratings, styles and a control for each player.

1. Every pair plays `hands` hands, each deal in both seats; or until the better one is significant, corrected for the
   number of pairs.
2. Every player also plays itself: any deviation of that control from zero is noise.
3. `standings` computes the board; styles come from a sample of hands of every pair.

A pair's random keys are derived from its names, so a new player does not change the results between the others. Pairs
are ordered by the later of the two players, so a board is a prefix of any larger one.
As a run, a step is one pair, or one player's control against itself.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.analysis.seen_hands import seen_hand
from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.live_hands import Listeners
from cardwin.arena.match import Match, MatchOptions, play_until_certain
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand, recorded_makers
from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, Workers
from cardwin.core.rng import key_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import Makers, makers_of
from cardwin.players.specs import TRUSTED, Untrusted, is_untrusted
from cardwin.results.answers import report_of, report_text
from cardwin.results.leaderboard import Leaderboard, Pairing, board_from, leaderboard_answer
from cardwin.runs.commitments import hands_arrays, hands_by_step
from cardwin.runs.trainers.arena_run import ArenaExperiment, ArenaTrainer
from cardwin.stats.intervals import block_means
from cardwin.stats.style import SeenDecision, SeenHand, style_of

COMMAND = "leaderboard"
PAIR = "pair"  # the population of the record
STYLE = "style"  # the array of the hands that were played for the styles
SAMPLED_HANDS = 200  # sampled hands of every pair, for the styles


@dataclass(frozen=True)
class RoundRobin:
    """The pairs of a round robin and their settings: every two players, and every player against itself (control).

    `cards` is a seed, or secrets.
    """

    game: HoldemGame
    specs: tuple[str, ...]
    hands: int
    cards: int | CardSecrets
    until_certain: bool = False
    untrusted: Untrusted = TRUSTED

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise InputError(f"expected at least 2 players, got {len(self.specs)}")
        if twice := [spec for index, spec in enumerate(self.specs) if spec in self.specs[:index]]:
            raise InputError(f"{twice[0]} is named twice: expected every player once")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """For each player: a pair with every earlier player, then with itself."""
        return [(first, second) for second in range(len(self.specs)) for first in range(second + 1)]

    def cards_of(self, purpose: str, names: Sequence[str]) -> int | CardSecrets:
        """Return the cards of a pair: by a key of its names, or secret."""
        return key_of(self.cards, purpose, *names) if isinstance(self.cards, int) else self.cards

    def makers_of(self, names: Sequence[str], recorded: Sequence[RecordedHand] | None) -> Makers:
        """Return the builders of some players; untrusted ones repeat what was recorded, if that is given."""
        if recorded is not None:
            return recorded_makers(names, recorded)
        return makers_of(names, self.untrusted, forfeit=True)

    def play(
        self,
        first: int,
        second: int,
        workers: Workers = 1,
        recorder: HandRecorder | None = None,
        recorded: Sequence[RecordedHand] | None = None,
    ) -> Pairing:
        """Play one pair; untrusted players repeat what was recorded, if that is given."""
        names = self.specs[first], self.specs[second]
        referee = Referee(names, self.untrusted.limit, self.untrusted.time_bank)
        options = MatchOptions(duplicate=True)
        makers, cards, listeners = (
            self.makers_of(names, recorded),
            self.cards_of("pair", names),
            Listeners(recorder=recorder),
        )
        played = Match(self.game, makers, cards, options, workers, referee, listeners)
        if self.until_certain and first != second:
            play_until_certain(played, self.hands, pairs=len(self.pairs) - len(self.specs))
        else:
            played.play(self.hands)
        won = block_means(played.chips, played.per_deal)[:, 0]
        stakes = played.stakes.reshape(-1, played.per_deal).mean(axis=1)
        return Pairing(first, second, won, len(played.chips), referee.report(), stakes)


def leaderboard(
    game: HoldemGame,
    specs: Sequence[str],
    hands: int,
    seed: int | None = None,
    *,
    until_certain: bool = False,
    workers: Workers = 1,
    untrusted: Untrusted = TRUSTED,
) -> Leaderboard:
    """Play a round robin with controls.

    Args:
        game: The game.
        specs: The players.
        hands: The hands per pair.
        seed: The seed of the cards; without one they come from secrets.
        until_certain: Whether a pair stops once the better player is significant.
        workers: The number of threads, or an executor.
        untrusted: How untrusted players are run.

    Returns:
        The board.

    """
    cards = CardSecrets() if seed is None else seed
    pairings = RoundRobin(game, tuple(specs), hands, cards, until_certain, untrusted)
    played = [pairings.play(*pair, workers) for pair in pairings.pairs]
    seen = [hand for pair in played if pair.first != pair.second for hand in sample_hands(pairings, pair)]
    return board_of(pairings, played, seen)


def sample_hands(
    pairings: RoundRobin,
    pair: Pairing,
    recorder: HandRecorder | None = None,
    recorded: Sequence[RecordedHand] | None = None,
) -> list[SeenHand]:
    """Return a sample of a pair's hands, decision by decision; players by their numbers on the board."""
    seen: list[SeenHand] = []
    names, numbers = (pairings.specs[pair.first], pairings.specs[pair.second]), (pair.first, pair.second)
    makers, cards = pairings.makers_of(names, recorded), pairings.cards_of("style", names)
    listeners = Listeners(lambda _, table, events: seen.append(seen_hand(table, events)), recorder)
    referee = Referee(names, pairings.untrusted.limit, pairings.untrusted.time_bank)
    played = Match(pairings.game, makers, cards, referee=referee, listeners=listeners)
    slow = any(map(is_untrusted, names))  # programs may take long for a decision
    played.play(min(SAMPLED_HANDS, pairings.hands) if slow else SAMPLED_HANDS)
    return [_renumbered(hand, numbers) for hand in seen]


def _renumbered(hand: SeenHand, numbers: tuple[int, int]) -> SeenHand:
    return SeenHand(
        tuple(numbers[player] for player in hand.players),
        tuple(replace(decision, player=numbers[decision.player]) for decision in hand.decisions),
        tuple(numbers[player] for player in hand.shown),
    )


def board_of(pairings: RoundRobin, played: Sequence[Pairing], seen: Sequence[SeenHand]) -> Leaderboard:
    """Return the board from pairs, controls and sampled hands."""
    seed = pairings.cards if isinstance(pairings.cards, int) else None
    styles = [style_of(number, seen) for number in range(len(pairings.specs))]
    return board_from(pairings.game, pairings.specs, seed, pairings.hands, played, styles)


class LeaderboardExperiment(ArenaExperiment):
    """The players of the board and the hands of every pair. New players can be added at the end.

    Attributes:
        hands: Hands per pair.
        until_certain: Stop a pair once its order is certain; hands is then the maximum.
        skipped: Bots of --bots that could not be seated, each with the reason.

    """

    LENGTH: ClassVar[str] = "players"
    LONGER: ClassVar[str] = "--add PLAYER lets one join"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("players", "game", "hands", "until_certain", "seed")

    kind: Literal["leaderboard"] = "leaderboard"
    hands: Annotated[int, Field(ge=1, le=10_000_000_000)] = 10_000
    until_certain: bool = False
    skipped: tuple[str, ...] = ()  # what `--bots` could not seat, each with its reason

    def pairings(self, cards: int | CardSecrets = 0) -> RoundRobin:
        """Return the pairs to play, with these cards if there is no seed."""
        cards = cards if self.seed is None else self.seed
        return RoundRobin(self.rules, self.names, self.hands, cards, self.until_certain, self.programs)

    @property
    def steps(self) -> int:
        """The number of pairs and controls."""
        return len(self.pairings().pairs)

    def differs_when_longer(self) -> str:
        """Return why the digest differs: pairs that stopped when significant were corrected for fewer pairs."""
        return "earlier pairs were corrected for the number of pairs at that time" if self.until_certain else ""


EXPERIMENT = LeaderboardExperiment


def check(experiment: LeaderboardExperiment) -> None:
    """Raise an InputError unless the players exist, each once."""
    experiment.pairings()
    experiment.makers()


class LeaderboardTrainer(ArenaTrainer[LeaderboardExperiment]):
    """Plays one pair after the other; the results are in the record."""

    def __init__(self, experiment: LeaderboardExperiment, executor: Executor, folder: Path) -> None:
        super().__init__(experiment, executor, folder)
        self.pairings = experiment.pairings(self.secrets or 0)
        self.recorded_style: list[list[RecordedHand]] = []
        self.done: list[tuple[int, int]] = []
        self.hands = 0

    def repeat(self, known: Sequence[str], record: Record) -> None:
        """Use recorded secrets and actions; the hands that were played for the styles are recorded apart."""
        super().repeat(known, record)
        self.pairings = self.experiment.pairings(self.secrets or 0)
        self.recorded_style = hands_by_step(record, STYLE)

    def step(self, key: int) -> Generation:  # noqa: ARG002  a pair's keys come from its names
        """Play the next pair: its match, and a sample of hands for the styles."""
        number = len(self.done)
        first, second = self.pairings.pairs[number]
        names = self.pairings.specs[first], self.pairings.specs[second]
        untrusted, hands, style = any(map(is_untrusted, names)), HandRecorder(), HandRecorder()
        again, again_style = (self.recorded[number], self.recorded_style[number]) if self.recorded else (None, None)
        pair = self.pairings.play(first, second, self.executor, hands if untrusted else None, again)
        seen = sample_hands(self.pairings, pair, style if untrusted else None, again_style) if first != second else []
        self.done.append((first, second))
        self.hands += pair.hands
        return Generation(
            PrimaryMetric("hands played", float(self.hands)),
            {
                PAIR: {
                    "first": float(first),
                    "second": float(second),
                    "hands": float(pair.hands),
                    "mean": float(pair.by_deal.mean()),
                }
            },
            {PAIR: {"by_deal": pair.by_deal, "stakes": pair.stakes}} | hands_arrays(rows=hands, style=style),
            {
                "pair": json.dumps([first, second, pair.hands]),
                "report": report_text(pair.report),
                "seen": json.dumps([asdict(hand) for hand in seen]),
            }
            | self.notes(),
            digest=digest_of(np.delete(pair.by_deal, pair.late)),
        )

    def state(self) -> State:
        """Return the pairs played so far."""
        return {"pairs": np.array(self.done, np.int64).reshape(-1, 2), "hands": np.array([self.hands])}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        if "pairs" not in state:
            raise InputError(
                "an older version of cardwin played these pairs in another order: start again with the same seed"
            )
        self.done, self.hands = [(int(first), int(second)) for first, second in state["pairs"]], int(state["hands"][0])

    def answer(self, record: Record) -> dict[str, Any]:
        """Return the complete board."""
        won = record.arrays(PAIR, "by_deal")
        stakes = record.arrays(PAIR, "stakes") or [np.zeros(0)] * len(won)
        rows = zip(record.notes("pair"), won, stakes, record.notes("report"), strict=True)
        pairs = [
            Pairing(first, second, by_deal, hands, report_of(report), at_stake)
            for about, by_deal, at_stake, report in rows
            for first, second, hands in [json.loads(about)]
        ]
        seen = [_seen(hand) for text in record.notes("seen") for hand in json.loads(text)]
        board = leaderboard_answer(board_of(self.pairings, pairs, seen))
        return board | {"skipped": list(self.experiment.skipped)} | self.secrecy(record)


def _seen(hand: dict[str, Any]) -> SeenHand:
    decisions = tuple(SeenDecision(**decision) for decision in hand["decisions"])
    return SeenHand(tuple(hand["players"]), decisions, tuple(hand["shown"]))


trainer = LeaderboardTrainer
