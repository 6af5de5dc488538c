"""A new kind of player needs one registry entry: matches, the gallery, champions and the page then know it."""

import json
from pathlib import Path

import pytest

import cardwin
import gallery
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemView
from cardwin.games.specs import Parameters
from cardwin.players.kind import PlayerKind
from cardwin.players.registry import PLAYERS
from cardwin.runs.champions import run_champions
from cardwin.web.players import resolve_players
from web.served import client_of

SUFFIX = ".json"


class Cautious:
    """Calls up to a limit in big blinds."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def act(self, view: HoldemView, rng: object) -> Action:  # noqa: ARG002
        names = {action.name: action for action in view.legal_actions}
        if "check" in names:
            return names["check"]
        return names["call"] if view.to_call <= self.limit * view.big_blind else names["fold"]

    def explain(self) -> str:
        return f"calls up to {self.limit} big blinds"


def build(parameters: Parameters) -> Cautious:
    if "file" in parameters:
        return Cautious(float(json.loads(Path(parameters["file"]).read_text())["limit"]))
    return Cautious(float(parameters.get("limit", "2")))


def write_example(folder: Path) -> str:
    (folder / "cautious.json").write_text(json.dumps({"player": "cautious", "limit": 3}))
    return f"cautious:file={folder / 'cautious.json'}"


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> str:
    entry = PlayerKind(
        "calls up to a limit", build, ("file", "limit"), main_parameter="file", example=f"{__name__}:write_example",
        example_about="with a limit of three big blinds", source="this test",
    )  # fmt: skip
    monkeypatch.setitem(PLAYERS, "cautious", entry)
    return "cautious"


def test_it_plays_a_match(kind: str) -> None:
    found = cardwin.match([kind, "raise", f"{kind}:limit=50"], hands=30, seed=1)
    assert found.record.chips.sum() == 0


def test_it_is_in_the_gallery(kind: str, tmp_path: Path) -> None:
    (shown,) = [one for one in gallery.exhibits(tmp_path) if one.kind == kind]
    assert shown.spec.startswith("cautious:file=")
    assert cardwin.player(shown.spec).limit == 3  # type: ignore[attr-defined]


def test_what_a_run_writes_of_it_is_a_champion(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for part in ("champions", "checkpoints"):
        (folder / part).mkdir(parents=True)
    (folder / "experiment.toml").write_text('kind = "small-game"\n')
    write_example(folder / "champions")
    (found,) = run_champions(tmp_path)
    assert found.local_spec == f"cautious:file={folder / 'champions' / 'cautious.json'}"
    assert kind in found.local_spec
    assert resolve_players(tmp_path, "holdem-nl", ["person", found.spec]) == ("holdem-nl", ["person", found.local_spec])


def test_the_page_lists_it(kind: str, tmp_path: Path) -> None:
    players = client_of(tmp_path).get("/api/players").json()["players"]
    assert kind in [one["spec"] for one in players]
    assert "xcs:caller-beater" in [one["spec"] for one in players]
