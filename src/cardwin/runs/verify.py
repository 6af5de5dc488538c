"""Check a finished run after the fact: everything that a person reads in its folder.

1. Every file must have the checksum that it had when the run ended: this finds damage.
2. Every secret must belong to its commitment, and every commitment must have been written down before.
3. Every step is computed again from its secrets or the seed. The record must be the same: cards, seats, decisions of
   our own players, chips, numbers and arrays. Untrusted players of the arena do what the record says, which must be
   legal; their code is not run. Checkpoints and champions must be those of the steps.
4. result.json and report.html are made again from the record and compared.

Damaged files may contain anything, so every part is checked behind `_guarded`: an error is a problem, not a crash.
"""

import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, cast

import numpy as np

import cardwin
from cardwin.arena.card_secrets import Revealed, commitment_of, commitment_to_all
from cardwin.arena.recorded_hands import RecordedHand, recorded_hands
from cardwin.core.errors import InputError, shorten
from cardwin.core.executor import Executor, Workers, open_executor
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child
from cardwin.core.trainer import Array, Generation, Record, State, Trainer
from cardwin.runs import checkpoint, checksums, run_folder
from cardwin.runs.commitments import FILE, HANDS, NOTE, SANDBOX, commitments_in, revealed_in
from cardwin.runs.experiment import refuse_edited
from cardwin.runs.kinds import kind_of, remake_report
from cardwin.runs.launch import refuse_untrusted
from cardwin.runs.run import extend_chain, result_of, run_key
from cardwin.runs.store import Reader

MAX_PROBLEMS = 20
SHOWN = 30  # characters of a report on each side of a difference
# Notes that a repetition does not give again: secrets are checked against their commitments; times and faults of
# programs, and since when a process has played, are those of the first time.
UNREPEATABLE_NOTES = (NOTE, SANDBOX, "report", "began", "seconds")
_TITLE = re.compile(rb"<(title|h1)>.*?</\1>", re.DOTALL)  # of a report: a run may be renamed
UNREPEATABLE_KEYS = ("schema", "run", "seconds", "cluster")  # of result.json


class Repeatable(Trainer, Protocol):
    """A trainer that can play again what it has recorded."""

    @property
    def hands(self) -> int:
        """The number of hands played so far, each counted once or by seat."""

    def repeat(self, known: Sequence[str], record: Record) -> None:
        """Use recorded secrets and the recorded actions of untrusted players instead of new ones.

        Args:
            known: The secrets, in their order.
            record: The recorded generations.

        """


@dataclass(frozen=True)
class Verification:
    """What was checked, and what is wrong.

    Attributes:
        steps: The steps that were computed again.
        hands: The hands that were dealt again; None for a run that deals none.
        commitment: The commitment to all secrets; None for a run with a seed.
        discarded: Blocks of hands that were committed to and never finished.
        problems: A sentence for each problem.
        unchecked: A sentence for each thing that could not be checked, because it was not recorded.

    """

    steps: int = 0
    hands: int | None = None
    commitment: str | None = None
    discarded: int = 0
    problems: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(folder: Path, trusted: Iterable[str] = (), workers: Workers = 1) -> Verification:
    """Compute a run again and compare it with everything in its folder.

    Args:
        folder: The run.
        trusted: Plug-in games and players (`python:…`) of a run with a seed, which are run again.
        workers: The number of threads, or an executor.

    Returns:
        What was checked, and what is wrong.

    Raises:
        InputError: If the folder is not a run, or the run needs programs that are not trusted, or it does not hold the
            hands of its programs.

    """
    if not (folder / "experiment.toml").is_file():
        raise InputError(f"{folder} is not a run folder: experiment.toml is missing")
    reader, experiment, problems, unchecked = Reader(folder / "run.db"), None, list[str](), list[str]()
    changed = list(checksums.problems(folder)) if checksums.recorded(folder) else []
    if not checksums.recorded(folder):
        unchecked.append(f"the files have no checksums: the run has no {checksums.FILE}")
    with _guarded("experiment.toml", problems):
        experiment = _original_experiment(folder, reader)
    if experiment is None:
        return Verification(problems=_first(problems + changed), unchecked=tuple(unchecked))
    _refuse_incomplete(folder, experiment, reader, set(trusted))
    check = _Check(folder, reader, experiment, problems, unchecked)
    with open_executor(workers) as executor, TemporaryDirectory() as scratch, _guarded("run.db", problems):
        problems.extend(check.repeat(executor, Path(scratch)))
    problems += changed  # what differs says more, and comes first
    return check.verification()


@contextmanager
def _guarded(name: str, problems: list[str]) -> Iterator[None]:
    """Add an error to the problems: a damaged file may raise anything."""
    try:
        yield
    except InputError as error:
        problems.append(str(error))
    except Exception as error:
        problems.append(f"{name} cannot be checked further: {type(error).__name__}: {shorten(error, 120)}")


def _original_experiment(folder: Path, reader: Reader) -> Experiment:
    """Return the experiment of experiment.toml, which must be that of the start of the run."""
    experiment = run_folder.reopen(folder)
    if (before := reader.fingerprint) is None:
        raise InputError("run.db does not have the experiment's fingerprint")
    refuse_edited(folder, experiment, before)
    return experiment


def _refuse_incomplete(folder: Path, experiment: Experiment, reader: Reader, trusted: set[str]) -> None:
    """Raise an InputError if the run cannot be repeated without other people's code."""
    if not experiment.SECRET:
        refuse_untrusted(folder, experiment, trusted)
    elif trusted:
        raise InputError(f"unexpected --trust: untrusted players of {folder} are not run, they do what was recorded")
    elif getattr(experiment, "untrusted", False) and not checksums.recorded(folder) and _has_no_hands(reader):
        raise InputError(f"{folder} does not contain its hands, which an older version did not record: play it again")


def _has_no_hands(reader: Reader) -> bool:
    """Return whether no step has recorded hands, as in runs of older versions."""
    try:
        return reader.generations > 0 and not reader.dated(HANDS, "rows")
    except InputError:
        return False  # damaged


def _first(problems: Sequence[str]) -> tuple[str, ...]:
    """Return the first problems, each once, and how many more there are."""
    distinct = tuple(dict.fromkeys(problems))
    more = len(distinct) - MAX_PROBLEMS
    return distinct if more <= 0 else (*distinct[:MAX_PROBLEMS], f"and {more} further problems")


@dataclass
class _Check:
    """A check of a run: its problems so far, and the trainer that takes its steps again."""

    folder: Path
    reader: Reader
    experiment: Experiment
    problems: list[str]
    unchecked: list[str]
    chain: bytes = b""
    steps: int = 0
    hands: int | None = None
    commitment: str | None = None
    discarded: int = 0

    def verification(self) -> Verification:
        """Return the findings."""
        counts = self.steps, self.hands, self.commitment, self.discarded
        return Verification(*counts, _first(self.problems), tuple(self.unchecked))

    def repeat(self, executor: Executor, scratch: Path) -> Iterator[str]:
        """Compute all steps again, then the answer and the report."""
        experiment, answer = self.experiment, None
        with _guarded("result.json", self.problems):
            answer = run_folder.answer_of(self.folder)
            if answer is None:
                yield "result.json is missing: the run is not finished"
        wrong = list(self._wrong_record(finished=answer is not None)) or list(self._wrong_secrets())
        if wrong:
            yield from wrong
            return  # the steps cannot be computed again
        trainer, last = yield from self._repeated_steps(lambda number: self._trainer_at(number, executor, scratch))
        if experiment.SECRET:
            self.hands = cast(Repeatable, trainer).hands
        if last is not None and answer is not None:
            yield from self._wrong_champions(trainer, scratch / "champions")
            with _guarded("result.json", self.problems):
                yield from self._wrong_answer(trainer, answer, last, scratch)
            with _guarded("report.html", self.problems):
                yield from self._wrong_report(scratch)

    def _shorter(self) -> list[tuple[int, Experiment]]:
        """Return the experiments of a run before it was made longer, with their ends, if steps depend on the length."""
        experiment = self.experiment
        values, key = experiment.model_dump(), experiment.LENGTH
        shorter = ((until, experiment.model_validate(values | {key: length})) for until, length in self.reader.lengths)
        return [(until, each) for until, each in shorter if each.differs_when_longer()]

    def _trainer_at(self, number: int, executor: Executor, scratch: Path) -> Trainer:
        """Return a new trainer for the steps from a number on, with the length that the run had then."""
        experiment = next((shorter for until, shorter in self._shorter() if number < until), self.experiment)
        trainer = kind_of(experiment.kind).trainer(experiment, executor, self.folder if experiment.SECRET else scratch)
        if experiment.SECRET:
            secrets = [block.secret for step in revealed_in(self.reader)[number:] for block in step]
            cast(Repeatable, trainer).repeat(secrets, self.reader)
        return trainer

    def _wrong_secrets(self) -> Iterator[str]:
        """Yield secrets that do not match their commitments."""
        secrets, commitments = revealed_in(self.reader), commitments_in(self.folder)
        if count := sum(len(step) for step in secrets):
            self.commitment = commitment_to_all(block.commitment for step in secrets for block in step)
        self.discarded = max(len(commitments) - count, 0)
        yield from _wrong_secrets(secrets, commitments)

    def _wrong_record(self, finished: bool) -> Iterator[str]:
        """Yield steps or hands that are not in the record."""
        recorded = set(self.reader.primaries[0].tolist())
        expected = range(self.experiment.steps if finished else min(self.experiment.steps, self.reader.reached))
        if strange := sorted(recorded - set(expected)):
            yield f"run.db has step {strange[0] + 1}, expected at most {len(expected)} steps"
        if not self.experiment.SECRET:
            return
        yield from (f"run.db does not have step {number + 1}" for number in expected if number not in recorded)
        if getattr(self.experiment, "untrusted", False):
            has_hands = set(self.reader.dated(HANDS, "rows"))
            missing = [number for number in expected if number in recorded and number not in has_hands]
            yield from (f"run.db does not have the hands of step {number + 1}" for number in missing)

    def _repeated_steps(
        self, trainer_at: Callable[[int], Trainer]
    ) -> Generator[str, None, tuple[Trainer, Generation | None]]:
        """Take all steps again, yield every problem, and return the trainer and the last step."""
        saved, last, count, trainer = {}, None, 0, trainer_at(0)
        resumed = {until for until, _ in self._shorter()}
        for path in checkpoint.all_in(self.folder / "checkpoints"):
            with _guarded(f"checkpoints/{path.name}", self.problems):
                read = checkpoint.read(path)
                saved[int(read.notes["generation"])] = read
        finished = (self.folder / "result.json").is_file()
        steps = self.experiment.steps if finished else max(self.reader.reached, *saved, 0)
        key = run_key(self.experiment)
        for number in range(min(steps, self.experiment.steps)):
            if number in resumed:  # the run was made longer here
                state, trainer = trainer.state(), trainer_at(number)
                trainer.load(state)
            try:
                last = trainer.step(child(key, number))
            except InputError as error:
                yield f"step {number + 1} cannot be computed again: {error}"
                return trainer, None
            self.chain = extend_chain(self.chain, number, last)
            self.steps, count = number + 1, count + last.recorded
            with _guarded("run.db", self.problems):
                yield from self._differences(number, last)
            if (at := saved.get(number + 1)) is not None:
                with _guarded("checkpoints", self.problems):
                    wrong = self._wrong_checkpoint(at, trainer.state(), last, count)
                    yield from (f"the checkpoint of step {number + 1} has another {name}" for name in wrong)
        return trainer, last

    def _wrong_checkpoint(
        self, saved: checkpoint.Checkpoint, state: State, last: Generation, recorded: int
    ) -> Iterator[str]:
        """Yield the names of what differs in a checkpoint from the state after the same step."""
        for name in sorted({*state, *saved.arrays}):
            if name not in state or name not in saved.arrays or not _equal(saved.arrays[name], state[name]):
                yield name
        expected = {
            "chain": self.chain.hex(),
            "recorded": str(recorded),
            "primary_metric": last.primary.name,
            "value": last.primary.value.hex(),
        }
        yield from (name for name, text in expected.items() if saved.notes.get(name) != text)
        refuse_edited(self.folder, self.experiment, saved.notes["experiment"], self.experiment.LENGTH)

    def _differences(self, number: int, again: Generation) -> Iterator[str]:
        """Yield how a step's record differs from the same step computed again."""
        stored, step = self.reader.recorded(number), f"step {number + 1}"
        if stored is None or not again.recorded:
            if (stored is None) == again.recorded:
                yield f"run.db {'does not have' if stored is None else 'has'} {step}, unlike the run computed again"
            return
        if stored.primary != again.primary:
            yield f"{step}: {again.primary.name} of the record is {stored.primary.value}, not {again.primary.value}"
        for population in sorted({*stored.metrics, *again.metrics}):
            was, now = (dict(x.metrics.get(population, {})) for x in (stored, again))
            now = {name: value for name, value in now.items() if not np.isnan(value)}  # stored as nothing
            wrong = [name for name in sorted({*was, *now}) if was.get(name) != now.get(name)]
            yield from (f"{step}: {name} of {population} is {was.get(name)}, not {now.get(name)}" for name in wrong)
        for population in sorted({*stored.arrays, *again.arrays}):
            yield from _wrong_arrays(step, population, stored, again)
        for name in sorted({*stored.notes, *again.notes} - set(UNREPEATABLE_NOTES)):
            if stored.notes.get(name) != again.notes.get(name):
                yield f"{step}: the note {name} of the record is not that of the step"

    def _wrong_champions(self, trainer: Trainer, scratch: Path) -> Iterator[str]:
        """Yield champions that are not those of the steps."""
        scratch.mkdir(parents=True, exist_ok=True)
        for path in trainer.write_champions(scratch):
            name = f"champions/{path.name}"
            if not (self.folder / name).is_file():
                yield f"{name} is missing"
            elif (self.folder / name).read_bytes() != path.read_bytes():
                yield f"{name} does not follow from the experiment"

    def _wrong_answer(self, trainer: Trainer, answer: dict[str, Any], last: Generation, scratch: Path) -> Iterator[str]:
        """Yield keys of result.json that do not follow from the record."""
        champions = [scratch / "champions" / Path(name).name for name in answer.get("champions", ())]
        computed = result_of(last.primary, champions, self.chain, self.experiment) | trainer.answer(self.reader)
        computed = run_folder.moved_paths(json.loads(json.dumps(computed)), f"{scratch}/", f"{self.folder}/")
        for key in sorted({*computed, *answer} - set(UNREPEATABLE_KEYS)):
            if key not in answer:
                yield f"result.json: {key} is missing"
            elif key not in computed:
                yield f"result.json: {key} is not part of the result"
            elif answer[key] != computed[key]:
                yield f"result.json: {key} does not follow from the record"

    def _wrong_report(self, scratch: Path) -> Iterator[str]:
        """Make report.html again and compare."""
        path = self.folder / "report.html"
        if not path.is_file():
            self.unchecked.append("the run has no report.html")
            return
        stored = path.read_bytes()
        if f"cardwin {cardwin.__version__}".encode() not in stored:
            self.unchecked.append(f"report.html is not of version {cardwin.__version__}, which makes another one")
            return
        original = json.loads((self.folder / "result.json").read_text(encoding="utf-8"))["run"]
        pages = list(self._pages((original, str(self.folder), str(self.folder.resolve())), scratch))
        if stored in pages:
            return
        if _TITLE.sub(b"", stored) in [_TITLE.sub(b"", page) for page in pages]:
            self.unchecked.append("report.html has another title than the run, which was renamed")
        else:
            yield f"report.html does not follow from the record{_page_difference(stored, pages[0])}"

    def _pages(self, names: Iterable[str], scratch: Path) -> Iterator[bytes]:
        """Yield the pages that may be in report.html: with the folder's name at the end of the run, or with today's."""
        pages = dict[str, tuple[Path, bytes]]()
        for name in dict.fromkeys(names):
            last = Path(name).name
            if last not in pages:
                link = scratch / f"again-{len(pages)}" / last
                link.parent.mkdir()
                link.symlink_to(self.folder.resolve())
                pages[last] = link, remake_report(link, scratch / "pictures")
            link, page = pages[last]
            yield page.replace(escape(str(link)).encode(), escape(name).encode())


def _page_difference(stored: bytes, again: bytes) -> str:
    """Return the first difference of two pages, unless it is in a picture."""
    index = next((at for at, pair in enumerate(zip(stored, again, strict=False)) if pair[0] != pair[1]), None)
    if index is None:
        return f": {len(stored):,} bytes instead of {len(again):,}"
    line = stored[stored.rfind(b"\n", 0, index) + 1 : index]
    if b"data:image" in line and b'">' not in line[line.rfind(b"data:image") :]:
        return ": a picture differs from the one made again here"
    texts = (text[max(index - SHOWN, 0) : index + SHOWN].decode(errors="replace") for text in (stored, again))
    return ": {!r} instead of {!r}".format(*texts)


def _wrong_secrets(secrets: Sequence[Sequence[Revealed]], commitments: Sequence[str]) -> Iterator[str]:
    """Yield secrets that do not match their commitments, and commitments that were not written before."""
    left = list(commitments)
    for number, step in enumerate(secrets):
        for block in step:
            try:
                matches = commitment_of(bytes.fromhex(block.secret)) == block.commitment
            except ValueError:
                matches = False
            if not matches:
                yield f"step {number + 1}: the secret does not belong to its commitment {block.commitment[:16]}…"
            elif block.commitment not in left:
                yield f"step {number + 1}: {FILE} does not have the commitment {block.commitment[:16]}…"
            else:
                left = left[left.index(block.commitment) + 1 :]


def _wrong_arrays(step: str, population: str, stored: Generation, again: Generation) -> Iterator[str]:
    """Yield how a population's arrays differ from those of the same step computed again."""
    was, now = stored.arrays.get(population, {}), again.arrays.get(population, {})
    if population == HANDS and not was and not any(map(len, now.values())):
        return  # an older version did not record that there are none
    for name in sorted({*was, *now}):
        if population == HANDS:
            empty = np.zeros(0, np.int64)
            yield from _wrong_hands(step, was.get(name, empty), now.get(name, empty))
        elif name not in was or name not in now:
            yield f"{step}: {name} of {population} is {'not ' if name not in was else ''}in the record"
        elif not _equal(was[name], now[name]):
            yield f"{step}: {name} of the record does not follow from the cards{_where(was[name], now[name])}"


def _equal(first: Array, second: Array) -> bool:
    return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


def _where(recorded: Array, again: Array) -> str:
    """Return the first row that differs."""
    if recorded.shape != again.shape or recorded.dtype != again.dtype or again.ndim == 0:
        return ""
    row = int(np.argwhere((recorded != again).reshape(len(again), -1).any(axis=1))[0, 0])
    was, now = (shorten(array[row].tolist(), 60) for array in (recorded, again))
    return f" (row {row + 1}: {was} instead of {now})"


def _wrong_hands(step: str, recorded: Array, again: Array) -> Iterator[str]:
    if _equal(recorded, again):
        return
    for hand, replayed in zip_longest(recorded_hands(recorded), recorded_hands(again)):
        if hand != replayed:
            yield f"{step}, {_hand_difference(hand, replayed)}"
            return


def _hand_difference(recorded: RecordedHand | None, again: RecordedHand | None) -> str:
    """Return what differs in a hand."""
    if recorded is None or again is None:
        return "the number of hands differs"
    name = next(name for name in RecordedHand._fields if getattr(recorded, name) != getattr(again, name))
    return (
        f"hand {recorded.location[1] + 1}: {name} recorded as {getattr(recorded, name)}, "
        f"played again as {getattr(again, name)}"
    )
