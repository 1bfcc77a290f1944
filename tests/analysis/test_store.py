"""Judged games that are kept."""

from dataclasses import replace

from bgai.analysis.store import key
from bgai.files import checkpoint
from bgai.game import State
from bgai.notation.match_file import Action, Game
from bgai.notation.position import start_of


def test_the_same_moves_of_another_variant_are_another_game():
    first = Action(1, 0, "play", replace(start_of("backgammon"), dice=(3, 1)), ((8, 5), (6, 5)))
    game = Game(1, State(), (first,), None, 0)
    nackgammon = replace(game, actions=(replace(first, position=replace(start_of("nackgammon"), dice=(3, 1))),))
    keys = {key(each, checkpoint(), {"ply": 0}) for each in (game, nackgammon)}
    assert len(keys) == 2 and key(game, checkpoint(), {"ply": 0}) in keys
