"""OpenSpiel: our policies, players and small games there, and its games here.

- `export_policy` and `import_policy` carry tabular policies both ways, bit for bit.
- `bot` makes one of our players, or a policy, a `pyspiel.Bot`: in Kuhn poker, Leduc hold'em, our own games, and
  Texas hold'em as `universal_poker` deals it.
- Importing this module registers our small games, `cardwin_kuhn`, `cardwin_leduc` and so on, and `cardwin`, whose
  parameter `game` is any specification: `pyspiel.load_game("cardwin", {"game": "onecard:cards=4"})`.
- `openspiel_game` is any of OpenSpiel's sequential two-player zero-sum games, if it is small enough, as a game of
  ours: `cardwin solve "openspiel:liars_dice(dice_sides=3)"`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ulp
from typing import Any

import numpy as np
import pyspiel

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, key_of, prf, random_seed, stream_of
from cardwin.games import SMALL_GAMES
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, NOBODY, Action, Game, SmallView, State, small_view, verified
from cardwin.games.formats.acpc import partial_hand
from cardwin.games.formats.acpc_game import GameFile, read_game
from cardwin.games.holdem.state import HoldemState
from cardwin.games.small import kuhn, leduc
from cardwin.players.base import Player
from cardwin.players.registry import HoldemPlayer, player, spec_of
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.solvers.policy import Policy
from cardwin.solvers.tree import tree_of

MOST_POSITIONS = 300_000
MOST_DENOMINATOR = 10**6  # of a chance that OpenSpiel has as a float
