"""Hold'em compared with PokerKit, OpenSpiel's universal_poker and RLCard: random play at ten seats, 100 big blinds.

Peers' random players differ (OpenSpiel's chooses among four sizes, RLCard's among five), so decisions a second are
reported too.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.core.executor import Threads
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at, child, draw_below, shuffle_first, stream_of
from cardwin.games.base import CALL, CHECK, NOBODY, Action
from cardwin.games.formats.phh import phh_text, replay_text
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import Acted, Event
from cardwin.games.holdem.saved import history_of
from cardwin.games.holdem.table import BOARD
from cardwin.players.registry import player
from cardwin.players.specs import Untrusted
from speed import Result, seconds

SEATS = 10
HANDS = 200_000
GAME = holdem_game("holdem-nl", {})
OPENSPIEL = (
    "universal_poker(betting=nolimit,numPlayers=10,numRounds=4,blind=50 100 0 0 0 0 0 0 0 0,firstPlayer=3 1 1 1,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
    f"stack={' '.join(['10000'] * SEATS)},bettingAbstraction=fchpa)"
)


def _a_second(play: Callable[[], int], lasting: float = 3.0) -> tuple[float, float]:
    """Return hands and decisions per second of a peer; `play` plays a hand and returns its number of decisions."""
    play()
    start, hands, decisions = time.perf_counter(), 0, 0
    while time.perf_counter() - start < lasting:
        decisions += play()
        hands += 1
    lasted = time.perf_counter() - start
    return hands / lasted, decisions / lasted


def _decisions_a_hand(hands: int = 1000) -> float:
    table, record = LiveTable(GAME, [player("random")] * SEATS), list[Event]()
    for hand in range(hands):
        table.play([GAME.stack] * SEATS, hand % SEATS, child(1, hand), record=record)
    return sum(isinstance(event, Acted) for event in record) / hands


def random_play(peers: bool) -> Iterator[Result]:
    """Measure random hands at ten seats on one core."""
    rate = HANDS / seconds(lambda: match(GAME, ["random"] * SEATS, HANDS, 1), 3)
    name, decisions = "random hands, ten seats", rate * _decisions_a_hand()
    if not peers:
        yield Result(name, rate, "hands/s")
        yield Result("random decisions, ten seats", decisions, "decisions/s")
        return
    yield Result(name, rate, "hands/s", "OpenSpiel, all in C++", _openspiel_all_in_c())
    for peer, play in (
        ("OpenSpiel from Python", _openspiel_hand()),
        ("PokerKit", _pokerkit_hand),
        ("RLCard", _rlcard_hand()),
    ):
        theirs, their_decisions = _a_second(play)
        yield Result(name, rate, "hands/s", peer, theirs)
        yield Result("random decisions, ten seats", decisions, "decisions/s", peer, their_decisions)


def _openspiel_all_in_c() -> float:
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(SEATS)]
    hands = 2000

    def play() -> None:
        for seed in range(hands):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return hands / seconds(play, 3)


_RNG = stream_of(1)


def _openspiel_hand() -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[draw_below(_RNG, len(actions))])
        return decisions

    return play


def _pokerkit_hand() -> int:
    from pokerkit import Automation, NoLimitTexasHoldem

    state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (50, 100), 100, GAME.stack, SEATS)
    decisions = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while state.status:
            _pokerkit_move(state)
            decisions += 1
    return decisions


def _pokerkit_move(state: object) -> None:
    """Play like our random player."""
    facing = state.checking_or_calling_amount > 0  # type: ignore[attr-defined]
    least = state.min_completion_betting_or_raising_to_amount  # type: ignore[attr-defined]
    action = (0 if facing else 1) + draw_below(_RNG, 1 + facing + (least is not None))
    if action == 0:
        state.fold()  # type: ignore[attr-defined]
    elif action == 1:
        state.check_or_call()  # type: ignore[attr-defined]
    else:
        state.complete_bet_or_raise_to(least)  # type: ignore[attr-defined]


def _rlcard_hand() -> Callable[[], int]:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("no-limit-holdem", config={"game_num_players": SEATS, "seed": 1, "chips_for_each": GAME.stack})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(SEATS)])
    # A trajectory alternates states and actions, and ends with a state.
    return lambda: sum(len(trajectory) // 2 for trajectory in env.run(is_training=False)[0])


@kernel
def _busy(turns: int) -> int:
    value = 1
    for _ in range(turns):
        value = bits_at(value, 1)
    return value


def _speed_up(job: Callable[[], object]) -> float:
    """Return the speed of two threads doing a job twice, relative to one thread."""
    one = seconds(lambda: (job(), job()), 3)

    def both(_: int) -> object:
        return job()

    with Threads(2) as executor:
        two = seconds(lambda: list(executor.map(both, range(2))), 3)
    return one / two


def threads(peers: bool) -> Iterator[Result]:  # noqa: ARG001  the peer is the machine
    """Measure two threads, compared with two busy loops on the same machine."""
    specs = ["random"] * SEATS
    one, two = (seconds(lambda n=n: match(GAME, specs, HANDS, 1, workers=n), 5) for n in (1, 2))  # type: ignore[misc]
    yield Result("two threads over one", one / two, "times", "two busy loops", _speed_up(lambda: _busy(50_000_000)))


class PythonCaller:
    """A simple Python player."""

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Call, or check if there is no bet."""
        return CALL if view.to_call else CHECK


def python_player(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer compiles one of two players
    """Measure a Python player against a compiled one, heads-up."""
    table, hands = LiveTable(GAME, [PythonCaller(), player("random")]), 5000

    def play() -> None:
        for hand in range(hands):
            table.play([GAME.stack] * 2, hand % 2, child(1, hand))

    yield Result("a Python player heads-up", hands / seconds(play), "hands/s")
    specs = [f"python:{__name__}:{PythonCaller.__name__}", "random"]
    for isolated, where in ((False, "with a referee"), (True, "in a process of its own")):
        options = MatchOptions(untrusted=Untrusted(in_process=not isolated))
        rate = hands / seconds(partial(match, GAME, specs, hands, 1, options=options), 3)
        yield Result(f"a Python player heads-up, {where}", rate, "hands/s")


REPLAYED, REPLAYED_BY_PEERS, REPLAYED_SEATS = 20_000, 100, 6


def _random_hands(count: int) -> str:
    """Return random hands at six seats, as a PHHS text."""
    rng, deck, texts = stream_of(3), np.arange(52), []
    for number in range(1, count + 1):
        shuffle_first(rng, deck, BOARD + 2 * REPLAYED_SEATS)
        board, hole = deck[:BOARD].tolist(), deck[BOARD : BOARD + 2 * REPLAYED_SEATS].reshape(-1, 2).tolist()
        state = GAME.start(hole, board)
        while state.actor != NOBODY:
            actions = state.legal_actions()
            state = state.apply(actions[draw_below(rng, len(actions))])
        texts.append(phh_text(history_of(state), number))
    return "\n".join(texts)


def replaying(peers: bool) -> Iterator[Result]:
    """Measure hand histories in PHHS, read and replayed."""
    some = _random_hands(REPLAYED_BY_PEERS)
    # The same hands repeated under different names: a file ten times as long should take ten times as long.
    hands = [hand for hand in some.split("\n\n") if hand]
    long = "\n\n".join(f"[{n}]\n" + hands[n % len(hands)].partition("\n")[2] for n in range(REPLAYED))
    rate = REPLAYED / seconds(lambda: replay_text(long), 3)
    peer = REPLAYED_BY_PEERS / seconds(lambda: _replay_with_pokerkit(some), 3) if peers else None
    yield Result("hand histories replayed, six seats", rate, "hands/s", "PokerKit" if peers else None, peer)


def _replay_with_pokerkit(text: str) -> None:
    from pokerkit import HandHistory

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for history in HandHistory.loads_all(text):
            for _ in history:
                pass


def compilation(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer compiles
    """Measure the first match on a machine and the next one, each in a new process."""
    words = [sys.executable, "-m", "cardwin", "match", "random", "call", "--hands", "1000", "--seed", "1", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("hold'em compiled for the first time", "hold'em from the cache"):
            start = time.perf_counter()
            environment = {**os.environ, "CARDWIN_CACHE": folder}
            subprocess.run(words, env=environment, capture_output=True, check=True)  # noqa: S603  our own command
            yield Result(name, time.perf_counter() - start, "s")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "holdem-random": random_play,
    "holdem-threads": threads,
    "holdem-python": python_player,
    "holdem-replay": replaying,
    "holdem-compilation": compilation,
}
