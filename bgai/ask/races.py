"""What players count in a race: pips, and how far the distribution of the checkers makes them worth less."""

import numpy as np

from bgai.board import is_race, pips
from bgai.evaluator.epc import effective_pips


def race_figures(board: np.ndarray) -> dict:
    """`pips`, `epc` and `wastage` of the unfinished `board int8[26]`, each [the player on roll, the opponent].

    The last two (`epc.effective_pips`) are None where there is contact: it wastes more than the count of a race knows.
    """
    epc, wastage = None, None
    if is_race(board):
        epc, wastage = (each[0].tolist() for each in effective_pips(board[None]))
    return {"pips": [int(side) for side in pips(board)], "epc": epc, "wastage": wastage}
