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


def test_there_is_nothing_else_to_serve(bgai):
    result = bgai("serve", "chess")
    assert result.code == 2 and "give gnubg" in result.err
