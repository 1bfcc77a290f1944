"""What may be asked over HTTP: the JSON objects of the questions, with an example of each."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bgai.play.levels import LEVELS
from bgai.serve import http_limits as limits

PositionText = Annotated[
    str,
    Field(
        max_length=200,
        description="an XGID, a GNU Position ID with or without Match ID, or start or nackgammon; player on roll",
    ),
]
Roll = Annotated[
    str | None, Field(max_length=10, description="the dice, such as 31; not needed where the ID holds them")
]
Ply = Annotated[int, Field(ge=0, le=limits.MAX_PLY, description="rolls of lookahead")]
Cubeful = Annotated[bool, Field(description="with the doubling cube; false: as if nobody could double")]
Seed = Annotated[int, Field(ge=0, lt=2**53, description="the same seed throws the same dice")]


def _example(**question: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [question]})


class Asked(BaseModel):
    """A position, and the state of the game where the ID doesn't say it or something else is wanted."""

    model_config = _example(position="4HPwATDgc/ABMA:cAkKAAAAAAAA", score="3-4/7")

    position: PositionText
    cube: Annotated[str | None, Field(max_length=30, description="its value and owner, such as 2:mover")] = None
    score: Annotated[str | None, Field(max_length=30, description="own-opponent's/length, such as 3-4/7")] = None
    jacoby: Annotated[bool | None, Field(description="money: gammons count only after a double")] = None
    beavers: Annotated[bool | None, Field(description="money: a double may be turned at once")] = None


class MoveQuestion(Asked):
    model_config = _example(position="start", roll="31", ply=1, top=3)

    roll: Roll = None
    ply: Ply = 0
    cubeful: Cubeful = True
    top: Annotated[int, Field(ge=1, le=limits.MAX_TOP, description="how many plays are told")] = 5


class CubeQuestion(Asked):
    model_config = _example(position="cO8OAwDYvY0CAA", cube="2:mover", score="2-3/7", ply=1)

    ply: Ply = 2


class EvaluateQuestion(BaseModel):
    model_config = _example(positions=["start", "cO8OAwDYvY0CAA"], ply=0)

    positions: Annotated[list[PositionText], Field(min_length=1, max_length=limits.MAX_POSITIONS)]
    ply: Ply = 0


class RolloutQuestion(Asked):
    model_config = _example(position="start", roll="41", trials=36, truncate=2, top=2)

    roll: Roll = None
    cube_action: Annotated[bool, Field(description="roll out no double, and double and take")] = False
    trials: Annotated[int, Field(ge=1, le=limits.MAX_TRIALS, description="games of each; in sets of 36")] = 1296
    luck_ply: Annotated[
        Literal[0] | None, Field(description="the dice's luck is taken out by 0-ply evaluations; null leaves it in")
    ] = 0
    truncate: Annotated[int | None, Field(ge=1, le=1000, description="stop after so many turns and evaluate")] = None
    jsd: Annotated[float | None, Field(gt=0, description="stop when the best is clear by so many JSD")] = None
    cubeful: Cubeful = True
    top: Annotated[int, Field(ge=1, le=limits.MAX_ROLLED_OUT, description="the plays that look best")] = 5
    seed: Seed = 1
    seconds: Annotated[
        float, Field(gt=0, le=limits.ROLLOUT_SECONDS, description="answer with what is known after so long")
    ] = 10


class GameQuestion(BaseModel):
    model_config = _example(position="4HPwATDgc/ABMA:cIkFAAAAAAAE", yours=True, action="8/5 6/5", seed=7)

    position: Annotated[PositionText, Field(description="of the game, with the Match ID of the last answer")]
    yours: Annotated[bool, Field(description="you are the player on roll (or who doubled, while that is pending)")]
    action: Annotated[
        str,
        Field(
            max_length=100,
            description="begin (throw the opening roll), roll, a play such as 8/5 6/5, or one of the last `actions`",
        ),
    ]
    level: Annotated[Literal[tuple(LEVELS)], Field(description="how strong the program plays")] = "champion"
    ply: Ply = 0
    seed: Seed


class Fault(BaseModel):
    """How everything is refused that can't be answered."""

    error: Annotated[str, Field(description="what was wrong, and what a right question is like")]
    example: Annotated[dict | None, Field(description="a right question, where it was the question's fault")] = None
