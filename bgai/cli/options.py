"""What several commands take on their command lines."""

from typing import Annotated

from typer import Argument, Option

PositionText = Annotated[str, Argument(help="an XGID, a GNU Position ID with or without Match ID, or 'start'")]
Checkpoint = Annotated[str, Option(help="a player that ships, or the path of a checkpoint")]
Json = Annotated[bool, Option("--json", help="print one JSON object a line")]
