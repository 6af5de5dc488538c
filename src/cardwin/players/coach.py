"""A player's decision in one sentence, from its explanation: what it did, what it expected, what it needed.

Every kind of player explains itself by its own numbers (`explain`). Here they become text for people.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

PAST = {"fold": "folded", "check": "checked", "call": "called", "bet": "bet", "raise": "raised to"}
SIGNS = str.maketrans("shdc", "♠♥♦♣")
# What Loki's strategies before the flop do, as its thresholds are for.
STRATEGIES = {
    "Call1": "to call one bet",
    "Make1": "to bet once",
    "Call2": "to call two bets",
    "Make2": "to make two bets",
    "Make4": "to raise up to four bets",
}
RATES = re.compile(r"win rate (\d+)%, pot odds ([\d.]+)")
CALLED = {"net": "the network", "xcs": "the classifier system", "cfr": "the blueprint"}  # kinds that are abbreviations
BOLD = ("bet", "raise")
ALWAYS = 0.9995  # a probability that is shown as 100%
PRICE = re.compile(r"pot odds ([\d.]+)")


def sentence(player: str, action: str, amount: int, explanation: Mapping[str, Any], cards: Sequence[str] = ()) -> str:
    """Return the decision of a player, named by its specification, in one sentence."""
    kind = CALLED.get(_kind(player), _kind(player))
    size = f" {amount:,}" if action in BOLD and amount else ""
    decision = f"{kind[:1].upper()}{kind[1:]} {PAST.get(action, action)}{size}"
    reason = reason_for(player, action, explanation, cards)
    return f"{decision}: {reason}." if reason else f"{decision}; it does not say why."


def reason_for(player: str, action: str, explanation: Mapping[str, Any], cards: Sequence[str] = ()) -> str:
    """Return the reason of a player's action as a part of a sentence, or an empty text if it gives none."""
    hand = " ".join(card.translate(SIGNS) for card in cards) or "its hand"
    if "income" in explanation:
        return _before_the_flop(explanation, hand)
    if "ehs" in explanation:
        return _after_the_flop(explanation, hand)
    if isinstance(explanation.get("plays"), Mapping):
        return _policy(action, explanation["plays"], hand)
    if isinstance(explanation.get("outputs"), Mapping):
        return _network(action, explanation)
    if isinstance(explanation.get("probabilities"), Mapping):
        return _blueprint(action, explanation["probabilities"], hand)
    if "rules that match" in explanation:
        return _rules(action, explanation)
    if "nearest hand" in explanation:
        return f"so did the recorded player in hand {explanation['nearest hand']}, the most similar one"
    return _robot(_kind(player), action, str(explanation.get("text", "")), hand)


def _kind(player: str) -> str:
    """Return the kind of a player in a specification or in a name such as `call #2`."""
    return player.removeprefix("champion:").partition(" #")[0].partition(":")[0]


def _before_the_flop(explanation: Mapping[str, Any], hand: str) -> str:
    income, rule = explanation["income"], explanation["rule"]
    earns = f"{hand} {'earns' if income >= 0 else 'loses'} about {abs(income):,.0f} for every 1,000 bet"
    if rule not in STRATEGIES:
        return f"{earns} if everybody calls to the end, which is too little to play here"
    return f"{earns} if everybody calls to the end, and {explanation['threshold']:,.0f} are enough {STRATEGIES[rule]}"


def _after_the_flop(explanation: Mapping[str, Any], hand: str) -> str:
    rule, threshold = str(explanation["rule"]), f"{explanation['threshold']:.0%}"
    if rule.startswith("semi-bluff"):
        return f"{hand} improves to the best hand with {explanation['ppot']:.0%}, which is enough to bet without one"
    ends = {
        "pot odds": f"; the call pays from {threshold}",
        "showdown odds": f"; with the bets to come a call pays from {threshold}",
        "nothing to call with": f", but a call needs {threshold}",
    }
    bets = f"; {'it bets' if rule.startswith(('bet', 'nothing')) else 'it raises'} from {threshold}"
    ahead = f"{hand} is the best hand with {explanation['hs_n']:.0%}, and with {explanation['ehs']:.0%} if it improves"
    return ahead + ends.get(rule, bets)


def _policy(action: str, plays: Mapping[str, float], hand: str) -> str:
    chance = next((chance for text, chance in plays.items() if text.split(" ")[0] == action), None)
    if chance is None:
        return ""
    often = f"does that {chance:.1%} of the time" if chance < ALWAYS else "always does that"
    return f"with {hand} its policy {often}"


def _network(action: str, explanation: Mapping[str, Any]) -> str:
    outputs, inputs = explanation["outputs"], explanation.get("inputs", {})
    # Without a bet to call its fold is a check, too.
    names = {"check": ("fold", "call"), "bet": ("raise",)}.get(action, (action,))
    chances = [chance for label, chance in outputs.items() if any(name in label for name in names)]
    odds = f", with win odds of {inputs['win_odds']:.0%}" if isinstance(inputs.get("win_odds"), float) else ""
    return f"its outputs give that action {min(sum(chances), 1.0):.0%}{odds}" if chances else ""


def _blueprint(action: str, probabilities: Mapping[str, float], hand: str) -> str:
    names = (*BOLD, "all-in") if action in BOLD else (action,)
    chance = sum(chance for name, chance in probabilities.items() if name.split(" ")[0] in names)
    does = "bets or raises" if action in BOLD else "does that"
    often = f"{does} {chance:.0%} of the time" if chance < ALWAYS else f"always {does}"
    return f"with {hand} after these bets it {often}"


def _rules(action: str, explanation: Mapping[str, Any]) -> str:
    count = explanation.get("rules that fired")
    if not count:
        return "none of its rules matches here, so it checks or calls"
    expects = {name: explanation.get(f"expects of {name}") for name in ("fold", "call", "raise")}
    chosen = {"check": "call", "bet": "raise"}.get(action, action)
    others = [f"{chips:g} from {name}" for name, chips in expects.items() if chips is not None and name != chosen]
    besides = f", and {', '.join(others)}" if others else ""
    expected = f"{expects[chosen] or 0:g} from it{besides}"
    return f"{count} of its {explanation['rules that match']} matching rules expect {expected}"


def _robot(kind: str, action: str, text: str, hand: str) -> str:
    if rates := RATES.search(text):
        decides = "its matrix gives that action a chance" if kind == "matrix" else "it decides by the ratio of the two"
        odds = f"{float(rates[2]):.0%}"
        price = f"its pot odds are {odds}" if action in ("check", "bet") else f"a call pays {odds} of the pot"
        return f"{hand} wins {rates[1]}% of its simulated hands, {price}, and {decides}"
    if "chart" in text:
        return f"its chart of hands and its position say so for {hand}"
    if price_odds := PRICE.search(text):
        return f"it considers the price, and a call pays {float(price_odds[1]):.0%} of the pot"
    if "whatever the cards" in text:
        return f"it does not use its cards ({text.removesuffix(', whatever the cards')})"
    return text or _title(kind)


def _title(kind: str) -> str:
    """Return what the registry says about a player without an explanation."""
    from cardwin.players.registry import PLAYERS

    return f"it {PLAYERS[kind].title}" if kind in PLAYERS and " " in PLAYERS[kind].title else ""
