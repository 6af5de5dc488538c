"""Hold'em in the terminal, for a person against players."""

from contextlib import suppress
from typing import TYPE_CHECKING

from cardwin.cards.card import cards_text
from cardwin.cli.play import HELP_WORDS, LeaveTable, ask
from cardwin.core.display import number_duplicates
from cardwin.core.errors import InputError, InvalidActionError
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.events import (
    STREET_NAMES,
    Acted,
    BoardDealt,
    Event,
    HandBegan,
    HandEnded,
    Posted,
    Returned,
    Shown,
    Won,
)

if TYPE_CHECKING:
    from cardwin.analysis.ev_loss import ClosingCall
    from cardwin.core.rng import Stream
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.games.holdem.view import HoldemView


HELP = """\
  f folds, c checks or calls, r 300 bets or raises to 300 in all, a is all-in. An amount is what you will have
  put in this round, not what you add. q, ctrl-C or the end of input leaves the table. After a hand the EV loss
  of your folds and calls is printed where it can be computed: where a call would have ended the betting. It is
  computed against any two cards; opponents who bet good hands hold better cards."""


class Person:
    """A player that prints the events, asks until the answer is legal, and counts the score."""

    def __init__(self, game: "HoldemGame", names: list[str]) -> None:
        self.game, self.names, self.seat = game, names, names.index("you")
        self.hands = self.score = 0
        self.events: list[Event] = []  # of this hand
        self.hole: tuple[int, ...] = ()
        self.odds: list[ClosingCall] = []  # of all hands

    def watch(self, event: Event) -> None:
        """Print an event."""
        if isinstance(event, HandBegan):
            self.events = []
            print(f"\nhand {self.hands + 1}, score {self.score:+d}")
        if isinstance(event, HandEnded):
            won = event.won[self.seat]
            self.hands, self.score = self.hands + 1, self.score + won
            print(f"  you {'win' if won > 0 else 'lose' if won < 0 else 'end even'}{f' {abs(won)}' if won else ''}")
            self._print_odds()
        elif line := event_line(event, self.names):
            print("  " + line)
        self.events.append(event)

    def _print_odds(self) -> None:
        """Print the EV loss of the hand's decisions where a call would have ended the betting."""
        from cardwin.analysis.ev_loss import closing_calls
        from cardwin.arena.hand_history import history_seen

        if not any(isinstance(event, Acted) and event.seat == self.seat for event in self.events):
            return
        history = history_seen(self.game, self.events, self.names, self.seat, self.hole)
        for call in closing_calls(history, history.names.index("you")):
            self.odds.append(call)
            print(f"  your {call.verdict}:\n    {call.reason}")

    def act(self, view: "HoldemView", rng: "Stream") -> Action:  # noqa: ARG002  a person needs no random numbers
        """Return the action that the person chooses."""
        self.hole = view.hole
        print(view)
        while True:
            answer = ask(f"  {choices(view)}   > ")
            if answer in HELP_WORDS:
                print(HELP)
                continue
            try:
                return read_answer(answer, view)
            except InputError as error:
                print(f"  {error}")


def choices(view: "HoldemView") -> str:
    """Return the legal actions and their keys as text."""
    words = [f"f fold   c call {view.to_call}" if view.to_call else "c check"]
    if view.min_raise_to:
        verb, low, high = "raise" if view.current_bet else "bet", view.min_raise_to, view.max_raise_to
        words.append(f"r N {verb} to N ({low} to {high})" if high > low else f"r {verb} to {high}")
        words.append(f"a all-in ({high})" if high > low else "")
    return "   ".join(filter(None, words))


def read_answer(answer: str, view: "HoldemView") -> Action:
    """Return the action that the answer names; otherwise an InvalidActionError lists the legal actions."""
    word, _, amount = answer.replace("all in", "all-in").partition(" ")
    if word and "fold".startswith(word):
        if not view.to_call:
            raise InvalidActionError("no bet to fold to: check instead")
        return FOLD
    if word in ("c", "check", "call"):
        return CALL if view.to_call else CHECK
    verb = "raise" if view.current_bet else "bet"
    if word in ("a", "all-in") or word in ("r", "b", "bet", "raise"):
        if not view.min_raise_to:
            raise InvalidActionError(f"no {verb} is possible: {choices(view)}")
        if word in ("a", "all-in"):
            return Action(verb, view.max_raise_to)
        return Action(verb, _read_amount(amount.replace("to ", "").strip(), view))
    raise InvalidActionError(f"invalid action {answer!r}: expected {choices(view)}, or q to leave the table")


def _read_amount(text: str, view: "HoldemView") -> int:
    if not text and view.min_raise_to == view.max_raise_to:
        return view.min_raise_to
    if not text.isdecimal() or not view.min_raise_to <= int(text[:15]) <= view.max_raise_to:
        raise InvalidActionError(
            f"expected a whole number from {view.min_raise_to} to {view.max_raise_to}, as in r {view.min_raise_to}, "
            f"got {text!r}"
        )
    return int(text)


def event_line(event: Event, names: list[str]) -> str:
    """Return a line about an event; empty if the table view shows it."""
    match event:
        case HandBegan(button=button):
            return f"{names[button]} {'have' if names[button] == 'you' else 'has'} the button"
        case Posted(seat=seat, kind=kind, chips=chips):
            return f"{names[seat]}: {kind} {chips}"
        case Acted(seat=seat, action=action, chips=chips):
            return f"{names[seat]}: {action}{f' {chips}' if action == CALL else ''}"
        case Returned(seat=seat, chips=chips):
            return f"uncalled {chips} returned to {names[seat]}"
        case BoardDealt(street=street, cards=cards):
            name = "river" if len(cards) == 2 else STREET_NAMES[street]
            return f"--- {name}: {cards_text(cards, signs=True)}"
        case Shown(seat=seat, cards=cards):
            return f"{names[seat]}: {cards_text(cards, signs=True)}"
        case Won(seat=seat, chips=chips, pot=pot):
            return f"{names[seat]}: +{chips}" + (f" (side pot {pot})" if pot else "")
    return ""


def play_holdem(game: str, against: str, seed: int | None = None, seat: int | None = None, hands: int = 1000) -> None:
    """Play a person against one player or several, such as `call` or `random*3`, until the person leaves."""
    from cardwin.arena.match import play_match
    from cardwin.arena.referee import Referee
    from cardwin.core.rng import key_of, random_seed
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.players.registry import makers_of
    from cardwin.players.specs import Untrusted, expand_specs
    from cardwin.results.answers import digits_of

    table = holdem_game(*split_spec(game))
    opponents = expand_specs([against])
    person_seat = 0 if seat is None else seat - 1
    specs = [*opponents[:person_seat], "you", *opponents[person_seat:]]
    names = number_duplicates(specs)
    players = [make() for make in makers_of(opponents, Untrusted())]
    seed = random_seed() if seed is None else seed
    print(f"{table.title}. Against {against}, seed {seed}. Stacks are reset every hand; h for help, q to leave.")
    person = Person(table, names)
    with suppress(LeaveTable):
        seated = [*players[:person_seat], person, *players[person_seat:]]
        play_match(table, seated, hands, key_of(seed, "play"), referee=Referee(specs))
    mean = person.score / table.chips_per_unit / max(person.hands, 1)
    described = f", {mean:+.{digits_of(table.unit)}f} {table.unit}" if person.hands else ""
    print(f"\n{person.hands} hands, score {person.score:+d} chips{described}")
    if person.odds:
        total, count = sum(call.ev_loss for call in person.odds), len(person.odds)
        print(f"EV loss {total:.1f} chips in {count} closing decision{'s' if count > 1 else ''}, against any two cards")
