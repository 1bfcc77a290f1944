"""What there is to say of a position as a JSON object, apart from what a player says about it."""

from dataclasses import asdict

import numpy as np

from bgai.board import OUTCOME_POINTS, outcome, pips
from bgai.game import points
from bgai.notation.play_text import InvalidPlay, parse_play
from bgai.notation.position import Position, position_id, xgid


def position_record(position: Position, evaluated: tuple[np.ndarray, dict] | None = None) -> dict:
    """The position in every form: IDs, board, roll, state and pip counts [own, the opponent's].

    evaluated  how its game will end, if that is known: outcomes `float32[6]`, and the counts of a race (`race_figures`)
    """
    own, opponent = pips(position.board)
    record = {
        "position": position_id(position),
        "xgid": None if position.ended or position.state.resigned else xgid(position),
        "board": position.board.tolist(),
        "roll": position.dice and list(position.dice),
        "state": asdict(position.state),
        "pips": [int(own), int(opponent)],
    }
    if evaluated:
        outcomes, counts = evaluated
        equity = float(outcomes @ OUTCOME_POINTS)
        record |= {"equity": equity, "kind": "cubeless", "outcomes": outcomes.tolist()} | counts
    return record


def play_moves(position: Position, play: str) -> np.ndarray:
    """The moves int8[4, 2] of a play of the position's roll, as `svg_board` takes them. Raises InvalidPlay."""
    from bgai.plays import legal_plays_with_moves  # drawing alone needn't wait for Numba

    if position.dice is None:
        raise InvalidPlay("the position has no roll, so there is no play to draw")
    plays = legal_plays_with_moves(position.board[None], np.array([position.dice], dtype=np.int8))
    return plays.moves[parse_play(play, position.board, position.dice)]


def finished_record(position: Position) -> dict | None:
    """What there is to say of a finished game: its value to the player on roll. None while it goes on."""
    if not position.finished:
        return None
    result = int(outcome(position.board, position.checkers))
    return {
        "position": position_id(position),
        "board": position.board.tolist(),
        "finished": True,
        "equity": points(position.state, result) / position.state.cube,
        "outcomes": [float(k == result) for k in range(6)],
    }
