"""Policies of the small games by specification, as players, and their habits (bluffs and sandbags).

A specification is a model's name (`rational`), `uniform`, `equilibrium`, `genes:0,.5,1,0,1/3,1`, or a JSON file:
{"game": "kuhn", "seats": {"1": {"B_J": "1/3", ...}, "2": {...}}} with every gene of each seat by its name.

Policies are written as files in our own format, CSV, and OpenSpiel's.
"""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import Stream, draw_index
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, Action, Game, SmallView, State
from cardwin.games.small import leduc
from cardwin.games.small.kuhn import Kuhn
from cardwin.players.small_games.kuhn_models import model_genes, models
from cardwin.solvers.equilibria import equilibrium
from cardwin.solvers.exact import Exact
from cardwin.solvers.policy import Policy, behaviour_from_genes, uniform
from cardwin.solvers.tree import Tree, tree_of

NUMBER = re.compile(r"(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?|\d{1,400}/0{0,9}[1-9]\d{0,400}")
MAX_FILE_BYTES = 10_000_000
RARE = 0.005  # rarer actions are noise, not a habit


def policy(game: Game, spec: str) -> Policy:
    """Return the policy that a specification names.

    Raises:
        InputError: the name is unknown, or genes or a file are invalid.

    """
    tree = tree_of(game)
    if spec.startswith("genes:"):
        return _from_lists(tree, spec)
    if spec.endswith(".json") or "/" in spec:
        if "://" in spec:
            raise InputError(f"expected a policy file, got the address {spec}: the strategy of a server is not known")
        return load(Path(spec), game)
    named: dict[str, Callable[[], Policy]] = {
        "uniform": lambda: uniform(tree),
        "equilibrium": lambda: equilibrium(game),
    }
    if spec in named:
        return named[spec]()
    if spec.lower() in models(game):
        genes = model_genes(game, spec.lower())
        return Policy(tree, _both(tree, genes, genes), spec.lower())
    raise unknown_name(f"policy for {game.name}", spec, [*named, *models(game), "genes:…", "FILE.json"])


def _both(tree: Tree, first: list[Fraction] | None, second: list[Fraction] | None) -> tuple[Exact | None, Exact | None]:
    """Return the behaviour of both seats, None for a seat without genes."""
    behaviours = [
        None if genes is None else behaviour_from_genes(seqs, genes)
        for seqs, genes in zip(tree.sequences, (first, second), strict=True)
    ]
    return behaviours[0], behaviours[1]


def probability(text: str, where: str) -> Fraction:
    """Read a number from 0 to 1 exactly; `where` is for the error message.

    Raises:
        InputError: the text is not a number, or not in that range.

    """
    number = Fraction(text) if NUMBER.fullmatch(text) else None
    if number is None or not 0 <= number <= 1:
        raise InputError(f"invalid {where}: expected a probability from 0 to 1, such as 0, .25 or 1/3, got {text!r}")
    return number


def _from_lists(tree: Tree, spec: str) -> Policy:
    """Read genes in order: two lists separated by a semicolon, or one list for every seat with as many genes."""
    lists = spec.removeprefix("genes:").split(";")
    if len(lists) > 2:
        raise InputError(f"{spec[:40]!r} has {len(lists)} lists of genes, expected at most one for each of two seats")
    numbers = [[item.strip() for item in text.split(",")] for text in lists]
    sizes = [seqs.genes for seqs in tree.sequences]
    fits = [len(items) == size for items, size in zip(numbers * (3 - len(numbers)), sizes, strict=True)]
    if not any(fits) or (len(lists) == 2 and not all(fits)):
        expected = str(sizes[0]) if sizes[0] == sizes[1] else f"{sizes[0]} (seat 1) or {sizes[1]} (seat 2)"
        got = " and ".join(str(len(items)) for items in numbers)
        raise InputError(f"expected {expected} genes for {tree.game.name}, got {got}")
    seats: list[list[Fraction] | None] = []
    for items, seqs, fit in zip(numbers * (3 - len(numbers)), tree.sequences, fits, strict=True):
        pairs = zip(seqs.gene_names, items, strict=False)
        seats.append([probability(text, f"gene {name}") for name, text in pairs] if fit else None)
    return Policy(tree, _both(tree, seats[0], seats[1]), "genes")


def load(path: Path, game: Game | None = None) -> Policy:
    """Load a policy file and check it completely.

    Args:
        path: the file.
        game: the game that the policy must be for, or None for any.

    Raises:
        InputError: the file does not exist, is invalid, or is for another game.

    """
    content = _read(path)
    name, seats = content.get("game"), content.get("seats")
    if not isinstance(name, str) or not isinstance(seats, dict) or not seats or not set(seats) <= {"1", "2"}:
        raise InputError(f'{path}: expected "game" and "seats", with genes by name for seat "1", "2" or both')
    policy_game = game_of(name)
    if game is not None and policy_game != game:
        raise InputError(f"{path}: expected a policy for {game.name}, got one for {policy_game.name}")
    tree = tree_of(policy_game)
    first, second = (
        None if str(seat + 1) not in seats else _named_genes(tree, seat, seats[str(seat + 1)], path) for seat in (0, 1)
    )
    return Policy(tree, _both(tree, first, second), path.name)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"there is no policy file {path}")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise InputError(f"{path} has {path.stat().st_size:,} bytes: a policy file has at most {MAX_FILE_BYTES:,}")
    try:
        content = json.loads(path.read_text(encoding="utf-8"), parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a JSON file: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected one JSON object, got a {type(content).__name__}")
    if content.get("schema", str(SCHEMA)) != str(SCHEMA):
        raise InputError(f"{path} has schema {content['schema']}, expected {SCHEMA}")
    return content


def _named_genes(tree: Tree, seat: int, genes: object, path: Path) -> list[Fraction]:
    seqs = tree.sequences[seat]
    if not isinstance(genes, dict):
        raise InputError(f"{path}: expected an object of gene names and probabilities for seat {seat + 1}")
    for name in genes:
        if name not in seqs.gene_names:
            raise InputError(f"{path}: seat {seat + 1} of {tree.game.name} has no gene {name!r}")
    missing = [name for name in seqs.gene_names if name not in genes]
    if missing:
        raise InputError(f"{path}: seat {seat + 1} lacks the gene {missing[0]!r} ({len(missing)} missing in all)")
    return [probability(str(genes[name]), f"{path}: gene {name}") for name in seqs.gene_names]


class PolicyPlayer:
    """A player of a policy: it draws an action by the probabilities at its information set."""

    def __init__(self, policy: Policy) -> None:
        self.name = policy.name
        self._tables = [behaviour_by_set(policy, seat) if seat in policy.seats else {} for seat in (0, 1)]
        self._last: SmallView | None = None

    def act(self, view: SmallView, rng: Stream) -> Action:
        """Draw one of the legal actions."""
        self._last = view
        return view.legal_actions[draw_index(rng, self._tables[view.seat][view.information_state])]

    def explain(self) -> dict[str, Any]:
        """Return its information set at the last decision, and the probability of each action there."""
        if self._last is None:
            return {}
        chances = self._tables[self._last.seat][self._last.information_state]
        plays = {str(action): float(p) for action, p in zip(self._last.legal_actions, chances, strict=True)}
        text = ", ".join(f"{action} {chance:.0%}" for action, chance in plays.items())
        return {"text": text, "knows": self._last.information_state, "plays": plays}


@dataclass(frozen=True)
class Habit:
    """How often a strategy bluffs (bets the lowest card) or sandbags (checks the highest), in one information set."""

    seat: int
    name: str
    information_state: str
    probability: float

    def __str__(self) -> str:
        action = "bets" if self.name == "bluff" else "checks"
        card, _, line = self.information_state.partition(" after ")
        situation = f" after {line}" if line else ""
        return f"{self.name}: {action} the {card}{situation} {self.probability:.0%} of the time"


def habits(policy: Policy, seat: int) -> list[Habit]:
    """Return the bluffs and sandbags of a seat before any common card and before any bet.

    A game has them if it names its `lowest_cards` and `highest_cards`.
    """
    seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat)
    lowest, highest = (getattr(policy.tree.game, name, ()) for name in ("lowest_cards", "highest_cards"))
    result = []
    for text, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
        if str(actions[0]) not in ("check", "bet 0") or ", then" in text:
            continue
        card, passive = text.split(" ")[0], float(behaviour[first])
        shares = (("bluff", card in lowest, 1 - passive), ("sandbag", card in highest, passive))
        result += [Habit(seat, name, text, share) for name, applies, share in shares if applies and share > RARE]
    return result


SCHEMA = 1


def as_file(policy: Policy) -> str:
    """Return the text of a policy file: exact, and readable by `policies.load`."""
    seats = {
        str(seat + 1): dict(
            zip(policy.tree.sequences[seat].gene_names, map(_json_number, policy.genes(seat)), strict=True)
        )
        for seat in policy.seats
    }
    return json.dumps({"schema": SCHEMA, "game": policy.tree.game.name, "seats": seats}, indent=1) + "\n"


def _json_number(number: Fraction) -> str | int:
    """Return short fractions as text; a float's exact fraction as the float, which reads back to the same value."""
    if number.denominator == 1:
        return number.numerator
    return str(number) if number.denominator < 10**6 else repr(float(number))


def as_csv(policy: Policy) -> str:
    """Return a CSV line for each seat, information set and action."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("seat", "knowing", "action", "probability"))
    for seat in policy.seats:
        seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
        for known, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
            writer.writerows((seat + 1, known, str(action), behaviour[first + i]) for i, action in enumerate(actions))
    return text.getvalue()


def as_openspiel(policy: Policy) -> str:
    """Return OpenSpiel's information-state strings with [action, probability] pairs as a JSON object.

    `TabularPolicy` of OpenSpiel reads it.

    Raises:
        InputError: OpenSpiel has no such game.

    """
    game, table = policy.tree.game, dict[str, list[tuple[int, float]]]()
    tables = {seat: behaviour_by_set(policy, seat) for seat in policy.seats}
    stack: list[State] = [game.start()]
    while stack:
        state = stack.pop()
        if state.actor in tables:
            behaviour = tables[state.actor][state.information_state(state.actor)]
            pairs = zip(state.legal_actions(), behaviour, strict=True)
            table[_openspiel_string(game, state)] = [(_openspiel_action(state, action), p) for action, p in pairs]
        stack += [state.apply(outcome) for outcome, _ in state.chance_outcomes()] if state.actor == CHANCE else []
        stack += [state.apply(action) for action in state.legal_actions()] if state.actor >= 0 else []
    lines = (f"{json.dumps(text)}: {json.dumps(pairs)}" for text, pairs in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _openspiel_string(game: Game, state: State) -> str:
    """Return OpenSpiel's information-state string of the actor."""
    if isinstance(game, Kuhn) and len(game.cards) == 3 and game.bets == (1,) and not game.with_raise:
        card, _, line = state.information_state(state.actor).partition(" after ")
        return str(game.cards.index(card)) + "".join("b" if "bet" in move else "p" for move in line.split(", ") if move)
    if isinstance(state, leduc.LeducState):
        return _leduc_string(state)
    raise InputError(f"OpenSpiel has no game like {game.name}: expected kuhn or leduc")


def _openspiel_action(state: State, action: Action) -> int:
    """Return OpenSpiel's number of an action: in Kuhn pass and bet, in Leduc fold, call and raise."""
    if isinstance(state, leduc.LeducState):
        return {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}[action.name]
    return int(action.name in ("bet", "call"))


def _leduc_string(state: leduc.LeducState) -> str:
    seat, money = state.actor, [99, 99]
    lines = []
    for moves, size in zip(state.rounds, leduc.BETS, strict=True):
        lowest, count_bets = min(money), 0
        for turn, move in enumerate(moves):
            count_bets += move.name in ("bet", "raise")
            money[turn % 2] = lowest - size * count_bets
        lines.append(" ".join(str(_openspiel_action(state, move)) for move in moves))
    public = f"[Public: {leduc.CARDS.index(state.dealt[2])}]" if len(state.dealt) == 3 else ""
    return (
        f"[Observer: {seat}][Private: {leduc.CARDS.index(state.dealt[seat])}][Round {2 if public else 1}]"
        f"[Player: {seat}][Pot: {200 - sum(money)}][Money: {money[0]} {money[1]}]{public}"
        f"[Round1: {lines[0]}][Round2: {lines[1]}]"
    )


def behaviour_by_set(policy: Policy, seat: int) -> dict[str, list[float]]:
    """Return the probabilities of the legal actions at each information set of a seat."""
    seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
    return {
        text: behaviour[first : first + count]
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
    }
