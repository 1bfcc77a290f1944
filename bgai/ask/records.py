"""A player's answers as JSON objects, the same for `--json` on the command line and over HTTP."""

from dataclasses import asdict

from bgai import api
from bgai.ask.races import race_figures
from bgai.evaluator.answers import market_losing_rolls
from bgai.evaluator.decision import CubeDecision
from bgai.game import can_double
from bgai.notation.position import Position, position_id


def move_record(position: Position, ply: int, plays: list[api.Play]) -> dict:
    """The plays of the roll of `position`, in their order."""
    return {
        "position": position_id(position),
        "board": position.board.tolist(),
        "roll": list(position.dice),
        "ply": ply,
        **race_figures(position.board),
        "plays": [
            {
                "play": p.play,
                "ply": p.ply,
                "equity": p.equity,
                "cubeless": p.cubeless,
                "kind": p.kind,
                "outcomes": p.outcomes.tolist(),
                "board": p.board.tolist(),
            }
            for p in plays
        ],
    }


def beside_cube(position: Position, checkpoint: str) -> dict:
    """What players want to know beside a cube decision: market losers, and the counts of a race."""
    losers, state = None, position.state
    if state.pending is None and can_double(state):
        losers = market_losing_rolls(api.player(checkpoint), position.board, state)
    return {"market_losing_rolls": losers} | race_figures(position.board)


def cube_record(position: Position, ply: int, decision: CubeDecision, beside: dict) -> dict:
    """The cube decision with what stands beside it."""
    answer = {"position": position_id(position), "board": position.board.tolist(), "ply": ply}
    return answer | {"kind": api.kind_of(position.state, True)} | asdict(decision) | beside
