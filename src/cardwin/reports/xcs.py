"""Reports of classifier systems in training: curves over trials, parameters, and the fittest rules as text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.report_parts import Grid, Heading, Part, Picture, Text
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.players.xcs.descriptions import fittest
from cardwin.players.xcs.files import read
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.problems import problem_of
from cardwin.players.xcs.training.experiment import NOTE
from cardwin.players.xcs.training.game import GameExperiment
from cardwin.players.xcs.training.holdem import HoldemExperiment
from cardwin.players.xcs.training.problem import KnownExperiment
from cardwin.reports import html
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import tree_of

MAX_RULES = 20


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Yield the report of a run of any of the three kinds."""
    match data.experiment:
        case GameExperiment() as experiment:
            yield from _game_parts(data, experiment, pictures)
        case HoldemExperiment() as experiment:
            yield from _holdem_parts(data, experiment, pictures)
        case KnownExperiment() as experiment:
            yield from _problem_parts(data, experiment, pictures)
        case other:
            raise TypeError(f"{data.folder} is of kind {other.kind}")


def _problem_parts(data: RunData, experiment: KnownExperiment, pictures: Path) -> Iterator[Part]:
    """Yield the parts of the report: the curve, the settings, the fittest rules as text."""
    problem = problem_of(experiment.problem)
    label = "mean steps to food" if problem.in_steps else "share of right answers"
    yield Text(
        f"XCS on {problem.name}, {len(problem.fields.all)} fields and {len(problem.actions)} actions. The curve is the "
        f"{label} in exploit trials; {problem.best:.4g} is optimal."
    )
    lines: Mapping[str, float] = {"optimum": problem.best}
    yield curve(data, pictures, "score", label, lines)
    yield curve(data, pictures, "rules", "macroclassifiers", {})
    yield from settings(experiment.all_parameters, experiment.predictions)
    yield from fittest_rules(data)


def _game_parts(data: RunData, experiment: GameExperiment, pictures: Path) -> Iterator[Part]:
    """Yield the parts of the report: exact curves, the settings, the fittest rules as text."""
    rules = game(experiment.game)
    tree, other = tree_of(rules), 2 - experiment.seat
    best = plans.best_response_value(tree, 1 - other, policy(rules, experiment.against).plan(other))
    yield Text(
        f"XCS in seat {experiment.seat} of {rules.name} against {experiment.against}: the exact expected value of the "
        f"actions that its rules predict to be best, in chips per hand. A best response has {best:+.4f}."
    )
    yield curve(data, pictures, "value", "chips per hand, exactly, over hands", {"best response": best})
    yield curve(data, pictures, "guarantee", "chips per hand against a best response to it, over hands", {})
    yield from settings(experiment.all_parameters, experiment.predictions)
    yield from fittest_rules(data)


def _holdem_parts(data: RunData, experiment: HoldemExperiment, pictures: Path) -> Iterator[Part]:
    """Yield the parts of the report: winnings over hands, its inputs, the settings, the fittest rules as text."""
    yield Text(
        f"XCS at {experiment.game} against {', '.join(experiment.against)}: small bets per hand won by its rules from "
        f"{', '.join(experiment.evaluation_opponents)}, on {experiment.deals} duplicate deals every "
        f"{experiment.every:,} hands."
    )
    if data.answer:
        answer = data.answer
        yield Text(
            f"After {answer['hands']:,} hands its {answer['rules']:,} rules win {answer['small_bets_per_hand']:+.3f} "
            f"± {answer['ci95']:.3f} small bets per hand, on {answer['deals']:,} other duplicate deals."
        )
    yield curve(data, pictures, "won", "small bets per hand over hands", {"nothing won or lost": 0.0})
    yield curve(data, pictures, "rules", "rules (macroclassifiers) over hands", {})
    fields = [(field.name, ", ".join(field.values)) for field in experiment.encoding.fields.all]
    yield Grid("What it sees", ("variable", "values"), fields)
    yield from settings(experiment.all_parameters, experiment.predictions)
    yield from fittest_rules(data)


def champion_at(data: RunData, index: int) -> dict[str, Any]:
    """Return the fittest rules of a recorded step, or of the last step before it whose rules were recorded."""
    step = int(data.populations["rules"].generation[index])
    dated = [(at, text) for at, text in data.store.dated_notes(NOTE) if at <= step]
    if not dated:
        raise InputError(f"{data.folder.name} was recorded by an earlier version, which stored no rules of its steps")
    at, text = dated[-1]
    return {"of": at, "rules": json.loads(text)}


def curve(data: RunData, pictures: Path, name: str, label: str, lines: Mapping[str, float]) -> Picture:
    """Return a recorded metric over trials or hands, with horizontal lines for exact values."""
    series = data.populations["rules"].metrics
    done = series["trials"]
    figure = html.figure(9, 3.2)
    axes = figure.subplots()
    axes.plot(done, series[name], lw=1.2, color="#1d4f91", label=label)
    for name_of_line, value in lines.items():
        axes.axhline(value, color="#667085", lw=0.8, ls="-.", label=name_of_line)
    axes.set(xlabel="trials" if "hands" not in label else "hands", ylabel=label)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return html.save(pictures, name, figure, f"{label} over time.", {"trials": done, name: series[name]})


def settings(parameters: Parameters, predictions: int) -> Iterator[Part]:
    """Yield all parameters under their names in the literature."""
    yield Heading("Parameters")
    rows = list(asdict(parameters).items())
    yield Grid("", ("parameter", "value"), [*rows, ("predictions a rule", predictions)])


def fittest_rules(data: RunData) -> Iterator[Part]:
    """Yield the fittest rules as text, once the run is finished."""
    yield Heading("The fittest rules")
    if not data.answer:
        yield Text("Shown when the run is finished.")
        return
    rule_set = read(next((data.folder / "champions").glob("rules.*")))
    fittest_first = fittest(rule_set.rules, rule_set.fields, rule_set.actions, MAX_RULES)
    header = ("rule", "expects", "error", "fitness", "numerosity", "experience")
    rows = [
        (
            f"{rule.condition}, then {rule.action}",
            rule.expects,
            rule.error,
            rule.fitness,
            rule.numerosity,
            rule.experience,
        )
        for rule in fittest_first
    ]
    yield Grid("", header, rows)
