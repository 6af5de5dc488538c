"""`cardwin train xcs`: from the command's options to an experiment."""

from collections.abc import Sequence
from typing import Any

from cardwin.core.errors import InputError
from cardwin.games.specs import split_spec
from cardwin.players.xcs.training.problem import TRIALS, USUAL_TRIALS
from cardwin.players.xcs.training.settings import split_options


def is_xcs(spec: str) -> bool:
    """Whether a specification names a classifier system."""
    return spec.partition(":")[0] == "xcs"


def experiment_values(
    spec: str, problem: str | None, game: str | None, against: Sequence[str], episodes: int | None, seed: int | None
) -> tuple[str, dict[str, Any]]:
    """The short name and the keys of the experiment that `xcs:KEY=VALUE,...` and the command's options describe."""
    if (problem is None) == (game is None):
        raise InputError("say what to learn: --problem NAME (multiplexer-11, woods1 ...) or --game GAME --against SPEC")
    own, parameters = split_options(split_spec(spec)[1])
    values: dict[str, Any] = {**own, "parameters": parameters, "seed": seed}
    if problem is not None:
        values |= {"kind": "xcs-problem", "problem": problem, "title": f"XCS on {problem}"}
        values["trials"] = episodes or TRIALS.get(problem, USUAL_TRIALS)
        return f"xcs-{problem}", values
    if game is not None and game.startswith("holdem"):
        values |= {"kind": "xcs-holdem", "game": game, "against": against, "title": f"XCS at {game}"}
        if not against:
            raise InputError("who are the opponents? --against SPEC for each, such as --against loki:model=none")
        return f"xcs-{game.partition(':')[0]}", values | ({"hands": episodes} if episodes else {})
    values |= {"kind": "xcs-game", "game": game, "title": f"XCS at {game}"}
    if len(against) > 1:
        raise InputError(f"{game} has two seats: one --against")
    if against:
        values["against"] = against[0]
    if episodes:
        values["hands"] = episodes
    return f"xcs-{game}", values
