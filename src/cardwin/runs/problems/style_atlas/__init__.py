"""An atlas of styles: the best network of each playing style, by MAP-Elites."""

from pathlib import Path
from typing import TYPE_CHECKING

from cardwin.core.executor import Executor
from cardwin.runs.problems.style_atlas.settings import StyleAtlasExperiment

if TYPE_CHECKING:
    from cardwin.runs.problems.style_atlas.atlas import StyleAtlas

COMMAND = "evolve"
EXPERIMENT = StyleAtlasExperiment


def check(experiment: StyleAtlasExperiment) -> None:
    """Build the opponents, which raises an error for one that does not exist or cannot be compiled."""
    from cardwin.analysis.style_matches import field_forms

    field_forms(experiment.opponents)


def trainer(experiment: StyleAtlasExperiment, executor: Executor, folder: Path) -> "StyleAtlas":  # noqa: ARG001
    """An empty atlas."""
    from cardwin.runs.problems.style_atlas.atlas import StyleAtlas

    return StyleAtlas(experiment, executor)
