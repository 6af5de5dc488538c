"""A person at the table of a small game."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import app
from cardwin.cli.output import console
from cardwin.cli.small_games import POLICY_HELP, SEAT, champion_of

if TYPE_CHECKING:
    from cardwin.arena.small.play import SmallRecord
    from cardwin.core.rng import Stream
    from cardwin.games.base import Action, SmallView
    from cardwin.solvers.policy import Policy


HELP_WORDS = ("h", "?", "help")
HELP = """\
  Type the number of an action, its name, or its first letters. You see your own card and what was done; the
  other card is shown after the hand. q, ctrl-C or the end of input leaves the table, and you are told what
  your decisions gave away. `cardwin show POLICY --game GAME` shows what a policy does with every card."""


class Left(BaseException):
    """The person wants to stop."""


def ask(prompt: str) -> str:
    """One line from the person; the end of input and ctrl-C are leaving."""
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line or line.strip().lower() in ("q", "quit", "exit"):
        print()
        raise Left
    return line.strip().lower()


class Person:
    """Asks until the answer is one of the legal actions: its number, its name, or its first letters."""

    def act(self, view: "SmallView", rng: "Stream") -> "Action":  # noqa: ARG002  people bring their own luck
        """What the person chooses."""
        card, _, line = view.information_state.partition(" after ")
        print(f"  you hold {card}" + (f"; so far: {line}" if line else ""))
        choices = "   ".join(f"{number} {action}" for number, action in enumerate(view.legal_actions, 1))
        while True:
            answer = ask(f"  {choices}   > ")
            if answer in HELP_WORDS:
                print(HELP)
                continue
            if (chosen := choose(answer, view.legal_actions)) is not None:
                return chosen
            print(f"  {answer!r} is not one of them: type a number or a name, or q to leave the table")


def choose(answer: str, actions: "Sequence[Action]") -> "Action | None":
    """The one action that an answer means, if it means one."""
    if answer.isdigit() and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    named = [action for action in actions if str(action) == answer]
    meant = named or [action for action in actions if answer and str(action).startswith(answer)]
    return meant[0] if len(meant) == 1 else None


@app.command()
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="As `cardwin games` lists them: kuhn, holdem-nl ...")],
    against: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help=f"The opponent. {POLICY_HELP} For hold'em a player that `cardwin players` lists."
        ),
    ],
    seat: Annotated[int | None, SEAT] = None,
    hands: Annotated[int, typer.Option(min=1, help="How many hands at the most.")] = 1000,
    seed: Annotated[int | None, typer.Option(help="The luck of the deal; fresh unless given.")] = None,
) -> None:
    """Play a small game against any policy, or hold'em against any players. Without --seat the seats alternate.

    Examples: `cardwin play kuhn --against rational`, `cardwin play leduc --against equilibrium --seat 2`,
    `cardwin play holdem-nl --against loki`, `cardwin play holdem-limit --against "random*3"`. At the table h explains
    the keys and q leaves. You are told what your decisions gave away: exactly in a small game, and after a hand of
    hold'em where the odds tell, which is where a call ends the betting, against any two cards.
    """
    if game.startswith("holdem"):
        from cardwin.cli.play_holdem import play_holdem

        play_holdem(game, against, seed, seat, hands)
        return
    import cardwin
    from cardwin.arena.small.play import play_in_turns
    from cardwin.core.rng import random_seed
    from cardwin.players.small_games.policies import PolicyPlayer

    rules = cardwin.game(game)
    policy = cardwin.policy(rules, champion_of(against))
    seed = random_seed() if seed is None else seed
    record: list[tuple[int, SmallRecord]] = []

    def begin(number: int, mine: int) -> None:
        print(f"\nhand {number + 1}, you are seat {mine + 1}, score {score_of(record):+d}")

    def end(mine: int, played: "SmallRecord") -> None:
        record.append((mine, played))
        tell(played, mine)

    print(f"{rules.title}. Against {against}, seed {seed}. h explains, q leaves the table.")
    with suppress(Left):
        play_in_turns(rules, Person(), PolicyPlayer(policy), hands, seed, seat=seat - 1 if seat else None, begin=begin,
                      end=end)  # fmt: skip
    farewell(policy, record)


def score_of(record: "list[tuple[int, SmallRecord]]") -> int:
    """The person's chips so far."""
    return sum(played.chips[mine] for mine, played in record)


def tell(played: "SmallRecord", mine: int) -> None:
    """How a hand went, all cards open."""
    moves = ", ".join(f"{'you' if move.seat == mine else 'they'} {move.action}" for move in played.moves)
    common = f", common card {played.dealt[2]}" if len(played.dealt) > 2 else ""
    print(f"  {moves}")
    print(f"  you had {played.dealt[mine]}, they had {played.dealt[1 - mine]}{common}: {played.chips[mine]:+d}")


def farewell(policy: "Policy", record: "list[tuple[int, SmallRecord]]") -> None:
    """The score, and how much the person's decisions gave away whatever the cards were."""
    from cardwin.solvers.answers import best_response, regret

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
        f"\n{len(record)} hands, score [bold]{score_of(record):+d}[/bold]; the best reply would expect {best:+.2f}"
    )
    given = sum(chips for chips, _ in lost)
    out.print(
        f"your decisions gave away {given:.2f} chips of that, {given / len(record):.3f} a hand; the rest was luck"
    )
    costly = max(lost, key=lambda pair: pair[0], default=(0.0, None))
    if costly[0] > 0 and costly[1] is not None:
        out.print(f"the costliest: {costly[1].action} with {costly[1].information_state}, {costly[0]:.2f} chips")
