"""The command that trains players: robots that learn a threshold, classifier systems, and blueprints."""

from typing import Annotated, Any

import typer

from cardwin.cli.app import Cluster, Json, Out, Report, Resume, Workers, app, as_it_was
from cardwin.cli.evolve import report_line
from cardwin.cli.output import note, print_json
from cardwin.core.errors import InputError

CFR = "cfr"


@app.command()
def train(
    context: typer.Context,
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC", help="A learner: xcs, xcs:N=800,predictions=2, v2:down=.04,up=.01, v3:file=v3.json; or cfr."
        ),
    ] = None,
    problem: Annotated[
        str | None, typer.Option("--problem", metavar="NAME", help="For xcs: woods1, multiplexer-11 ...")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="SPEC", help="Opponents, one per seat; may be repeated.")
    ] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="The game; default holdem-simple.")] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", "--trials", metavar="N", min=1, help="For xcs: number of hands or trials.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", min=1, help="Number of games; default 100.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", metavar="N", min=1, help="For cfr: deals, each walked for both seats.")
    ] = None,
    hours: Annotated[
        float | None, typer.Option("--hours", metavar="H", help="For cfr: as many deals as take this time here.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Maximum number of rounds per game.")] = 1000,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Same seed, same result.")] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Train a learning player, game by game; the result is written to champions/ in the run's folder."""
    from cardwin.cli.progress import answer_of
    from cardwin.players.xcs.training.start import experiment_values, is_xcs
    from cardwin.runs import launch
    from cardwin.runs.experiment import check

    if spec != CFR and (hours is not None or (iterations is not None and resume is None)):
        raise InputError("--iterations and --hours are for cfr: other learners have --hands or --games")
    start = launch.Launch(out, workers, cluster, report)
    if resume is not None:
        as_it_was(context, "against", "games", "hands", "iterations")
        lengths = {"games": games, "hands": hands, "iterations": iterations}
        answer = answer_of(
            lambda shown: launch.resume(resume, shown, command="train", lengths=lengths, trusted=against or ()), start
        )
    elif spec is not None and is_xcs(spec):
        name, keys = experiment_values(spec, problem, game, against or [], hands, seed)
        experiment = check(keys, spec)
        answer = answer_of(lambda shown: launch.start(name, experiment, shown), start)
    elif spec == CFR:
        if problem or against or games or hands:
            raise InputError("cfr learns by playing against itself: give --game and --iterations or --hours")
        keys = _blueprint_values(game, iterations, hours, seed, workers)
        answer = answer_of(lambda shown: launch.begin(CFR, keys, seed, shown), start, "block")
    elif spec is None or not against:
        raise InputError("give a learner and its opponents, such as v2 --against standard*2, or --resume DIR")
    else:
        values: dict[str, Any] = {"learner": spec, "against": against, "games": games or 100, "rounds": rounds}
        values |= {"game": game} if game else {}
        answer = answer_of(lambda shown: launch.begin("training", values, seed, shown), start, "game")
    print_json(answer) if as_json else _show(answer)


def _blueprint_values(
    game: str | None, iterations: int | None, hours: float | None, seed: int | None, workers: int
) -> dict[str, Any]:
    """The keys of a blueprint's experiment; hours are turned into deals by timing some blocks."""
    from cardwin.core.executor import open_executor
    from cardwin.players.cfr.training import MOST_HOURS, CfrExperiment, check, iterations_in, usual_keys

    keys = usual_keys(game or "holdem-limit")
    if hours is None:
        return keys | ({} if iterations is None else {"iterations": iterations})
    if iterations is not None:
        raise InputError("give --iterations or --hours, not both")
    if not 0 < hours <= MOST_HOURS:
        raise InputError(f"--hours {hours:g} should be above 0 and at most {MOST_HOURS:g}")
    experiment = CfrExperiment(seed=seed, **keys)
    check(experiment)
    with open_executor(workers) as executor:
        found = iterations_in(experiment, hours, executor)
    note(f"{hours:g} hours are about {found:,} deals on this machine")
    return keys | {"iterations": found}


def _show_blueprint(answer: dict[str, Any]) -> None:
    print(f"{answer['iterations']:,} deals, {answer['nodes']:,} nodes, {answer['information_sets']:,} information sets")
    print(f"the button wins {answer['button_value']:+.1f} mbb a game while it learns")
    print(f"blueprint: {answer['file']}, {answer['bytes']:,} bytes (play it as cfr:{answer['file']})")
    print(f"{report_line(answer)}; seed {answer['seed']}, digest {answer['digest']}")


def _show(answer: dict[str, Any]) -> None:
    if "button_value" in answer:
        _show_blueprint(answer)
        return
    if "learnt" not in answer:
        _show_rules(answer)
        return
    games, share = answer["games"], answer["share_won"]
    rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
    for (name, value), settled, balance in rows:
        print(f"{name} {value:.3f}, mean over the second half of {games} games {settled:.3f}")
        print(f"its steps are balanced at {balance:.0%} of hands won; it won {share or 0:.0%}")
    print(f"saved: {answer['file']} (play it as v3:file={answer['file']})")
    print(f"{report_line(answer)}; seed {answer['seed']}, digest {answer['digest']}")


def _show_rules(answer: dict[str, Any]) -> None:
    done = answer.get("trials", answer.get("hands"))
    best = answer.get("best_possible", answer.get("best_response"))
    known = f" (best possible: {best:.4f})" if best is not None else ""
    if "small_bets_per_hand" in answer:
        won, half, judges = answer["small_bets_per_hand"], answer["ci95"], ", ".join(answer["judges"])
        print(
            f"wins {won:+.3f} ± {half:.3f} (95%) small bets per hand against {judges} "
            f"({answer['deals']:,} duplicate deals)"
        )
        print(f"after {done:,} hands, with {answer['rules']:,} rules (play it as xcs:{answer['file']})")
    for name in ("accuracy", "steps", "value"):
        if name in answer:
            print(f"{name} {answer[name]:.4f}{known} after {done:,}, with {answer['rules']} rules")
    print(f"rules: {answer['file']}")
    print(f"{report_line(answer)}; seed {answer['seed']}, digest {answer['digest']}")
