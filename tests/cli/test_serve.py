"""`bgai serve` from the command line."""

import signal
import socket
import subprocess
import sys


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
