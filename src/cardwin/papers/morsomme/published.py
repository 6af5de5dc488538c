"""Printed values of the script, read from published.toml: one hand, populations of ten, fitness, children."""

import tomllib
from importlib.resources import files
from typing import Any

DATA: dict[str, Any] = tomllib.loads((files(__package__) / "published.toml").read_text(encoding="utf-8"))
HAND: dict[str, Any] = DATA["hand"]
POPULATION_A: list[tuple[int, ...]] = [tuple(row) for row in DATA["population_a"]]
POPULATION_B: list[str] = DATA["population_b"]
FITNESS, FITNESS_A, FITNESS_B = (DATA[name] for name in ("fitness", "fitness_a", "fitness_b"))
