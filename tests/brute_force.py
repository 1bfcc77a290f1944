"""Every legal play straight from the rules: slow, plain, and with nothing in common with the kernels it checks.

A board is a tuple of 26 numbers in the convention of `bgai.board`, seen by the player who moves, before and after.
Numbers such as R9 are those of the rules the tests are named after.
"""

from functools import reduce

Board = tuple[int, ...]
Move = tuple[int, int]  # (from, to); from 25 is the bar, to 0 is off the board


def single_moves(board: Board, die: int) -> list[Move]:
    """Every legal move of one checker with one die."""
    occupied = [point for point in range(1, 26) if board[point] > 0]
    sources = [25] if board[25] > 0 else occupied  # R17
    all_home = all(point <= 6 for point in occupied)  # R21
    moves = []
    for source in sources:
        target = source - die  # R4, and from the bar R18
        if target > 0:
            if board[target] >= -1:  # R6
                moves.append((source, target))
        elif all_home and (target == 0 or source == max(occupied)):  # R22, R23
            moves.append((source, 0))
    return moves


def after_move(board: Board, move: Move) -> Board:
    """The board after one move, hit included (R16)."""
    source, target = move
    after = list(board)
    after[source] -= 1
    if target > 0:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after)


def after_dice(board: Board, dice: tuple[int, ...]) -> set[Board]:
    """Every board reached by playing all of `dice`, in this order (R5, R14); empty if that can't be done."""
    boards = {board}
    for die in dice:
        boards = {after_move(b, move) for b in boards for move in single_moves(b, die)}
    return boards


def legal_results(board: Board, dice: tuple[int, int]) -> set[Board]:
    """The boards after every legal play; the board itself if there is none (R13)."""
    larger, smaller = max(dice), min(dice)
    if larger == smaller:
        ways = [after_dice(board, (larger,) * moves) for moves in (4, 3, 2, 1)]  # R8, R12
    else:
        ways = [
            after_dice(board, (larger, smaller)) | after_dice(board, (smaller, larger)),  # R9
            after_dice(board, (larger,)),  # R10
            after_dice(board, (smaller,)),  # R11
        ]
    return next(filter(None, ways), {board})


def after_moves(board: Board, *moves: Move) -> Board:
    """The board after several moves, one by one."""
    return reduce(after_move, moves, board)
