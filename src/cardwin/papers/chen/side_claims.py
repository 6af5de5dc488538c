"""Two claims outside the five tests: a robot's real win rate (3.4), and a learnt threshold at another table (4.4).

1. The document says that the real win rate is above the simulated one. V1 plays at test 4's table with the document's
   simulation. Every decision at which it stays in has a simulated win rate. The real one is the share of those
   decisions whose hand it won, including hands in which the others folded.
2. The document says that a changed environment hurts a learnt threshold. V2 learns for 50% in single games at test 4's
   table, and at another one. Both thresholds, fixed, play the same deals at the other table. The claim holds if the one
   from test 4 earns less there.
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
from cardwin.papers.chen import game_settings
from cardwin.papers.chen.game_settings import DOCUMENT_SIMULATION, Setting
from cardwin.papers.chen.learning import HALF, PUBLISHED_RULE, play_single_game
from cardwin.papers.sample import Sample, sample
from cardwin.players.registry import player
from cardwin.players.robots.robot import Robot
from cardwin.players.specs import expand_specs
from cardwin.results.cash_game import won
from cardwin.stats.intervals import mean_interval


class WinRateRecorder:
    """A robot that records the simulated win rate of every decision at which it stays in, and who won the hand."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.decisions: list[tuple[float, bool]] = []  # the simulated rate, and whether the hand was won
        self._seat = -1
        self._rates: list[float] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the robot's action."""
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


def experiment(context: Context) -> Iterator[Sample]:
    """Measure the real win rate, and the threshold at a changed table."""
    setting = replace(game_settings.setting_of(context), simulation=DOCUMENT_SIMULATION)
    context.text(f"Setting: {setting.describe(setting.final_rounds)}.")
    yield _real_win_rate(context, setting)
    yield _changed_table(context, setting)


def _real_win_rate(context: Context, setting: Setting) -> Sample:
    games = context.pick(8, 30, 100, 20)

    def play(number: int) -> tuple[float, float]:
        return win_rates(setting, child(context.key("rates"), number))

    with open_executor(context.workers) as executor:
        rates = np.array(list(executor.map(play, range(games))))
    simulated, real = rates.mean(axis=0)
    name = "V1's real win rate minus the simulated one, where it stays in"
    return sample(name, mean_interval(rates[:, 1] - rates[:, 0]), real=real, simulated=simulated)


def win_rates(setting: Setting, key: int) -> tuple[float, float]:
    """Return the mean simulated win rate of a V1 at test 4's table in one game, and its real one."""
    robot = player(setting.ai(1))
    assert isinstance(robot, Robot)  # noqa: S101  the registry's v1 is one
    recorder = WinRateRecorder(robot)
    others = [player(spec) for spec in expand_specs(setting.v2_rivals())]
    play_cash_game(setting.game, [*others, recorder], key, setting.final_rules)
    rows = np.array(recorder.decisions, dtype=np.float64).reshape(-1, 2)
    simulated, real = rows.mean(axis=0) if len(rows) else (0.0, 0.0)
    return float(simulated), float(real)


def _changed_table(context: Context, setting: Setting) -> Sample:
    """Compare thresholds learnt at two other tables to that of test 4's table, each played at the other tables."""
    tables = {"six Calls": [f"{setting.call()}*6"], "six Standards": [f"{setting.standard()}*6"]}
    original = _learnt_threshold(context, setting, setting.v2_rivals())
    ends, texts = [], []
    games = context.pick(24, 400, 2000, 100)
    for table, rivals in tables.items():
        local = _learnt_threshold(context, setting, rivals)
        local_chips, original_chips = (
            _chips_won(context, setting, rivals, threshold, games) for threshold in (local, original)
        )
        gap = mean_interval(local_chips - original_chips)
        ends.append((gap.low, gap.high))
        texts.append(f"{table} {gap.mean:+.0f} ± {gap.ci95:.0f} ({local:.2f} there, {original:.2f} from test 4)")
    name = "chips of a threshold learnt at the new table minus one from test 4's table"
    return sample(name, "; ".join(texts), judged=ends, over=f"{games} games, same deals")


def _learnt_threshold(context: Context, setting: Setting, rivals: Sequence[str]) -> float:
    """Return the mean threshold after single games for 50% without a lower limit; at least 0, as a robot's is."""
    games, rounds = context.pick(8, 60, 400, 20), setting.final_rounds

    def play(number: int) -> float:
        key = child(context.key("learnt"), number)
        values = play_single_game(setting, PUBLISHED_RULE, HALF, key, rounds, floor=False, rivals=rivals)
        return float(values[-1, 0])

    with open_executor(context.workers) as executor:
        return max(float(np.mean(list(executor.map(play, range(games))))), 0.0)


def _chips_won(context: Context, setting: Setting, rivals: Sequence[str], threshold: float, games: int) -> Floats:
    """Return what a V1 with a fixed threshold wins (games,)."""
    specs = [*rivals, setting.ai(1, options=f",threshold={threshold:.4f}")]
    cash_games = game_settings.play_games(context, setting, specs, games, "changed", rules=setting.final_rules)
    return won(cash_games)[:, -1]
