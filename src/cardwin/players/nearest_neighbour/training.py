"""Recorded hands for the nearest-neighbour player."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardwin.arena.hand_history import played_history
from cardwin.arena.match import Listeners, match
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.game import holdem_game


def example(folder: Path) -> str:
    """Return an imitation of `standard` for the gallery, after 300 hands of it against `call`."""
    names, texts = ["standard", "call"], []

    def save(number: int, table: Any, events: Sequence[Any]) -> None:
        seated = [names[player] for player in table.player_ids]
        texts.append(phh_text(played_history(table, events, seated), number + 1))

    match(holdem_game("holdem-nl", {}), names, 300, 1, listeners=Listeners(on_hand=save))
    file = folder / "hands.phhs"
    file.write_text("\n".join(texts), encoding="utf-8")
    return f"nearest-neighbour:{file},player=standard"
