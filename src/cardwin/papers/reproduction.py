"""The reproduction of a paper as a run: a step is one of its experiments, with its findings and report parts."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from cardwin import papers
from cardwin.core.errors import unknown_name
from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment
from cardwin.core.kernel import clock
from cardwin.core.report_parts import Grid, Heading, Part, Picture, Text
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.papers import Context, Finding, Outcome, Scale
from cardwin.papers.verdicts import Conclusion, Verdict, conclusion_of
from cardwin.runs.reader import RunData

COMMAND = "reproduce"
KINDS_OF_PARTS = {kind.__name__: kind for kind in (Heading, Text, Grid, Picture)}


class ReproductionExperiment(Experiment):
    """The paper, one of its experiments (default: all), and the scale.

    Attributes:
        paper: The paper that is reproduced.
        experiment: One experiment of the paper; empty for all.
        scale: How long it may take: seconds, minutes, an hour, or as long as in the paper.

    """

    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("paper", "experiment", "scale", "seed")

    kind: Literal["reproduction"] = "reproduction"
    paper: str
    experiment: str | None = None
    scale: Scale = "seconds"

    @property
    def chosen(self) -> list[str]:
        """The experiments' names."""
        return [self.experiment] if self.experiment else list(papers.paper_of(self.paper).EXPERIMENTS)

    @property
    def steps(self) -> int:
        """A step is an experiment."""
        return len(self.chosen)

    @property
    def short_name(self) -> str:
        """The paper and the scale."""
        return f"{self.paper}-{self.scale}"

    @model_validator(mode="before")
    @classmethod
    def _titled(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The default title is the paper's."""
        title = papers.paper_of(values["paper"]).TITLE if "paper" in values else ""
        return {"title": title, **values}


EXPERIMENT = ReproductionExperiment


def check(experiment: ReproductionExperiment) -> None:
    """Raise an InputError unless the paper and its experiment exist."""
    known = papers.paper_of(experiment.paper).EXPERIMENTS
    if experiment.experiment is not None and experiment.experiment not in known:
        raise unknown_name("experiment", experiment.experiment, known)


class ReproductionTrainer:
    """Runs one experiment after the other."""

    def __init__(self, experiment: ReproductionExperiment, executor: Executor, folder: Path) -> None:
        self.experiment, self.executor, self.folder = experiment, executor, folder
        self.done = self.found = 0

    def step(self, key: int) -> Generation:  # noqa: ARG002  an experiment's key comes from its name
        """The next experiment."""
        how = self.experiment
        name = how.chosen[self.done]
        context = Context(self.folder, how.scale, how.seed or 0, self.executor, name)
        start = clock()
        findings = papers.findings_of(papers.paper_of(how.paper), name, context)
        seconds = clock() - start
        self.done += 1
        self.found += len(findings)
        text = _json([fields_of(finding) for finding in findings])
        shown = _json([_part_text(part, self.folder) for part in context.parts])
        hold = sum(one.claim and conclusion_of(one.verdict) == Conclusion.FOR for one in findings if one.verdict)
        return Generation(
            PrimaryMetric("findings", float(self.found)),
            {name: {"findings": float(len(findings)), "hold": float(hold)}},
            notes={"experiment": name, "findings": text, "parts": shown, "seconds": str(seconds)},
            digest=digest_of(name, text),
        )

    def state(self) -> State:
        """The numbers of experiments and findings so far."""
        return {"done": np.array([self.done, self.found])}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.done, self.found = (int(number) for number in state["done"])

    def write_champions(self, folder: Path) -> list[Path]:  # noqa: ARG002  evolved players are only measured
        """No champions."""
        return []

    def answer(self, record: Record) -> dict[str, Any]:
        """All findings, and the path of the report."""
        rows = [
            {"experiment": outcome.experiment, **fields_of(finding)}
            for outcome in outcomes_of(record, self.folder)
            for finding in outcome.findings
        ]
        return {"paper": self.experiment.paper, "scale": self.experiment.scale, "experiments": rows,
                "report": str(self.folder / "report.html")}  # fmt: skip


def outcomes_of(record: Record, folder: Path) -> list[Outcome]:
    """The experiments done so far, from the record."""
    notes = (record.notes(name) for name in ("experiment", "findings", "parts", "seconds"))
    return [
        Outcome(name, findings_of(found), [_part_of(part, folder) for part in json.loads(shown)], float(seconds))
        for name, found, shown, seconds in zip(*notes, strict=True)
    ]


def fields_of(finding: Finding) -> dict[str, Any]:
    """A finding's fields for the record; `needed` and `check` only where set, so that older runs keep their digests."""
    fields = asdict(finding)
    return {
        name: value
        for name, value in fields.items()
        if not (name == "needed" and value is None) and not (name == "check" and not value)
    }


def findings_of(text: str) -> list[Finding]:
    """Findings from the record."""
    return [read_finding(row) for row in json.loads(text)]


def read_finding(row: Mapping[str, Any]) -> Finding:
    """A finding from its fields in JSON."""
    ci95, verdict = row["ci95"], row["verdict"]
    return Finding(
        **{**row, "ci95": tuple(ci95) if ci95 else None, "verdict": None if verdict is None else Verdict(verdict)}
    )


def _json(value: object) -> str:
    return json.dumps(value, default=lambda number: number.item())


def _part_text(part: Part, home: Path) -> list[Any]:
    """A part of the report by name and fields; pictures by their path in the folder, so that it can be moved."""
    if isinstance(part, Picture):
        return ["Picture", {"png": str(part.png.relative_to(home)), "caption": part.caption}]
    return [type(part).__name__, asdict(part)]


def _part_of(saved: list[Any], home: Path) -> Part:
    name, fields = saved
    if name == "Picture":
        fields = {**fields, "png": home / fields["png"]}
    part: Part = KINDS_OF_PARTS[name](**fields)
    return part


def trainer(experiment: ReproductionExperiment, executor: Executor, folder: Path) -> ReproductionTrainer:
    """The trainer that runs the experiments."""
    return ReproductionTrainer(experiment, executor, folder)


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  pictures were saved during the run
    """The parts of the report: a summary first."""
    return _finished_parts(data)


def _finished_parts(data: RunData) -> Iterator[Part]:
    if not isinstance(data.experiment, ReproductionExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    outcomes = outcomes_of(data.store, data.folder)
    yield from papers.report_parts(
        papers.paper_of(data.experiment.paper), data.experiment.scale, data.experiment.seed or 0, outcomes
    )
