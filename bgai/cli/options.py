"""What several commands take on their command lines."""

import math
from typing import Annotated

from typer import Argument, BadParameter, Option

from bgai.ask.reading import BadRequest
from bgai.board import VARIANTS
from bgai.lang import LANGUAGES

PositionText = Annotated[
    str, Argument(help="an XGID, a GNU Position ID with or without Match ID, or start, nackgammon or hypergammon")
]
Checkpoint = Annotated[str, Option(help="a player that ships, or the path of a checkpoint")]
Variant = Annotated[str, Option(help=", ".join(VARIANTS))]
Lang = Annotated[str, Option(help=f"the language of what is said and drawn: {' or '.join(LANGUAGES)}")]
Json = Annotated[bool, Option("--json", help="print one JSON object a line")]
Ply = Annotated[int, Option(help="rolls of lookahead, 0 to 4")]
Cubeless = Annotated[bool, Option("--cubeless", help="as if nobody could double")]

# The state of the game, where the ID doesn't say it or something else is wanted; read by `ask.reading.read_position`.
Cube = Annotated[str | None, Option(help="its value and owner, such as 2:mover, 4:opponent or 1")]
Score = Annotated[str | None, Option(help="of a match, the player on roll first, such as 3-4/7 or 6-4/7:crawford")]
Jacoby = Annotated[bool | None, Option("--jacoby/--no-jacoby", help="gammons count only after a double")]
Beavers = Annotated[bool | None, Option("--beavers/--no-beavers", help="a double may be turned at once, and again")]


def finite(number: float | None) -> float | None:
    """`number`, or BadParameter for one that no bounds hold: NaN is neither below nor above anything."""
    if number is not None and not math.isfinite(number):
        raise BadParameter(f"{number} is no finite number.")
    return number


def checked_variant(name: str) -> str:
    """`name`, or BadRequest if there is no such variant."""
    if name not in VARIANTS:
        raise BadRequest(f"--variant {name[:20]}: give {', '.join(VARIANTS)}")
    return name
