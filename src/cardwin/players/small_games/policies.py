"""Policies of the small games by specification, and as players.

A specification is a model's name (`rational`), `uniform`, `equilibrium`, `genes:0,.5,1,0,1/3,1`, or a JSON file:
{"game": "kuhn", "seats": {"1": {"B_J": "1/3", ...}, "2": {...}}} with every gene of each seat by its name.
"""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import Stream, draw_index
from cardwin.games import game as game_of
from cardwin.games.base import Action, Game, SmallView
from cardwin.players.small_games.kuhn_models import model_genes, models
from cardwin.players.small_games.policy_files import SCHEMA, behaviour_by_set
from cardwin.solvers.equilibria import equilibrium
from cardwin.solvers.exact import Exact
from cardwin.solvers.policy import Policy, behaviour_from_genes, uniform
from cardwin.solvers.tree import Tree, tree_of

NUMBER = re.compile(r"(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?|\d{1,400}/0{0,9}[1-9]\d{0,400}")
LARGEST_FILE = 10_000_000


def policy(game: Game, spec: str) -> Policy:
    """The policy that a specification names."""
    tree = tree_of(game)
    if spec.startswith("genes:"):
        return _from_lists(tree, spec)
    if spec.endswith(".json") or "/" in spec:
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
    return (
        None if first is None else behaviour_from_genes(tree.sequences[0], first),
        None if second is None else behaviour_from_genes(tree.sequences[1], second),
    )


def probability(text: str, where: str) -> Fraction:
    """A number between 0 and 1, read exactly."""
    if not NUMBER.fullmatch(text):
        raise InputError(f"{where} is {text!r}: it should be a probability such as 0, .25 or 1/3")
    number = Fraction(text)
    if not 0 <= number <= 1:
        raise InputError(f"{where} is {text}: a probability lies between 0 and 1")
    return number


def _from_lists(tree: Tree, spec: str) -> Policy:
    """Genes in order; both seats' lists separated by a semicolon, or one list for every seat with as many genes."""
    lists = spec.removeprefix("genes:").split(";")
    if len(lists) > 2:
        raise InputError(f"{spec[:40]!r} has {len(lists)} lists of genes: at most one for each of two seats")
    numbers = [[item.strip() for item in text.split(",")] for text in lists]
    sizes = [seqs.genes for seqs in tree.sequences]
    fits = [len(items) == size for items, size in zip(numbers * (3 - len(numbers)), sizes, strict=True)]
    if not any(fits) or (len(lists) == 2 and not all(fits)):
        wanted = str(sizes[0]) if sizes[0] == sizes[1] else f"{sizes[0]} (seat 1) or {sizes[1]} (seat 2)"
        got = " and ".join(str(len(items)) for items in numbers)
        raise InputError(f"{tree.game.name} has {wanted} genes, not {got}")
    seats: list[list[Fraction] | None] = []
    for items, seqs, fit in zip(numbers * (3 - len(numbers)), tree.sequences, fits, strict=True):
        pairs = zip(seqs.gene_names, items, strict=False)
        seats.append([probability(text, f"gene {name}") for name, text in pairs] if fit else None)
    return Policy(tree, _both(tree, seats[0], seats[1]), "genes")


def load(path: Path, game: Game | None = None) -> Policy:
    """A policy from a file, fully checked; its game must be `game`, if that is given."""
    content = _read(path)
    names = content.get("game"), content.get("seats")
    if (
        not isinstance(names[0], str)
        or not isinstance(names[1], dict)
        or not set(names[1]) <= {"1", "2"}
        or not names[1]
    ):
        raise InputError(
            f'{path}: a policy file holds "game" and "seats", with genes by name for seat "1", "2" or both'
        )
    own = game_of(names[0])
    if game is not None and own != game:
        raise InputError(f"{path} holds a policy for {own.name}, not for {game.name}")
    tree = tree_of(own)
    first, second = (
        None if str(seat + 1) not in names[1] else _named_genes(tree, seat, names[1][str(seat + 1)], path)
        for seat in (0, 1)
    )
    return Policy(tree, _both(tree, first, second), path.name)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"there is no policy file {path}")
    if path.stat().st_size > LARGEST_FILE:
        raise InputError(f"{path} is larger than any policy file: at most {LARGEST_FILE // 1_000_000} MB are read")
    try:
        content = json.loads(path.read_text(encoding="utf-8"), parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a JSON file: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} should hold one JSON object")
    if content.get("schema", str(SCHEMA)) != str(SCHEMA):
        raise InputError(f"{path} has schema {content['schema']}: this version reads schema {SCHEMA}")
    return content


def _named_genes(tree: Tree, seat: int, genes: object, path: Path) -> list[Fraction]:
    seqs = tree.sequences[seat]
    if not isinstance(genes, dict):
        raise InputError(f"{path}: seat {seat + 1} should be an object of gene names and probabilities")
    for name in genes:
        if name not in seqs.gene_names:
            raise InputError(f"{path}: seat {seat + 1} of {tree.game.name} has no gene {name!r}")
    missing = [name for name in seqs.gene_names if name not in genes]
    if missing:
        raise InputError(f"{path}: seat {seat + 1} lacks the gene {missing[0]!r} ({len(missing)} missing in all)")
    return [probability(str(genes[name]), f"{path}: gene {name}") for name in seqs.gene_names]


class PolicyPlayer:
    """Plays a policy: looks up its information set and draws an action."""

    def __init__(self, policy: Policy) -> None:
        self.name = policy.name
        self._tables = [behaviour_by_set(policy, seat) if seat in policy.seats else {} for seat in (0, 1)]
        self._last: SmallView | None = None

    def act(self, view: SmallView, rng: Stream) -> Action:
        """Draw one of the legal actions."""
        self._last = view
        return view.legal_actions[draw_index(rng, self._tables[view.seat][view.information_state])]

    def explain(self) -> dict[str, Any]:
        """Its information set at the last decision, and the probability of each action there."""
        if self._last is None:
            return {}
        chances = self._tables[self._last.seat][self._last.information_state]
        plays = {str(action): float(p) for action, p in zip(self._last.legal_actions, chances, strict=True)}
        said = ", ".join(f"{action} {chance:.0%}" for action, chance in plays.items())
        return {"text": said, "knows": self._last.information_state, "plays": plays}
