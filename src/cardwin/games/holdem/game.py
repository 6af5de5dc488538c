"""The three games of hold'em by name and parameters: no-limit, limit, and the simple table of Chen (2018).

`holdem-simple` deals the flop's three cards and then the last two at once, ignores suits, has one blind and an ante,
and at most three raises per round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from cardwin.cards.card import CARD_NAMES, DECK, parse_cards
from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import forced_bets
from cardwin.games.holdem.state import HoldemState, begin_state
from cardwin.games.holdem.table import BOARD, MAX_CHIPS, SEATS, STREETS, UNBOUNDED, UNKNOWN, Tables, new_tables
from cardwin.games.specs import Parameters, int_parameter, reject_unknown_parameters

Cards: TypeAlias = str | Sequence[int | str]  # "AhKh", ["Ah", "Kh"], or the cards' numbers


@dataclass(frozen=True, slots=True)
class HoldemGame:
    """One variant with its sizes in chips. `small_bet` and `big_bet` are limit hold'em's, 0 in other variants."""

    kind: str
    stack: int
    small_blind: int
    big_blind: int
    ante: int = 0
    small_bet: int = 0
    big_bet: int = 0

    @property
    def name(self) -> str:
        """The specification that builds this game, with the parameters that differ from the defaults."""
        default, changed = DEFAULT_GAMES[self.kind], []
        for parameter, sizes in _PARAMETERS[self.kind].items():
            values = [getattr(self, size) for size in sizes]
            if values != [getattr(default, size) for size in sizes]:
                changed.append(f"{parameter}={'/'.join(map(str, values))}")
        return f"holdem-{self.kind}" + (":" + ",".join(changed) if changed else "")

    @property
    def title(self) -> str:
        """A one-line description."""
        return TITLES[self.kind]

    @property
    def gene_order(self) -> tuple[str, ...]:
        """No names: hold'em has no genes."""
        return ()

    @property
    def min_bet(self) -> int:
        """The minimum no-limit bet and the unit of bet sizes: the big blind, or the ante if there are no blinds."""
        return self.big_blind or self.ante

    @property
    def unit(self) -> str:
        """The unit of results."""
        return {"nl": "mbb/h", "limit": "small bets/h", "simple": "chips/h"}[self.kind]

    @property
    def chips_per_unit(self) -> float:
        """The chips per hand in one unit of the results."""
        return {"nl": self.min_bet / 1000, "limit": float(self.small_bet), "simple": 1.0}[self.kind]

    def tables(self, seats: int, count: int = 1) -> Tables:
        """Return tables (count,) of this variant, with the default stack at every seat, without cards and button."""
        if not 2 <= seats <= SEATS:
            raise InputError(f"expected 2 to {SEATS} seats, got {seats}")
        tables = new_tables(count)
        tables["seats"], tables["limit"], tables["suitless"] = seats, self.kind == "limit", self.kind == "simple"
        tables["small_blind"], tables["big_blind"], tables["ante"] = self.small_blind, self.min_bet, self.ante
        tables["antes_only"] = self.big_blind == 0
        small, big = (self.small_bet, self.big_bet) if self.kind == "limit" else (self.min_bet, self.min_bet)
        tables["bet_size"] = (small, small, big, big)
        if self.kind == "simple":
            tables["streets"], tables["board_size"], tables["cap"] = 3, (0, 3, 5, 5), 3
        else:
            tables["streets"], tables["board_size"] = STREETS, (0, 3, 4, 5)
            # Four bets per round. Before the flop the big blind is the first.
            tables["cap"] = (3, 4, 4, 4) if self.kind == "limit" else UNBOUNDED
        tables["stack"][:, :seats] = self.stack
        return tables

    def start(
        self,
        hole: Sequence[Cards] = (),
        board: Cards = (),
        *,
        stacks: Sequence[int] | None = None,
        button: int | None = None,
        antes: Sequence[int] | None = None,
        blinds: Sequence[int] | None = None,
        dead_antes: bool = False,
    ) -> HoldemState:
        """Return the position after antes and blinds of a hand with these cards.

        Args:
            hole: Two cards per seat, as text ("AhKh") or numbers. UNKNOWN cards do not count in a showdown.
            board: The five board cards.
            stacks: Chips by seat; 0 is an empty seat. The default is the game's stack.
            button: The seat of the button; the last one by default.
            antes: Antes by seat in place of the game's.
            blinds: Blinds by seat in place of the game's.
            dead_antes: Whether whole antes belong to the main pot, as needed if one player antes for all.

        Raises:
            InputError: If there are no cards, or a card, stack, blind or seat is invalid.

        """
        if not hole and not board:
            raise InputError(
                f"{self.name} is too large to enumerate: expected a small game such as kuhn, or the cards of a hand, "
                'such as start(["AhKh", "QcQd"], "2s3s4h7h8d")'
            )
        hands = [_cards(cards) for cards in hole]
        seats = len(hands)
        tables = self.tables(seats)
        button = seats - 1 if button is None else button
        _put_cards(tables, hands, _cards(board))
        _put_stacks(tables, [self.stack] * seats if stacks is None else stacks, button)
        tables["dead_antes"] = dead_antes
        forced = np.zeros((2, SEATS), np.int64)
        write_forced_bets(tables, forced)
        return begin_state(
            self,
            tables,
            forced[0, :seats].tolist() if antes is None else _by_seat("antes", antes, seats),
            forced[1, :seats].tolist() if blinds is None else _by_seat("blinds", blinds, seats),
        )


@kernel
def write_forced_bets(tables: Tables, forced: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
    """Write the antes and blinds of the first table by its rules into forced (2, 10)."""
    forced_bets(tables[0], forced)


def _cards(cards: Cards) -> list[int]:
    if isinstance(cards, str):
        return list(parse_cards(cards))
    return [number for card in cards for number in (parse_cards(card) if isinstance(card, str) else (card,))]


def _put_cards(tables: Tables, hole: Sequence[Sequence[int]], board: Sequence[int]) -> None:
    if len(board) != BOARD or any(len(cards) != 2 for cards in hole):
        counts = ", ".join(str(len(cards)) for cards in hole)
        raise InputError(f"expected two cards per seat and {BOARD} board cards, got {counts} and {len(board)}")
    cards = [*board, *(card for pair in hole for card in pair)]
    for index, card in enumerate(cards):
        if card == UNKNOWN and index >= BOARD:
            continue
        if not isinstance(card, int | np.integer) or card not in DECK:
            raise InputError(f"invalid card {shorten(card)}: expected 0 to 51, or a text such as Ah")
        if card in cards[:index]:
            raise InputError(f"duplicate card {CARD_NAMES[card]}: a deck has each card once")
    tables["board"][0] = board
    tables["hole"][0, : 2 * len(hole)] = cards[BOARD:]


def _put_stacks(tables: Tables, stacks: Sequence[int], button: int) -> None:
    seats = int(tables["seats"][0])
    tables["stack"][0, :seats] = _by_seat("stacks", stacks, seats)
    if sum(stack > 0 for stack in stacks) < 2:
        raise InputError(f"expected at least two seats with chips, got stacks {list(stacks)}")
    if not isinstance(button, int | np.integer) or not 0 <= button < seats:
        raise InputError(f"invalid button seat {shorten(button)}: expected 0 to {seats - 1}")
    tables["button"] = button


def _by_seat(name: str, chips: Sequence[int], seats: int) -> list[int]:
    if len(chips) != seats:
        raise InputError(f"expected {seats} {name}, one per seat, got {len(chips)}")
    for amount in chips:
        whole = isinstance(amount, int | np.integer) and not isinstance(amount, bool)
        if not whole or not 0 <= amount <= MAX_CHIPS:
            raise InputError(f"invalid {name}: expected whole chips from 0 to {MAX_CHIPS}, got {shorten(amount)}")
    return [int(amount) for amount in chips]


TITLES = {
    "nl": "no-limit Texas hold'em, 2 to 10 seats",
    "limit": "limit Texas hold'em, four bets a round, 2 to 10 seats",
    "simple": "simplified hold'em: three rounds, no suits, one blind and an ante (Chen 2018)",
}
DEFAULT_GAMES = {
    "nl": HoldemGame("nl", stack=10_000, small_blind=50, big_blind=100),
    "limit": HoldemGame("limit", stack=10_000, small_blind=5, big_blind=10, small_bet=10, big_bet=20),
    "simple": HoldemGame("simple", stack=1_000, small_blind=0, big_blind=10, ante=5),
}
# The parameters of each kind of game, in the order of its name, with the sizes that they set.
_SHARED = {"stack": ("stack",), "ante": ("ante",)}
_BLINDS = {"blinds": ("small_blind", "big_blind")}
_PARAMETERS: dict[str, dict[str, tuple[str, ...]]] = {
    "nl": {**_SHARED, **_BLINDS},
    "limit": {**_SHARED, **_BLINDS, "bets": ("small_bet", "big_bet")},
    "simple": {**_SHARED, "blind": ("big_blind",)},
}


def holdem_game(name: str, parameters: Parameters) -> HoldemGame:
    """Return a game of hold'em.

    Args:
        name: `holdem-nl`, `holdem-limit` or `holdem-simple`.
        parameters: Values by name, such as {"stack": "20000", "blinds": "50/100"}.

    Raises:
        InputError: If the name, a parameter or a combination of sizes is invalid.

    """
    kind = name.removeprefix("holdem-")
    if f"holdem-{kind}" != name or kind not in DEFAULT_GAMES:
        raise unknown_name("game", name, [f"holdem-{kind}" for kind in DEFAULT_GAMES])
    reject_unknown_parameters(name, parameters, tuple(_PARAMETERS[kind]))
    sizes: dict[str, Any] = {}
    for parameter, text in parameters.items():
        names, parts = _PARAMETERS[kind][parameter], text.split("/")
        if len(parts) != len(names):
            raise InputError(f"{name}: expected {len(names)} amounts such as 50/100, got {parameter}={text}")
        for size, part in zip(names, parts, strict=True):
            sizes[size] = int_parameter(name, parameter, part, 0, MAX_CHIPS)
    game = replace(DEFAULT_GAMES[kind], **sizes)
    _validate(game)
    return game


def _validate(game: HoldemGame) -> None:
    if game.min_bet < 1:
        raise InputError("expected a big blind or an ante of at least 1 chip, which is the minimum bet, got neither")
    if game.small_blind > game.big_blind:
        raise InputError(
            f"expected a small blind of at most the big blind, got blinds={game.small_blind}/{game.big_blind}"
        )
    if game.stack < game.big_blind + game.ante:
        forced = f"the big blind of {game.big_blind}" + (f" and the ante of {game.ante}" if game.ante else "")
        raise InputError(f"expected a stack of at least {forced}, got stack={game.stack}")
    if game.kind == "limit" and not 1 <= game.small_bet <= game.big_bet:
        raise InputError(f"expected a small bet from 1 chip to the big bet, got bets={game.small_bet}/{game.big_bet}")


def build_holdem(name: str, parameters: Parameters, spec: str) -> HoldemGame:  # noqa: ARG001  all builders share one signature
    """Return the hold'em game that a specification names."""
    return holdem_game(name, parameters)
