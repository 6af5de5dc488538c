"""Playing style: the statistics that poker players use, such as VPIP.

All are shares from 0 to 1 except aggression, which is bets and raises per call. They are None if there was no occasion.
"""

from collections.abc import Iterable
from dataclasses import dataclass

WEAK = 0.5  # a bet with a hand that beats less than this share of all others is a bluff


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """One decision: street from 0, action, whether a bet was faced, and the share of hands beaten at that time."""

    player: int
    street: int
    action: str
    facing: bool
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class SeenHand:
    """One hand: the players dealt in, the decisions in order, the players at showdown."""

    players: tuple[int, ...]
    decisions: tuple[SeenDecision, ...]
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """The style of one player over `hands` hands.

    vpip: hands with chips put in voluntarily before the flop; pfr: hands raised before the flop; fold_to_bet: folds to
    bets faced; showdown: hands shown down; bluff: bets and raises after the flop that were made with a weak hand.
    """

    hands: int
    vpip: float | None
    pfr: float | None
    aggression: float | None
    fold_to_bet: float | None
    showdown: float | None
    bluff: float | None


def style_of(player: int, hands: Iterable[SeenHand]) -> Style:
    """Return the style of one player in the hands it was dealt."""
    dealt_in = [hand for hand in hands if player in hand.players]
    actions = [each.action for hand in dealt_in for each in hand.decisions if each.player == player]
    calls = actions.count("call")
    shares = {
        name: sum(trials) / len(trials) if trials else None for name, trials in samples_of(player, dealt_in).items()
    }
    return Style(
        hands=len(dealt_in),
        aggression=(actions.count("bet") + actions.count("raise")) / calls if calls else None,
        **shares,
    )


def _any(decisions: list[SeenDecision], street: int, actions: tuple[str, ...]) -> bool:
    return any(decision.street == street and decision.action in actions for decision in decisions)


def samples_of(player: int, hands: Iterable[SeenHand]) -> dict[str, list[bool]]:
    """Return the trials behind each share of a style: one truth value for each hand, bet faced, or bet made."""
    dealt_in = [hand for hand in hands if player in hand.players]
    by_hand = [[decision for decision in hand.decisions if decision.player == player] for hand in dealt_in]
    decisions = [decision for hand in by_hand for decision in hand]
    bold = [decision for decision in decisions if decision.action in ("bet", "raise")]
    return {
        "vpip": [_any(hand, 0, ("call", "bet", "raise")) for hand in by_hand],
        "pfr": [_any(hand, 0, ("bet", "raise")) for hand in by_hand],
        "fold_to_bet": [decision.action == "fold" for decision in decisions if decision.facing],
        "showdown": [player in hand.shown for hand in dealt_in],
        "bluff": [decision.strength < WEAK for decision in bold if decision.strength is not None],
    }
