"""Keeps a server busy for a while with clients of all kinds, and sees that it answers, stays alive and stays small.

    python scripts/soak.py gnubg --minutes 60
    python scripts/soak.py http --minutes 5 --clients 4

Good clients ask at full rate and compare each answer with the first one to the same question. Beside them others send a
question byte by byte, go away in the middle of one or before its answer, send nonsense, and lines without end. Memory
is that of the server's process; `grown` is from a tenth of the time on, when everything is loaded. Exit code 1 for
a wrong answer, a good client that isn't served, memory that grew by more than 50 MiB, or a server that has died.
"""

import argparse
import http.client
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

PROTOCOLS = ("gnubg", "http")
MOST_GROWN = 50  # MiB
TRANSCRIPTS = Path(__file__).parents[1] / "tests" / "data" / "gnubg_protocol"
IDS = ["start", "4HPwATDgc/ABMA", "HC/wATDg8+AxAA", "/+YAASD+2xQAAA"]
ROLLS = ["31", "42", "53", "61", "66", "65"]


class Soak:
    """What all clients share: where the server is, what it has answered so far, and what went wrong."""

    def __init__(self, protocol: str, port: int, end: float):
        self.address, self.end = ("127.0.0.1", port), end
        self.lock, self.answers = threading.Lock(), {}
        self.counts, self.faults = Counter(), Counter()
        self.questions = (_lines if protocol == "gnubg" else _requests)()
        self.ask = _ask_gnubg if protocol == "gnubg" else _ask_http

    def good(self, seed: int) -> None:
        """Asks one question after the other."""
        choose = random.Random(seed)
        while time.monotonic() < self.end:
            try:
                with socket.create_connection(self.address, timeout=60) as line:
                    for _ in range(choose.randrange(1, 200)):
                        if time.monotonic() >= self.end:
                            return
                        self._one(line, choose.choice(self.questions))
            except OSError as error:
                self._note(self.faults, f"a good client isn't served: {error}")
                time.sleep(0.2)

    def _one(self, line: socket.socket, question: bytes) -> None:
        answer = self.ask(line, question)
        with self.lock:
            expected = self.answers.setdefault(question, answer)
            self.counts["questions"] += 1
        if answer != expected or answer.startswith(b"Error"):
            self._note(self.faults, f"{question[:80]!r} is answered {answer[:80]!r}, not {expected[:80]!r}")

    def bad(self, seed: int) -> None:
        """Behaves in another bad way each time."""
        choose = random.Random(-seed)
        ways = (_slow, _vanish_within, _vanish_before_answer, _nonsense, _endless, _idle)
        while time.monotonic() < self.end:
            way = choose.choice(ways)
            with suppress(OSError), socket.create_connection(self.address, timeout=5) as line:
                way(line, choose.choice(self.questions), choose)
            self._note(self.counts, way.__name__)
            time.sleep(choose.random() * 0.1)

    def read(self, printed) -> None:
        """Takes what the server prints, so that it never waits; looks for errors of its own."""
        for line in printed:
            if line.startswith("Traceback"):
                self._note(self.faults, "the server printed a traceback")

    def _note(self, where: Counter, what: str) -> None:
        with self.lock:
            where[what] += 1


# Questions


def _lines() -> list[bytes]:
    text = "".join(path.read_text() for path in sorted(TRANSCRIPTS.iterdir()))
    return sorted({line.encode() + b"\n" for line in re.findall(r"gnubg> b'(board:.*)\\n'", text)})


def _requests() -> list[bytes]:
    bodies = [("/api/move", {"position": i, "roll": roll, "top": 3}) for i in IDS for roll in ROLLS]
    bodies += [("/api/cube", {"position": i, "ply": 0}) for i in IDS]
    bodies += [("/api/evaluate", {"positions": IDS}), ("/api/show", {"position": "start", "score": "0-0/5"})]
    return [_request(path, json.dumps(body).encode()) for path, body in bodies]


def _request(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def _ask_gnubg(line: socket.socket, question: bytes) -> bytes:
    line.sendall(question)
    answer = b""
    while not answer.endswith(b"\n"):
        received = line.recv(4096)
        if not received:
            raise OSError("the server hung up")
        answer += received
    return answer


def _ask_http(line: socket.socket, question: bytes) -> bytes:
    line.sendall(question)
    response = http.client.HTTPResponse(line)
    response.begin()
    body = response.read()
    if response.status != 200:
        raise OSError(f"status {response.status}: {body[:100]!r}")
    return body


# Bad manners


def _slow(line, question, choose):
    for byte in question[:40]:
        line.sendall(bytes([byte]))
        time.sleep(0.05)


def _vanish_within(line, question, choose):
    line.sendall(question[: choose.randrange(len(question))])


def _vanish_before_answer(line, question, choose):
    line.sendall(question * choose.randrange(1, 5))


def _nonsense(line, question, choose):
    line.sendall(choose.randbytes(choose.randrange(1, 3000)) + b"\n")
    line.recv(100)


def _endless(line, question, choose):
    for _ in range(50):
        line.sendall(b"x" * 1000)


def _idle(line, question, choose):
    time.sleep(choose.random() * 3)


def _memory(process: int) -> float:
    """Resident memory in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def soak(protocol: str, minutes: float, clients: int) -> dict:
    """Run it; returns figures and faults."""
    command = [sys.executable, "-m", "bgai", "serve", protocol, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            port = next(int(found[1]) for line in server.stdout if (found := re.search(r"listening.*:(\d+)", line)))
            begun = time.monotonic()
            state = Soak(protocol, port, begun + 60 * minutes)
            threading.Thread(target=state.read, args=(server.stdout,), daemon=True).start()
            works = [state.good] * clients + [state.bad] * 3
            threads = [threading.Thread(target=work, args=(seed,)) for seed, work in enumerate(works, start=1)]
            for thread in threads:
                thread.start()
            time.sleep(6 * minutes)
            early = _memory(server.pid)
            for thread in threads:
                thread.join()
            late, alive = _memory(server.pid), server.poll() is None
            seconds = time.monotonic() - begun
        finally:
            server.terminate()
    faults = dict(state.faults)
    if late - early > MOST_GROWN:
        faults[f"memory grew from {early:.0f} to {late:.0f} MiB"] = 1
    if not alive:
        faults["the server has died"] = 1
    rate = state.counts["questions"] / seconds
    figures = {
        "seconds": round(seconds),
        "per second": round(rate, 1),
        "MiB": round(late),
        "grown": round(late - early),
    }
    return figures | {"counts": dict(state.counts), "faults": faults}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("protocol", choices=PROTOCOLS)
    options.add_argument("--minutes", type=float, default=1)
    options.add_argument("--clients", type=int, default=3, help="good ones")
    given = options.parse_args()
    said = soak(given.protocol, given.minutes, given.clients)
    print(json.dumps(said, indent=1))
    return int(bool(said["faults"]))


if __name__ == "__main__":
    sys.exit(main())
