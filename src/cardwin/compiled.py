"""The names with which a compiled player outside the package is written; see `docs/your-first-compiled-player.md`.

- `compiled_player` is the decorator; FOLD, CALL (or check) and RAISE (or bet) are the actions.
- `view` names the numbers of a view's row: `row[view.TO_CALL]`. `pot_of(row)` and `opponents_of(row)` are computed.
- `equity(row, odds)` is the chance to win, `legal_bet(row, total)` the nearest legal total bet, or 0.
- `draw_uniform(stream)`, `draw_below(stream, n)` and `draw_bits(stream)` draw random numbers.
- `kernel` compiles a further function that the player's calls.
"""

from cardwin.core.kernel import kernel
from cardwin.core.rng import draw_below, draw_bits, draw_uniform
from cardwin.games.holdem import view
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.players.compiled_plugin import compiled_player
from cardwin.players.view_numbers import equity, legal_bet, opponents_of, pot_of

__all__ = [
    "CALL",
    "FOLD",
    "RAISE",
    "compiled_player",
    "draw_below",
    "draw_bits",
    "draw_uniform",
    "equity",
    "kernel",
    "legal_bet",
    "opponents_of",
    "pot_of",
    "view",
]
