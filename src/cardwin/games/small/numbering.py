"""OpenSpiel's numbers of actions in the small games that both sides know, by the names of actions here."""

OPENSPIEL_NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
OPENSPIEL_NUMBERS = {
    "kuhn_poker": {"check": 0, "fold": 0, "bet": 1, "call": 1},
    "leduc_poker": {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2},
}
