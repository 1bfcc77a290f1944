"""Cubeful match winning chance: Janowski's model (see `cube_money`) with the live-cube points of each cube level.

Level k is the cube at 2^k times its present value. At the last level a win suffices for both players, the cube is
dead and match winning chance a straight line in p, the chance to win the game. From there the points follow downwards:

    cash point of level k: where the opponent, doubled to level k + 1 and owning the cube there, wins as much of the
    match by playing on as by passing: where the live line of level k + 1, opponent's cube, reaches a win of level k;
    take point of level k: where the live line of level k + 1, own cube, reaches a loss of level k.

The shares of gammons and backgammons among wins and losses are those of the position and don't change with p.
The same points are derived by the field for "live cube take points at match scores" (Janowski 1993; Ortega, Kleinman).
"""

from numba import njit

from bgai.evaluator.cube_money import along, win_rates


@njit(cache=True)
def match_values(outcomes, efficiency, after, values):
    """Write the match winning chances of the player on roll for every place of the cube into `values`.

    outcomes   float[6], exclusive, seen by the player on roll
    efficiency from 0 (dead cube) to 1 (live cube)
    after      float64[levels, 6]: his match winning chance when the game ends with each outcome at each cube level
    values     float64[1 + 2 levels]: [0] cube centred, [1 + 2k] his at level k, [2 + 2k] the opponent's at level k

    When a win at level k gives the player on roll the match, doubling costs his opponent nothing. He will do it on his
    next turn (post-Crawford; the automatic redouble), so an opponent's cube that is free like that counts as live.
    """
    p, wins, losses = win_rates(outcomes)
    last = len(after) - 1
    take_point, cash_point = 0.0, 1.0
    at_take_point, at_cash_point, low, high = 0.0, 1.0, 0.0, 1.0
    for k in range(last, -1, -1):
        low_above, high_above = low, high
        low = losses[0] * after[k, 3] + losses[1] * after[k, 4] + losses[2] * after[k, 5]
        high = wins[0] * after[k, 0] + wins[1] * after[k, 1] + wins[2] * after[k, 2]
        if k == last:
            at_take_point, at_cash_point = low, high
        else:
            # Both come from level k + 1, whose points the variables still hold.
            up = (after[k, 0] - at_take_point) / (high_above - at_take_point)
            down = (after[k, 3] - low_above) / (at_cash_point - low_above)
            take_point, cash_point = cash_point * down, take_point + (1.0 - take_point) * up
            at_take_point, at_cash_point = after[k, 3], after[k, 0]

        dead = p * high + (1.0 - p) * low
        owned = along(p, low, 0.0, low, cash_point, at_cash_point, high)
        unowned = along(p, low, take_point, at_take_point, 1.0, high, high)
        against = 1.0 if after[k, 0] == 1.0 else efficiency
        values[1 + 2 * k] = dead + efficiency * (owned - dead)
        values[2 + 2 * k] = dead + against * (unowned - dead)
    centred = along(p, low, take_point, at_take_point, cash_point, at_cash_point, high)
    values[0] = dead + against * (centred - dead)
