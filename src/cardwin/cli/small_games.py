"""Commands about the small games."""

from cardwin.cli.app import Json, app
from cardwin.cli.output import print_json


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    print_json({"games": []}) if as_json else print()
