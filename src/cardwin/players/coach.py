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
    "Call1": "to call one bet", "Make1": "to bet once", "Call2": "to call two bets", "Make2": "to make two bets",
    "Make4": "to raise up to four bets",
}  # fmt: skip
RATES = re.compile(r"win rate (\d+)%, pot odds ([\d.]+)")
CALLED = {"net": "the network", "xcs": "the classifier system", "cfr": "the blueprint"}  # kinds that are abbreviations
BOLD = ("bet", "raise")
ALWAYS = 0.9995  # a probability that is shown as 100%
PRICE = re.compile(r"pot odds ([\d.]+)")


def sentence(player: str, action: str, amount: int, explanation: Mapping[str, Any], cards: Sequence[str] = ()) -> str:
    """The decision of a player, named by its specification, in one sentence."""
    kind = CALLED.get(_kind(player), _kind(player))
    size = f" {amount:,}" if action in ("bet", "raise") and amount else ""
    did = f"{kind[:1].upper()}{kind[1:]} {PAST.get(action, action)}{size}"
    reason = reason_for(player, action, explanation, cards)
    return f"{did}: {reason}." if reason else f"{did}; it does not say why."


def reason_for(player: str, action: str, explanation: Mapping[str, Any], cards: Sequence[str] = ()) -> str:
    """Why a player takes an action, as a part of a sentence; empty if it does not say."""
    held = " ".join(card.translate(SIGNS) for card in cards) or "its hand"
    return _reason(_kind(player), action, explanation, held)


def _kind(player: str) -> str:
    """The kind of a player in a specification or in a name such as `call #2`."""
    return player.removeprefix("champion:").partition(" #")[0].partition(":")[0]


def _reason(kind: str, action: str, said: Mapping[str, Any], hand: str) -> str:
    if "income" in said:
        return _before_the_flop(said, hand)
    if "ehs" in said:
        return _after_the_flop(said, hand)
    if isinstance(said.get("plays"), Mapping):
        chance = next((one for text, one in said["plays"].items() if text.split(" ")[0] == action), None)
        if chance is None:
            return ""
        return (
            f"with {hand} its policy {f'does that {chance:.1%} of the time' if chance < ALWAYS else 'always does that'}"
        )
    if isinstance(said.get("outputs"), Mapping):
        return _network(action, said)
    if isinstance(said.get("probabilities"), Mapping):
        return _blueprint(action, said["probabilities"], hand)
    if "rules that match" in said:
        return _rules(action, said)
    if "nearest hand" in said:
        return f"so did the recorded player in hand {said['nearest hand']}, the most similar one"
    return _robot(kind, action, str(said.get("text", "")), hand)


def _before_the_flop(said: Mapping[str, Any], hand: str) -> str:
    earns = f"{hand} {'earns' if said['income'] >= 0 else 'loses'} about {abs(said['income']):,.0f} for every 1,000 bet"
    if said["rule"] not in STRATEGIES:
        return f"{earns} if everybody calls to the end, which is too little to play here"
    return f"{earns} if everybody calls to the end, and {said['threshold']:,.0f} are enough {STRATEGIES[said['rule']]}"


def _after_the_flop(said: Mapping[str, Any], hand: str) -> str:
    ahead = f"{hand} is the best hand with {said['hs_n']:.0%}, and with {said['ehs']:.0%} if it improves"
    rule, threshold = str(said["rule"]), f"{said['threshold']:.0%}"
    if rule.startswith("semi-bluff"):
        return f"{hand} improves to the best hand with {said['ppot']:.0%}, which is enough to bet without one"
    if rule == "pot odds":
        return f"{ahead}; the call pays from {threshold}"
    if rule == "showdown odds":
        return f"{ahead}; with the bets to come a call pays from {threshold}"
    if rule == "nothing to call with":
        return f"{ahead}, but a call needs {threshold}"
    needs = "it bets" if rule.startswith(("bet", "nothing")) else "it raises"
    return f"{ahead}; {needs} from {threshold}"


def _network(action: str, said: Mapping[str, Any]) -> str:
    outputs, inputs = said["outputs"], said.get("inputs", {})
    # Without a bet to call its fold is a check, too.
    names = {"check": ("fold", "call"), "bet": ("raise",)}.get(action, (action,))
    chances = [one for label, one in outputs.items() if any(name in label for name in names)]
    odds = f", with win odds of {inputs['win_odds']:.0%}" if isinstance(inputs.get("win_odds"), float) else ""
    return f"its outputs give that action {min(sum(chances), 1.0):.0%}{odds}" if chances else ""


def _blueprint(action: str, probabilities: Mapping[str, float], hand: str) -> str:
    names = (*BOLD, "all-in") if action in BOLD else (action,)
    chance = sum(one for name, one in probabilities.items() if name.split(" ")[0] in names)
    does = "bets or raises" if action in BOLD else "does that"
    often = f"{does} {chance:.0%} of the time" if chance < ALWAYS else f"always {does}"
    return f"with {hand} after these bets it {often}"


def _rules(action: str, said: Mapping[str, Any]) -> str:
    if not said.get("rules that fired"):
        return "none of its rules matches here, so it checks or calls"
    names = {"check": "call", "bet": "raise"}
    expects = {name: said.get(f"expects of {name}") for name in ("fold", "call", "raise")}
    own = names.get(action, action)
    others = ", ".join(f"{one:g} from {name}" for name, one in expects.items() if one is not None and name != own)
    besides = f", and {others}" if others else ""
    count = said["rules that fired"]
    return f"{count} of its {said['rules that match']} matching rules expect {expects[own] or 0:g} from it{besides}"


def _robot(kind: str, action: str, text: str, hand: str) -> str:
    if found := RATES.search(text):
        how = "its matrix gives that action a chance" if kind == "matrix" else "it decides by the ratio of the two"
        odds = f"{float(found[2]):.0%}"
        price = f"its pot odds are {odds}" if action in ("check", "bet") else f"a call pays {odds} of the pot"
        return f"{hand} wins {found[1]}% of its simulated hands, {price}, and {how}"
    if "chart" in text:
        return f"its chart of hands and its position say so for {hand}"
    if found := PRICE.search(text):
        return f"it looks at the price, and a call pays {float(found[1]):.0%} of the pot"
    if "whatever the cards" in text:
        return f"it does not look at its cards ({text.removesuffix(', whatever the cards')})"
    return text or _title(kind)


def _title(kind: str) -> str:
    """What the registry says about a player without an explanation."""
    from cardwin.players.registry import PLAYERS

    return f"it {PLAYERS[kind].title}" if kind in PLAYERS and " " in PLAYERS[kind].title else ""
