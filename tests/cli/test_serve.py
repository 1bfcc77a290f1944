"""`bgai serve` from the command line."""

import signal
import socket
import subprocess
import sys

import pytest


def test_ctrl_c_ends_it_at_once_even_with_a_client():
    command = [sys.executable, "-c", "from bgai.cli.main import main; main()", "serve", "gnubg", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
            line.sendall(b"hello\n")
            assert line.recv(100).startswith(b"Error: expected board:")
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 130
        assert process.stderr.read() == ""


def test_it_answers_on_when_nobody_reads_what_it_prints():
    command = [sys.executable, "-c", "from bgai.cli.main import main; main()", "serve", "gnubg", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        process.stdout.close()
        for _ in range(10):  # more than there are seats
            with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
                line.sendall(b"hello\n")
                assert line.recv(100).startswith(b"Error: expected board:")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130 and process.stderr.read() == ""


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_a_port_in_use_is_told(bgai, host, shown):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as taken:
        port = taken.getsockname()[1]
        result = bgai("serve", "gnubg", "--host", host, "--port", port)
    assert result.code == 2 and result.out == ""
    assert f"can't listen on {shown}:{port}: Address already in use; give another --port, or --host" in result.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("ubgi --port 5", "--port does nothing for ubgi: leave it out; ubgi has --checkpoint, --ply"),
        ("ubgi --host nope", "--host does nothing for ubgi"),
        ("ubgi --no-jacoby", "--no-jacoby does nothing for ubgi"),
        ("http --jacoby", "--jacoby does nothing for http"),
        ("http --ply 0", "--ply does nothing for http: leave it out; http has --checkpoint, --port, --host"),
    ],
)
def test_options_of_another_protocol_are_refused(bgai, arguments, why):
    result = bgai("serve", *arguments.split())
    assert result.code == 2 and result.err.startswith(f"bgai serve: {why}") and result.err.count("\n") == 1


def test_an_engine_on_standard_input_and_output(bgai):
    lines = f"ubgi\nnewgame\n\udcff\ndice 3 1\ngo\n{'x' * 5000}\nquit\ngo\n"
    result = bgai("serve", "ubgi", stdin=lines)
    assert result.code == 0 and result.err == ""
    *_, ready, unreadable, best, too_long = result.out.splitlines()
    assert (ready, best) == ("ubgiok", "bestmove 8/5 6/5")
    assert unreadable.startswith("error bad_command") and too_long.endswith("at most 1000 characters")


def test_there_is_nothing_else_to_serve(bgai):
    result = bgai("serve", "chess")
    assert result.code == 2 and "give gnubg or ubgi" in result.err
