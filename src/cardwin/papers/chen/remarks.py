"""Two remarks outside the five tests: the real win rate is above the simulated one (3.4), and a changed environment
hurts a learnt threshold (4.4).

1. V1 plays at test 4's table with the document's simulation. Every decision at which it stays in has a simulated win
   rate; the real one is the share of those decisions whose hand it won, folds of others included.
2. V2 learns for 50% in single games at test 4's table, and at another one. Both thresholds, fixed, play the same
   deals at the other table; the claim is that the one from test 4 earns less there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cardwin.arena.cash_game import play_cash_game
from cardwin.core.arrays import Floats
from cardwin.core.executor import open_executor
from cardwin.core.rng import Stream, child
from cardwin.games.base import FOLD, Action
from cardwin.games.holdem.events import Event, HandBegan, HandEnded
from cardwin.games.holdem.view import HoldemView
from cardwin.papers import Context
from cardwin.papers.chen import conditions
from cardwin.papers.chen.conditions import DOCUMENTS, Setting
from cardwin.papers.chen.everybody import rivals
from cardwin.papers.chen.learning import AS_PUBLISHED, HALF, single_game
from cardwin.papers.sample import Sample, sample
from cardwin.players.registry import player
from cardwin.players.robots.robot import Robot
from cardwin.players.specs import expand_specs
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval


class Observed:
    """A robot that plays as it is, and records the simulated win rate of every decision at which it stays in."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.decisions: list[tuple[float, bool]] = []  # the simulated rate, and whether the hand was won
        self._seat = -1
        self._rates: list[float] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The robot's action."""
        action = self.robot.act(view, rng)
        if action != FOLD and self.robot.win_rate is not None:
            self._rates.append(self.robot.win_rate)
        return action

    def watch(self, event: Event) -> None:
        """Attach the result of a hand to its decisions."""
        match event:
            case HandBegan():
                self._seat, self._rates = event.you, []
            case HandEnded():
                self.decisions += [(rate, event.won[self._seat] > 0) for rate in self._rates]


def remarks(context: Context) -> Iterator[Sample]:
    """The real win rate, and the threshold at a changed table."""
    setting = replace(conditions.setting_of(context), simulation=DOCUMENTS)
    context.text(f"Setting: {setting.text(setting.final_rounds)}.")
    yield _real_rate(context, setting)
    yield _changed(context, setting)


def _real_rate(context: Context, setting: Setting) -> Sample:
    games = context.pick(8, 30, 100, 20)
    with open_executor(context.workers) as executor:
        gaps = np.array(list(executor.map(lambda n: rate_gap(setting, child(context.key("rates"), n)), range(games))))
    simulated, real = gaps.mean(axis=0)
    name = "V1's real win rate minus the simulated one, where it stays in"
    return sample(name, mean_interval(gaps[:, 1] - gaps[:, 0]), real=real, simulated=simulated)


def rate_gap(setting: Setting, key: int) -> tuple[float, float]:
    """The mean simulated win rate of a V1 at test 4's table in one game, and its real one."""
    made = player(setting.v(1))
    assert isinstance(made, Robot)  # noqa: S101  the registry's v1 is one
    observed = Observed(made)
    others = [player(spec) for spec in expand_specs(rivals(setting))]
    play_cash_game(setting.game, [*others, observed], key, setting.final_rules)
    table = np.array(observed.decisions, dtype=np.float64).reshape(-1, 2)
    simulated, real = table.mean(axis=0) if len(table) else (0.0, 0.0)
    return float(simulated), float(real)


def _changed(context: Context, setting: Setting) -> Sample:
    """Thresholds learnt at test 4's table and at two others, each played at the other ones."""
    tables = {"six Calls": [f"{setting.call()}*6"], "six Standards": [f"{setting.standard()}*6"]}
    home = _learnt(context, setting, rivals(setting))
    ends, texts = [], []
    games = context.pick(24, 400, 2000, 100)
    for name, others in tables.items():
        there = _learnt(context, setting, others)
        chips = [_chips(context, setting, others, threshold, games) for threshold in (there, home)]
        gap = mean_interval(chips[0] - chips[1])
        ends.append(conditions.interval(gap))
        texts.append(f"{name} {gap.mean:+.0f} ± {gap.ci95:.0f} ({there:.2f} there, {home:.2f} from test 4)")
    name = "chips of a threshold learnt at the new table minus one from test 4's table"
    return sample(name, "; ".join(texts), judged=ends, over=f"{games} games, same deals")


def _learnt(context: Context, setting: Setting, others: Sequence[str]) -> float:
    """The mean threshold after single games for 50%, without a floor; 0 at least, as a robot's is."""
    games = context.pick(8, 60, 400, 20)

    def play(number: int) -> float:
        key = child(context.key("learnt"), number)
        course = single_game(setting, AS_PUBLISHED, HALF, key, setting.final_rounds, floor=False, others=others)
        return float(course[-1, 0])

    with open_executor(context.workers) as executor:
        return max(float(np.mean(list(executor.map(play, range(games))))), 0.0)


def _chips(context: Context, setting: Setting, others: Sequence[str], threshold: float, games: int) -> Floats:
    specs = [*others, setting.v(1, more=f",threshold={threshold:.4f}")]
    cash_games = conditions.play_games(context, setting, specs, games, "changed", rules=setting.final_rules)
    return won(cash_games)[:, -1]
