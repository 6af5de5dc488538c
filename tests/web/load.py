"""How the page bears many tables, idle sockets and a hostile client: `python tests/web/load.py [tables|idle|hostile]`.

Starts the page as a process of its own, and prints what was measured as one JSON object.
"""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
import websockets

TABLES, SECONDS = 200, 20
ROUNDS = 10
SOCKETS = 1000
REQUESTS, FRAMES = 3000, 3000


def start(home: str) -> tuple[subprocess.Popen[str], str]:
    words = [sys.executable, "-m", "cardwin", "serve", "--port", "0", "--no-open", "--json", "--runs", home]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["url"].rstrip("/")


def memory(process: subprocess.Popen[str]) -> float:
    """Resident megabytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


async def ready(client: httpx.AsyncClient) -> None:
    while not (await client.get("/api/health")).json()["ready"]:
        await asyncio.sleep(0.5)


async def one_table(client: httpx.AsyncClient, number: int, until: float, waits: list[float]) -> int:
    """Play hands at one table, a decision about every half second as a quick person would; how long answers took."""
    games: list[tuple[str, list[str]]] = [
        ("holdem-nl", ["person", "call", "random"]),
        ("holdem-nl", ["person", "matrix", "v1"]),
        ("holdem-limit", ["person", "standard"]),
        ("kuhn", ["person", "equilibrium"]),
        ("leduc", ["person", "uniform"]),
    ]
    game, players = games[number % len(games)]
    opened = (await client.post("/api/tables", json={"game": game, "players": players})).json()
    rng = random.Random(number)
    hands = 0
    async with websockets.connect(f"{opened['socket']}?token={opened['token']}") as socket:
        look = json.loads(await socket.recv())
        while time.monotonic() < until:
            await asyncio.sleep(rng.uniform(0.5, 1.5))
            message: dict[str, Any] = {"do": "deal"}
            if not look["over"]:
                chosen = rng.choice(look["actions"])
                move = (
                    f"{chosen['name']} {chosen['amount']}" if "most" in chosen else chosen.get("text", chosen["name"])
                )
                message = {"do": "act", "turn": look["turn_number"], "move": move}
            began = time.perf_counter()
            await socket.send(json.dumps(message))
            look = json.loads(await socket.recv())
            waits.append(time.perf_counter() - began)
            assert look["type"] == "look", look
            hands += look["over"]
    return hands


async def many_tables(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    waits: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        await ready(client)
        until = time.monotonic() + SECONDS + 5
        hands = await asyncio.gather(*(one_table(client, number, until, waits) for number in range(TABLES)))
    late = sorted(waits)
    return {"tables": TABLES, "decisions": len(waits), "hands": sum(hands), "seconds": SECONDS + 5,
            "median_ms": round(1000 * statistics.median(waits), 1),
            "p95_ms": round(1000 * late[int(0.95 * len(late))], 1),
            "memory_mb": round(memory(process))}  # fmt: skip


async def idle_sockets(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """A thousand sockets that do nothing, opened and closed ten times over: memory comes back to the same height."""
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        await ready(client)
        heights = [memory(process)]
        for _ in range(ROUNDS):
            sockets = []
            for _ in range(SOCKETS // 5):
                body = {"game": "kuhn", "players": ["person", "uniform"]}
                opened = (await client.post("/api/tables", json=body)).json()
                address = f"{opened['socket']}?token={opened['token']}"
                sockets += [await websockets.connect(address) for _ in range(5)]
            await asyncio.sleep(2)
            heights.append(memory(process))
            await asyncio.gather(*(socket.close() for socket in sockets))
        return {"sockets": SOCKETS, "rounds": ROUNDS, "memory_mb": [round(height) for height in heights]}


def noise(rng: random.Random) -> str:
    made = ["".join(rng.choice("{}[]\",:0123456789abcdeé\x00\n /.%") for _ in range(rng.randrange(200))),
            json.dumps({"do": rng.choice(["act", "deal", "why", "look", "x", 7, None]),
                        "turn": rng.choice([-1, 0, 1, 2**70, "1", None, 1.5, []]),
                        "move": rng.choice(["call", "fold", "raise -1", "bet " + "9" * 50, "", None, {}, "\ud800"]),
                        "hand": rng.choice([0, 1, -5, 10**20, "a"]), "event": rng.choice([0, 3, -1, 10**20, None])}),
            "[" * rng.randrange(3000), "9" * rng.randrange(5000)]  # fmt: skip
    return rng.choice(made)


PATHS = [
    "/api/runs",
    "/api/tables",
    "/api/hands",
    "/api/presets",
    "/api/look/policy",
    "/api/look/grid",
    "/api/compare",
    "/api/runs/x/stop",
    "/api/tables/x",
    "/static/x",
    "/",
    "/api/papers",
    "/api/players",
]


def query(rng: random.Random) -> str:
    values = {
        "game": ["kuhn", "x", "holdem-nl"], "spec": ["call", "uniform", "python:os", "../x", "%00"],
        "line": ["", "call", "zzz", "raise 9e9"], "board": ["", "AhAh", "x"], "run": ["x"],
    }  # fmt: skip
    return "?" + "&".join(f"{name}={rng.choice(some)}" for name, some in values.items())


async def hostile(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """Random requests and frames: the statuses that came back, and that the page is still well."""
    rng, statuses = random.Random(1), dict[int, int]()
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        await ready(client)
        for _ in range(REQUESTS):
            path = rng.choice(PATHS) + rng.choice(["", "/", "/..%2f..", query(rng)])
            body = rng.choice([None, b"", noise(rng).encode("utf-8", "replace"), b'{"text": 1}', b'{"game": {}}'])
            headers = {"Content-Type": rng.choice(["application/json", "text/plain"])}
            if rng.random() < 0.1:
                headers["Origin"] = "http://evil.example"
            answer = await client.request(
                rng.choice(["GET", "POST", "PUT", "DELETE"]), path, content=body, headers=headers
            )
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        body_ = {"game": "holdem-nl", "players": ["person", "call"]}
        opened = (await client.post("/api/tables", json=body_)).json()
        frames = refused = closed = 0
        while frames < FRAMES:
            try:
                async with websockets.connect(f"{opened['socket']}?token={opened['token']}", max_size=None) as socket:
                    await socket.recv()
                    while frames < FRAMES:
                        frames += 1
                        await socket.send(noise(rng) if rng.random() < 0.97 else b"\x00" * rng.randrange(20_000))
                        refused += json.loads(await socket.recv())["type"] == "refused"
            except websockets.ConnectionClosed:
                closed += 1  # a frame that is too large
        well = (await client.get("/api/health")).json()["ok"]
    return {"requests": REQUESTS, "statuses": statuses, "frames": frames, "refused": refused, "closed": closed,
            "well": well, "memory_mb": round(memory(process))}  # fmt: skip


def main() -> None:
    kinds = {"tables": many_tables, "idle": idle_sockets, "hostile": hostile}
    for name in sys.argv[1:] or kinds:
        with tempfile.TemporaryDirectory() as home:
            process, url = start(home)
            try:
                found = asyncio.run(kinds[name](url, process))
            finally:
                process.terminate()
                process.wait(20)
        print(json.dumps({"what": name, "load": [round(one, 1) for one in os.getloadavg()], **found}))


if __name__ == "__main__":
    main()
