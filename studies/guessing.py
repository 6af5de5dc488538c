"""How well a nearest-neighbour player predicts a recorded player: `python studies/guessing.py FILE... --player NAME`.

Rows are the player's first 50, 200, 1,000, 3,000 hands and all but the last fifth; that fifth is predicted.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cardwin.core.errors import InputError
from cardwin.games.formats.phh import histories_of
from cardwin.players.nearest_neighbour.player import RecordedDecisions, decisions_of
from reveley_stand_in import HEADER, growth

COUNTS = (50, 200, 1_000, 3_000)


def predicted(texts: Sequence[str], name: str) -> list[dict[str, object]]:
    """Return one row for each number of known hands: known decisions, and the shares predicted correctly."""
    decisions = decisions_of((one for text in texts for one in histories_of(text)), name)
    hands = np.unique(decisions.hands)
    if len(hands) < 5:
        raise InputError(
            f"{name} decides in {len(hands)} of these hands: five are needed to predict the last from the others"
        )
    last = len(hands) * 4 // 5
    late = decisions.hands >= hands[last]
    parts = decisions.situations[late], decisions.actions[late], decisions.raises[late], decisions.hands[late]
    counts = [*(count for count in COUNTS if count < last), last]
    rows = growth(decisions, RecordedDecisions(*parts), [int(hands[count]) for count in counts])
    return [dict(zip(HEADER, [count, *row[1:]], strict=True)) for count, row in zip(counts, rows, strict=True)]


def main(words: Sequence[str]) -> None:
    """Print the rows."""
    files, name = words[: words.index("--player")], words[words.index("--player") + 1]
    for row in predicted([Path(file).read_text(encoding="utf-8") for file in files], name):
        print(", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
