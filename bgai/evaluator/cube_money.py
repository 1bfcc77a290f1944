"""Cubeful equity for money by Janowski's model: between a cube that is dead and one that is perfectly live.

With p the chance to win, W the mean value of a win and L that of a loss (1 to 3, gammons counted):
a dead cube gives the straight line from -L at p = 0 to W at p = 1. A live cube is always turned exactly at the cash
point, where taking and passing cost the same, so its equity is made of straight lines through

    (0, -L)   (take point, -1)   (cash point, 1)   (1, W)

without the take point when the opponent can't double, without the cash point when the player can't. The true equity
is taken to lie `efficiency` of the way from dead to live; `efficiency.py` says how far that is in each phase of a
game. (R. Janowski, Take-points in money games, 1993)
"""

from numba import njit


@njit(cache=True)
def win_rates(outcomes):
    """Chance to win, and how wins and losses divide into single, gammon and backgammon.

    outcomes   float[6], exclusive, seen by the player on roll
    Returns (p, (single, gammon, backgammon) of wins, the same of losses); each three sum to 1.
    """
    won = float(outcomes[0]) + outcomes[1] + outcomes[2]
    lost = float(outcomes[3]) + outcomes[4] + outcomes[5]
    wins, losses = (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    if won > 0.0:
        wins = (outcomes[0] / won, outcomes[1] / won, outcomes[2] / won)
    if lost > 0.0:
        losses = (outcomes[3] / lost, outcomes[4] / lost, outcomes[5] / lost)
    return won / (won + lost), wins, losses


@njit(cache=True)
def along(p, low, take_point, at_take_point, cash_point, at_cash_point, high):
    """Value at p on the straight lines through (0, low), the take point, the cash point and (1, high)."""
    if p < take_point:
        return low + (at_take_point - low) * p / take_point
    if p > cash_point:
        return at_cash_point + (high - at_cash_point) * (p - cash_point) / (1.0 - cash_point)
    return at_take_point + (at_cash_point - at_take_point) * (p - take_point) / (cash_point - take_point)


@njit(cache=True)
def money_values(outcomes, efficiency, jacoby, values):
    """Write into `values` float64[3] the equity with the cube centred, owned and owned by the opponent.

    outcomes   float[6], exclusive, seen by the player on roll
    efficiency from 0 (dead cube) to 1 (live cube)
    jacoby     gammons count only once the cube is turned (R36)
    The values are points per present cube, for the player on roll.
    """
    p, wins, losses = win_rates(outcomes)
    win = wins[0] + 2.0 * wins[1] + 3.0 * wins[2]
    loss = losses[0] + 2.0 * losses[1] + 3.0 * losses[2]
    take_point = (loss - 0.5) / (win + loss + 0.5)
    cash_point = (loss + 1.0) / (win + loss + 0.5)

    dead = p * win - (1.0 - p) * loss
    owned = along(p, -loss, 0.0, -loss, cash_point, 1.0, win)
    unowned = along(p, -loss, take_point, -1.0, 1.0, win, win)
    values[1] = dead + efficiency * (owned - dead)
    values[2] = dead + efficiency * (unowned - dead)
    if jacoby:  # a gammon is nothing to play on for: below the take point -1, above the cash point 1
        win = loss = 1.0
        dead = 2.0 * p - 1.0
    centred = along(p, -loss, take_point, -1.0, cash_point, 1.0, win)
    values[0] = dead + efficiency * (centred - dead)
