"""The leaderboard as a run: a step is one pair, or one player's control against itself."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.arena.match import makers_of
from cardwin.errors import InputError
from cardwin.executor import Executor
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.parameters import split_spec
from cardwin.lab.answers import STATISTICS, estimate_answer, report_of, report_text, test_answer
from cardwin.lab.experiment import Experiment
from cardwin.lab.html import Part, Text
from cardwin.lab.leaderboard import Meetings, board_of, look_at
from cardwin.lab.leaderboard_page import parts_of
from cardwin.lab.run_data import RunData
from cardwin.lab.standings import Leaderboard, Line, Pairing
from cardwin.lab.trainer import Generation, Headline, Record, State, digest_of
from cardwin.players.registry import expand_specs
from cardwin.stats.comparisons import Comparison
from cardwin.stats.intervals import Estimate
from cardwin.stats.style import Decision, SeenHand, Style

COMMAND = "leaderboard"
PAIR = "pair"  # the population of the record


class LeaderboardExperiment(Experiment):
    """Who stands on the board, and how many hands every pair plays. Newcomers may join at the end."""

    LENGTH: ClassVar[str] = "players"
    LONGER: ClassVar[str] = "--add PLAYER lets one join"

    kind: Literal["leaderboard"] = "leaderboard"
    game: str = "holdem-nl"
    players: tuple[str, ...]
    hands: Annotated[int, Field(ge=1, le=10_000_000_000)] = 10_000
    until_certain: bool = False
    time_limit: Annotated[float, Field(ge=0)] = 2.0
    in_process: bool = False

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))

    @property
    def meetings(self) -> Meetings:
        """Who meets whom."""
        names, limit = tuple(expand_specs(self.players)), self.time_limit or None
        return Meetings(
            self.rules, names, self.hands, self.seed or 0, self.until_certain, limit, not self.in_process
        )  # fmt: skip

    @property
    def steps(self) -> int:
        """All pairs and all controls."""
        return len(self.meetings.pairs)

    def differs_when_longer(self) -> str:
        """Pairs that stopped once they were certain knew of fewer pairs."""
        return "pairs that met before stopped by the number of pairs there were then" if self.until_certain else ""


EXPERIMENT = LeaderboardExperiment


def check(experiment: LeaderboardExperiment) -> None:
    """The players must exist, each once."""
    makers_of(experiment.meetings.specs, not experiment.in_process, experiment.time_limit)


class LeaderboardTrainer:
    """Plays one pair after the other; what they won is in the record."""

    def __init__(self, experiment: LeaderboardExperiment, executor: Executor) -> None:
        self.meetings, self.executor = experiment.meetings, executor
        self.done: list[tuple[int, int]] = []
        self.hands = 0

    def step(self, key: int) -> Generation:  # noqa: ARG002  a pair's luck comes from its names
        """The next pair: its match, and for its styles some hands that are looked at."""
        first, second = self.meetings.pairs[len(self.done)]
        pair = self.meetings.play(first, second, self.executor.workers)
        seen = look_at(self.meetings, pair) if first != second else []
        self.done.append((first, second))
        self.hands += pair.hands
        return Generation(
            Headline("hands played", float(self.hands)),
            {PAIR: {"first": float(first), "second": float(second), "hands": float(pair.hands),
                    "mean": float(pair.by_deal.mean())}},
            {PAIR: {"by_deal": pair.by_deal}},
            {"pair": json.dumps([first, second, pair.hands]), "report": report_text(pair.report),
             "seen": json.dumps([asdict(hand) for hand in seen])},
            digest=digest_of(np.delete(pair.by_deal, pair.late)),
        )  # fmt: skip

    def state(self) -> State:
        """Who has met."""
        return {"pairs": np.array(self.done, np.int64).reshape(-1, 2), "hands": np.array([self.hands])}

    def load(self, state: State) -> None:
        """Go on from there."""
        if "pairs" not in state:
            raise InputError(
                "an older version of cardwin played these pairs in another order: begin again, with its seed"
            )
        self.done, self.hands = [(int(first), int(second)) for first, second in state["pairs"]], int(state["hands"][0])

    def write_champions(self, folder: Path) -> list[Path]:  # noqa: ARG002  nobody has changed
        """Nobody is handed over."""
        return []

    def answer(self, record: Record) -> dict[str, Any]:
        """The whole board."""
        rows = zip(record.notes("pair"), record.arrays(PAIR, "by_deal"), record.notes("report"), strict=True)
        pairs = [
            Pairing(first, second, by_deal, hands, report_of(report))
            for about, by_deal, report in rows
            for first, second, hands in [json.loads(about)]
        ]
        seen = [_seen(hand) for text in record.notes("seen") for hand in json.loads(text)]
        return leaderboard_answer(board_of(self.meetings, pairs, seen))


def _seen(hand: dict[str, Any]) -> SeenHand:
    decisions = tuple(Decision(**one) for one in hand["decisions"])
    return SeenHand(tuple(hand["players"]), decisions, tuple(hand["shown"]))


def trainer(experiment: LeaderboardExperiment, executor: Executor, folder: Path) -> LeaderboardTrainer:  # noqa: ARG001
    """Who plays the pairs."""
    return LeaderboardTrainer(experiment, executor)


def leaderboard_answer(board: Leaderboard) -> dict[str, Any]:
    """A leaderboard as JSON holds it, players from best to worst."""
    lines = [board.lines[place] for place in board.order]
    players = [
        {"spec": line.spec, **estimate_answer(line.score), "unit": board.game.unit,
         "rating": estimate_answer(line.rating), "ranks": list(line.ranks),
         "style": asdict(line.style), "control": estimate_answer(line.control),
         "faults": line.faults, "disqualified": line.disqualified}
        for line in lines
    ]  # fmt: skip
    cross = [
        [None if one is None else estimate_answer(one) for one in (board.cross[row][column] for column in board.order)]
        for row in board.order
    ]
    specs = [line.spec for line in board.lines]
    return {
        "game": board.game.name, "hands": board.hands, "players": players, "cross": cross,
        "tests": [test_answer(specs, test) for test in board.tests],
        "above": [[board.above[row][column] for column in board.order] for row in board.order],
        "method": board.method, "statistics": STATISTICS, "faults": list(board.faults), "digest": board.digest,
    }  # fmt: skip


def board_in(answer: dict[str, Any], game: HoldemGame) -> Leaderboard:
    """The board that an answer tells of, its lines from best to worst."""
    specs = [one["spec"] for one in answer["players"]]
    lines = tuple(
        Line(one["spec"], _estimate(one), _estimate(one["rating"]), tuple(one["ranks"]), Style(**one["style"]),
             _estimate(one["control"]), one["faults"], one["disqualified"])
        for one in answer["players"]
    )  # fmt: skip
    cross = tuple(tuple(None if cell is None else _estimate(cell) for cell in row) for row in answer["cross"])
    tests = tuple(_comparison(specs, test) for test in answer["tests"])
    above = tuple(tuple(row) for row in answer["above"])
    faults, digest = tuple(answer["faults"]), answer["digest"]
    return Leaderboard(game, answer["seed"], answer["hands"], lines, cross, tests, above, faults, digest)


def _number(value: float | None) -> float:
    return float("inf") if value is None else value


def _estimate(cell: dict[str, Any]) -> Estimate:
    low, high = cell["interval"]
    half = _number(cell["ci95"])
    return Estimate(cell["mean"], half, -_number(None) if low is None else low, _number(high), 0, cell["method"])


def _comparison(specs: Sequence[str], test: dict[str, Any]) -> Comparison:
    first, second = (specs.index(spec) for spec in test["specs"])
    low, high = test["interval"]
    return Comparison(
        first, second, test["difference"], _number(test["ci95"]), low, high, test["p"], test["p_corrected"],
        test["e_value"], test["n"], test["method"],
    )  # fmt: skip


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  its bars are drawn in the page
    """The board for people."""
    if data.answer is None:
        return [Text(f"The leaderboard is {data.state} pairs.")]
    if not isinstance(data.experiment, LeaderboardExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return parts_of(board_in(data.answer, data.experiment.rules))
