"""`bgai selfplay`: games of a trained player against itself, for other programs."""

from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
from typer import Option

from bgai import api
from bgai.arena.players import NetPlayer
from bgai.arena.selfplay import KINDS, Record, play_against_itself
from bgai.ask.reading import BadRequest
from bgai.board import checkers_of
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Ply, Variant, checked_variant
from bgai.files import check_target, write_atomically
from bgai.game import OWNERS, State
from bgai.notation.mat_writing import write_mat
from bgai.notation.match_file import MAX_ACTIONS, Action, Game, Match, move_number
from bgai.notation.position import Position, start_of
from bgai.notation.sgf import write_sgf
from bgai.plays import legal_plays_with_moves

WRITERS = {".mat": write_mat, ".sgf": write_sgf}


def selfplay(
    out: Annotated[Path, Option(help="the file to write: .npz (arrays), .mat or .sgf (a money session)")],
    games: Annotated[int, Option(min=1, max=100_000, help="how many games")] = 100,
    checkpoint: Checkpoint = "default",
    ply: Ply = 0,
    jacoby: Annotated[bool, Option("--jacoby", help="with the Jacoby rule")] = False,
    variant: Variant = "backgammon",
    seed: Annotated[int, Option(min=0, help="the same seed plays the same games")] = 1,
) -> None:
    """Let a player play money games with the cube against itself, and record every play and cube action.

    bgai selfplay --games 1000 --out games.npz
    """
    if out.suffix not in (".npz", *WRITERS):
        raise BadRequest(f"--out {out}: its name must end in .npz, .mat or .sgf")
    if out.suffix == ".sgf" and variant != "backgammon":
        raise BadRequest(f"--out {out}: an .sgf file holds no {checked_variant(variant)}; take .npz or .mat")
    check_target(out)
    start = start_of(checked_variant(variant))
    tell_if_first_run()
    net = api.player(checkpoint)
    api.fitted(start, net)
    player = NetPlayer(net, api.checked_ply(ply))
    record = play_against_itself(player, games, seed, jacoby=jacoby, variant=variant)
    if out.suffix == ".npz":
        data = BytesIO()
        np.savez_compressed(data, **record._asdict())
        write_atomically(out, data.getvalue())
    else:
        write_atomically(out, WRITERS[out.suffix](_match(record, jacoby, variant)).encode())
    gammons = (np.abs(record.points) > 1).mean()
    print(f"{games} games, {len(record.game)} actions; {100 * gammons:.1f} % worth more than one point")


def _match(record: Record, jacoby: bool, variant: str) -> Match:
    """The record as a money session. Raises BadRequest if it is longer than match files may be."""
    if len(record.game) > MAX_ACTIONS:
        raise BadRequest(f"{len(record.game)} actions, and a match file holds {MAX_ACTIONS}: fewer games, or .npz")
    moves = _moves(record)
    games, score = [], (0, 0)
    starts = np.searchsorted(record.game, np.arange(len(record.points) + 1)).tolist()
    for number, (start, stop) in enumerate(pairwise(starts), start=1):
        points = int(record.points[number - 1])
        actions = _actions(record, range(start, stop), moves, jacoby, checkers_of(variant))
        game = Game(number, State(score=score, jacoby=jacoby), actions, int(points < 0), abs(points))
        games.append(game)
        score = game.score_after
    tags = {"Variation": variant.capitalize(), "Jacoby": "On" if jacoby else "Off"}
    return Match(("bgai-1", "bgai-2"), 0, tuple(games), tags=tags)


def _moves(record: Record) -> np.ndarray:
    """The moves of every action `int8[E, 4, 2]`; -1 for cube actions."""
    moves = np.full((len(record.game), 4, 2), -1, dtype=np.int8)
    rows = np.flatnonzero(record.kind == KINDS.index("play"))
    plays = legal_plays_with_moves(record.board[rows], record.dice[rows])
    counts = np.diff(plays.offsets)
    made = (plays.boards == np.repeat(record.after[rows], counts, axis=0)).all(axis=1)
    moves[rows] = plays.moves[made]  # plays differ by the position after them, so exactly one matches
    return moves


def _actions(record: Record, rows: range, moves: np.ndarray, jacoby: bool, checkers: int) -> tuple[Action, ...]:
    actions: list[Action] = []
    for i in rows:
        kind, player = KINDS[record.kind[i]], int(record.player[i])
        pending = "double" if kind in ("take", "pass") else None
        owner = OWNERS[record.owner[i]]
        state = State(cube=int(record.cube[i]), owner=owner, jacoby=jacoby, pending=pending)
        dice = tuple(record.dice[i].tolist()) if kind == "play" else None
        number = move_number(actions, player, kind)
        made = tuple((source, to) for source, to in moves[i].tolist() if source >= 0)
        actions.append(Action(number, player, kind, Position(record.board[i], state, dice, checkers=checkers), made))
    return tuple(actions)
