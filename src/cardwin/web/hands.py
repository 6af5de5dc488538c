"""Recorded hands: reads a PHH text and returns its hands, event by event, a page of them at a time."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from cardwin.web.answers import Answer

router = APIRouter(prefix="/api/hands", tags=["hands"])
PAGE = 50  # hands of one answer


class Recorded(BaseModel):
    """The text of a PHH or PHHS file, and the number of its hands that come before the wanted ones."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=8_000_000)]
    first: Annotated[int, Field(ge=0, le=10_000_000)] = 0


@router.post("")
def retell(recorded: Recorded) -> Answer:
    """Up to 50 hands of a PHH or PHHS text with their events, cards, and odds after each event. A hand that breaks a
    rule is listed with its line and the reason. `total` counts all hands of the text.
    """
    from cardwin.analysis.hand_review import hand_json
    from cardwin.games.formats.phh import hands_of
    from cardwin.games.formats.phh_toml import count_headings

    hands: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for found, history in hands_of(recorded.text, recorded.first, PAGE):
        if history is None:
            failed.append({"hand": found.hand, "line": found.line, "reason": found.reason})
        else:
            hands.append({"name": found.hand, **hand_json(history)})
    page = {"first": recorded.first, "page": PAGE, "total": count_headings(recorded.text)}
    return Answer({"hands": hands, "failed": failed, **page})
