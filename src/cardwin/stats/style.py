"""Playing style: the statistics that poker players use, such as VPIP.

All are shares from 0 to 1 except aggression, which is bets and raises per call; None if there was no occasion.
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
    """The style of one player in the hands it was dealt."""
    dealt = [hand for hand in hands if player in hand.players]
    own = [[one for one in hand.decisions if one.player == player] for hand in dealt]
    decisions = [one for hand in own for one in hand]
    bold = [one for one in decisions if one.action in ("bet", "raise")]
    calls = sum(one.action == "call" for one in decisions)
    faced = [one for one in decisions if one.facing]
    judged = [one.strength for one in bold if one.strength is not None]
    return Style(
        hands=len(dealt),
        vpip=_share(_any(hand, 0, ("call", "bet", "raise")) for hand in own),
        pfr=_share(_any(hand, 0, ("bet", "raise")) for hand in own),
        aggression=len(bold) / calls if calls else None,
        fold_to_bet=_share(one.action == "fold" for one in faced),
        showdown=_share(player in hand.shown for hand in dealt),
        bluff=_share(strength < WEAK for strength in judged),
    )


def _any(decisions: list[SeenDecision], street: int, actions: tuple[str, ...]) -> bool:
    return any(one.street == street and one.action in actions for one in decisions)


def _share(events: Iterable[bool]) -> float | None:
    seen = list(events)
    return sum(seen) / len(seen) if seen else None


def samples_of(player: int, hands: Iterable[SeenHand]) -> dict[str, list[bool]]:
    """The trials behind each share of a style: one truth value for each hand, bet faced, or bet made."""
    dealt = [hand for hand in hands if player in hand.players]
    own = [[one for one in hand.decisions if one.player == player] for hand in dealt]
    decisions = [one for hand in own for one in hand]
    bold = [one for one in decisions if one.action in ("bet", "raise")]
    return {
        "vpip": [_any(hand, 0, ("call", "bet", "raise")) for hand in own],
        "pfr": [_any(hand, 0, ("bet", "raise")) for hand in own],
        "fold_to_bet": [one.action == "fold" for one in decisions if one.facing],
        "showdown": [player in hand.shown for hand in dealt],
        "bluff": [one.strength < WEAK for one in bold if one.strength is not None],
    }
