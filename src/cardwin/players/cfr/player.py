"""A blueprint as a player: heads-up, from a file of `files`, by the kernels of `play`."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards.boards import board_bits
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.cards.tables import win_odds_store
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.base import Action
from cardwin.games.holdem import view as at
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.table import BOARD, LINE, Tables, new_tables
from cardwin.games.holdem.view import HoldemView
from cardwin.games.specs import split_spec
from cardwin.players.cfr.buckets import strength_and_spread
from cardwin.players.cfr.files import STEPS, SUFFIX, Blueprint, read
from cardwin.players.cfr.play import BLUEPRINT, OFF_TREE, act_in, blueprints_of, locate, shares_at
from cardwin.players.cfr.tree import COUNT, SLOT, betting_of, lines_of
from cardwin.players.champions import champion_file
from cardwin.players.compiled import CompiledForm
from cardwin.players.kind import PlayerKind
from cardwin.players.robots.static import named_action

Row = npt.NDArray[np.int64]
NAMES = {"limit": "limit", "nl": "no-limit"}


@kernel
def lay_out(row: Row, tables: Tables) -> None:
    """Fill the first table from a view's row (VIEW_SIZE,), as far as `play` reads it."""
    t = tables[0]
    t.seats, t.button, t.street, t.actor = row[at.SEAT_COUNT], row[at.BUTTON], row[at.STREET], row[at.SEAT]
    t.current_bet, t.big_blind, t.small_blind = row[at.CURRENT_BET], row[at.BIG_BLIND], row[at.SMALL_BLIND]
    t.ante, t.board_size[t.street], t.actions = row[at.ANTE], row[at.BOARD_SIZE], row[at.ACTIONS]
    for seat in range(2):
        t.stack[seat], t.bet[seat], t.start[seat] = row[at.STACKS + seat], row[at.BETS + seat], row[at.STARTS + seat]
    t.hole[2 * t.actor], t.hole[2 * t.actor + 1] = row[at.HOLE], row[at.HOLE + 1]
    for index in range(BOARD):
        t.board[index] = row[at.BOARD_AT + index]
    for index in range(LINE):
        t.line[index] = row[at.LINE_AT + index]


class CfrPlayer:
    """A blueprint in a seat. It decides from the view alone."""

    stateless = True

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self._structure = blueprints_of([blueprint], win_odds_store.load())
        self._tables = new_tables(1)
        self._lines: list[str] = []
        self._view: HoldemView | None = None

    @property
    def compiled(self) -> CompiledForm:
        """The same blueprint for kernels."""
        return CompiledForm(BLUEPRINT, self.blueprint)

    def check_table(self, game: HoldemGame, seats: int) -> None:
        """Raise an InputError if the player has no strategy for this game or this number of seats."""
        own_game = holdem_game(*split_spec(self.blueprint.game))
        if seats != 2:
            raise InputError(f"a blueprint plays heads-up: it has no strategy for {seats} seats")
        if game.kind != own_game.kind:
            raise InputError(f"this blueprint plays {NAMES[own_game.kind]} hold'em, not {game.name}")

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the kernel's decision."""
        if view.seats != 2:
            raise InputError(f"a blueprint plays heads-up: it has no strategy for {view.seats} seats")
        lay_out(np.array(view.row, np.int64), self._tables)
        point = draw_uniform(rng)
        action, amount = _act(self._structure, self._tables, view.min_raise_to, view.max_raise_to, point)
        self._view = view
        return named_action(view, action, amount)

    def explain(self) -> Mapping[str, Any]:
        """Return the last decision: the node of the tree, strength and potential, the bucket, and the probabilities."""
        view = self._view
        if view is None:
            return {}
        lay_out(np.array(view.row, np.int64), self._tables)
        node, first = _find(self._structure, self._tables)
        if node == OFF_TREE:
            return {"text": "the hand has left the betting tree: it checks or calls", "line": None}
        names, shares = self.actions(node), self._structure.shares[first:]
        chances = {name: round(int(share) / STEPS, 4) for name, share in zip(names, shares, strict=False)}
        explanation: dict[str, Any] = {
            "text": ", ".join(f"{name} {chance:.0%}" for name, chance in chances.items() if chance),
            "line": self.lines[node],
            "bucket": self._bucket(node, first),
            "probabilities": chances,
        }
        if view.board:
            bits = board_bits(np.array(view.board))
            strength, spread = strength_and_spread(self._structure.odds, bits, len(view.board), *view.hole)
            explanation |= {"strength": round(float(strength), 4), "potential": round(float(spread), 4)}
        return explanation

    @property
    def lines(self) -> list[str]:
        """The betting line of every node."""
        if not self._lines:
            self._lines = lines_of(betting_of(holdem_game(*split_spec(self.blueprint.game))))
        return self._lines

    def preflop(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the probabilities before the flop by betting line, class of hands and action."""
        tree, lines = self.blueprint.tree, {}
        for node in np.flatnonzero(tree.street == 0).tolist():
            seat, first, count = int(tree.actor[node]), int(tree.nodes[node, SLOT]), int(tree.nodes[node, COUNT])
            width = int(tree.width[seat, 0])
            rows = self.blueprint.shares[seat][: len(CLASS_NAMES) * width].reshape(-1, width)[:, first : first + count]
            actions, chances = self.actions(node), (rows / STEPS).round(4).tolist()
            lines[self.lines[node]] = {
                name: dict(zip(actions, row, strict=True)) for name, row in zip(CLASS_NAMES, chances, strict=True)
            }
        return lines

    def actions(self, node: int) -> list[str]:
        """Return the names of a node's actions."""
        tree = self.blueprint.tree
        seat, count = int(tree.actor[node]), int(tree.nodes[node, COUNT])
        facing = bool(tree.chips[node, seat] < tree.chips[node, 1 - seat])
        names = ["fold", "call"] if facing else ["check"]
        word, highest = "raise" if facing or not tree.street[node] else "bet", int(tree.chips[node].max())
        raises = [int(total) for total in tree.raise_to[node, len(names) : count]]
        if self.blueprint.game.startswith("holdem-limit"):
            return names + [word] * len(raises)
        sizes = [f"{word} {(total - highest) / (2 * highest):.2g} pot" for total in raises[:-1]]
        return [*names, *sizes, *(["all-in"] if raises else [])]

    def _bucket(self, node: int, share: int) -> int:
        tree = self.blueprint.tree
        seat, street = int(tree.actor[node]), int(tree.street[node])
        starts = self.blueprint.starts
        first = int(starts[seat, street]) + (int(starts[0, -1]) if seat else 0)
        return (share - first) // int(tree.width[seat, street])


@kernel
def _act(structure: Any, tables: Tables, low: int, high: int, point: float) -> tuple[int, int]:
    return act_in(structure, 0, tables[0], low, high, point)


@kernel
def _find(structure: Any, tables: Tables) -> tuple[int, int]:
    """Return the node of the first table's decision, and where its shares begin."""
    node = locate(structure, 0, tables[0])
    return (node, 0) if node == OFF_TREE else (node, shares_at(structure, 0, node, tables[0]))


@lru_cache(maxsize=8)
def _read(path: Path, changed: int, size: int) -> Blueprint:  # noqa: ARG001  another file has another time or size
    return read(path)


def build_cfr(texts: Mapping[str, str]) -> CfrPlayer:
    """Return a blueprint by the name of a shipped one, or from a file."""
    path = Path(champion_file("cfr", texts.get("file"), SUFFIX))
    if not path.is_file():
        raise InputError(f"there is no file {path}: cardwin train cfr writes one")
    status = path.stat()
    return CfrPlayer(_read(path, status.st_mtime_ns, status.st_size))


KIND = PlayerKind(
    "a blueprint: heads-up play from counterfactual regret minimisation on buckets of holdings, by name or file",
    build_cfr,
    ("file",),
    "file",
    BLUEPRINT,
    SUFFIX,
    needs_file=True,
    source="external sampling (Lanctot, Waugh, Zinkevich and Bowling 2009) with linear weights (Brown and Sandholm "
    "2019), trained here ([blueprint](../explanation/blueprint.md))",
    game="holdem-limit",
    games={"nl20": "holdem-nl:stack=2000"},
    heads_up=True,
)
