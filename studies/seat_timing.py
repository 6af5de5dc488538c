"""How well two colluding seats can pass bits to each other by timing alone, through all walls of the sandbox.

    python studies/seat_timing.py [bits]

No file, socket or process is shared between seats, but the machine is: its memory for files that both read, its cores
and its counters. Sender and receiver are players in their own processes, asked in turn. A random bit is in the sender's
view; the receiver guesses it from what it measures.

1. page cache: the sender reads a page of a library file, or does not; the receiver measures how long a read takes.
2. load: the sender's threads compute, or do not, after it has answered; the receiver counts its own loops.
3. memory: the sender allocates memory, or does not; the receiver asks the kernel how much is free.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from cardwin.core.rng import stream_of
from cardwin.games.holdem.view import HOLE, VIEW_SIZE, HoldemView
from cardwin.players.sandbox.process import IsolatedPlayer

PLAYERS = """
import ctypes, glob, hashlib, os, threading, time
from cardwin.games.base import Action
import numpy

INSTALLED = os.path.dirname(os.path.dirname(numpy.__file__))
LIBRARY = max(glob.glob(INSTALLED + "/**/*.so*", recursive=True), key=os.path.getsize)
PAGE, STRIDE = 4096, 2**20

class PageSender:
    def act(self, view, rng):
        bit, number = view.hole
        with open(LIBRARY, "rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            if bit:
                os.pread(file.fileno(), PAGE, number * STRIDE % os.path.getsize(LIBRARY))
        return Action("check")

class PageReceiver:
    def act(self, view, rng):
        place, read = view.hole
        place = place * STRIDE % os.path.getsize(LIBRARY)
        with open(LIBRARY, "rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            if not read:
                os.posix_fadvise(file.fileno(), place, PAGE, os.POSIX_FADV_DONTNEED)
                return Action("check")
            began = time.perf_counter()
            os.pread(file.fileno(), PAGE, place)
            return Action("raise", int(1e9 * (time.perf_counter() - began)))

class LoadSender:
    busy = False
    def __init__(self):
        for _ in range(2):
            threading.Thread(target=self.work, daemon=True).start()
    def work(self):
        while True:
            if self.busy:
                hashlib.blake2b(bytes(2**20)).digest()
            else:
                time.sleep(0.001)
    def act(self, view, rng):
        self.busy = bool(view.hole[0])
        return Action("check")

class LoadReceiver:
    def act(self, view, rng):
        began, loops = time.perf_counter(), 0
        while time.perf_counter() - began < 0.02:
            loops += 1
        return Action("raise", loops)

class MemorySender:
    held = b""
    def act(self, view, rng):
        self.held = b"x" * (2**27 if view.hole[0] else 1)
        return Action("check")

class MemoryReceiver:
    def act(self, view, rng):
        return Action("raise", os.sysconf("SC_AVPHYS_PAGES"))
"""


def view(first: int, second: int = 0) -> HoldemView:
    """Return a view whose hole cards are these numbers."""
    row = [0] * VIEW_SIZE
    row[HOLE], row[HOLE + 1] = first, second
    return HoldemView(tuple(row))


def measured(kind: str, bits: np.ndarray) -> tuple[np.ndarray, float]:
    """Return what the receiver measured for each bit, and seconds per bit."""
    sender, receiver = (IsolatedPlayer(f"python:seats:{kind}{role}", 20) for role in ("Sender", "Receiver"))
    rng, numbers, began = stream_of(1), [], time.perf_counter()
    for place, bit in enumerate(bits.tolist()):
        if kind == "Page":
            receiver.act(view(place, 0), rng)
        sender.act(view(bit, place), rng)
        numbers.append(receiver.act(view(place, 1), rng).amount)
    seconds = (time.perf_counter() - began) / len(bits)
    sender.close()
    receiver.close()
    return np.array(numbers, np.float64), seconds


def accuracy(numbers: np.ndarray, bits: np.ndarray) -> float:
    """Return the share of bits guessed right by the best threshold of the first half, in the second half."""
    half = len(bits) // 2
    first, known = numbers[:half], bits[:half].astype(bool)
    tried = [((first > cut) == known).mean() for cut in first]
    best = int(np.argmax(np.abs(np.array(tried) - 0.5)))
    right = float(((numbers[half:] > first[best]) == bits[half:].astype(bool)).mean())
    return right if tried[best] > 0.5 else 1 - right


def main() -> None:
    """Print a row for each channel."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "seats.py").write_text(PLAYERS, encoding="utf-8")
        sys.path.insert(0, folder)
        bits = np.random.default_rng(1).integers(0, 2, count)
        for kind in ("Page", "Load", "Memory"):
            numbers, seconds = measured(kind, bits)
            right = accuracy(numbers, bits)
            print(f"{kind.lower():<8} {100 * right:5.1f}% of bits right (chance: 50%), {1e3 * seconds:6.2f} ms a bit")


if __name__ == "__main__":
    main()
