"""Experiments: TOML files, checked whole before anything runs, and the presets that come with Cardwin.

An experiment names a game, who meets whom, and how to breed. A preset file holds several: `[base]` is common to all,
`[presets.NAME]` is one of them.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from cardwin.errors import InputError, unknown
from cardwin.evolution import REPLACEMENTS, SEARCHERS, Settings
from cardwin.evolution.breeding import unknown_names
from cardwin.evolution.genome import VALUES

Share = Annotated[float, Field(ge=0, le=1)]
LIVING, FAMOUS = "population", "hall"


class Table(BaseModel):
    """A table of an experiment file: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Seat(Table):
    """Whom a seat's members meet: the other seat's `population`, its `hall`, or policies by name; each counts alike.

    A seat that meets nobody does not evolve.
    """

    against: list[str] = []
    mutation_rate: Share | None = None


class People(Table):
    """The populations: size, first generation, and what a gene is."""

    size: Annotated[int, Field(ge=2, le=10_000_000)] = 1010
    start: Literal["random", "uniform"] = "random"
    seeded: list[str] = []
    genes: Literal["real", "choice"] = "real"
    clean: bool = False


class Play(Table):
    """How fitness comes about: exact expectation, or games played as the documents did; with a steady hand or not."""

    play: Literal["exact", "sampled"] = "exact"
    games: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    fair: bool = False
    tremble: Share = 0.0


class Fame(Table):
    """The hall of fame: who enters, how often, how many stay, and how later members outweigh earlier ones."""

    enters: Literal["best", "average"] = "best"
    every: Annotated[int, Field(ge=1)] = 1
    capacity: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    replaces: str = "oldest"
    growth: Annotated[float, Field(ge=0, le=10)] = 0.0


class Experiment(Table):
    """A whole experiment; the same experiment and seed give the same run, bit for bit."""

    title: str = ""
    about: str = ""
    game: str = "kuhn"
    generations: Annotated[int, Field(ge=1, le=100_000_000)] = 300
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    searcher: str = "genetic"
    record_every: Annotated[int, Field(ge=1)] = 1
    record_members: bool = False
    save_seconds: Annotated[float, Field(ge=0)] = 1.0
    population: People = People()
    search: Settings = Settings()
    fitness: Play = Play()
    hall: Fame = Fame()
    first: Seat = Seat()
    second: Seat = Seat()

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        wrong = unknown_names("searcher", self.searcher, SEARCHERS)
        wrong += unknown_names("hall.replaces", self.hall.replaces, REPLACEMENTS)
        if not self.evolving:
            wrong.append("nobody evolves: first.against or second.against must name whom to meet")
        for seat, other, name in ((self.first, self.second, "first"), (self.second, self.first, "second")):
            if {LIVING, FAMOUS} & set(seat.against) and not other.against:
                wrong.append(f"{name}.against names the other seat's members, but that seat does not evolve")
        if self.searcher == "genetic" and self.search.elites >= self.population.size:
            wrong.append(f"search.elites ({self.search.elites}) must be fewer than population.size")
        people = self.population
        if people.start == "uniform" and people.genes == "real" and people.size % VALUES:
            wrong.append(f"population.size must be a multiple of {VALUES} for a uniform start, not {people.size}")
        if people.seeded and people.genes == "choice":
            wrong.append("population.seeded needs real genes: a policy mixes its actions, choices cannot")
        if self.searcher.endswith("cma-es") and (people.genes == "choice" or people.clean or people.size < 4):
            wrong.append(
                f"searcher {self.searcher} needs real genes, none held by population.clean, and 4 members or more"
            )
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both seats' tables."""
        return self.first, self.second

    @property
    def evolving(self) -> tuple[int, ...]:
        """The seats (0, 1) that evolve."""
        return tuple(seat for seat in (0, 1) if self.seats[seat].against)


# Settings are a plain dataclass of the evolution room, which knows no files; here its keys are checked like the rest.
Settings.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
Experiment.model_rebuild(force=True)


def check(values: Mapping[str, Any], name: str) -> Experiment:
    """The experiment that the values make, or one sentence with everything that is wrong with them."""
    try:
        return Experiment.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{name}: " + "; ".join(_sentences(error))) from None


def _sentences(error: ValidationError) -> Iterable[str]:
    for mistake in error.errors():
        # A union reports each of its members; the key is what a person can mend.
        place = ".".join(str(part) for part in mistake["loc"] if not str(part).startswith(("literal[", "float", "int")))
        if mistake["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            yield f"unknown key {place}{_nearest(place)}"
        else:
            said = mistake["msg"].removeprefix("Value error, ")
            given = f", not {mistake['input']!r}" if place and isinstance(mistake["input"], int | float | str) else ""
            yield f"{place}: {said}{given}" if place else said


def _nearest(place: str) -> str:
    *path, key = place.split(".")
    table = TypeAdapter(Experiment).json_schema()
    keys = table["properties"]
    for part in path:
        keys = table["$defs"].get(keys.get(part, {}).get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    hint = str(unknown("key", key, keys)).partition(": ")[2] if keys else ""
    return f" ({hint})" if hint else ""


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Every preset by name, as values."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(files("cardwin.lab").joinpath("presets").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            family = tomllib.loads(path.read_text(encoding="utf-8"))
            for name, values in family["presets"].items():
                found[name] = merged(family.get("base", {}), values)
    return found


def template() -> str:
    """A commented experiment file to start from."""
    return files("cardwin.lab").joinpath("presets", "template.txt").read_text(encoding="utf-8")


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Values with others laid over them, table by table."""
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def load(name: str, changes: Iterable[str] = (), seed: int | None = None) -> tuple[str, Experiment]:
    """The experiment that a preset or a file describes, with `KEY=VALUE` changes; and its short name."""
    path = Path(name)
    if name in presets():
        values = presets()[name]
    elif path.suffix == ".toml":
        values = read_toml(path)
    else:
        raise unknown("preset", name, presets())
    for change in changes:
        values = merged(values, _change(change))
    if seed is not None:
        values = {**values, "seed": seed}
    return path.stem if path.suffix == ".toml" else name, check(values, name)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's values."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None


def _change(text: str) -> dict[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not all(key.split(".")):
        raise InputError(f"--set {text!r} should read KEY=VALUE, such as population.size=200")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value  # a bare word is a text
    for part in reversed(key.split(".")):
        parsed = {part: parsed}
    change: dict[str, Any] = parsed
    return change


def as_toml(experiment: Experiment) -> str:
    """The experiment as a file that gives the same run again."""
    values = experiment.model_dump(exclude_none=True)
    tables = {key: value for key, value in values.items() if isinstance(value, dict)}
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if key not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
        return '"' + "".join(escapes.get(letter, letter) for letter in value) + '"'
    return repr(value)
