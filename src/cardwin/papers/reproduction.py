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
    def experiment_names(self) -> list[str]:
        """The experiments' names."""
        return [self.experiment] if self.experiment else list(papers.paper_of(self.paper).EXPERIMENTS)

    @property
    def steps(self) -> int:
        """The number of experiments: each is a step."""
        return len(self.experiment_names)

    @property
    def short_name(self) -> str:
        """The paper and the scale."""
        return f"{self.paper}-{self.scale}"

    @model_validator(mode="before")
    @classmethod
    def _titled(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Add the default title, the paper's."""
        title = papers.paper_of(values["paper"]).TITLE if "paper" in values else ""
        return {"title": title, **values}


EXPERIMENT = ReproductionExperiment


def check(experiment: ReproductionExperiment) -> None:
    """Check that the paper and its experiment exist.

    Args:
        experiment: The reproduction.

    Raises:
        InputError: If either name is unknown.

    """
    known = papers.paper_of(experiment.paper).EXPERIMENTS
    if experiment.experiment is not None and experiment.experiment not in known:
        raise unknown_name("experiment", experiment.experiment, known)


class ReproductionTrainer:
    """Runs one experiment of the paper per step."""

    def __init__(self, experiment: ReproductionExperiment, executor: Executor, folder: Path) -> None:
        self.experiment, self.executor, self.folder = experiment, executor, folder
        self.done = self.finding_count = 0

    def step(self, key: int) -> Generation:  # noqa: ARG002  an experiment's key comes from its name
        """Run the next experiment.

        Args:
            key: Not used: an experiment's key comes from its name.

        Returns:
            Its findings, its parts of the report and its seconds as notes; the digest covers name and findings.

        """
        settings = self.experiment
        name = settings.experiment_names[self.done]
        context = Context(self.folder, settings.scale, settings.seed or 0, self.executor, name)
        start = clock()
        findings = papers.findings_of(papers.paper_of(settings.paper), name, context)
        seconds = clock() - start
        self.done += 1
        self.finding_count += len(findings)
        text = _json([fields_of(finding) for finding in findings])
        shown = _json([_part_text(part, self.folder) for part in context.parts])
        verdicts = [finding.verdict for finding in findings if finding.claim and finding.verdict]
        hold = sum(conclusion_of(verdict) == Conclusion.FOR for verdict in verdicts)
        return Generation(
            PrimaryMetric("findings", float(self.finding_count)),
            {name: {"findings": float(len(findings)), "hold": float(hold)}},
            notes={"experiment": name, "findings": text, "parts": shown, "seconds": str(seconds)},
            digest=digest_of(name, text),
        )

    def state(self) -> State:
        """Return the numbers of experiments and findings so far."""
        return {"done": np.array([self.done, self.finding_count])}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.done, self.finding_count = (int(number) for number in state["done"])

    def write_champions(self, folder: Path) -> list[Path]:  # noqa: ARG002
        """Return no files: a reproduction has no champions of its own."""
        return []

    def answer(self, record: Record) -> dict[str, Any]:
        """Return all findings and the path of the report.

        Args:
            record: The record of the run.

        Returns:
            The run's part of the answer: paper, scale, a row per finding, and the report.

        """
        rows = [
            {"experiment": outcome.experiment, **fields_of(finding)}
            for outcome in outcomes_of(record, self.folder)
            for finding in outcome.findings
        ]
        report = str(self.folder / "report.html")
        return {"paper": self.experiment.paper, "scale": self.experiment.scale, "experiments": rows, "report": report}


def outcomes_of(record: Record, folder: Path) -> list[Outcome]:
    """Read the experiments done so far from a record.

    Args:
        record: The record of the run.
        folder: The run folder, which has the pictures.

    Returns:
        An outcome per experiment, in the order in which they ran.

    """
    notes = (record.notes(name) for name in ("experiment", "findings", "parts", "seconds"))
    return [
        Outcome(name, findings_of(findings), [_part_of(part, folder) for part in json.loads(parts)], float(seconds))
        for name, findings, parts, seconds in zip(*notes, strict=True)
    ]


def fields_of(finding: Finding) -> dict[str, Any]:
    """Return a finding's fields for the record.

    Args:
        finding: The finding.

    Returns:
        The fields by name. `needed` and `check` are left out unless they are set, so that older runs keep their
        digests.

    """
    fields = asdict(finding)
    if finding.needed is None:
        del fields["needed"]
    if not finding.check:
        del fields["check"]
    return fields


def findings_of(text: str) -> list[Finding]:
    """Read findings from the text in a record."""
    return [read_finding(row) for row in json.loads(text)]


def read_finding(row: Mapping[str, Any]) -> Finding:
    """Read a finding.

    Args:
        row: Its fields in JSON, as `fields_of` returns them.

    Returns:
        The finding.

    Raises:
        TypeError: If a field is missing or unknown.
        ValueError: If there is no such verdict.

    """
    ci95, verdict = row["ci95"], row["verdict"]
    return Finding(
        **{**row, "ci95": tuple(ci95) if ci95 else None, "verdict": None if verdict is None else Verdict(verdict)}
    )


def _json(value: object) -> str:
    return json.dumps(value, default=lambda number: number.item())


def _part_text(part: Part, home: Path) -> list[Any]:
    """Return a part of the report by name and fields; pictures by their path in the folder, which may be moved."""
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
    """Return the trainer that runs the experiments."""
    return ReproductionTrainer(experiment, executor, folder)


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  pictures were saved during the run
    """Return the parts of the report, a summary first."""
    return _finished_parts(data)


def _finished_parts(data: RunData) -> Iterator[Part]:
    if not isinstance(data.experiment, ReproductionExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    outcomes = outcomes_of(data.store, data.folder)
    yield from papers.report_parts(
        papers.paper_of(data.experiment.paper), data.experiment.scale, data.experiment.seed or 0, outcomes
    )
