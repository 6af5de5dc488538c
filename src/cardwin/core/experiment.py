"""The base of every experiment file: what all kinds of experiments have in common."""

from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cardwin.core.cluster import validate_cluster

Share = Annotated[float, Field(ge=0, le=1)]


class TomlTable(BaseModel):
    """A table of an experiment file: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Experiment(TomlTable):
    """What all experiments have; the same experiment and seed give the same run, bit for bit."""

    LENGTH: ClassVar[str] = ""  # the key of the run's length, if a finished run can be extended
    SECRET: ClassVar[bool] = False  # without a seed its cards come from secrets, and none is drawn
    LONGER: ClassVar[str] = ""  # how a run is extended, if not by a number under that key

    kind: str
    title: str = ""
    about: str = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    save_seconds: Annotated[float, Field(ge=0)] = 1.0
    cluster: Annotated[str, AfterValidator(validate_cluster)] | None = None  # where it runs: local, auto or HOST:PORT

    @property
    def steps(self) -> int:
        """How many steps the run takes."""
        raise NotImplementedError

    @property
    def anywhere(self) -> Self:
        """The same experiment without the place where it runs, which does not affect the result."""
        return self.model_copy(update={"cluster": None})

    def bound_to_length(self) -> str:
        """Why a run of this length is not a prefix of a longer one, or an empty text if it is."""
        return ""

    def differs_when_longer(self) -> str:
        """Why the digest of an extended run differs from that of one started at the new length; else empty."""
        return ""

    @property
    def short_name(self) -> str:
        """The default name of a run's folder."""
        return self.kind
