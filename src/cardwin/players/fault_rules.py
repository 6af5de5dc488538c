"""When a player that keeps failing is disqualified: one rule for programs and for compiled players.

After `IN_A_ROW` faults in a row, or as many in total if they are more than `SHARE` of its decisions, a player is not
asked again: it checks or folds to the end.
"""

from cardwin.core.kernel import kernel

IN_A_ROW = 10
SHARE = 0.01
FAULTS_KEPT = 20  # for the report; all are counted


@kernel(refcount=False)
def too_many(faults: int, in_a_row: int, decisions: int) -> bool:
    """Return whether these faults disqualify."""
    return in_a_row >= IN_A_ROW or (faults >= IN_A_ROW and faults > SHARE * decisions)
