"""Spots after the flop: a toy with a known answer, locks, wrong input."""

import json
from pathlib import Path

import numpy as np
import pytest

from cardwin.analysis.spot_lock import SeatLock
from cardwin.cards.holdings import HOLDING_CARDS
from cardwin.games.betting.tree import DECISION
from cardwin.solvers.public_tree.solver import PublicTreeSolver
from cardwin.solvers.public_tree.spot import read_spot, solve_spot
from support import answer, call

# OOP holds the nuts or nothing, IP a bluff catcher: with a pot-sized bet OOP bluffs half as often as it has the nuts,
# IP calls half of the time. All hands are equally frequent: aces full and a busted hand, three combos each.
BOARD = "As Ah 7c 7d 2s"
POLAR = ("AcKc,AcQc,AcJc,6c5c,6d5d,6h5h", "KsKh,KsKd,KhKd")
WORDS = ["--board", BOARD, "--pot", "100", "--stack", "100", "--range-oop", POLAR[0], "--range-ip", POLAR[1]]


def test_the_polarised_game_has_its_known_answer() -> None:
    spot = read_spot(BOARD, 100, 100, *POLAR, "all-in")
    found = solve_spot(spot, until=0.02, iterations=2000)
    assert found.actions == ("check", "bet 100")
    assert found.exploitability <= 0.02
    # The nuts bet; bluffs bet half of the time; OOP wins 3/4 of the pot: half by nuts, half of the rest by bluffs.
    assert np.mean([found.strategy[one][1] for one in ("AcKc", "AcQc", "AcJc")]) == pytest.approx(1, abs=0.02)
    assert np.mean([found.strategy[one][1] for one in ("6c5c", "6d5d", "6h5h")]) == pytest.approx(0.5, abs=0.03)
    assert found.ev_oop == pytest.approx(75, abs=0.1)
    assert found.ev_oop + found.ev_ip == pytest.approx(100)


def test_a_lock_changes_the_best_answer() -> None:
    """Against a player who calls every bet nobody bluffs, and the value is that of showing down for 200."""
    spot = read_spot(BOARD, 100, 100, *POLAR, "all-in")
    found = solve_spot(spot, until=0.02, iterations=2000, locks={"bet 100": {"random": [0, 1]}})
    assert max(found.strategy[one][1] for one in ("6c5c", "6d5d", "6h5h")) < 0.01
    assert found.ev_oop == pytest.approx((200 + 0) / 2, abs=0.2)


def test_the_command_with_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / "lock.json"
    lock.write_text(json.dumps({"bet 100": {"random": [1, 0]}}))
    found = answer("solve-spot", *WORDS, "--sizes", "all-in", "--until", ".05", "--lock", str(lock))
    assert found["ev_oop"] == pytest.approx(100, abs=0.1)  # every bet takes the pot
    shown = call("solve-spot", *WORDS, "--sizes", "50,all-in", "--iterations", "30").stdout
    assert "check, bet 50, bet 100" in shown


def test_bets_have_the_sizes_of_the_menu() -> None:
    """A bet of 20% of the pot is one, although half of the pot is what each has put in."""
    spot = read_spot(BOARD, 100, 300, *POLAR, "20,75,all-in")
    found = solve_spot(spot, iterations=10)
    assert found.actions == ("check", "bet 20", "bet 75", "bet 300")


@pytest.mark.parametrize(("spec", "folds"), [("call", 0), ("fold", 1), ("blind:call=.25,raise=0", 0.75)])
def test_a_seat_plays_as_a_player(spec: str, folds: float) -> None:
    """OOP wins the pot of every bet that is folded to, and with the nuts two pots of one that is called."""
    found = answer("solve-spot", *WORDS, "--sizes", "all-in", "--until", ".05", "--lock-ip", spec)
    bluffs = folds * 100 - (1 - folds) * 100
    assert found["ev_oop"] == pytest.approx((folds * 100 + (1 - folds) * 200 + max(bluffs, 0)) / 2, abs=0.3)


def test_a_network_is_locked_on_both_streets() -> None:
    words = [
        "--board",
        "Qs Jh 2h 7s",
        "--pot",
        "100",
        "--stack",
        "150",
        "--range-oop",
        "QQ,AhKh",
        "--range-ip",
        "99,JTs",
    ]
    spot = read_spot("Qs Jh 2h 7s", 100, 150, "QQ,AhKh", "99,JTs", "100,all-in")
    solvers: list[PublicTreeSolver] = []

    def prepare(solver: PublicTreeSolver) -> None:
        SeatLock(spot, 1, "net:by-hand")(solver)
        solvers.append(solver)

    solve_spot(spot, iterations=1, prepare=prepare)
    for tree, plan in zip(solvers[0].tree, solvers[0].plans, strict=True):
        decisions = tree.kind == DECISION
        assert plan.locked[decisions & (tree.actor == 1)].all()
        assert not plan.locked[decisions & (tree.actor == 0)].any()
    after_bet = solvers[0].tree[0].lines.index("r300")
    shares = solvers[0].average_strategy(0, after_bet)
    held = (spot.ranges[1] > 0) & shares.any(axis=1)
    assert shares[held].sum(axis=1) == pytest.approx(1)
    assert 0 < shares[held][:, 0].mean() < 1
    done = call("solve-spot", *words, "--lock-ip", "loki")
    assert done.returncode == 2
    assert "cannot say its chances" in done.stderr


@pytest.mark.slow
def test_a_turn_spot_agrees_with_folded_and_plain_suits() -> None:
    spot = read_spot("Qs Jh 2h 7s", 100, 150, "QQ-TT,AQs,AhKh", "99,KQs,JTs", "50,all-in")
    found = solve_spot(spot, until=0.3, workers=2)
    assert found.exploitability <= 0.3
    assert 0 < found.ev_oop < 100
    assert len(found.strategy) == np.count_nonzero(spot.ranges[0] * ~np.isin(HOLDING_CARDS, spot.board).any(axis=1))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"--board": "Qs Jh"}, "3, 4 or 5 cards"),
        ({"--board": "Qs Jh 2x"}, "invalid card"),
        ({"--range-ip": "AsAh"}, "shares a card with the board"),
        ({"--range-ip": "KK, AsAh"}, "'AsAh' in --range-ip shares a card with the board"),
        ({"--lock-oop": "call", "--lock-ip": "call"}, "nothing is left to solve"),
        ({"--range-oop": "KK", "--range-ip": "KK", "--board": "Ks Kh Qs Qh Qd"}, "no deal is possible"),
        ({"--sizes": "50,100"}, "expected an all-in"),
        ({"--sizes": ".5,all-in"}, "below the minimum"),
        ({"--sizes": "half,all-in"}, "percents of the pot"),
        ({"--sizes": "50,a/50,a"}, "streets"),
        ({"--pot": "0"}, "invalid pot"),
        ({"--stack": "-3"}, "invalid stack"),
        ({"--until": "0"}, "positive"),
        ({"--iterations": "0"}, "iterations"),
        ({"--lock": "nowhere.json"}, "no file nowhere.json"),
    ],
)
def test_wrong_input_is_refused_in_one_sentence(change: dict[str, str], said: str) -> None:
    words = dict(zip(WORDS[::2], WORDS[1::2], strict=True)) | change
    done = call("solve-spot", *(word for pair in words.items() for word in pair))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ({"bet 70": {"random": [0.5, 0.5]}}, "expected one of"),
        ({"check, check": {"random": [0.5, 0.5]}}, "expected a decision"),
        ({"": {"random": [0.5, 0.6]}}, "of sum 1"),
        ({"": {"AcKc": [0.5, 0.5]}}, "has no probabilities"),
        ([], "expected lines with ranges"),
    ],
)
def test_wrong_locks_are_refused_in_one_sentence(lock: object, said: str, tmp_path: Path) -> None:
    path = tmp_path / "lock.json"
    path.write_text(json.dumps(lock))
    done = call("solve-spot", *WORDS, "--sizes", "all-in", "--lock", str(path))
    assert done.returncode == 2
    assert said in done.stderr
