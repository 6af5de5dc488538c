"""A hand as PyPokerEngine tells it to its players: seats, pots, positions, and the actions of each street.

Seats are in an order in which the bot keeps its place, so that one which finds itself by its index stays right when
the players of a match change seats. Amounts are totals of the street; cards have the suit first. The order of the
action histories and their fields follow its engine; positions and the legal amounts follow our rules.
"""

from typing import Any

from cardwin.cards.card import RANKS, SUITS
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.adapter import Hand

STREETS = ("preflop", "flop", "turn", "river", "showdown")
PARTICIPATING, ALL_IN, FOLDED = "participating", "allin", "folded"


def card_text(card: int) -> str:
    """A card such as HA, the ace of hearts."""
    return f"{SUITS[card % 4].upper()}{RANKS[card // 4]}"


def identity(hand: Hand, seat: int) -> str:
    """The identity of a seat's player, the same in all hands of a match."""
    return f"player-{hand.players[seat] + 1}"


def seat_order(hand: Hand) -> list[int]:
    """Our seats in the order in which they are shown: the bot's own first."""
    return [(hand.seat + place) % hand.seats for place in range(hand.seats)]


def place_of(hand: Hand, seat: int) -> int:
    """The index of a seat in that order."""
    return (seat - hand.seat) % hand.seats


def seats_of(hand: Hand) -> list[dict[str, Any]]:
    """Name, identity, chips left and state of each seat."""
    gone = hand.folded

    def seat_data(seat: int) -> dict[str, Any]:
        left = hand.stacks[seat] + (hand.won[seat] if hand.won else -hand.paid(seat))
        state = FOLDED if seat in gone else PARTICIPATING if left else ALL_IN
        name = identity(hand, seat)
        return {"name": name, "uuid": name, "stack": left, "state": state}

    return [seat_data(seat) for seat in seat_order(hand)]


def pots_of(hand: Hand) -> dict[str, Any]:
    """The main pot, the smallest that an all-in seat can win, and the side pots with those who can win them."""
    paid = {seat: hand.paid(seat) for seat in range(hand.seats)}
    gone = hand.folded
    all_in = {paid[seat] for seat in paid if seat not in gone and paid[seat] == hand.stacks[seat]}
    levels = sorted(all_in | {max(paid.values())})
    pots, below = list[dict[str, Any]](), 0
    for level in levels:
        amount = sum(max(min(chips, level) - below, 0) for chips in paid.values())
        able = [identity(hand, seat) for seat in seat_order(hand) if seat not in gone and paid[seat] > below]
        if amount or not pots:
            pots.append({"amount": amount, "eligibles": able})
        below = level
    return {"main": {"amount": pots[0]["amount"]}, "side": pots[1:]}


def histories_of(hand: Hand) -> dict[str, list[dict[str, Any]]]:
    """The actions of every street that was reached, in order."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in STREETS[: hand.street + 1]}
    bets = {street: dict.fromkeys(range(hand.seats), 0) for street in range(4)}
    current = dict.fromkeys(range(4), 0)
    small = hand.small_blind
    for one in hand.posted:
        kind = "ANTE" if one.kind == "ante" else "SMALLBLIND" if one.chips <= small < hand.big_blind else "BIGBLIND"
        entry = {"action": kind, "amount": one.chips} | ({} if kind == "ANTE" else {"add_amount": small})
        found[STREETS[0]].append(entry | {"uuid": identity(hand, one.seat)})
        if kind != "ANTE":
            bets[0][one.seat] = one.chips
            current[0] = max(current[0], one.chips)
    for move in hand.moves:
        total = bets[move.street][move.seat] = bets[move.street][move.seat] + move.chips
        entry = {"action": "FOLD"}
        if move.action.name in ("check", "call"):
            entry = {"action": "CALL", "amount": total, "paid": move.chips}
        elif move.action.name != "fold":
            more = total - current[move.street]
            entry = {"action": "RAISE", "amount": total, "paid": move.chips, "add_amount": more}
            current[move.street] = total
        found[STREETS[move.street]].append(entry | {"uuid": identity(hand, move.seat)})
    return found


def round_state(hand: Hand, count: int, next_player: int, street: int | None = None) -> dict[str, Any]:
    """The hand as its players see it; `next_player` is one of our seats."""
    heads_up = sum(stack > 0 for stack in hand.stacks) == 2
    blinds = [one.seat for one in hand.posted if one.kind == "blind"]
    small = hand.button if heads_up else blinds[0] if len(blinds) > 1 else hand.button
    big = next((seat for seat in reversed(blinds) if seat != small), small)
    return {
        "street": STREETS[hand.street if street is None else street],
        "pot": pots_of(hand),
        "community_card": [card_text(card) for card in hand.board],
        "dealer_btn": place_of(hand, hand.button),
        "next_player": place_of(hand, next_player),
        "small_blind_pos": place_of(hand, small),
        "big_blind_pos": place_of(hand, big),
        "round_count": count,
        "small_blind_amount": hand.small_blind,
        "seats": seats_of(hand),
        "action_histories": histories_of(hand),
    }


def valid_actions(view: HoldemView) -> list[dict[str, Any]]:
    """Fold, call and raise, always all three; a raise that is not allowed has -1 as amounts."""
    least, most = (view.min_raise_to, view.max_raise_to) if view.min_raise_to else (-1, -1)
    return [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": view.current_bet},
        {"action": "raise", "amount": {"min": least, "max": most}},
    ]


def game_information(hand: Hand, rounds: int) -> dict[str, Any]:
    """What a game begins with."""
    rule = {
        "initial_stack": hand.stacks[hand.seat],
        "max_round": rounds,
        "small_blind_amount": hand.small_blind,
        "ante": hand.ante,
        "blind_structure": {},
    }
    return {"player_num": hand.seats, "rule": rule, "seats": seats_of(hand)}
