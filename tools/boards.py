"""Plays the boards that ship: every player that comes with Cardwin against every other, heads-up in duplicate.

    python tools/boards.py --hands 1000 --seed 1 [--runs DIR]

Each game is a run (`cardwin leaderboard`) in a folder of DIR; a folder that has one is resumed. The ratings and styles
are written to src/cardwin/analysis/boards.json, which `cardwin players` and the page read.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cardwin.analysis.opponents import BOARDS, board_of, boards_text, plays, shipped_players
from cardwin.core.files import write_atomic
from cardwin.games.holdem.game import holdem_game
from cardwin.games.specs import split_spec

GAMES = ("holdem-nl", "holdem-limit", "holdem-nl:stack=2000")


def played(game: str, folder: Path, hands: int, seed: int) -> dict[str, Any]:
    """Play a game's leaderboard, and return its answer."""
    out = folder / game.replace(":", "-").replace("=", "-")
    players = [spec for spec in shipped_players() if plays(spec, game)]
    words = [*players, "--game", game, "--hands", str(hands), "--seed", str(seed), "--out", str(out)]
    if out.exists():
        words = ["--resume", str(out)]
    command = [sys.executable, "-m", "cardwin", "leaderboard", *words, "--json"]
    answer: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)  # noqa: S603
    return answer


def main() -> None:
    """Play every board, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1000, help="hands of every pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, default=Path("runs/boards"), help="the folder of the runs")
    asked = parser.parse_args()
    asked.runs.mkdir(parents=True, exist_ok=True)
    boards = []
    for name in GAMES:
        game = holdem_game(*split_spec(name))
        scale = 1000 * game.chips_per_unit / game.min_bet
        boards.append(board_of(played(name, asked.runs, asked.hands, asked.seed), scale))
        write_atomic(BOARDS, boards_text(boards).encode())


if __name__ == "__main__":
    main()
