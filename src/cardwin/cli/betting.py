"""Output of betting games, which are solved to an exploitability: flop hold'em and parameter files."""

from cardwin.cli.output import console, note, print_json

KEYS = ("game", "value", "ci", "exploitability", "unit", "method", "iterations", "seconds", "information_sets")


def solve_betting(
    game: str, method: str, until: float | None, iterations: int | None, workers: int, as_json: bool
) -> None:
    """Solve a betting game and print its value with certain bounds."""
    from cardwin.core.errors import InputError
    from cardwin.games.betting.parameter_file import betting_game
    from cardwin.solvers.public_tree.answers import solve

    if method == "lp":
        raise InputError(f"{game} is too large for the linear program: use --method dcfr, cfr+, linear or pcfr+")

    def report(done: int, seconds: float, exploitability: float) -> None:
        note(f"iteration {done:,}: exploitability {exploitability:.4g} mbb/g, {seconds:.0f} s")

    found = solve(betting_game(game), method, until=until, iterations=iterations, workers=workers, report=report)
    if as_json:
        print_json({name: getattr(found, name) for name in KEYS})
        return
    least, most = found.ci
    out = console()
    out.print(f"[bold]{found.game}[/bold]: value {found.value:.5g} {found.unit} for seat 1")
    out.print(f"certainly between {least:.6g} and {most:.6g}: exact best responses to both strategies")
    out.print(
        f"exploitability {found.exploitability:.4g} {found.unit}; {found.method}, {found.iterations:,} iterations, "
        f"{found.seconds:.3g} s, {found.information_sets:,} information sets up to suits"
    )
