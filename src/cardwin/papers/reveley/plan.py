"""Sizes of the experiments, declared in claims.toml before the run: a table `plan` with four numbers, one a scale."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from cardwin.papers import SCALES, Context
from cardwin.papers.register import FILE


@cache
def _plans() -> dict[str, dict[str, list[int]]]:
    read: dict[str, Any] = tomllib.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
    plans: dict[str, dict[str, list[int]]] = read["plan"]
    return plans


def sizes(context: Context, name: str) -> dict[str, int]:
    """The sizes of a plan at the context's scale, such as hands, deals and seeds."""
    scale = SCALES.index(context.scale)
    return {size: numbers[scale] for size, numbers in _plans()[name].items()}


def seeds(context: Context, count: int) -> list[int]:
    """Seeds of an experiment; other experiments have others."""
    return [context.key("seed", number) % 2**31 for number in range(count)]
