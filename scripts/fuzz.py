"""Feeds every parser with rubbish and sees that it answers each with what its docstring says, or a refusal.

    python scripts/fuzz.py                                  20,000 inputs over all parsers
    python scripts/fuzz.py --inputs 1000000 --seed 2        so many
    python scripts/fuzz.py --parser sgf --inputs 50000
    python scripts/fuzz.py --each 50000 --kept FILE         so many of every one; goes on from the file

Seven of eight inputs are real ones with something changed, the others noise. A fault is an error that isn't documented,
more than a second of processor time, anything written outside the folder that the parser was given, a process started
or a connection opened. So is memory that grows by more than 200 MiB over that of the process once the real inputs are
read. Exit code 1 if there was a fault. docs/robustness.md tells the rest.

Inputs come in stretches with randomness of their own. With --kept each one without a fault is noted when it is done,
and the same command passes over it: so a million inputs can be collected over days, and what a fault interrupted is
tried again once it is mended.
"""

import argparse
import json
import math
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from fuzz_mutations import mutated, noise

SECONDS = 1.0
MEBIBYTES = 200
STRETCH = 1000  # inputs
_GIVE_UP = 10.0  # seconds of processor time after which a parser is interrupted

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = {f"os.{what}" for what in ("mkdir", "rename", "remove", "rmdir", "link", "symlink", "chmod", "truncate")}
_FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "socket.bind")


class Hang(BaseException):
    """A parser that takes too long."""


@dataclass
class Result:
    """What came of the inputs to one parser. `faults` holds one description of each kind of fault."""

    parser: str
    inputs: int = 0
    accepted: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    mebibytes: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)

    def note(self, kind: str, data: bytes) -> None:
        self.faults.setdefault(kind, f"{kind}\n    input of {len(data)} bytes: {data[:2000]!r}")

    def add(self, other: "Result") -> None:
        """What came of more inputs to the same parser."""
        for name in ("inputs", "accepted", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("slowest", "mebibytes"):
            setattr(self, name, max(getattr(self, name), getattr(other, name)))
        self.faults = other.faults | self.faults


class Watch:
    """Notes what the interpreter is about to open for writing, to start or to connect to, while it is `on`."""

    def __init__(self):
        self.on, self.folder, self.seen = False, "", []
        sys.addaudithook(self._event)

    def _event(self, event: str, args: tuple) -> None:
        if not self.on:
            return
        if event in _FORBIDDEN and args[0] != "git":  # a run that goes on asks it for the code's state
            self.seen.append(f"{event}{args[:2]!r}")
        elif (event == "open" and args[2] & _WRITES) or event in _CHANGING:
            path = args[0]
            if not isinstance(path, int) and not os.path.realpath(os.fsdecode(path)).startswith(self.folder):
                self.seen.append(f"{event} {path!r}")

    @contextmanager
    def over(self, folder: Path):
        self.folder, self.on = os.path.realpath(folder), True
        try:
            yield self.seen
        finally:
            self.on = False


def fuzz(parser, inputs: int, seed: int, folder: Path, watch: Watch, kept: Path | None = None) -> Result:
    """Give one of `fuzz_parsers.parsers` so many inputs; `folder` is the one it may use, `kept` the file of
    stretches that are done."""
    done = _done(kept)
    for data in parser.seeds:  # kernels and libraries are loaded, and whatever caches there are filled
        _one(parser, data, folder, Result(parser.name))
    together, before = Result(parser.name), _memory_from_now()
    for first in range(0, inputs, STRETCH):
        stretch = f"{parser.name} {seed} {first} {min(STRETCH, inputs - first)}"
        result = done.get(stretch) or Result(parser.name)
        if stretch not in done:
            _give(parser, min(STRETCH, inputs - first), Random(stretch), folder, watch, result)
            result.mebibytes = _highest_memory() - before
            if kept and not result.faults:
                with kept.open("a") as file:
                    file.write(json.dumps({"stretch": stretch, **asdict(result)}) + "\n")
        together.add(result)
    if together.mebibytes > MEBIBYTES:
        together.note(f"memory grew by {together.mebibytes:.0f} MiB", b"")
    return together


def _give(parser, inputs: int, random: Random, folder: Path, watch: Watch, result: Result) -> None:
    with watch.over(folder) as seen:
        for number in range(inputs):
            data = (noise if number % 8 == 0 else mutated)(parser.seeds, parser.longest, random)
            _one(parser, data, folder, result)
            while seen:
                result.note(f"outside its folder: {seen.pop()}", data)


def _done(kept: Path | None) -> dict[str, Result]:
    """By the name of each stretch, what came of it."""
    lines = kept.read_text().splitlines() if kept and kept.exists() else []
    records = [json.loads(line) for line in lines]
    return {record.pop("stretch"): Result(**record) for record in records}


def _one(parser, data: bytes, folder: Path, result: Result) -> None:
    result.inputs += 1
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, _GIVE_UP)
    try:
        parser.read(data, folder)
        result.accepted += 1
    except parser.refusals:
        pass
    except (Exception, Hang) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        result.note(f"{type(error).__name__}: {str(error)[:100]} ({where.filename}:{where.lineno})", data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - begun
    result.seconds += seconds
    result.slowest = max(result.slowest, seconds)
    if seconds > SECONDS:
        result.note(f"takes {seconds:.1f} s", data)


def _memory_from_now() -> float:
    """Resident memory in MiB; the highest is counted anew from here on."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _highest_memory() -> float:
    return _memory("VmHWM")


def _memory(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


def _hang(number, frame):
    raise Hang(f"interrupted after {_GIVE_UP} s")


def run(names: list[str], inputs: int, seed: int, each: int | None = None, kept: Path | None = None):
    """Results of the parsers of these names, all if none is named, which share so many inputs, or are given `each`.

    The files that they read lie in a temporary folder.
    """
    from fuzz_parsers import parsers

    warnings.simplefilter("ignore")
    before, watch, here = signal.signal(signal.SIGPROF, _hang), Watch(), Path.cwd()
    kept = kept and kept.absolute()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # so that a file without a folder in its name isn't outside
        try:
            chosen = [parser for parser in parsers(Path(folder)) if not names or parser.name in names]
            shares = sum(parser.share for parser in chosen)
            for parser in chosen:
                many = each or math.ceil(inputs * parser.share / shares)
                yield fuzz(parser, many, seed, Path(folder), watch, kept)
        finally:
            os.chdir(here)
            signal.signal(signal.SIGPROF, before)


def main() -> int:
    from fuzz_parsers import NAMES

    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--parser", action="append", choices=NAMES, help="one of them; may be given more than once")
    options.add_argument("--inputs", type=int, default=20_000, help="over all parsers together, fewer for slow ones")
    options.add_argument("--each", type=int, help="so many for every parser instead")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kept", type=Path, help="file of what is done, to go on from")
    given = options.parse_args()
    print(f"{'parser':20} {'inputs':>9} {'accepted':>9} {'mean':>9} {'slowest':>9} {'memory':>9}  faults")
    failed, total = False, 0
    for r in run(given.parser or [], given.inputs, given.seed, given.each, given.kept):
        failed, total = failed or bool(r.faults), total + r.inputs
        mean, slowest = 1000 * r.seconds / r.inputs, 1000 * r.slowest
        figures = f"{r.inputs:9,} {r.accepted:9,} {mean:6.2f} ms {slowest:6.0f} ms {r.mebibytes:+5.0f} MiB"
        print(f"{r.parser:20} {figures}  {len(r.faults) or '-'}", flush=True)
        for fault in r.faults.values():
            print(f"  {fault}", flush=True)
    print(f"{'together':20} {total:9,}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
