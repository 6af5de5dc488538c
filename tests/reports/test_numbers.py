"""Numbers that are none, endless or beyond all bounds, and files nested or long beyond reason: one line each."""

from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.players.registry import player
from cardwin.runs.experiment import check, load, read_toml, validation_errors

HUGE = 10**30


@pytest.mark.parametrize(
    "change",
    [f"search.tournament={HUGE}", f"generations={HUGE}", "search.sigma=nan", "fitness.tremble=inf",
     f"hall.every={HUGE}", "population.size=-1e999", f"search.elites=-{HUGE}", f"record_every={HUGE}",
     f"save_seconds={HUGE}"],
)  # fmt: skip
def test_settings_that_are_no_numbers_are_refused_by_their_key(change: str) -> None:
    with pytest.raises(InputError, match=change.partition("=")[0]) as refused:
        load("kuhn-coevolution", [change])
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("key", ["every", "max_hands", "until_left", "seats", "growth"])
@pytest.mark.parametrize("value", [HUGE, float("nan"), float("inf")])
def test_a_structure_has_bounds(key: str, value: float) -> None:
    values = {"kind": "tournament", "players": ["call", "fold"], "structure": {key: value}}
    with pytest.raises(InputError, match=f"structure.{key}"):
        check(values, "tournament")
    assert validation_errors(values)[0]["field"] == f"structure.{key}"


def test_a_seed_may_be_large() -> None:
    assert load("kuhn-coevolution", ["seed=9223372036854775807"])[1].seed == 2**63 - 1
    with pytest.raises(InputError, match="seed"):
        load("kuhn-coevolution", [f"seed={HUGE}"])


@pytest.mark.parametrize(
    ("content", "said"),
    [("x = " + "[" * 50_000, "nested|levels|deep"), ("[" + ".".join("a" * 20_000) + "]", "nested|unknown key|deeply"),
     ("x = 1 #" + "y" * 2_000_000, "at most 1,000,000 bytes"), ("seed = nan", "seed")],
)  # fmt: skip
def test_a_file_beyond_reason_is_refused_in_a_line(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(content)
    with pytest.raises(InputError, match=said) as refused:
        check(read_toml(file), "deep.toml")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("change", ["x=" + "[" * 50_000, ".".join("a" * 20_000) + "=1"])
def test_a_change_beyond_reason_is_refused(change: str) -> None:
    with pytest.raises(InputError, match=r"nested|levels"):
        load("kuhn-coevolution", [change])


@pytest.mark.parametrize("spec", ["matrix:file=", "v3:file=", "loki:file="])
def test_a_player_nested_too_deeply_is_refused(tmp_path: Path, spec: str) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    with pytest.raises(InputError, match="JSON"):
        player(f"{spec}{file}")
