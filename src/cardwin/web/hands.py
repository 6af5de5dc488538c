"""Recorded hands: reads a PHH text and returns every hand, event by event."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from cardwin.core.errors import InputError
from cardwin.web.answers import Answer

router = APIRouter(prefix="/api/hands", tags=["hands"])
MOST_HANDS = 50  # read from one text


class Recorded(BaseModel):
    """The text of a PHH or PHHS file."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=1_000_000)]


@router.post("")
def retell(recorded: Recorded) -> Answer:
    """Every hand of a PHH or PHHS text with its events, cards, and odds after each event. A hand that breaks a rule is
    listed with its line and the reason.
    """
    from itertools import islice

    from cardwin.analysis.hand_review import hand_json
    from cardwin.games.formats.phh import histories_of, replay_text

    checked = replay_text(recorded.text)[:MOST_HANDS]
    failed = [{"hand": one.hand, "line": one.line, "reason": one.reason} for one in checked if one.final_stacks is None]
    hands: list[dict[str, Any]] = []
    try:
        for number, history in enumerate(islice(histories_of(recorded.text), MOST_HANDS)):
            hands.append({"name": checked[number].hand, **hand_json(history)})
    except InputError as error:
        if not failed:
            failed.append({"hand": "", "line": 0, "reason": str(error)})
    return Answer({"hands": hands, "failed": failed})
