"""Our player over HTTP: the addresses at which it is asked, and the page on which people ask it and play.

Every question is a JSON object that is sent by POST (`http_questions`), every answer the object that the command of the
same name prints with `--json` (`http_answers`). What can't be answered gets `{"error": ...}`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from bgai.ask.json_text import json_line
from bgai.serve import http_answers as answers
from bgai.serve import http_limits as limits
from bgai.serve.http_game import play_on
from bgai.serve.http_guard import Guard
from bgai.serve.http_questions import (
    Asked,
    CubeQuestion,
    EvaluateQuestion,
    Fault,
    GameQuestion,
    MoveQuestion,
    RolloutQuestion,
)
from bgai.serve.http_queue import NoRoom, Queue

PAGE = Path(__file__).parent / "page"
NO_JSON = "the body isn't JSON in UTF-8"
QUESTIONS: dict[str, type[BaseModel]] = {  # by the path at which they are asked
    "/api/move": MoveQuestion,
    "/api/cube": CubeQuestion,
    "/api/evaluate": EvaluateQuestion,
    "/api/rollout": RolloutQuestion,
    "/api/show": Asked,
    "/api/game": GameQuestion,
}


class Answer(JSONResponse):
    """An object as the commands print it."""

    def render(self, content: dict) -> bytes:
        return json_line(content).encode()


def make_app(checkpoint: str = "default", host: str = "127.0.0.1") -> Guard:
    """The ASGI application. `host` is the name that it may be called by, besides localhost and any IP address."""
    queue = Queue()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        queue.close()

    app = FastAPI(
        title="bgai",
        version=version("bgai"),
        description="A backgammon player that has learned from its own games alone.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    faults = {422: {"model": Fault, "description": "the question can't be answered"}, 503: {"model": Fault}}
    options = {"responses": faults, "response_class": Answer}

    @app.post("/api/move", **options)
    async def move(question: MoveQuestion) -> Response:
        """The plays of a roll, best first: the object of `bgai move --json`."""
        return Answer(await queue.think(answers.move, question, checkpoint))

    @app.post("/api/cube", **options)
    async def cube(question: CubeQuestion) -> Response:
        """Whether to double and to take, or how to answer the cube that is pending: `bgai cube --json`."""
        return Answer(await queue.think(answers.cube, question, checkpoint))

    @app.post("/api/evaluate", **options)
    async def evaluate(question: EvaluateQuestion) -> Response:
        """How games will end, before the roll: `{"results": [...]}`, each as `bgai show --evaluate --json`."""
        with queue.place():
            each = [await queue.turn(answers.evaluate, text, question.ply, checkpoint) for text in question.positions]
        return Answer({"results": each})

    @app.post("/api/rollout", **options)
    async def rollout(question: RolloutQuestion) -> Response:
        """Plays, a cube action or a position over many games: `bgai rollout --json`, and whether it is `finished`
        or was cut short after `seconds`."""
        with queue.place():
            known, growing = None, answers.rollout(question, checkpoint)
            while (grown := await queue.turn(next, growing, None)) is not None:
                known = grown
        return Answer(known)

    @app.post("/api/show", **options)
    async def show(question: Asked) -> Response:
        """A position in every form: `bgai show --json`."""
        return Answer(answers.show(question, checkpoint))

    @app.get("/api/board.svg", responses=faults, response_class=Response)
    async def board(
        position: Annotated[str, Query(max_length=200, examples=["start"])],
        play: Annotated[str | None, Query(max_length=100, description="of the position's roll, as arrows")] = None,
        flip: bool = False,
        clockwise: bool = False,
    ) -> Response:
        """The board as a picture: `bgai show --svg`."""
        return Response(answers.board(position, play, flip, clockwise), media_type="image/svg+xml")

    @app.post("/api/game", **options)
    async def game(question: GameQuestion) -> Response:
        """Your next action in a game against the player, and what follows from it."""
        return Answer(await queue.think(play_on, question, checkpoint))

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(PAGE / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def documentation() -> Response:
        return FileResponse(PAGE / "docs.html")

    app.mount("/page", StaticFiles(directory=PAGE))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(ValueError, _impossible)
    app.add_exception_handler(Exception, _broken)
    return Guard(app, host)


# What can't be answered


def _invalid(request: Request, error: RequestValidationError) -> Response:
    """A question that isn't built as it should be."""
    return _fault(request, "; ".join(map(_what_is_wrong, error.errors()[:5])))


def _what_is_wrong(fault: dict) -> str:
    if fault["type"] == "json_invalid":
        return f"{NO_JSON}: {fault['ctx']['error']} at character {fault['loc'][1]}"
    return f"{'.'.join(map(str, fault['loc'][1:])) or 'the body'}: {fault['msg']}"


def _impossible(request: Request, error: ValueError) -> Response:
    """A question that is built well and can't be answered nevertheless: an impossible position, an illegal play."""
    if isinstance(error, NoRoom):
        return JSONResponse({"error": str(error)}, 503, {"Retry-After": str(limits.RETRY_SECONDS)})
    if not type(error).__module__.startswith("bgai."):
        raise error
    return _fault(request, str(error))


def _fault(request: Request, why: str, status: int = 422) -> Response:
    said: dict[str, Any] = {"error": why}
    if question := QUESTIONS.get(request.url.path):
        schema: Any = question.model_config["json_schema_extra"]
        said["example"] = schema["examples"][0]
    return JSONResponse(said, status)


def _refused(request: Request, error: HTTPException) -> Response:
    if error.status_code == 400:
        return _fault(request, NO_JSON, 400)
    what = {404: f"there is nothing at {request.url.path[:100]}", 405: f"{request.method} isn't for {request.url.path}"}
    why = what.get(error.status_code, str(error.detail))
    return JSONResponse({"error": f"{why}: /docs tells what may be asked"}, error.status_code, error.headers)


def _broken(request: Request, error: Exception) -> Response:
    """Our own mistake: the server prints where."""
    return JSONResponse({"error": "the server has made a mistake: what it prints tells more"}, 500)
