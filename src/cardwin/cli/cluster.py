"""The command that shows a cluster."""

from typing import Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import print_json

cluster_app = typer.Typer(help="Show a Ray cluster.", no_args_is_help=True)
app.add_typer(cluster_app, name="cluster")


@cluster_app.command()
def status(
    address: Annotated[
        str, typer.Argument(metavar="[auto|HOST:PORT]", help="The cluster; auto is the one of this machine.")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """List the nodes of a cluster: cores, versions, and whether each is ready for jobs."""
    from cardwin.core.cluster import open_cluster

    with open_cluster(address, check=False) as found:
        answer = found.answer()
    if as_json:
        print_json(answer)
        return
    for node in answer["nodes"]:
        state = "ready" if node["ready"] else f"not ready: {node['problem'] or 'it did not answer'}"
        print(f"{node['name']}  {node['cores']} cores  Cardwin {node['version'] or 'unknown'}  {state}")
    print(f"{len(answer['nodes'])} nodes, {answer['cores']} cores")
