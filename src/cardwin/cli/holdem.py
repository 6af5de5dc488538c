"""Commands for hold'em: players and hand histories."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from cardwin.cli.app import Json, app
from cardwin.cli.output import print_json
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.analysis.opponents import Opponent
    from cardwin.arena.live_hands import OnHand
    from cardwin.arena.live_table import LiveTable
    from cardwin.games.holdem.events import Event


@contextmanager
def history_writer(path: Path | None, specs: Sequence[str]) -> "Iterator[OnHand | None]":
    """Open a new PHHS file and return a function that writes a hand to it; None without a path."""
    if path is None:
        yield None
        return
    from cardwin.arena.hand_history import played_history
    from cardwin.core.files import check_output, open_atomic
    from cardwin.games.formats.phh import phh_text
    from cardwin.players.specs import expand_specs

    check_output(path, "--phh")
    names = expand_specs(specs)
    with open_atomic(path) as file:

        def write(hand: int, table: "LiveTable", record: "list[Event]") -> None:
            text = phh_text(played_history(table, record, [names[player] for player in table.player_ids]), hand + 1)
            file.write(f"{text}\n".encode())

        yield write


@app.command()
def replay(
    files: Annotated[
        list[Path],
        Argument(
            metavar="FILE...", help="Hand histories: PHH, PHHS, texts of poker rooms, or logs of the ACPC dealer."
        ),
    ],
    game: Annotated[Path | None, Option(metavar="FILE.game", help="The game of the ACPC dealer's logs.")] = None,
    phh: Annotated[Path | None, Option(metavar="FILE.phhs", help="Also write the replayed hands as PHHS.")] = None,
    html: Annotated[
        Path | None, Option(metavar="OUT.html", help="Write the hands to a page that replays them without a server.")
    ] = None,
    strict: Annotated[bool, Option("--strict", help="Exit with code 1 if any hand failed.")] = False,
    as_json: Json = False,
) -> None:
    """Replay hand histories: check every action by the rules, and the final stacks against the file.

    Exit code 2 if no hand can be read.
    """
    from cardwin.core.display import escape_unprintable
    from cardwin.core.files import check_output
    from cardwin.runs.replay_files import replay_files

    if html is not None:
        if game is not None:
            raise InputError("unexpected --game with --html: the page shows PHH and PHHS files only")
        check_output(html, "--html", ".html")
    answer = replay_files(files, game, phh)
    if html is not None:
        answer["html"] = _write_page(files, html)
    if as_json:
        print_json(answer)
    else:
        for row in answer["failed"]:
            print(escape_unprintable(f"{row['file']}, line {row['line']}, hand {row['hand']}: {row['reason']}"))
        print(f"{answer['hands']} hands, {answer['ok']} replayed, {len(answer['failed'])} failed")
        if html is not None:
            print(f"wrote {html}: {answer['html']['hands']} hands, to open in a browser")
    if not answer["read"]:
        raise InputError(f"expected hand histories, got no hand that can be read in {', '.join(map(str, files))}")
    if strict and answer["failed"]:
        raise typer.Exit(1)


def _write_page(files: Sequence[Path], out: Path) -> dict[str, object]:
    from cardwin.core.files import write_atomic
    from cardwin.web.replay_page import hands_of_files, replay_page

    hands, total = hands_of_files(files)
    title = files[0].name if len(files) == 1 else f"{len(files)} files of hands"
    write_atomic(out, replay_page(hands, total, title).encode())
    return {"file": str(out), "hands": len(hands), "of": total}


@app.command()
def players(as_json: Json = False) -> None:
    """List the hold'em players, the champions that are included, and their ratings."""
    from cardwin.analysis.opponents import home_game, opponent
    from cardwin.players.registry import PLAYERS, champions, installed
    from cardwin.players.specs import PROGRAM_KINDS

    rows = [{"name": name, "title": entry.title, "parameters": entry.parameters} for name, entry in PLAYERS.items()]
    rows += [{"name": name, "title": f"from {point.value}", "parameters": ()} for name, point in installed().items()]
    shipped = [opponent(spec, home_game(spec)) for spec in champions()]
    strengths = [opponent(name, entry.game) for name, entry in PLAYERS.items() if not entry.needs_file]
    if as_json:
        rated = {"champions": shipped, "strengths": strengths}
        lists = {name: [player.as_dict() for player in players] for name, players in rated.items()}
        print_json({"players": rows, **lists})
        return
    for row in rows:
        print(f"{row['name']:<18}{row['title']}")
    print(f"{'python:MOD:CLASS':<18}your own class, with act(view, rng)")
    print("\nPrograms of other people:")
    for kind in PROGRAM_KINDS.values():
        print(f"{kind.form:<27}{kind.title}")
    print("\nIncluded champions:")
    for champion in shipped:
        print(f"{champion.spec:<20}{champion.about}")
    _print_strengths([*strengths, *shipped])


def _print_strengths(players: "Sequence[Opponent]") -> None:
    """Print every rated player with the best first, in the game that it is for."""
    for game in dict.fromkeys(player.rating.game for player in players if player.rating):
        rated = [(player.spec, player.rating) for player in players if player.rating and player.rating.game == game]
        unit, hands = rated[0][1].unit, rated[0][1].hands
        print(f"\nRating in {game}, heads-up, {unit} (95%), from {hands:,} hands per pair of players:")
        for spec, rating in sorted(rated, key=lambda row: -row[1].mean):
            print(f"{spec:<20}{rating.mean:>+10,.0f} ({rating.low:+,.0f} to {rating.high:+,.0f})")
