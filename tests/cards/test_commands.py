"""The commands about cards, as another program meets them."""

import pytest

from support import answer, call


def test_rank_answers_one_or_several() -> None:
    one = answer("rank", "AhKhQhJhTh2c3d")
    assert (one["category"], one["best_five"], one["value"]) == ("straight flush", "AhKhQhJhTh", 1)
    lines = answer("rank", "-", stdin="AhKhQhJhTh2c3d\n2c3d4h5s7c9dTs\n")["hands"]
    assert [row["category"] for row in lines] == ["straight flush", "high card"]


def test_equity_answers() -> None:
    exact = answer("equity", "AhKh", "--board", "QhJh2c")
    assert (exact["method"], exact["error"]) == ("enumeration", 0.0)
    assert exact["equity"] == pytest.approx(exact["win"] + exact["tie"] / 2)
    nine = answer("equity", "AhAd", "--opponents", "9")
    assert nine["equity"] == pytest.approx(0.311, abs=0.001)
    assert 0 < nine["error"] < 0.0005
    assert len(answer("equity", "AA", "72o")["hands"]) == 2
    sure = call("equity", "AhKh", "--board", "QhJhTh", "--opponents", "5").stdout
    assert sure.startswith("AhKh: equity 100.0000% ")


def test_the_grid_shows_every_class() -> None:
    picture = call("equity", "--grid", "--opponents", "2").stdout
    assert len(picture.splitlines()) == 14
    assert picture.splitlines()[1].startswith("AA  73.")
    assert len(answer("equity", "--grid")["classes"]) == 169


@pytest.mark.parametrize(
    ("clue", "words"),
    [
        ("Ah", ["rank", "AhAh"]),
        ("got 4", ["rank", "AhKhQhJh"]),
        ("Kx", ["equity", "AhKx"]),
        ("got 0", ["equity", "AhKh", "--opponents", "0"]),
        ("got 9", ["equity", "AhKh", "--board", "2c3c4c5c6c7c8c9cTc"]),
        ("no hand", ["equity"]),
        ("--grid", ["equity", "AA", "--grid"]),
    ],
)
def test_mistakes_end_in_one_line(clue: str, words: list[str]) -> None:
    done = call(*words)
    assert done.returncode == 2
    assert clue in done.stderr
    assert len(done.stderr.splitlines()) == 1
