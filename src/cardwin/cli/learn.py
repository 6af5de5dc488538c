"""The command that trains robots."""

from pathlib import Path
from typing import Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import note, print_json


@app.command()
def train(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A learner: v2:down=.04,up=.01 or v3:file=v3.json.")],
    against: Annotated[list[str], typer.Option("--against", metavar="SPEC", help="Rivals; may be given repeatedly.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to save the trained v3.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Any hold'em game.")] = "holdem-simple",
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games to play.")] = 100,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="At most so many rounds a game.")] = 1000,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Same seed, same result.")] = None,
    as_json: Json = False,
) -> None:
    """Train a robot that learns by itself, game after game, and save it."""
    from cardwin.arena.session import SessionRules
    from cardwin.errors import InputError
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.learn import thresholds
    from cardwin.players.learner import Learner, save
    from cardwin.players.registry import expand_specs, player
    from cardwin.rng import fresh_seed, key_of

    learner, _ = player(spec), [player(rival) for rival in expand_specs(against)]
    if not isinstance(learner, Learner):
        raise InputError(f"{spec} does not learn: train v2 or v3:file=FILE")
    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    table = holdem_game(*split_spec(game))
    training = thresholds.train(table, learner, against, games, key_of(seed, "train"), SessionRules(rounds))
    save(out, learner)
    learnt = {step.name: learner.value(step.name) for step in learner.learnt}
    share = training.share_won() if training.tally.sum() else None
    if as_json:
        print_json({"game": table.name, "games": games, "seed": seed, "learnt": learnt,
                    "settled": training.settled().tolist(), "share_won": share, "file": str(out)})  # fmt: skip
        return
    for step, settled in zip(learner.learnt, training.settled(), strict=True):
        print(f"{step.name} {learnt[step.name]:.3f}, over the second half of {games} games {settled:.3f} on average")
        print(f"its steps balance at {step.balance:.0%} of hands won; it won {share or 0:.0%}")
    print(f"saved: {out} (play it as v3:file={out})")
