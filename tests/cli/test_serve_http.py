"""`bgai serve http` from the command line."""

import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

COMMAND = [sys.executable, "-c", "from bgai.cli.main import main; main()", "serve", "http", "--port"]


@contextmanager
def serving():
    with subprocess.Popen([*COMMAND, "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, int(process.stdout.readline().split(" in a browser")[0].rsplit(":", 1)[1])
        finally:
            process.kill()


def test_ctrl_c_ends_it_even_with_clients_and_leaves_no_noise():
    with serving() as (process, port), socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in line.recv(65536)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json", timeout=60) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == ""


def test_a_port_in_use_is_told(bgai):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = bgai("serve", "http", "--port", port)
    assert result.code == 2 and result.out == ""
    assert f"can't listen on 127.0.0.1:{port}: Address already in use; give another --port" in result.err


def test_a_player_of_three_checkers_is_refused(bgai, hypergammon):
    result = bgai("serve", "http", "--port", "0", "--checkpoint", hypergammon)
    assert result.code == 2 and "3 checkers a side" in result.err


def test_other_commands_do_not_load_what_http_needs():
    program = (
        "import sys, bgai.cli.move, bgai.cli.serve\n"
        "print(sorted({'fastapi', 'pydantic', 'starlette', 'uvicorn'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
