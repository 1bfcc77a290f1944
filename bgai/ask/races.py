"""What players count in a race: pips, and how far the distribution of the checkers makes them worth less."""

import numpy as np

from bgai.board import pips
from bgai.evaluator import bearoff


def race_figures(board: np.ndarray) -> dict:
    """`pips`, `epc` and `wastage` of `board int8[26]`, each [the player on roll, the opponent].

    The last two (`bearoff.effective_pips`) are None unless both sides have all their checkers in their home boards:
    what the checkers outside will waste isn't known exactly, so it isn't said.
    """
    epc, wastage = None, None
    if bearoff.applies(board[None])[0]:
        epc, wastage = (each[0].tolist() for each in bearoff.effective_pips(board[None]))
    return {"pips": [int(side) for side in pips(board)], "epc": epc, "wastage": wastage}
