"""The three games of hold'em by name and parameters: no-limit, limit, and the simple table of Chen (2018).

`holdem-simple` deals the flop's three cards and then the last two at once, ignores suits, has one blind and an ante,
and at most three raises a round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np

from cardwin.cards.card import CARD_NAMES, DECK, parse_cards
from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import forced_bets
from cardwin.games.holdem.state import HoldemState, begin_state
from cardwin.games.holdem.table import BOARD, SEATS, STREETS, UNBOUNDED, UNKNOWN, Tables, new_tables
from cardwin.games.holdem.table import MOST_CHIPS as MOST_CHIPS
from cardwin.games.parameters import Parameters, only_known, whole_number

Cards: TypeAlias = str | Sequence[int | str]  # "AhKh", ["Ah", "Kh"], or the cards' numbers


@dataclass(frozen=True, slots=True)
class HoldemGame:
    """One variant with its sizes. `small_bet` and `big_bet` are limit hold'em's, 0 elsewhere."""

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
        usual = USUAL[self.kind]
        changed = [text for one, text in self._texts().items() if text != usual._texts()[one]]
        return f"holdem-{self.kind}" + (":" + ",".join(changed) if changed else "")

    def _texts(self) -> dict[str, str]:
        sizes = {"stack": f"stack={self.stack}", "ante": f"ante={self.ante}"}
        if self.kind == "simple":
            return sizes | {"blind": f"blind={self.big_blind}"}
        sizes["blinds"] = f"blinds={self.small_blind}/{self.big_blind}"
        return sizes | ({"bets": f"bets={self.small_bet}/{self.big_bet}"} if self.kind == "limit" else {})

    @property
    def title(self) -> str:
        """A one-line description."""
        return TITLES[self.kind]

    @property
    def gene_order(self) -> tuple[str, ...]:
        """Hold'em names no genes."""
        return ()

    @property
    def least_bet(self) -> int:
        """The least no-limit bet, and the unit of bet sizes: the big blind, or the ante if only antes are posted."""
        return self.big_blind or self.ante

    @property
    def unit(self) -> str:
        """The unit of results."""
        return {"nl": "mbb/h", "limit": "small bets/h", "simple": "chips/h"}[self.kind]

    @property
    def chips_per_unit(self) -> float:
        """Chips a hand in one unit of the results."""
        return {"nl": self.least_bet / 1000, "limit": float(self.small_bet), "simple": 1.0}[self.kind]

    def tables(self, seats: int, count: int = 1) -> Tables:
        """Tables (count,) set up for this variant, all with the default stack, without cards and button."""
        if not 2 <= seats <= SEATS:
            raise InputError(f"{seats} seats: hold'em is played with 2 to {SEATS}")
        tables = new_tables(count)
        tables["seats"], tables["limit"], tables["suitless"] = seats, self.kind == "limit", self.kind == "simple"
        tables["small_blind"], tables["big_blind"], tables["ante"] = self.small_blind, self.least_bet, self.ante
        tables["antes_only"] = self.big_blind == 0
        small, big = (self.small_bet, self.big_bet) if self.kind == "limit" else (self.least_bet, self.least_bet)
        tables["bet_size"] = (small, small, big, big)
        if self.kind == "simple":
            tables["streets"], tables["board_size"], tables["cap"] = 3, (0, 3, 5, 5), 3
        else:
            tables["streets"], tables["board_size"] = STREETS, (0, 3, 4, 5)
            # Four bets a round, of which the big blind is the first before the flop.
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
        """A hand from two cards for each seat and the five board cards; a stack of 0 is an empty seat.

        Cards are texts ("AhKh") or numbers. The button is the last seat if none is named. Antes and blinds by seat
        replace the game's own. `dead_antes` puts whole antes into the main pot, as needed if one player antes for all.
        UNKNOWN cards do not count in a showdown.
        """
        if not hole and not board:
            raise InputError(
                f"{self.name} is too large to enumerate: a hand starts from its cards, "
                'start(["AhKh", "QcQd"], "2s3s4h7h8d"); exact answers need a small game such as kuhn'
            )
        hands = [_cards(one) for one in hole]
        seats = len(hands)
        tables = self.tables(seats)
        button = seats - 1 if button is None else button
        _put_cards(tables, hands, _cards(board))
        _put_stacks(tables, [self.stack] * seats if stacks is None else stacks, button)
        tables["dead_antes"] = dead_antes
        forced = np.zeros((2, SEATS), np.int64)
        usual_forced_bets(tables, forced)
        return begin_state(
            self,
            tables,
            forced[0, :seats].tolist() if antes is None else _by_seat("antes", antes, seats),
            forced[1, :seats].tolist() if blinds is None else _by_seat("blinds", blinds, seats),
        )


@kernel
def usual_forced_bets(tables: Tables, forced: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
    """Antes and blinds of the first table by its rules, forced (2, 10)."""
    forced_bets(tables[0], forced)


def _cards(given: Cards) -> list[int]:
    if isinstance(given, str):
        return list(parse_cards(given))
    return [card for one in given for card in (parse_cards(one) if isinstance(one, str) else (one,))]


def _put_cards(tables: Tables, hole: Sequence[Sequence[int]], board: Sequence[int]) -> None:
    if len(board) != BOARD or any(len(cards) != 2 for cards in hole):
        raise InputError("hold'em needs two cards for each seat and five for the board")
    cards = [*board, *(card for pair in hole for card in pair)]
    for place, card in enumerate(cards):
        if card == UNKNOWN and place >= BOARD:
            continue
        if not isinstance(card, int | np.integer) or card not in DECK:
            raise InputError(f"{shorten(card)} is no card: cards are 0 to 51, or texts such as Ah")
        if card in cards[:place]:
            raise InputError(f"{CARD_NAMES[card]} comes twice: a deck has each card once")
    tables["board"][0] = board
    tables["hole"][0, : 2 * len(hole)] = cards[BOARD:]


def _put_stacks(tables: Tables, stacks: Sequence[int], button: int) -> None:
    seats = int(tables["seats"][0])
    tables["stack"][0, :seats] = _by_seat("stacks", stacks, seats)
    if sum(stack > 0 for stack in stacks) < 2:
        raise InputError("a hand needs at least two seats with chips")
    if not isinstance(button, int | np.integer) or not 0 <= button < seats:
        raise InputError(f"the button at seat {shorten(button)}: this table's seats are 0 to {seats - 1}")
    tables["button"] = button


def _by_seat(what: str, chips: Sequence[int], seats: int) -> list[int]:
    if len(chips) != seats:
        raise InputError(f"{len(chips)} {what} for {seats} seats: one for each is needed")
    for amount in chips:
        whole = isinstance(amount, int | np.integer) and not isinstance(amount, bool)
        if not whole or not 0 <= amount <= MOST_CHIPS:
            raise InputError(f"{what} with {shorten(amount)}: whole chips from 0 to {MOST_CHIPS} are needed")
    return [int(amount) for amount in chips]


TITLES = {
    "nl": "no-limit Texas hold'em, 2 to 10 seats",
    "limit": "limit Texas hold'em, four bets a round, 2 to 10 seats",
    "simple": "simplified hold'em: three rounds, no suits, one blind and an ante (Chen 2018)",
}
USUAL = {
    "nl": HoldemGame("nl", stack=10_000, small_blind=50, big_blind=100),
    "limit": HoldemGame("limit", stack=10_000, small_blind=5, big_blind=10, small_bet=10, big_bet=20),
    "simple": HoldemGame("simple", stack=1_000, small_blind=0, big_blind=10, ante=5),
}
_PARAMETERS: dict[str, dict[str, tuple[str, ...]]] = {
    "nl": {"stack": ("stack",), "blinds": ("small_blind", "big_blind"), "ante": ("ante",)},
    "limit": {
        "stack": ("stack",),
        "blinds": ("small_blind", "big_blind"),
        "bets": ("small_bet", "big_bet"),
        "ante": ("ante",),
    },
    "simple": {"stack": ("stack",), "blind": ("big_blind",), "ante": ("ante",)},
}


def holdem_game(name: str, parameters: Parameters) -> HoldemGame:
    """The game of a name such as `holdem-nl` and parameters such as {"stack": "20000", "blinds": "50/100"}."""
    kinds = {f"holdem-{kind}": kind for kind in USUAL}
    if name not in kinds:
        raise unknown_name("game", name, kinds)
    kind = kinds[name]
    only_known(name, parameters, tuple(_PARAMETERS[kind]))
    sizes: dict[str, int] = {}
    for parameter, text in parameters.items():
        sizes |= _read_sizes(name, parameter, text, _PARAMETERS[kind][parameter])
    usual = {field.name: getattr(USUAL[kind], field.name) for field in fields(HoldemGame)}
    game = HoldemGame(**(usual | sizes))
    _check(game)
    return game


def _read_sizes(game: str, parameter: str, text: str, names: tuple[str, ...]) -> dict[str, int]:
    parts = text.split("/")
    if len(parts) != len(names):
        raise InputError(f"{game}: {parameter}={text} should be {len(names)} amounts of chips, such as 50/100")
    return {name: whole_number(game, parameter, part, 0, MOST_CHIPS) for name, part in zip(names, parts, strict=True)}


def _check(game: HoldemGame) -> None:
    if game.stack < 1:
        raise InputError("stack=0: everyone needs chips to play with")
    if game.least_bet < 1:
        raise InputError("neither blinds nor antes: a big blind or an ante of at least 1 chip is needed, the least bet")
    if game.small_blind > game.big_blind:
        raise InputError(f"blinds={game.small_blind}/{game.big_blind}: the small blind comes first and is not larger")
    if game.kind == "limit" and not 1 <= game.small_bet <= game.big_bet:
        raise InputError(f"bets={game.small_bet}/{game.big_bet}: at least 1 chip, the small bet comes first")


def build_holdem(name: str, parameters: Parameters, spec: str) -> HoldemGame:  # noqa: ARG001  as all builders of games
    """Return the hold'em game that a specification names."""
    return holdem_game(name, parameters)
