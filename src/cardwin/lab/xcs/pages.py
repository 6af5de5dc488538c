"""What the reports of classifier systems share: curves over trials, parameters, and rules in words."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cardwin.lab import html
from cardwin.lab.html import Grid, Heading, Part, Picture, Text
from cardwin.lab.run_data import RunData
from cardwin.lab.xcs.settings import as_dict
from cardwin.learn.xcs.parameters import Parameters
from cardwin.players.xcs_files import read
from cardwin.players.xcs_words import fittest

TOLD = 20


def curve(data: RunData, pictures: Path, name: str, label: str, lines: Mapping[str, float]) -> Picture:
    """A recorded metric over trials or hands, with horizontal lines for what is exact."""
    series = data.populations["rules"].metrics
    lived = series["trials"]
    figure = html.figure(9, 3.2)
    axes = figure.subplots()
    axes.plot(lived, series[name], lw=1.2, color="#1d4f91", label=label)
    for said, value in lines.items():
        axes.axhline(value, color="#667085", lw=0.8, ls="-.", label=said)
    axes.set(xlabel="trials" if "hands" not in label else "hands", ylabel=label)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return html.save(pictures, name, figure, f"{label} over time.", {"trials": lived, name: series[name]})


def settings(parameters: Parameters, predictions: int) -> Iterator[Part]:
    """All parameters by their names in the literature."""
    yield Heading("Parameters")
    rows = [(name, value) for name, value in as_dict(parameters).items()]
    yield Grid("", ("parameter", "value"), [*rows, ("predictions a rule", predictions)])


def fittest_rules(data: RunData) -> Iterator[Part]:
    """The fittest rules in words, once the run is finished."""
    yield Heading("The fittest rules")
    if not data.answer:
        yield Text("Told when the run is finished.")
        return
    rule_set = read(next((data.folder / "champions").glob("rules.*")))
    told = fittest(rule_set.rules, rule_set.fields, rule_set.actions, TOLD)
    header = ("rule", "expects", "error", "fitness", "numerosity", "experience")
    rows = [
        (f"{one.condition}, then {one.action}", one.expects, one.error, one.fitness, one.numerosity, one.experience)
        for one in told
    ]
    yield Grid("", header, rows)
