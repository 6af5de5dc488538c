"""The gallery: every registered player and every game as Markdown with small pictures.

`python -m cardwin.reports.gallery docs/gallery` writes it again from the registries alone. A
player is shown with its description, its source, its style over hands against three opponents, and its opening range
before the flop; a small game with its exact value and one equilibrium.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardwin.games import GAMES, SMALL_GAMES, game
from cardwin.games.specs import split_spec
from cardwin.players.champions import COMMANDS
from cardwin.players.champions import names as shipped
from cardwin.players.network import by_hand
from cardwin.players.network.atlas import SHIPPED, SHIPPED_FILE
from cardwin.players.registry import PLAYERS

HANDS = 1000
OPPONENTS = ("standard", "call", "random")
STYLES = ("10-10-2", "40-10-0", "60-40-2")  # networks of the atlas that are shown: tight, loose and passive, loose
MAX_SETS = 36  # information sets of a seat that are shown
FIGURES = {"vpip": "VPIP", "pfr": "PFR", "fold_to_bet": "folds to a bet", "showdown": "showdowns", "bluff": "bluffs"}
CHEN = "[Chen (2018)](../papers/chen.md)"
LOPEZ = "[López Pozuelo (2015)](../papers/lopez-pozuelo.md)"
GAME_SOURCES = {
    "kuhn": f"Kuhn (1950), with the genes of {LOPEZ}",
    "kuhn-breadth": f"{LOPEZ}, chapter 4",
    "kuhn-depth": f"{LOPEZ}, chapter 4",
    "kuhn-full": f"{LOPEZ}, chapter 4",
    "kuhn-13": f"{LOPEZ}, section 4.3.1",
    "onecard": "[Morsomme (2019)](../papers/morsomme.md), section 2.1",
    "onecard-10": "[Morsomme (2019)](../papers/morsomme.md), section 4",
    "leduc": "Southey and others (2005)",
    "holdem-nl": "the game of [Nicolai and Hilderman](../papers/nicolai.md)",
    "holdem-limit": "the game of [Reveley (2002)](../papers/reveley.md), section 1",
    "holdem-simple": f"the table of {CHEN}",
}


@dataclass(frozen=True)
class Exhibit:
    """A player of the gallery: its displayed name, the specification that builds it on this machine, and its kind."""

    name: str
    spec: str
    kind: str

    @property
    def game(self) -> str:
        """The game it is shown in."""
        entry = PLAYERS[self.kind]
        return entry.games.get(self.name.partition(":")[2], entry.game)

    @property
    def picture(self) -> str:
        """The file name of its picture."""
        return f"{self.name.replace(':', '-').replace('/', '-')}.png"


def exhibits(folder: Path) -> list[Exhibit]:
    """Return every registered player: directly, with each shipped champion, or from an example file."""
    players: list[Exhibit] = []
    for kind, entry in PLAYERS.items():
        champions = [f"{kind}:{name}" for name in shipped(entry.suffix)] if entry.suffix else []
        champions += [f"{kind}:{SHIPPED}/{style}" for style in STYLES] if kind == "net" else []
        if champions:
            players += [Exhibit(spec, spec, kind) for spec in champions]
        elif entry.example:
            players.append(Exhibit(kind, entry.make_example(folder), kind))
        else:
            players.append(Exhibit(kind, kind, kind))
    return players


# --- players -------------------------------------------------------------------------------------------------------


def player_page(folder: Path) -> str:
    """Return all players as Markdown; their pictures go into the folder."""
    parts = [PLAYERS_HEAD]
    with tempfile.TemporaryDirectory() as room:
        for exhibit in exhibits(Path(room)):
            parts.append(_player(exhibit, folder))
            print(exhibit.name, file=sys.stderr, flush=True)
    return "\n".join(parts)


PLAYERS_HEAD = f"""# Players

Every player that is registered, made by `make gallery`.

**Style** is over {HANDS:,} hands at a table with {", ".join(f"`{spec}`" for spec in OPPONENTS)}, with 95% intervals.
VPIP are hands with chips put in by choice before the flop, PFR hands raised there; bluffs are bets and raises after the
flop with a hand that beats less than half of all others; aggression is bets and raises per call. Blueprints, which
play heads-up only, are alone with `{OPPONENTS[0]}`.

**The picture** is the opening heads-up, from the button: how often each of the 169 hands raises (red), calls (green)
and folds (grey). Loki, the classifier system and a blueprint are measured in limit hold'em, all others in no-limit, a
blueprint with stacks of 20 big blinds.

Policies of the small games stand with [the games](games.md).
"""


def _player(exhibit: Exhibit, folder: Path) -> str:
    from cardwin.analysis.playing_style import style
    from cardwin.games.holdem.game import holdem_game
    from cardwin.reports.range_pictures import draw_opening

    rules = holdem_game(*split_spec(exhibit.game))
    opponents = OPPONENTS[:1] if PLAYERS[exhibit.kind].heads_up else OPPONENTS
    draw_opening(folder / exhibit.picture, rules, exhibit.spec)
    seen = style(rules, exhibit.spec, opponents, HANDS)
    figures = [(FIGURES[name], _share(figure)) for name, figure in seen["figures"].items()]
    if seen["aggression"] is not None:
        figures.append(("aggression", f"{seen['aggression']:.2f}"))
    lines = [
        f"## {exhibit.name}",
        "",
        f"{_capital(PLAYERS[exhibit.kind].title)}.",
        "",
        f"Source: {PLAYERS[exhibit.kind].source}.",
        "",
    ]
    lines += _origin(exhibit)
    lines += [f"| {' | '.join(name for name, _ in figures)} |", "|" + "---|" * len(figures)]
    lines += [
        f"| {' | '.join(value for _, value in figures)} |",
        "",
        f"![What {exhibit.name} opens with]({exhibit.picture})",
        "",
    ]
    return "\n".join(lines)


def _share(figure: dict[str, Any]) -> str:
    low, high = (round(100 * end) for end in (figure["low"], figure["high"]))
    return f"{100 * figure['mean']:.0f}% ({low} to {high})"


def _origin(exhibit: Exhibit) -> list[str]:
    name = exhibit.name.partition(":")[2]
    if name.startswith(f"{SHIPPED}/"):
        command = COMMANDS[SHIPPED_FILE.stem]["command"]
        return [f"One of the networks of the [atlas of styles](../how-to/style-atlas.md), made by `{command}`.", ""]
    if name in COMMANDS:
        return [f"Made by `{COMMANDS[name]['command']}`.", ""]
    if name in by_hand.NAMES:
        return [f"Not evolved: written by hand, with {by_hand.NAMES[name]} hidden nodes (`{by_hand.__name__}`).", ""]
    about = PLAYERS[exhibit.kind].example_about
    return [f"Shown here: {about}.", ""] if about else []


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# --- games ---------------------------------------------------------------------------------------------------------

GAMES_HEAD = """# Games

Every game that is registered, made by `make gallery`. Values are chips per hand of the first seat in equilibrium, exact
if a fraction is certified in rational arithmetic ([how](../explanation/exactness.md)). A game may have many
equilibria; the one shown is the linear program's, and the value is that of all of them. Where an information set shows
one action, that is always taken.
"""


def game_page() -> str:
    """Return all games as Markdown."""
    return "\n".join([GAMES_HEAD, *map(_game, GAMES)])


def _game(name: str) -> str:
    rules = game(name)
    lines = [f"## {name}", "", f"{_capital(rules.title)}.", "", f"Source: {GAME_SOURCES[name]}.", ""]
    if name in SMALL_GAMES:
        return "\n".join([*lines, *_solved(name)])
    return "\n".join([*lines, "Too large to enumerate: neither its value nor an equilibrium is known. "
                              "[The rules](../holdem.md).", ""])  # fmt: skip


def _solved(name: str) -> list[str]:
    import cardwin
    from cardwin.players.small_games.kuhn_models import models
    from cardwin.solvers.policy import sort_by_card

    rules, solution = game(name), cardwin.solve(name)
    sequences = solution.policy.tree.sequences
    certified = (
        "yes, in fractions" if solution.fraction else f"no: floats, exploitable by {solution.exploitability:.0e}"
    )
    rows = [
        ("value", f"{solution.fraction or ''} = {solution.value:.6f} chips".removeprefix(" = ")),
        ("information sets", " and ".join(str(len(seqs.infosets)) for seqs in sequences)),
        ("certified", certified),
    ]
    for model in models(rules):
        exploitability = cardwin.exploitability(name, model).exploitability
        rows.append((f"exploitability of `{model}`", f"{exploitability:.4f}"))
    lines = ["| | |", "|---|---|", *(f"| {left} | {right} |" for left, right in rows), ""]
    for seat, seqs in enumerate(sequences):
        sets = sort_by_card(rules, list(solution.policy.choices(seat)), MAX_SETS)
        lines += [f"Seat {seat + 1} in equilibrium:", "", "| knows | does |", "|---|---|"]
        lines += [f"| {knows} | {_choices(choices)} |" for knows, choices in sets[:MAX_SETS]]
        if len(sets) > MAX_SETS:
            lines.append(f"| … {len(seqs.infosets)} in all: `cardwin show equilibrium --game {name}` | |")
        lines.append("")
    return lines


def _choices(choices: Iterable[tuple[Any, Fraction]]) -> str:
    played = [(action, chance) for action, chance in choices if chance]
    if len(played) == 1:
        return str(played[0][0])
    return ", ".join(f"{action}: {_chance(chance)}" for action, chance in played)


def _chance(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= 1000 else f"{float(chance):.3f}"


# --- yardsticks ----------------------------------------------------------------------------------------------------

YARDSTICKS_HEAD = """# How good are they?

Every player heads-up, in thousandths of a big blind per hand (mbb/h), as `cardwin yardsticks` prints it.
`cardwin yardsticks --measure --write FILE.json` measures again. A player that folds every hand loses 750.

- **LBR** is what a local best response won from the player: at least the lower end of the interval, which is valid at
  any stop, can be won from it. A low or negative number proves nothing.
- **Exact** is what a perfect opponent wins in limit hold'em, known for players that do not use their cards.
- **Against the blueprint** is what the player won against a shipped CFR blueprint, corrected by AIVAT.

[How good is it?](../explanation/how-good.md) says what each can tell and what not.
"""


def yardstick_page() -> str:
    """Return the stored table of all players as Markdown."""
    from cardwin.analysis import players_table

    rows = players_table.read()["players"]
    lines = [f"| {' | '.join(players_table.HEADER)} | hands |", "|---" + "|---:" * len(players_table.HEADER) + "|"]
    for row in rows:
        name, *rest = players_table.cells(row)
        hands = "/".join(f"{lbr['hands']:,}" for lbr in row["lbr"].values() if "hands" in lbr) or "–"
        lines.append(f"| `{name}` | {' | '.join(rest)} | {hands} |")
    frozen, asked = (
        [f"`{row['player']}`" for row in rows if any(lbr.get(name) is value for lbr in row["lbr"].values())]
        for name, value in (("frozen", True), ("exact_chances", False))
    )
    notes = [f"Frozen, because they remember: {', '.join(frozen)}."] if frozen else []
    notes += [f"Asked once for each holding, because they simulate: {', '.join(asked)}."] if asked else []
    return "\n".join([YARDSTICKS_HEAD, *lines, "", *notes, ""])


def make(folder: Path) -> None:
    """Write the whole gallery into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.md").write_text(game_page(), encoding="utf-8")
    (folder / "yardsticks.md").write_text(yardstick_page(), encoding="utf-8")
    (folder / "players.md").write_text(player_page(folder), encoding="utf-8")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Make the gallery's pages and pictures.")
    options.add_argument("folder", type=Path, nargs="?", default=Path("docs/gallery"))
    make(options.parse_args().folder)
