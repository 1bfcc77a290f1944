"""Matches and money sessions of random legal actions, for what must hold of every record."""

import numpy as np

from bgai.game import State, actions, next_game, to_decide
from bgai.notation.match_file import Match
from bgai.notation.play_text import format_play
from bgai.notation.recorder import GameRecorder
from bgai.plays import legal_plays_with_moves


def random_match(seed: int, length: int, games: int, **rules) -> Match:
    """A match of at most so many games, with doubles, beavers where agreed, and a resignation now and then."""
    rng = np.random.default_rng(seed)
    state, played = State(length=length, **rules), []
    while len(played) < games:
        game = GameRecorder(len(played) + 1, state)
        play_random_game(rng, game)
        record, faults = game.finish(None)
        assert not faults
        played.append(record)
        worth = record.points if record.winner == 0 else -record.points
        if length and length in record.score_after:
            break
        state = next_game(state, worth)
    return Match(("White", "Black"), length, tuple(played))


def play_random_game(rng: np.random.Generator, game: GameRecorder) -> None:
    player = int(rng.integers(2))
    while not game.result:
        if game.state.pending:
            decides = game.turn if to_decide(game.state) == "mover" else 1 - game.turn
            answers = [answer for answer in actions(game.state) if not answer.startswith("resign")]
            game.cube(decides, str(rng.choice(answers, p=_often_first(len(answers)))))
        elif game.turn is not None and "double" in actions(game.state) and rng.random() < 0.04 and not _taken(game):
            game.cube(game.turn, "double")
        elif game.turn is not None and rng.random() < 0.002:
            game.resign(int(rng.integers(2)), int(rng.integers(1, 4)) * game.state.cube)
        else:
            _roll(rng, game, player if game.turn is None else game.turn)


def _often_first(n: int) -> np.ndarray:
    return np.array([0.5] + [0.5 / (n - 1)] * (n - 1))


def _taken(game: GameRecorder) -> bool:
    """The cube was turned on this turn already."""
    return bool(game.actions) and game.actions[-1].kind in ("take", "accept")


def _roll(rng: np.random.Generator, game: GameRecorder, player: int) -> None:
    dice = rng.integers(1, 7, 2)
    plays = legal_plays_with_moves(game.board[None], dice[None].astype(np.int8))
    choice = int(rng.integers(len(plays.boards)))
    text = format_play(game.board, plays.moves[choice])
    game.play(player, (int(dice[0]), int(dice[1])), text)
