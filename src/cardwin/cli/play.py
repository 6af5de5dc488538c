"""The command `play`: a person plays a small game in the terminal."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from cardwin.cli.app import app, seed_option
from cardwin.cli.output import console
from cardwin.cli.small_games import POLICY_HELP, SEAT, champion_of

if TYPE_CHECKING:
    from cardwin.arena.state_table import SmallRecord
    from cardwin.core.rng import Stream
    from cardwin.games.base import Action, SmallView
    from cardwin.solvers.policy import Policy


HELP_WORDS = ("h", "?", "help")
HELP = """\
  Type the number of an action, its name, or its first letters. You see your own card and the actions so far;
  the other card is shown after the hand. q, ctrl-C or the end of input leaves the table and prints the EV loss
  of your decisions. `cardwin show POLICY --game GAME` shows what a policy does with every card."""


class LeaveTable(BaseException):
    """The person leaves the table."""


def ask(prompt: str) -> str:
    """Read a line; at the end of input and at ctrl-C the person leaves."""
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line or line.strip().lower() in ("q", "quit", "exit"):
        print()
        raise LeaveTable
    return line.strip().lower()


class Person:
    """A player that asks until the answer names a legal action by its number, its name, or its first letters."""

    def act(self, view: "SmallView", rng: "Stream") -> "Action":  # noqa: ARG002  a person needs no random numbers
        """Return the action that the person chooses."""
        card, _, line = view.information_state.partition(" after ")
        print(f"  you hold {card}" + (f"; so far: {line}" if line else ""))
        choices = "   ".join(f"{number} {action}" for number, action in enumerate(view.legal_actions, 1))
        while True:
            answer = ask(f"  {choices}   > ")
            if answer in HELP_WORDS:
                print(HELP)
                continue
            if (action := find_action(answer, view.legal_actions)) is not None:
                return action
            print(f"  invalid action {answer!r}: expected a number or a name, or q to leave the table")


def find_action(answer: str, actions: "Sequence[Action]") -> "Action | None":
    """Return the action that the answer names, or None if it names none or several."""
    if answer.isdigit() and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    named = [action for action in actions if str(action) == answer]
    matches = named or [action for action in actions if answer and str(action).startswith(answer)]
    return matches[0] if len(matches) == 1 else None


@app.command()
def play(
    game: Annotated[str, Argument(metavar="GAME", help="A name that `cardwin games` lists: kuhn, holdem-nl ...")],
    against: Annotated[
        str,
        Option(metavar="SPEC", help=f"The opponent. {POLICY_HELP} For hold'em a player that `cardwin players` lists."),
    ],
    seat: Annotated[int | None, SEAT] = None,
    hands: Annotated[int, Option(min=1, help="Maximum number of hands.")] = 1000,
    seed: Annotated[int | None, seed_option("Random seed of the deals; drawn if not given.")] = None,
) -> None:
    """Play a small game against a policy, or hold'em against players. Without --seat the seats alternate.

    Examples: `cardwin play kuhn --against rational`, `cardwin play leduc --against equilibrium --seat 2`,
    `cardwin play holdem-nl --against loki`, `cardwin play holdem-limit --against "random*3"`. At the table h explains
    the keys and q leaves. The EV loss of your decisions is reported: exactly in a small game; in hold'em after each
    hand, for folds and calls where a call ends the betting, against any two cards.
    """
    from cardwin.games import names_holdem

    if names_holdem(game):
        from cardwin.cli.play_holdem import play_holdem

        play_holdem(game, against, seed, seat, hands)
        return
    import cardwin
    from cardwin.arena.state_table import play_alternating
    from cardwin.core.rng import random_seed
    from cardwin.players.small_games.policies import PolicyPlayer

    rules = cardwin.game(game)
    policy = cardwin.policy(rules, champion_of(against))
    seed = random_seed() if seed is None else seed
    record: list[tuple[int, SmallRecord]] = []

    def begin(number: int, person_seat: int) -> None:
        print(f"\nhand {number + 1}, you are seat {person_seat + 1}, score {score_of(record):+d}")

    def end(person_seat: int, played: "SmallRecord") -> None:
        record.append((person_seat, played))
        print_hand(played, person_seat)

    print(f"{rules.title}. Against {against}, seed {seed}. h for help, q to leave.")
    with suppress(LeaveTable):
        players = Person(), PolicyPlayer(policy)
        play_alternating(rules, players, hands, seed, seat - 1 if seat else None, begin, end)
    print_score(policy, record)


def score_of(record: "list[tuple[int, SmallRecord]]") -> int:
    """Return the person's chips so far."""
    return sum(played.chips[seat] for seat, played in record)


def print_hand(played: "SmallRecord", person_seat: int) -> None:
    """Print a finished hand with all cards."""
    moves = ", ".join(f"{'you' if move.seat == person_seat else 'they'} {move.action}" for move in played.moves)
    common = f", common card {played.dealt[2]}" if len(played.dealt) > 2 else ""
    private = len(played.dealt) > 1  # some games deal no cards
    cards = (
        f"you had {played.dealt[person_seat]}, they had {played.dealt[1 - person_seat]}{common}" if private else "you"
    )
    print(f"  {moves}\n  {cards}: {played.chips[person_seat]:+d}")


def print_score(policy: "Policy", record: "list[tuple[int, SmallRecord]]") -> None:
    """Print the score and the EV loss of the person's decisions, which does not depend on the cards dealt."""
    from cardwin.solvers.equilibria import best_response, regret

    if not record:
        print("no hand was finished")
        return
    seats = {seat for seat, _ in record}
    responses = {seat: best_response(policy, seat) for seat in seats}
    lost = [
        (regret(responses[seat], policy.tree.sequences[seat], move.information_state, move.action), move)
        for seat, played in record
        for move in played.moves
        if move.seat == seat
    ]
    out = console()
    best = sum(float(responses[seat].value) for seat, _ in record)
    out.print(
        f"\n{len(record)} hands, score [bold]{score_of(record):+d}[/bold]; a best response would expect {best:+.2f}"
    )
    total = sum(chips for chips, _ in lost)
    out.print(f"EV loss of your decisions: {total:.2f} chips, {total / len(record):.3f} per hand; the rest is chance")
    loss, move = max(lost, key=lambda pair: pair[0], default=(0.0, None))
    if loss > 0 and move is not None:
        out.print(f"largest loss: {move.action} with {move.information_state}, {loss:.2f} chips")
