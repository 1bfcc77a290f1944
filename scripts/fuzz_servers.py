"""What other programs say to us, for `fuzz_parsers.py`: lines and requests that reach a server, without its socket."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

from bgai.serve import gnubg, ubgi
from bgai.serve.http import QUESTIONS, make_app

CONVERSATIONS = [
    b"ubgi\nisready\nnewgame\ndice 3 1\ngo chequer",
    b"position gnubgid 4HPwATDgc/ABMA:cAkKAAAAAAAA\ngo cube\nkeys\nget engine.ply",
    b"position gnubgid 4HPAkKAAAAAAAA\ngo cube",
    b"position xgid -b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\ngo turn\nset game.variant nackgammon",
]
_DEEP = re.compile(rb'"ply" *: *[12]')  # lookahead takes its time, as it should


def replies_to_gnubg() -> Callable[[bytes, Path], object]:
    """The answer to the first line; the socket hands over one at a time."""
    server = gnubg.Server("127.0.0.1", 0, checkpoint="default", ply=0, jacoby=True, log=lambda line: None)
    server.server_close()
    return lambda data, _: server.reply(data.split(b"\n")[0].decode(errors="replace"))


def converse_by_ubgi(data: bytes, folder: Path) -> None:
    engine = ubgi.Engine()
    for line in data.decode(errors="replace").split("\n")[:20]:
        assert isinstance(engine.reply(line), str)
        engine.ply = 0


def requests() -> list[bytes]:
    """A path on the first line, a question after it."""
    examples = {path: kind.model_config["json_schema_extra"]["examples"] for path, kind in QUESTIONS.items()}
    seeds = [f"{path}\n{json.dumps(each | {'ply': 0})}" for path in examples for each in examples[path]]
    return [seed.encode() for seed in seeds if "rollout" not in seed and "show" not in seed]


def asks_over_http() -> Callable[[bytes, Path], object]:
    """Has a request answered by the application; its fault is a status of 500, or none."""
    app, loop = make_app(), asyncio.new_event_loop()

    def ask(data: bytes, folder: Path) -> None:
        path, _, body = data.partition(b"\n")
        status = loop.run_until_complete(_asked(app, path.decode("latin-1"), _DEEP.sub(b'"ply": 0', body)))
        assert status in (200, 307, 400, 404, 405, 413, 422), status

    return ask


async def _asked(app, path: str, body: bytes) -> int:
    told, sent = [], asyncio.Event()
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": headers, "http_version": "1.1", "scheme": "http", "root_path": "", "client": ("127.0.0.1", 1)}
    scope |= {"server": ("127.0.0.1", 8000), "asgi": {"version": "3.0"}}
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict:
        if parts:
            return parts.pop()
        await sent.wait()  # the client stays until it is answered
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        told.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            sent.set()

    await app(scope, receive, send)
    return told[0]["status"]
