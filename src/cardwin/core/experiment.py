"""The base of every experiment file: what all kinds of experiments have in common.

The sentence that explains a key stands in its class's docstring, under `Attributes`. Forms of the page and the file of
`cardwin init` read it there.
"""

import inspect
import re
from dataclasses import is_dataclass
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cardwin.core.cluster import validate_cluster

Share = Annotated[float, Field(ge=0, le=1)]


class TomlTable(BaseModel):
    """A table of an experiment file. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Experiment(TomlTable):
    """The settings that all experiments have. The same experiment and seed give the same run, bit for bit.

    Attributes:
        kind: The kind of experiment, which determines its other keys.
        title: A title for lists and reports.
        about: A sentence about the purpose.
        seed: The same seed gives the same run again; empty draws a new one.
        save_seconds: Minimum seconds between two checkpoints.
        cluster: Where it runs: local, auto or HOST:PORT of a Ray cluster; empty for this process.

    """

    LENGTH: ClassVar[str] = ""  # the key of the run's length, if a finished run can be extended
    SECRET: ClassVar[bool] = False  # without a seed its cards come from secrets, and none is drawn
    LONGER: ClassVar[str] = ""  # how a run is extended, if not by a number under that key
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ()  # the keys that a form shows first; by default the first five

    kind: str
    title: str = ""
    about: str = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    save_seconds: Annotated[float, Field(ge=0)] = 1.0
    cluster: Annotated[str, AfterValidator(validate_cluster)] | None = None

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        raise NotImplementedError

    @property
    def without_cluster(self) -> Self:
        """The experiment without its cluster, which does not affect the result."""
        return self.model_copy(update={"cluster": None})

    def bound_to_length(self) -> str:
        """Return why a run of this length is not a prefix of a longer one; empty if it is."""
        return ""

    def differs_when_longer(self) -> str:
        """Return why an extended run's digest differs from that of a run of the new length; empty if it does not."""
        return ""

    @property
    def short_name(self) -> str:
        """The default name of a run's folder."""
        return self.kind


def describe_keys(model: type, prefix: str = "") -> dict[str, str]:
    """Return the explanation of every key of an experiment, by dotted key, from the docstrings of its classes."""
    described: dict[str, str] = {}
    for base in reversed(model.__mro__):
        section = inspect.cleandoc(base.__doc__ or "").partition("\nAttributes:\n")[2].partition("\n\n")[0]
        for entry in re.finditer(r"^    (\w+): (.*(?:\n {5,}.*)*)", section, re.MULTILINE):
            described[prefix + entry[1]] = " ".join(entry[2].split())
    fields = getattr(model, "model_fields", {})
    for name, field in fields.items():
        table = field.annotation
        if isinstance(table, type) and (issubclass(table, BaseModel) or is_dataclass(table)):
            described |= describe_keys(table, f"{prefix}{name}.")
    return described
