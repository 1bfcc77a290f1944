"""Clients that ask too much, too slowly, from the wrong place, or vanish: they hurt nobody else."""

import json
import socket
import threading
import time
from contextlib import contextmanager

import pytest
from http_server import Running, running

from bgai.serve import http_answers, http_queue
from bgai.serve import http_limits as limits

EASY = {"position": "start", "roll": "31"}


@pytest.fixture
def server(monkeypatch):
    """A server of the test's own, which may change its limits."""
    with running() as server:
        yield server


@contextmanager
def connection(server: Running):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        yield line


def head(path: str, length: int, **headers: str) -> bytes:
    told = {"Host": "localhost", "Content-Type": "application/json", "Content-Length": str(length)} | headers
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def everything(line: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    return b"".join(iter(lambda: line.recv(65536), b""))


class Thinking:
    """Stands in for a question that takes as long as the test wants."""

    def __init__(self, monkeypatch):
        self.begun, self.go_on, self.asked = threading.Semaphore(0), threading.Event(), []
        monkeypatch.setattr(http_answers, "move", self)

    def __call__(self, question, checkpoint):
        self.asked.append(question.roll)
        self.begun.release()
        assert self.go_on.wait(60)
        return {}


@pytest.fixture
def thinking(server, monkeypatch):
    thinking = Thinking(monkeypatch)
    yield thinking
    thinking.go_on.set()


def in_the_background(server: Running, roll: str, replies: list) -> threading.Thread:
    thread = threading.Thread(target=lambda: replies.append(server.ask("/api/move", position="start", roll=roll)))
    thread.start()
    return thread


def wait_until(true) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# Too much


def test_a_body_that_is_too_large_is_refused_unread(http):
    with connection(http) as line:
        line.sendall(head("/api/move", 10**12) + b"x" * (limits.BODY_BYTES + 1))
        assert b" 413 " in everything(line)
    assert http.ask("/api/move", **EASY).status == 200


def test_a_body_without_end_is_refused(http):
    with connection(http) as line:
        chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
        line.sendall(b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        line.sendall(b"Transfer-Encoding: chunked\r\n\r\n" + chunk * (limits.BODY_BYTES // 0x1000 + 1))
        assert b" 413 " in everything(line)


def test_a_head_without_end_is_refused(http):
    with connection(http) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (limits.HEAD_BYTES + 1))
        assert b" 400 " in everything(line)


def test_who_comes_when_the_queue_is_full_is_told_to_come_again(server, thinking, monkeypatch):
    monkeypatch.setattr(limits, "MOST_QUESTIONS", 1)
    replies = []
    first = in_the_background(server, "11", replies)
    assert thinking.begun.acquire(timeout=30)
    refused = server.ask("/api/cube", position="start", ply=0)
    assert refused.status == 503 and refused.headers["retry-after"] == str(limits.RETRY_SECONDS)
    assert "ask again" in refused.json["error"]
    assert server.get("/").status == 200  # what needs no thought needs no place
    thinking.go_on.set()
    first.join(60)
    assert replies[0].status == 200
    assert server.ask("/api/cube", position="start", ply=0).status == 200


# Too slow


def test_a_head_that_dribbles_is_cut_off(http, monkeypatch):
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.3)
    with connection(http) as line, pytest.raises(OSError):
        line.sendall(b"GET / HTTP/1.1\r\n")
        while True:
            line.sendall(b"X: y\r\n")
            time.sleep(0.02)


def test_who_connects_and_says_nothing_is_let_go(http, monkeypatch):
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.2)
    with connection(http) as line:
        assert everything(line) == b""


def test_a_second_request_that_dribbles_is_cut_off_too(http, monkeypatch):
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.3)
    with connection(http) as line:
        line.sendall(b"GET /api/chess HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 404 " in line.recv(65536)
        line.sendall(b"GET / HT")
        assert b" 404 " not in everything(line)


def test_a_body_that_dribbles_is_refused(http, monkeypatch):
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)
    with connection(http) as line:
        line.sendall(head("/api/move", 100) + b"{")
        assert b" 408 " in everything(line)


def test_an_answer_that_takes_too_long_is_given_up(server, thinking, monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.5)
    reply = server.ask("/api/move", **EASY)
    assert reply.status == 504 and "0.5 seconds" in reply.json["error"]


def test_who_waits_too_long_for_a_turn_never_gets_one(server, thinking, monkeypatch):
    replies = []
    first = in_the_background(server, "11", replies)
    assert thinking.begun.acquire(timeout=30)
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.2)
    assert server.ask("/api/move", position="start", roll="22").status == 504
    thinking.go_on.set()
    first.join(60)
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 30)  # on a busy machine an answer itself may take 0.2 s
    assert server.ask("/api/move", position="start", roll="33").status == 200
    assert thinking.asked == ["11", "33"] and replies[0].status == 200


def test_who_never_reads_holds_up_nobody(http):
    with connection(http) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(50):
            line.sendall(b"GET /page/play.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert http.ask("/api/move", **EASY).status == 200


# Gone


def test_a_question_whose_client_has_gone_is_not_thought_about(server, thinking):
    replies, body = [], json.dumps({"position": "start", "roll": "22"}).encode()
    first = in_the_background(server, "11", replies)
    assert thinking.begun.acquire(timeout=30)
    with connection(server) as line:
        line.sendall(head("/api/move", len(body)) + body)
        time.sleep(0.2)
    time.sleep(0.2)
    last = in_the_background(server, "33", replies)
    thinking.go_on.set()
    for thread in (first, last):
        thread.join(60)
    assert thinking.asked == ["11", "33"] and [reply.status for reply in replies] == [200, 200]


def test_a_rollout_whose_client_has_gone_is_stopped_and_its_place_is_free(server, monkeypatch):
    turns, closed, stop = threading.Semaphore(0), threading.Event(), threading.Event()

    def endless(question, checkpoint):
        try:
            while not stop.wait(0.01):
                turns.release()
                yield {}
        finally:
            closed.set()

    monkeypatch.setattr(http_answers, "rollout", endless)
    monkeypatch.setattr(limits, "MOST_QUESTIONS", 1)
    body = b'{"position": "start"}'
    with connection(server) as line:
        line.sendall(head("/api/rollout", len(body)) + body)
        assert turns.acquire(timeout=30)
        assert server.ask("/api/cube", position="start", ply=0).status == 503
    assert closed.wait(30)
    wait_until(lambda: server.ask("/api/cube", position="start", ply=0).status == 200)
    stop.set()


def test_who_leaves_in_the_middle_of_a_body_leaves_nothing_behind(http):
    for _ in range(20):
        with connection(http) as line:
            line.sendall(head("/api/move", 100) + b'{"position"')
    assert http.ask("/api/move", **EASY).status == 200


# From the wrong place


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example", "", "127.0.0.1.evil"])
def test_another_name_for_this_machine_is_refused(http, host):
    """DNS rebinding: a page from elsewhere, whose name has come to mean 127.0.0.1."""
    reply = http.get("/", Host=host)
    assert reply.status == 403 and "localhost" in reply.json["error"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "[::1]:8000", "192.168.1.7:8000"])
def test_addresses_and_localhost_are_fine(http, host):
    assert http.get("/", Host=host).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "https://localhost"])
def test_questions_from_pages_of_others_are_refused(http, origin):
    body = json.dumps(EASY).encode()
    reply = http.request("POST", "/api/move", body, Content_Type="application/json", Host="localhost", Origin=origin)
    assert reply.status == 403
    reply = http.request("POST", "/api/move", body, Content_Type="text/plain", Host="localhost")
    assert reply.status == 415  # what a page may send elsewhere without being allowed to


def test_questions_from_its_own_page_are_answered(http):
    origin = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    body = json.dumps(EASY).encode()
    assert http.request("POST", "/api/move", body, Content_Type="application/json", **origin).status == 200


# Its own mistakes


def test_a_mistake_of_the_server_is_told_as_one_and_the_next_question_is_answered(server, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError

    monkeypatch.setattr(http_answers, "move", broken)
    reply = server.ask("/api/move", **EASY)
    assert reply.status == 500 and "mistake" in reply.json["error"]
    assert server.ask("/api/cube", position="start", ply=0).status == 200


def test_a_place_is_given_back_when_the_work_fails():
    queue = http_queue.Queue()
    with pytest.raises(ZeroDivisionError), queue.place():
        raise ZeroDivisionError
    assert queue.taken == 0
