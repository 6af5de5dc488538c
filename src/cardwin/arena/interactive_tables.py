"""Tables of any game for people and players: opening one, explaining actions of finished hands, taking hands back."""

from collections.abc import Sequence
from typing import Any

from cardwin.arena.interactive_small import SmallTable
from cardwin.arena.interactive_table import (
    PERSON,
    FinishedHand,
    HoldemTable,
    InteractiveTable,
    Review,
    no_review,
    people_in,
)
from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games import is_holdem
from cardwin.players.coach import sentence
from cardwin.players.specs import is_program


def open_table(
    game: str,
    specs: Sequence[str],
    seed: int,
    open_cards: bool = False,
    names: Sequence[str] | None = None,
    review: Review = no_review,
) -> InteractiveTable:
    """Open a table of a game with at least one person.

    Args:
        game: The specification of the game.
        specs: The players by seat, `person` for a person.
        seed: The seed of cards and decisions.
        open_cards: Whether all cards are shown after a hand.
        names: The names by which players are shown, by default their specifications.
        review: Computes the costs of decisions in hold'em, once a hand is over.

    Raises:
        InputError: there is no person, or a player or the game is unknown.

    """
    if not people_in(specs):
        raise InputError(f"no person at the table: one of the players should be {PERSON!r}")
    rules = game_of(game)
    if is_holdem(rules):
        return HoldemTable(rules, specs, seed, open_cards, names, review)
    return SmallTable(rules, specs, seed, open_cards, names)


def explain_action(table: InteractiveTable, seat: int, number: int, event: int) -> dict[str, Any]:
    """Return the explanation of an action of a finished hand, as far as the seat may know.

    Args:
        table: The table.
        seat: The seat that asks.
        number: The number of the hand.
        event: The index of the action among the hand's events.

    Raises:
        InputError: there is no such action, or the player's cards were not shown.

    """
    hand = _finished_hand(table, number)
    if not 0 <= event < len(hand.events) or hand.events[event]["what"] != "acted":
        raise InputError(f"event {event} of hand {number} is not an action: name an event that is one")
    action = hand.events[event]
    actor = action["seat"]
    answer: dict[str, Any] = {"hand": number, "event": event, "seat": actor, "player": table.names[actor]}
    if event in hand.ev_loss and actor == seat:
        return answer | {"ev_loss": hand.ev_loss[event]}
    if event not in hand.explanation:
        return answer | {"explanation": {}}
    if not (table.open_cards or actor == seat or actor in hand.shown):
        raise InputError("its cards were not shown: open a table that shows all cards after a hand")
    cards, explanation = list(hand.cards[actor]), hand.explanation[event]
    text = sentence(table.names[actor], action["action"], action["amount"], explanation, cards)
    return answer | {"cards": cards, "explanation": explanation, "sentence": text}


def _finished_hand(table: InteractiveTable, number: int) -> FinishedHand:
    for hand in table.hands:
        if hand.number == number:
            return hand
    raise InputError(f"hand {number} is not over, or was never played: name a finished hand")


def replay_from(table: InteractiveTable, seat: int, number: int, event: int) -> InteractiveTable:
    """Return an analysis of a finished hand: a table at a decision of a person, from which the hand is played on.

    1. The same cards are dealt again, and all players repeat their actions up to the decision.
    2. The person acts otherwise, and the players answer. They know the events of this hand and nothing of earlier
       ones, and draw the random numbers of the hand: if nothing else changes, they act as before.

    The result is the analysis's own: it does not enter the table's hands, and no player of the table learns from it.
    It could reveal cards that were not shown, so the table must show all cards after a hand.

    Args:
        table: The table.
        seat: The seat of the person.
        number: The number of the hand.
        event: The index of the decision among the hand's events.

    Raises:
        InputError: there is no such decision, or the table's hands cannot be taken back.

    """
    hand = _finished_hand(table, number)
    events = hand.events
    if not 0 <= event < len(events) or events[event]["what"] != "acted" or events[event]["seat"] != seat:
        raise InputError(f"event {event} of hand {number} is not a decision of yours: take back one that is")
    if not table.open_cards:
        raise InputError("taking back needs a table that shows all cards after a hand: hidden cards could be seen")
    if len(people_in(table.specs)) > 1 or any(map(is_program, table.specs)):
        raise InputError("taking back needs opponents that can be asked again: no other people, no outside programs")
    return table.replay(hand, event, seat)


SMALL = (("kuhn", ("equilibrium",)),)  # first, so that small games can be played while the others compile
LARGE = (
    ("holdem-nl", ("call", "random", "v1", "standard", "matrix")),
    ("holdem-limit", ("loki",)),
    ("holdem-simple", ("call",)),
)


def warm_up(games: Sequence[tuple[str, Sequence[str]]] = (*SMALL, *LARGE)) -> None:
    """Play a hand of every kind with the most frequent players, so that their kernels are compiled."""
    for game, others in games:
        table = open_table(game, [PERSON, *others], 1)
        for _ in range(3):
            table.deal()
            while table.turn == 0:
                first = table.look(0)["actions"][-1 if game == "kuhn" else 0]
                table.take(0, first.get("text", first["name"]))
