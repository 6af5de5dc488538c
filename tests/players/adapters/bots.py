"""Small programs written to the protocols' own texts, for tests."""

import json
from pathlib import Path

# Follows the messages of the MIT Pokerbots engine as its skeleton does, and stops if its own state runs out of step.
POKERBOT = """
import socket, sys

STACK, SMALL, BIG = 400, 1, 2
line = socket.create_connection(("localhost", int(sys.argv[1]))).makefile("rw")
hands = total = 0
turns = street = 0
bets, stacks, over = [0, 0], [0, 0], True

def next_street():
    global turns, street, bets, over
    if street == 5:
        over = True
    else:
        street, turns, bets = 3 if street == 0 else street + 1, 1, [0, 0]

def pay(who, amount):
    stacks[who] -= amount - bets[who]
    bets[who] = amount
    assert stacks[who] >= 0, "more than the stack"

def take(clause):
    global turns, over
    who = turns % 2
    if clause == "F":
        over = True
    elif clause == "C":
        first = turns == 0 and street == 0
        pay(who, bets[1 - who])
        if first:
            turns = 1
        else:
            next_street()
    elif clause == "K":
        assert bets[0] == bets[1], "a check facing a bet"
        if (street == 0 and turns > 0) or turns > 1:
            next_street()
        else:
            turns += 1
    else:
        pay(who, int(clause[1:]))
        turns += 1

for text in line:
    ended = False
    for clause in text.split():
        kind, rest = clause[0], clause[1:]
        if kind == "P":
            me = int(rest)
        elif kind == "H":
            bets, stacks = [SMALL, BIG], [STACK - SMALL, STACK - BIG]
            turns = street = 0
            over = False
        elif kind in "FCKR":
            take(clause)
        elif kind == "B":
            assert len(rest.split(",")) == street, "a board of another street"
        elif kind == "D":
            assert over, "a result before the end"
            ended, total, hands = True, total + int(rest), hands + 1
            open("total.txt", "w").write(f"{hands} {total}")
        elif kind == "Q":
            sys.exit()
    if ended:
        answer = "K"
    else:
        assert turns % 2 == me, "asked out of turn"
        answer = ANSWER
    line.write(answer + "\\n")
    line.flush()
"""
CALLS = '"C" if bets[0] != bets[1] else "K"'
RAISES = (
    '(f"R{min(bets[1 - me] + max(bets[1 - me] - bets[me], 2), bets[me] + stacks[me])}" '
    "if stacks[me] and stacks[1 - me] and stacks[me] > bets[1 - me] - bets[me] and hands % 3 else "
    f"({CALLS}))"
)


def pokerbot(folder: Path, answer: str = CALLS, commands: object = None) -> Path:
    """A bot that gives an answer, an expression of its state; `commands` replaces commands.json."""
    folder.mkdir(parents=True)
    usual = {"build": [], "run": ["python3", "player.py"]}
    (folder / "commands.json").write_text(json.dumps(usual if commands is None else commands))
    (folder / "player.py").write_text(POKERBOT.replace("ANSWER", answer))
    return folder


ENGINE_BOT = """
from pypokerengine.players import BasePokerPlayer

class Minimal(BasePokerPlayer):
    "Raises the least amount in every third round, and calls otherwise."

    def __init__(self):
        self.log = []

    def declare_action(self, valid_actions, hole_card, round_state):
        self.log.append(("ask", valid_actions, hole_card, round_state))
        if round_state["round_count"] % 3 == 0 and valid_actions[2]["amount"]["min"] != -1:
            return "raise", valid_actions[2]["amount"]["min"] + 0.5
        return valid_actions[1]["action"], valid_actions[1]["amount"]

    def receive_game_start_message(self, game_info):
        self.log.append(("game", game_info))

    def receive_round_start_message(self, round_count, hole_card, seats):
        self.log.append(("round", round_count, hole_card, seats))

    def receive_street_start_message(self, street, round_state):
        self.log.append(("street", street, round_state))

    def receive_game_update_message(self, action, round_state):
        self.log.append(("update", action, round_state))

    def receive_round_result_message(self, winners, hand_info, round_state):
        self.log.append(("result", winners, hand_info, round_state))

class Unfinished(BasePokerPlayer):
    pass
"""
