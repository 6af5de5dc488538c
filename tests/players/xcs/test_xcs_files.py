"""Rule files: compressed, read back bit by bit, and refused in one sentence where they are wrong."""

import zlib
from pathlib import Path

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.core.files import encode_tensors
from cardwin.players.champions import FOLDER, names
from cardwin.players.registry import player
from cardwin.players.xcs import files
from cardwin.players.xcs.encoding import Encoding
from cardwin.players.xcs.files import ARRAYS, RuleSet, read, write
from cardwin.players.xcs.rules import ACTION, INTERNAL, NUMEROSITY, PREDICTION, SIZE
from rule_sets import random_rules
from support import refusal

RULES = random_rules(Encoding(register=1), 300, 5)


def test_a_file_is_read_back_bit_by_bit_and_is_half_as_large(tmp_path: Path) -> None:
    old = read(FOLDER / "caller-beater.xcs")  # which is of schema 1
    write(tmp_path / "new.xcs", old)
    new = read(tmp_path / "new.xcs")
    assert all(np.array_equal(a, b) for a, b in zip(old.rules, new.rules, strict=True))
    assert (old.fields, old.actions, old.about) == (new.fields, new.actions, new.about)
    rules = int(old.rules.totals[SIZE])
    assert (FOLDER / "caller-beater.xcs").stat().st_size > 88 * rules
    assert (tmp_path / "new.xcs").stat().st_size < 45 * rules


@pytest.mark.parametrize("name", names(".xcs"))
def test_shipped_rules_sit_down(name: str) -> None:
    assert len(read(FOLDER / f"{name}.xcs").rules.condition[0]) > 0
    assert player(f"xcs:{name}")


def changed(row: str, column: int, value: float) -> RuleSet:
    """The rules with one number changed, and a checksum that is right."""
    rules = RULES.rules._replace(**{row: getattr(RULES.rules, row).copy()})
    getattr(rules, row)[column, 0] = value
    return RuleSet(RULES.fields, RULES.actions, rules, RULES.about)


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (changed("counts", ACTION, 3), "an action out of range"),
        (changed("counts", INTERNAL, -1), "register cannot hold"),
        (changed("counts", NUMEROSITY, 2), "number of rules differs"),
        (changed("values", PREDICTION, float("nan")), "not finite"),
        (RuleSet(Encoding().fields, RULES.actions, RULES.rules, RULES.about), "register cannot hold|fit its fields"),
    ],
)
def test_rules_that_cannot_be_are_refused_though_their_checksum_is_right(
    wrong: RuleSet, part: str, tmp_path: Path
) -> None:
    write(tmp_path / "wrong.xcs", wrong)
    with pytest.raises(InputError, match=part) as caught:
        read(tmp_path / "wrong.xcs")
    assert "wrong.xcs is damaged" in str(caught.value)


def test_a_small_file_does_not_become_a_large_one(tmp_path: Path) -> None:
    """A file that unpacks to more than its shapes say, or whose shapes are beyond all limits, is not unpacked."""
    bomb = np.frombuffer(zlib.compress(bytes(10**7), 9), np.uint8)
    for side in (10, 10**9):
        shapes = str({name: [1, side] for name in ARRAYS}).replace("'", '"')
        path = tmp_path / f"bomb{side}.xcs"
        path.write_bytes(encode_tensors({files.PACKED: bomb}, {"schema": "2", "player": "xcs", "shapes": shapes}))
        with pytest.raises(InputError, match="damaged"):
            read(path)


def test_a_command_refuses_a_damaged_file_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.xcs"
    write(path, RULES)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40] + bytes(40))
    said = refusal("match", f"xcs:{path}", "call", "--game", "holdem-limit", "--hands", "10")
    assert "damaged" in said
    assert "rules.xcs" in said
