"""Rubbish of two kinds for `fuzz.py`: real inputs with something changed in them, and noise."""

import re
from random import Random

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_VALUE = re.compile(rb'-?\d+(?:\.\d+)?|"[^"\n]{0,80}"|true|false|null')
_WORD = re.compile(rb"[A-Za-z]+")

_NUMBERS = [b"0", b"-1", b"1", b"2", b"25", b"26", b"27", b"99", b"127", b"128", b"255", b"256", b"32767", b"32768"]
_NUMBERS += [b"2147483648", b"-2147483649", b"9223372036854775808", b"99999999999999999999", b"9" * 400, b"1e999"]
_NUMBERS += [b"nan", b"-inf", b"0.5", b"-0.0", b"1e-320", b"007", b"+5", "\u0663".encode(), "\u00b2".encode(), b""]
_VALUES = [b"null", b"true", b'""', b'"x"', b"[]", b"{}", b"[[]]", b'{"a": 1}', b"[1, 2, 3]", b"[null]", b"NaN"]
_NASTY = [b"\0", b"\n", b"\r\n", b"\t", b" " * 50, b":", b"::", b"/", b"*", b"(", b")", b"[", b"]", b";", b"\\", b'"']
_NASTY += [b"${oc.env:HOME}", b"${a}", b"%s", b"../..", b"/dev/zero", b"~", b"\xff", b"\xfe\xff", b"\xed\xa0\x80"]
_NASTY += ["\ufeff\u202e\u2028\u0130\u0000".encode(), "\U0001f3b2".encode(), b"\x1b[2J", b"\x80\x04cos\nsystem\n"]


def mutated(seeds: list[bytes], longest: int, random: Random) -> bytes:
    """One of the seeds with one to four changes, cut off at `longest` bytes."""
    data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = random.choice(_CHANGES)(data, random.choice(seeds), random)[:longest]
    return data


def noise(seeds: list[bytes], longest: int, random: Random) -> bytes:
    """Bytes, or words, numbers and signs of the seeds in any order."""
    if random.random() < 0.3:
        return random.randbytes(random.randrange(200))
    words = random.choice(seeds).split() or [b""]
    pieces = [random.choice(random.choice((words, _NUMBERS, _VALUES, _NASTY))) for _ in range(random.randrange(40))]
    return random.choice((b"", b" ", b":", b"\n")).join(pieces)[:longest]


def _cut(data: bytes, random: Random) -> tuple[int, int]:
    """Where a stretch of the data begins and ends; mostly a short one."""
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice((1, 1, 4, 30, 300)))


def _flip(data, other, random):
    start, stop = _cut(data, random)
    return data[:start] + bytes(byte ^ 1 << random.randrange(8) for byte in data[start:stop]) + data[stop:]


def _drop(data, other, random):
    start, stop = _cut(data, random)
    return data[:start] + data[stop:]


def _end(data, other, random):
    return data[: random.randrange(len(data) + 1)]


def _insert(data, other, random):
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice((random.choice(_NASTY), random.randbytes(3))) + data[at:]


def _repeat(data, other, random):
    start, stop = _cut(data, random)
    return data[:start] + data[start:stop] * random.choice((2, 3, 20, 1000)) + data[stop:]


def _splice(data, other, random):
    start, stop = _cut(other, random)
    at, to = _cut(data, random)
    return data[:at] + other[start:stop] + data[random.choice((at, to)) :]


def _lines(data, other, random):
    lines = data.split(b"\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    lines[i], lines[j] = lines[j], random.choice((lines[i], lines[j], b""))
    return b"\n".join(lines)


def _replaced(pattern: re.Pattern, by: list[bytes] | None):
    """A change of one place that fits the pattern into one of `by`, or else into another such place."""

    def change(data, other, random):
        there = _some(pattern, data, random)
        if there is None:
            return data
        another = None if by else _some(pattern, other, random)
        new = random.choice(by) if by else another[0] if another else b""
        return data[: there.start()] + new + data[there.end() :]

    return change


def _some(pattern: re.Pattern, data: bytes, random: Random) -> re.Match | None:
    """The first place that fits the pattern after one drawn: of long data not everything is searched."""
    return pattern.search(data, random.randrange(len(data) + 1)) or pattern.search(data)


_CHANGES = [_flip, _drop, _end, _insert, _repeat, _splice, _lines]
_CHANGES += [_replaced(_NUMBER, _NUMBERS), _replaced(_NUMBER, None), _replaced(_VALUE, _VALUES + _NUMBERS)]
_CHANGES += [_replaced(_WORD, None)]
