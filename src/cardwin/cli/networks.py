"""How a network is shown."""

from cardwin.cli.output import console, print_json


def show_network(spec: str, as_json: bool) -> None:
    """Its layers for programs; its shape, its style and where it comes from for people."""
    from cardwin.players.champions import COMMANDS
    from cardwin.players.network.player import NetworkPlayer
    from cardwin.players.network.preflop import SITUATIONS, likely_hands
    from cardwin.players.network.saved import as_json as whole
    from cardwin.players.registry import player

    network = player(spec)
    if not isinstance(network, NetworkPlayer):
        raise TypeError(f"{spec} is no network")
    if as_json:
        print_json(whole(network))
        return
    out, shape = console(), network.form.shape
    out.print(f"{spec}: {shape.inputs}-{shape.hidden}-{shape.outputs}, {shape.activation}")
    for situation in SITUATIONS:
        out.print(f"  {situation.title}: {likely_hands(network.form, situation)}")
    if (known := COMMANDS.get(spec.removeprefix("net:"))) is not None:
        out.print(f"  made by: {known['command']}")
    for name, text in network.lineage.items():
        if "\n" not in text:
            out.print(f"  {name.replace('_', ' ')}: {text}")
