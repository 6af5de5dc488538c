"""The command that compiles everything at once, and the offer of it where something is compiled."""

import logging

from cardwin.cli.app import Json, app
from cardwin.cli.output import note, print_json

OFFER = "; `cardwin warm` compiles all of it at once, in some minutes"


class Offer(logging.Filter):
    """Adds to the notice that something is compiled how to have it done for good."""

    wanted = True

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything pass."""
        if self.wanted and record.getMessage().endswith("kept on disk"):
            record.msg = f"{record.msg}{OFFER}"
        return True


@app.command()
def warm(as_json: Json = False) -> None:
    """Compile everything now, part by part, so that no later command waits for it."""
    from cardwin.lab.warm import PARTS
    from cardwin.lab.warm import warm as compile_all

    Offer.wanted = False
    note(f"compiling {len(PARTS)} parts, once for this version; they are kept on disk")
    done = []
    for one in compile_all(lambda part: note(f"{part} ...")):
        done.append({"part": one.part, "seconds": round(one.seconds, 1)})
        if not as_json:
            print(f"{one.part:<20}{one.seconds:6.1f} s")
    seconds = round(sum(one["seconds"] for one in done), 1)  # type: ignore[misc]  # numbers and names
    print_json({"parts": done, "seconds": seconds}) if as_json else print(f"{'all':<20}{seconds:6.1f} s")
