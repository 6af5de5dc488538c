"""OpenSpiel: our policies, players and small games there, and its games here.

- `export_policy` and `import_policy` carry tabular policies both ways, bit for bit.
- `bot` turns one of our players, or a policy, into a `pyspiel.Bot`: in Kuhn poker, Leduc hold'em, our own games, and
  Texas hold'em as `universal_poker` deals it.
- Importing this module registers our small games, `cardwin_kuhn`, `cardwin_leduc` and so on, and `cardwin`, whose
  parameter `game` is any specification: `pyspiel.load_game("cardwin", {"game": "onecard:cards=4"})`.
- `openspiel_game` is any of OpenSpiel's sequential two-player zero-sum games, if it is small enough, as a game of
  ours: `cardwin solve "openspiel:liars_dice(dice_sides=3)"`.
"""

from cardwin.interop.openspiel.bots import bot
from cardwin.interop.openspiel.mapping import export_policy, from_openspiel, import_policy, to_openspiel
from cardwin.interop.openspiel.registered import register, registered
from cardwin.interop.openspiel.their_games import openspiel_game

__all__ = [
    "bot",
    "export_policy",
    "from_openspiel",
    "import_policy",
    "openspiel_game",
    "register",
    "registered",
    "to_openspiel",
]

register()
