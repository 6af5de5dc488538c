"""Steps of learning environments a second of processor time, beside RLCard's inside PettingZoo, in one loop for both.

Each loop asks `last()`, draws a legal action by the mask and calls `step()`; after a hand it resets. Both environments
are bare. PettingZoo's own tables put three of its wrappers around RLCard, which check the order of calls and the
actions (ours checks both itself); the second row measures those as PettingZoo makes them.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import Any

from cardwin.core.rng import bits_at
from speed import Result

LASTING = 0.5  # seconds of one measurement
REPEATS = 3
GAMES = {
    "no-limit, two seats": ("holdem-nl", 2, "no-limit-holdem", (54,)),
    "no-limit, six seats": ("holdem-nl", 6, "no-limit-holdem", (54,)),
    "limit, two seats": ("holdem-limit", 2, "limit-holdem", (72,)),
    "Leduc": ("leduc", 2, "leduc-holdem", (36,)),
}
_DRAWS = [bits_at(1, place) for place in range(4096)]


def steps_a_second(environment: Any) -> float:
    """Return random legal steps per second, resets included."""
    environment.reset(seed=1)
    steps, start = 0, time.process_time()
    while steps % 256 or time.process_time() - start < LASTING:
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.reset()
            continue
        legal = observation["action_mask"].nonzero()[0]
        environment.step(int(legal[_DRAWS[steps % 4096] % len(legal)]))
        steps += 1
    return steps / (time.process_time() - start)


def _rlcard(game: str, seats: int, shape: tuple[int, ...]) -> Any:
    """Return RLCard's game in PettingZoo's adapter of it; the finished modules would need a drawing library besides."""
    from pettingzoo.classic.rlcard_envs.rlcard_base import RLCardBase

    class Peer(RLCardBase):  # type: ignore[misc]  # pettingzoo ships no types
        metadata = {"name": game}  # noqa: RUF012  the interface has it so
        render_mode = None

    return Peer(game, seats, shape)


def _wrapped(environment: Any) -> Any:
    """Return the environment in the wrappers that PettingZoo's own tables have."""
    from pettingzoo.utils import wrappers

    bounded = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1))
    return wrappers.OrderEnforcingWrapper(bounded)


def environments(peers: bool) -> Iterator[Result]:
    """Measure steps per second of PettingZoo's interface, interleaved with the peer's."""
    from cardwin.interop.pettingzoo import env

    for title, (spec, seats, game, shape) in GAMES.items():
        ours = env(spec, players=seats)
        steps_a_second(ours)
        if not peers:
            yield Result(f"environment steps, {title}", steps_a_second(ours), "steps/s")
            continue
        made = {
            "RLCard in PettingZoo": _rlcard(game, seats, shape),
            "the same with its wrappers": _wrapped(_rlcard(game, seats, shape)),
        }
        for name, peer in made.items():
            rates = [(steps_a_second(ours), steps_a_second(peer)) for _ in range(REPEATS)]
            mine, theirs = (median(column) for column in zip(*rates, strict=True))
            yield Result(f"environment steps, {title}", mine, "steps/s", name, theirs)


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {"environments": environments}
