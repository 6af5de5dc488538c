"""A blueprint for the terminal: what it was made from, and how it plays before the flop."""

from cardwin.cli.output import console, print_json

SHOWN = 0.5  # of a class's plays: actions taken that often are listed


def show_blueprint(spec: str, as_json: bool) -> None:
    """Print a blueprint: its sizes, and its probabilities before the flop by betting line and class of hands."""
    import numpy as np

    from cardwin.cards.holdings import CLASS_SIZES
    from cardwin.players.cfr.player import CfrPlayer
    from cardwin.players.registry import player

    blueprint = player(spec)
    if not isinstance(blueprint, CfrPlayer):
        raise TypeError(f"{spec} is no blueprint")
    whole = blueprint.blueprint
    counts = whole.buckets.counts()
    sets = int(sum(counts[street] for street in whole.tree.street))
    before = blueprint.preflop()
    if as_json:
        found = {"game": whole.game, "buckets": list(counts), "information_sets": sets, "about": dict(whole.about)}
        print_json({**found, "preflop": before})
        return
    out = console()
    out.print(f"{spec}: {whole.game}, {' + '.join(map(str, counts))} buckets, {sets:,} information sets")
    out.print(f"  made by: {whole.command}")
    for line, classes in before.items():
        names = next(iter(classes.values()))
        out.print(f"  {line or 'first to act'}:")
        for action in names:
            hands = [name for name, chances in classes.items() if chances[action] > SHOWN]
            share = np.average([chances[action] for chances in classes.values()], weights=CLASS_SIZES)
            out.print(f"    {action} {share:.0%}: {' '.join(hands) or 'no hand mostly'}")
