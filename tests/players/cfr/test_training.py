"""Training a blueprint as a run: any number of workers, killed and resumed, made longer, and what is refused."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import cfr_run
from blueprints import FEW_BUCKETS
from cardwin.cards.boards import board_bits
from cardwin.cards.ranks import rank_seven
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.rng import shuffle_first, stream_of
from cardwin.players.cfr import training
from cardwin.players.cfr.buckets import bucket_of, strength_and_spread
from cardwin.players.cfr.files import read
from cardwin.players.cfr.traversal import deal_block
from cardwin.reports import report
from cardwin.runs import checkpoint
from support import answer, call, refusal

GAME = "holdem-nl:stack=300"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random deals, no table, no report."""
    monkeypatch.setattr(training, "win_odds_store", cfr_run.NoTable)
    for name, function in cfr_run.REPLACED.items():
        monkeypatch.setattr(training, name, function)
    monkeypatch.setattr(report, "write", lambda folder: folder)


def train(folder: Path, iterations: int, *words: str) -> dict[str, object]:
    return answer("--quiet", "train", "cfr", "--game", GAME, "--iterations", str(iterations), "--seed", "3", "--out",
                  str(folder), *words)  # fmt: skip


@pytest.mark.usefixtures("small")
def test_workers_do_not_matter_and_a_longer_run_goes_on(tmp_path: Path) -> None:
    one = train(tmp_path / "one", 60_000)
    assert train(tmp_path / "two", 60_000, "--workers", "2")["digest"] == one["digest"]
    files = [tmp_path / name / "champions" / "blueprint.cfr" for name in ("one", "two")]
    assert files[0].read_bytes() == files[1].read_bytes()
    shorter = train(tmp_path / "short", 20_000)
    assert shorter["digest"] != one["digest"]
    longer = answer("--quiet", "train", "--resume", str(tmp_path / "short"), "--iterations", "60000")
    assert longer["digest"] == one["digest"]
    assert longer["iterations"] == read(files[0]).about["iterations"] == 60_000
    assert longer["button_value"] == one["button_value"]


@pytest.mark.usefixtures("small")
def test_killed_and_resumed_it_ends_with_one_digest(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", 600_000)
    folder = tmp_path / "killed"
    words = ["--quiet", "train", "cfr", "--game", GAME, "--iterations", "600000", "--seed", "3", "--out", str(folder)]
    process = subprocess.Popen([sys.executable, cfr_run.__file__, *words, "--no-report"], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 240
    while not checkpoint.all_in(folder / "checkpoints") and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert checkpoint.all_in(folder / "checkpoints")
    assert not (folder / "result.json").exists()
    assert answer("--quiet", "train", "--resume", str(folder), "--workers", "2")["digest"] == whole["digest"]


@pytest.mark.usefixtures("small")
def test_hours_become_deals(tmp_path: Path) -> None:
    said = call("train", "cfr", "--game", GAME, "--hours", "0.00001", "--seed", "1", "--out", str(tmp_path / "run"))
    assert "0.00001 hours are about" in said.stderr or "1e-05 hours are about" in said.stderr
    assert "information sets" in said.stdout


def test_what_is_refused(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "never"))
    assert "got both" in refusal("train", "cfr", "--iterations", "10", "--hours", "1", *out)
    assert "playing against itself" in refusal("train", "cfr", "--against", "call", *out)
    assert "expected --hours above 0" in refusal("train", "cfr", "--hours", "-1", *out)
    assert "has no blueprint" in refusal("train", "cfr", "--game", "holdem-simple", *out)
    assert "at most 50 big blinds" in refusal("train", "cfr", "--game", "holdem-nl", *out)
    assert "are for cfr" in refusal("train", "v2", "--against", "call", "--iterations", "10", *out)
    assert not (tmp_path / "never").exists()


def test_deals_have_the_buckets_and_results_of_their_cards() -> None:
    found, results, deck = np.zeros((3, 2, 4), np.int64), np.zeros(3, np.int64), np.arange(52)
    deal_block(FEW_BUCKETS, NO_TABLE, stream_of(5), found, results)
    stream = stream_of(5)
    for deal in range(3):
        shuffle_first(stream, deck, 9)
        hands, board = [deck[:2], deck[2:4]], deck[4:9]
        for seat, (a, b) in enumerate(hands):
            for street, shown in enumerate((0, 3, 4, 5)):
                bits = board_bits(board[:shown])
                assert found[deal, seat, street] == bucket_of(FEW_BUCKETS, NO_TABLE, bits, shown, a, b)
        ranks = [rank_seven(*hand, *board) for hand in hands]
        assert results[deal] == 1 + np.sign(ranks[0] - ranks[1])


def test_strength_is_the_mean_of_river_odds_and_potential_their_deviation() -> None:
    board, a, b = np.array([3, 20, 33, 45]), 50, 41
    rivers = [card for card in range(52) if card not in (*board, a, b)]
    odds = [strength_and_spread(NO_TABLE, board_bits(np.array([*board, card])), 5, a, b)[0] for card in rivers]
    strength, spread = strength_and_spread(NO_TABLE, board_bits(board), 4, a, b)
    assert strength == pytest.approx(np.mean(odds), abs=1e-12)
    assert spread == pytest.approx(np.std(odds), abs=0.01)  # ties are not squared
