"""Wrong commands by the hundred: each ends in one sentence and exit code 2, or is no mistake at all; never a traceback.

Every command of a list that works has one word replaced, left out, doubled or moved, and is run in this process.
`FUZZ=1000 pytest tests/cli/test_fuzz.py` tries more of them.
"""

import io
import os
import random
import signal
import sys
from pathlib import Path
from types import FrameType

import pytest

from cardwin.cli import main

COMMANDS = int(os.environ.get("FUZZ", "150"))
SECONDS = 10
WORKING = [
    "solve kuhn",
    "value kuhn rational safe",
    "best-response kuhn --against rational --seat 1",
    "exploitability kuhn --policy rational --seat 2",
    "show rational --game kuhn",
    "export rational --game kuhn --to csv",
    "evolve kuhn-coevolution --set generations=2 --set population.size=10 --seed 1 --out run",
    "evolve --resume run",
    "evolve --resume run --generations 3 --no-report",
    "sweep kuhn-coevolution --seeds 1,2 --vary search.sigma=0.1|0.2 --set generations=2 --out s",
    "init new.toml",
    "presets",
    "games",
    "players",
    "runs --in runs",
    "runs compare run t",
    "rank AhKhQhJhTh",
    "equity AhKh --against QcQd --board 2c3c4d",
    "match call fold --hands 10 --seed 1 --duplicate --seating rotation",
    "match random call --hands 10 --seed 1 --stacks kept --game holdem-limit",
    "match random call --hands 10 --plan --margin 50",
    "match rational safe --game kuhn",
    "leaderboard rational safe bluffer --game kuhn",
    "tournament call fold raise --tables 2 --seed 1 --growth 2 --every 5 --payouts 70/30 --out t",
    "tournament --resume t",
    "tournament --resume t --tables 4 --no-report",
    "leaderboard call fold --hands 20 --seed 1 --page board.html --out board",
    "replay hand.phh --strict",
    "replay hand.log --game hand.game",
    "explain hand.phh --hand 1 --seat 1 --player standard",
    "range hand.phh --hand 1 --of 1",
    "income --players 2",
    "cash-game call fold raise --games 2 --rounds 5 --seed 1 --rising --xlsx games.xlsx",
    "train v2 --against call --games 1 --rounds 5 --seed 1 --out trained",
    "train xcs --problem multiplexer-6 --seed 1 --trials 200 --out xcs",
    "reproduce nothing --scale seconds",
    "bench nothing",
    "play kuhn --against rational --hands 1",
]
JUNK = [
    "", " ", "-1", "0", "nan", "inf", "1e999", "1" + "0" * 30, "-0.0", "x", "--nope", "-", "--", "..", "/", "/dev/null",
    "é☃", "\x1b[31m", "kuhn:cards=99999", "kuhn:cards", "genes:a", "genes:0,.5", "python:nothing", "python::", "net:",
    "xcs:", "matrix:none", "v1:threshold", "random*0", "random*-1", "random*x", "a=b", "=", "seed=", "generations=nan",
    "[[[[", "1,,2", "1-99999999999", "a=|", "python:nothing:build", "x=" + "[" * 2000, "game=python:os:getcwd",
    "holdem-nl:stack=0", "holdem-nl:blinds=1", "loki:model=x", "hand.phh", "run", "2c2c", "AhAh", "ZzZz",
    "--json", "--set", "--out", "--seed", "--game", "null", "{}", "a" * 5000,
]  # fmt: skip
HAND = (
    "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [1000, 1000]\n"
    "actions = ['d dh p1 AhKh', 'd dh p2 QcQd', 'p2 cc', 'p1 cc', 'd db 2c3c4d', 'p1 cc', 'p2 cbr 100', 'p1 f']\n"
)


def broken(words: list[str], rng: random.Random) -> list[str]:
    """A command with one or two words wrong."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.randrange(len(words))
        way = rng.randrange(5)
        if way < 3:
            words[place] = rng.choice(JUNK)
        elif way == 3 and len(words) > 1:
            del words[place]
        else:
            words.insert(rng.randrange(len(words) + 1), rng.choice([*words, *JUNK]))
    return words


def too_long(_: int, __: FrameType | None) -> None:
    raise TimeoutError(f"no answer in {SECONDS} seconds")


def outcome(words: list[str], monkeypatch: pytest.MonkeyPatch, seconds: int = SECONDS) -> object:
    """The exit code, or the exception that got away."""
    monkeypatch.setattr(sys, "argv", ["cardwin", "--quiet", *words])
    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        main()
    except SystemExit as left:
        return left.code or 0
    except BaseException as error:
        return error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return 0


@pytest.mark.parametrize(("seed", "commands"), [(2026, COMMANDS), pytest.param(2027, 600, marks=pytest.mark.slow)])
def test_wrong_commands_end_in_a_sentence(
    seed: int, commands: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand.phh").write_text(HAND, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for line in WORKING:  # once as they are, so that what they need is compiled and made
        outcome(line.split(), monkeypatch, 300)
    rng, wrong = random.Random(seed), []
    for _ in range(commands):
        words = broken(rng.choice(WORKING).split(), rng)
        capsys.readouterr()
        code = outcome(words, monkeypatch)
        said = capsys.readouterr().err
        if code not in (0, 1, 2, 130) or (code == 2 and len(said.splitlines()) != 1):
            wrong.append((" ".join(words)[:200], code, said[-300:]))
    assert wrong == []
