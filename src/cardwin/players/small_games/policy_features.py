"""Named features of policies: bluffs (betting the lowest card) and sandbags (checking the highest)."""

from dataclasses import dataclass

from cardwin.solvers.policy import Policy

SELDOM = 0.005  # rarer actions are noise, not a habit


@dataclass(frozen=True)
class Habit:
    """How often a strategy bluffs or sandbags, in one seat and information set."""

    seat: int
    name: str
    information_state: str
    probability: float

    def __str__(self) -> str:
        bold = "bets" if self.name == "bluff" else "checks"
        card, _, line = self.information_state.partition(" after ")
        place = f" after {line}" if line else ""
        return f"{self.name}: {bold} the {card}{place} {self.probability:.0%} of the time"


def habits(policy: Policy, seat: int) -> list[Habit]:
    """Return the bluffs and sandbags of one seat, before any common card, before any bet.

    A game has them if it names its `lowest_cards` and `highest_cards`.
    """
    seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat)
    lowest, highest = (getattr(policy.tree.game, name, ()) for name in ("lowest_cards", "highest_cards"))
    found = []
    for text, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
        if str(actions[0]) not in ("check", "bet 0") or ", then" in text:
            continue
        card, passive = text.split(" ")[0], float(behaviour[first])
        if card in lowest and 1 - passive > SELDOM:
            found.append(Habit(seat, "bluff", text, 1 - passive))
        if card in highest and passive > SELDOM:
            found.append(Habit(seat, "sandbag", text, passive))
    return found
