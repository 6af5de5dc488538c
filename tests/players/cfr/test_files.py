"""Blueprint files: what is written is read again, and nothing else is."""

import json
from pathlib import Path

import numpy as np
import pytest

from blueprints import FEW_BUCKETS, random_blueprint
from cardwin.core.errors import InputError
from cardwin.core.files import checksum_of, encode_tensors
from cardwin.players.cfr.files import STEPS, Blueprint, pack, read, shares_of, unpack, write
from cardwin.players.cfr.tree import COUNT, SLOT, row_starts
from cardwin.players.registry import player

GAME = "holdem-nl:stack=600"


@pytest.fixture(scope="module")
def blueprint() -> Blueprint:
    return random_blueprint(GAME, 3)


def test_what_is_written_is_read_again(blueprint: Blueprint, tmp_path: Path) -> None:
    write(tmp_path / "one.cfr", blueprint)
    again = read(tmp_path / "one.cfr")
    assert again.game == GAME
    assert again.about == blueprint.about
    for seat in (0, 1):
        assert np.array_equal(again.shares[seat], blueprint.shares[seat])
    assert all(np.array_equal(one, other) for one, other in zip(again.buckets, FEW_BUCKETS, strict=True))
    write(tmp_path / "two.cfr", again)
    assert (tmp_path / "one.cfr").read_bytes() == (tmp_path / "two.cfr").read_bytes()


def test_shares_are_the_nearest_fifteenths_and_add_to_one(blueprint: Blueprint) -> None:
    tree, counts = blueprint.tree, blueprint.buckets.counts()
    sums = np.random.default_rng(1).random(int(row_starts(tree, counts)[0, -1])).astype(np.float32)
    sums[: 2 * int(tree.width[0, 0])] = 0.0  # buckets that were never seen
    shares = shares_of(tree, counts, 0, sums)
    first, count = int(tree.nodes[0, SLOT]), int(tree.nodes[0, COUNT])
    rows = shares[: counts[0] * int(tree.width[0, 0])].reshape(counts[0], -1)[:, first : first + count].astype(int)
    given = sums[: counts[0] * int(tree.width[0, 0])].reshape(counts[0], -1)[:, first : first + count]
    assert (rows.sum(axis=1) == STEPS).all()
    assert np.abs(rows[2:] / STEPS - given[2:] / given[2:].sum(axis=1, keepdims=True)).max() < 1 / STEPS
    assert np.ptp(rows[:2]) <= 1


def test_damaged_files_are_refused(blueprint: Blueprint, tmp_path: Path) -> None:
    path = tmp_path / "one.cfr"
    write(path, blueprint)
    content = path.read_bytes()
    for changed in (content[:-20], content[:-1] + b"x", b"{", b""):
        path.write_bytes(changed)
        with pytest.raises(InputError, match="damaged"):
            read(path)
    with pytest.raises(InputError, match="no file"):
        player(f"cfr:{tmp_path / 'none.cfr'}")
    with pytest.raises(InputError, match="unknown cfr player"):
        player("cfr:nobody")


def test_files_whose_contents_are_wrong_are_refused(blueprint: Blueprint, tmp_path: Path) -> None:
    packed = np.frombuffer(pack(blueprint), np.uint8)
    limits = FEW_BUCKETS
    arrays: dict[str, np.ndarray] = {"packed": packed}
    for street, (rows, columns) in enumerate(limits.shape):
        arrays[f"strengths_{street + 1}"] = limits.strengths[street, : rows - 1].copy()
        arrays[f"spreads_{street + 1}"] = limits.spreads[street, :rows, : columns - 1].copy()

    def written(game: str, **changed: np.ndarray) -> Path:
        notes = {"schema": "1", "player": "cfr", "game": game, "about": json.dumps({})}
        content = {**arrays, **changed}
        path = tmp_path / "other.cfr"
        path.write_bytes(encode_tensors(content, {**notes, "checksum": checksum_of(content, notes)}))
        return path

    assert read(written(GAME)).game == GAME
    for game, changed in (
        ("holdem-nl:stack=700", {}),
        ("kuhn", {}),
        (GAME, {"packed": packed[:100].copy()}),
        (GAME, {"strengths_1": np.zeros(20_000)}),
    ):
        with pytest.raises(InputError, match="damaged"):
            read(written(game, **changed))


def test_shares_beyond_one_are_refused(blueprint: Blueprint) -> None:
    import lzma

    counts = blueprint.buckets.counts()
    plain = bytearray(lzma.decompress(pack(blueprint)))
    assert len(unpack(blueprint.tree, counts, lzma.compress(bytes(plain)))) == 2
    plain[0] = STEPS + 1
    with pytest.raises(InputError, match="more than 1"):
        unpack(blueprint.tree, counts, lzma.compress(bytes(plain)))
