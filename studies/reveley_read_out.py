"""Reveley (2002), 2.3 c: what the register held when trained rules slow-played, check-raised, semi-bluffed and bluffed.

The rules are those of the experiment `deception`, trained against the specific Loki: the same seed gives the same. They
play against it; every decision is recorded with its register before and after it. A deed is:

| deed | what |
|---|---|
| slow-play | on flop or turn, strength of .85 or more: checks or only calls where it could bet or raise |
| check-raise | raises in a round in which it checked before |
| semi-bluff | bets or raises with a strength below .5 and a potential of .15 or more |
| bluff | bets or raises with a strength below .4 and a potential below .15 |
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardwin.arena.match import play_match
from cardwin.core.rng import Stream, key_of
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event, HandBegan
from cardwin.games.holdem.rules import CALL, RAISE
from cardwin.games.holdem.view import CODES, HoldemView
from cardwin.papers import Context
from cardwin.papers.reveley.claims import numbers, questions
from cardwin.papers.reveley.deception import MEMORIES
from cardwin.papers.reveley.trainings import (
    DOUBTING,
    LIMIT,
    NAMES,
    Training,
    Trial,
    in_parallel,
    seeds_of,
    sizes,
    train,
)
from cardwin.papers.sample import Sample
from cardwin.players.registry import player
from cardwin.players.xcs.encoding import REGISTER, SINCE_BLUFF
from cardwin.players.xcs.player import XcsPlayer
from study import main

STRONG, MIDDLE, WEAK, PROMISING = 0.85, 0.5, 0.4, 0.15
HANDS = (50, 500, 5_000, 20_000)  # that are read out, by scale
OPPONENT = NAMES[DOUBTING]
REGISTERED, COUNTED = MEMORIES["register"], MEMORIES["bluff counter"]
SHOWN = 3  # trainings of each whose decisions are shown


@dataclass(frozen=True)
class Decision:
    """A decision, with the register before and after it and the hands since the last bluff."""

    street: int
    strength: float
    potential: float
    action: int
    could_raise: bool
    checked: bool  # before, in this round
    register: int
    after: int
    since_bluff: int


def slow_play(one: Decision) -> bool:
    """Return whether a strong hand does not raise before the river."""
    return one.street in (1, 2) and one.strength >= STRONG and one.action == CALL and one.could_raise


def check_raise(one: Decision) -> bool:
    """Return whether it is a raise after a check."""
    return one.action == RAISE and one.checked


def semi_bluff(one: Decision) -> bool:
    """Return whether it is a bet with a hand that is behind and can improve."""
    return one.action == RAISE and one.strength < MIDDLE and one.potential >= PROMISING


def bluff(one: Decision) -> bool:
    """Return whether it is a bet with a hand that is behind and hardly improves."""
    return one.action == RAISE and one.strength < WEAK and one.potential < PROMISING


DEEDS: dict[str, Callable[[Decision], bool]] = {
    "slow-play": slow_play, "check-raise": check_raise, "semi-bluff": semi_bluff, "bluff": bluff,
}  # fmt: skip


class Observer:
    """Rules at a table whose decisions are recorded."""

    def __init__(self, rules: XcsPlayer) -> None:
        self.rules, self.decisions = rules, list[Decision]()
        self.checked = -1  # the street of the last check in this hand

    def watch(self, event: Event) -> None:
        """Pass the event to the rules."""
        if isinstance(event, HandBegan):
            self.checked = -1
        self.rules.watch(event)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the rules' action, and record it."""
        memory = self.rules._memory
        register, since = int(memory[REGISTER]), int(memory[SINCE_BLUFF])
        action = self.rules.act(view, rng)
        strength, potential = self.rules._seen[:2] if self.rules._seen else (0.0, 0.0)
        code = CODES[action.name]
        self.decisions.append(Decision(
            view.street, strength, potential, code, bool(view.max_raise_to), self.checked == view.street, register,
            int(memory[REGISTER]), since,
        ))  # fmt: skip
        if code == CALL and not view.to_call:
            self.checked = view.street
        return action


def observed(rules: XcsPlayer, opponent: str, hands: int, key: int) -> list[Decision]:
    """Return the decisions of rules in a match against an opponent."""
    observer = Observer(rules)
    play_match(LIMIT, [observer, player(opponent)], hands, key)
    return observer.decisions


def deed_rows(decisions: Sequence[Decision], bits: int) -> list[list[str]]:
    """Return for each deed: how often, and how often each register bit was 1 before it, beside all other decisions."""
    rows = []
    for name, is_deed in DEEDS.items():
        deeds = [one for one in decisions if is_deed(one)]
        others = [one for one in decisions if not is_deed(one)]
        cells = [
            text for bit in range(bits) for text in (_share(deeds, bit), _share(others, bit), _share(deeds, bit, True))
        ]
        rows.append([name, f"{len(deeds):,} of {len(decisions):,}", *cells])
    return rows


def deed_share(decisions: Sequence[Decision], deed: str) -> float:
    """Return the share of decisions that are this deed."""
    return sum(map(DEEDS[deed], decisions)) / len(decisions)


def bit_difference(decisions: Sequence[Decision], deed: str) -> float | None:
    """Return how far a one-bit register distinguishes a deed: the difference of the shares of 1 before it and others.

    None if the deed is never done, or nothing else is.
    """
    before: dict[bool, list[int]] = {True: [], False: []}
    for one in decisions:
        before[DEEDS[deed](one)].append(one.register & 1)
    if not before[True] or not before[False]:
        return None
    of_deeds, of_others = (sum(bits) / len(bits) for bits in before.values())
    return abs(of_deeds - of_others)


def _share(decisions: Sequence[Decision], bit: int, after: bool = False) -> str:
    held = [(one.after if after else one.register) >> bit & 1 for one in decisions]
    return f"{sum(held) / len(held):.0%}" if held else ""


def bluffs_by_counter(decisions: Sequence[Decision]) -> list[list[str]]:
    """Return how often it bluffs with a weak hand, by the hands since its last bluff."""
    rows = []
    for name, low, high in (("0", 0, 0), ("1", 1, 1), ("2 or 3", 2, 3), ("more", 4, 10**9)):
        weak = [one for one in decisions if low <= one.since_bluff <= high and one.could_raise
                and one.strength < WEAK and one.potential < PROMISING]  # fmt: skip
        bets = sum(bluff(one) for one in weak)
        rows.append([name, f"{len(weak):,}", f"{bets / len(weak):.1%}" if weak else ""])
    return rows


def decisions_of(job: tuple[Trial, int]) -> list[Decision]:
    """Train, then record the decisions of some hands against the judge."""
    trial, hands = job
    trainer, _ = train(trial)
    return observed(trainer.player(), trial.judges[0][0], hands, key_of(trial.seed, "read out") % 2**31)


def deception(context: Context) -> Iterator[Sample]:
    """Train rules with a register and with a bluff counter against the specific Loki, and read their decisions out."""
    size, table, hands = sizes(context, "deception"), DOUBTING, context.pick(*HANDS)
    trials = [Trial(spec, table, size["hands"], seed, (table,), size["deals"])
              for spec in (REGISTERED, COUNTED) for seed in seeds_of(context, size["seeds"])]  # fmt: skip
    done = in_parallel(decisions_of, [(trial, hands) for trial in trials], context.workers)
    rows: dict[str, list[list[str]]] = {REGISTERED: [], COUNTED: []}
    for number, (trial, decisions) in enumerate(zip(trials, done, strict=True)):
        place = number % size["seeds"]
        if place < SHOWN:
            found = deed_rows(decisions, 1) if trial.spec == REGISTERED else bluffs_by_counter(decisions)
            rows[trial.spec] += [[f"training {place + 1}", *row] for row in found]
    context.table(f"What the register held, trained against the {OPPONENT}: share of decisions with the bit at 1",
                  ["rules of", "deed", "times", "before it", "before other decisions", "after it"],
                  rows[REGISTERED])  # fmt: skip
    context.table(f"Bluffs with a weak hand by hands since the last bluff, trained against the {OPPONENT}",
                  ["rules of", "hands since", "chances", "bluffed"], rows[COUNTED])  # fmt: skip
    yield from _deeds({trial.training: seen for trial, seen in zip(trials, done, strict=True)
                       if trial.spec == REGISTERED})  # fmt: skip


def _deeds(seen: Mapping[Training, list[Decision]]) -> Iterator[Sample]:
    """Measure how often rules with a register do each deed, and whether its bit distinguishes it from others."""
    for deed in DEEDS:
        shares = numbers(((one,), deed_share(decisions, deed)) for one, decisions in seen.items())
        apart = numbers(((one,), found) for one, decisions in seen.items()
                        if (found := bit_difference(decisions, deed)) is not None)  # fmt: skip
        yield from questions({f"read out: share of decisions that are a {deed}": shares})
        if apart:
            name = f"read out: the bit before a {deed}, share of 1 minus before other decisions, no sign"
            yield from questions({name: apart})


if __name__ == "__main__":
    main(deception)
