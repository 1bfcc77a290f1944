"""Cube decisions: double or not, take, pass or turn it again, and the points that players know them by."""

from dataclasses import dataclass, replace

import numpy as np

from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube import LOSE, WIN, Stakes, cube_values, emg, nd_dt, slot, stakes_of
from bgai.evaluator.efficiency import CONTACT, EFFICIENCY
from bgai.game import TURNS, State, actions, can_double, gammons_count, to_decide

OPTIONAL = 0.001  # EMG between the best action and the second within which either is right


@dataclass(frozen=True)
class CubeDecision:
    """What to do with the cube. Everything is seen by the player on roll; while a cube is pending by who doubled first.

    action           "double/take", "no double/take", "too good to double/pass", ... ("redouble" for an owned cube), or
                     "not available"; to a pending cube the answer: "take" ("accept"), "pass", "beaver", "raccoon", ...
    optional         the best action and the second differ by at most 0.001 EMG
    nd, dt, dp       EMG per present cube of no double; double, take; double, pass. None where it can't happen. To a
                     pending cube dt is taking it as it stands and dp passing it, which is -1 for the doubler's own pass
    mwc              the same three as match winning chances, None for money
    outcomes         the six exclusive outcomes
    cubeless         points of a game without cube, gammons counted
    take_point       winning chance that the opponent needs to take
    doubling_point   winning chance from which doubling is right, and `cash_point` from which the opponent should pass.
                     All three at the position's rates of gammons, by the formula; None if there is no such chance
    gammon_values    what a gammon adds, over the difference between winning and losing a single game, at the present
                     cube: won by the player on roll, won by the opponent; for money 0.5 each
    """

    action: str
    optional: bool
    nd: float | None
    dt: float | None
    dp: float | None
    mwc: dict[str, float | None] | None
    outcomes: tuple[float, ...]
    cubeless: float
    take_point: float | None
    doubling_point: float | None
    cash_point: float | None
    gammon_values: tuple[float, float]


def decide(
    outcomes: np.ndarray,
    state: State,
    *,
    values: tuple[float, float] | None = None,
    efficiency: float = EFFICIENCY[CONTACT],
) -> CubeDecision:
    """The cube decision of a position.

    outcomes     float[6], exclusive, seen as `state` is
    values       no double and double, take from a search, rollout or table, in the units of `cube.Stakes`, where dt
                 counts the doubled cube: what `nd_dt` returns. None: by the formula from the outcomes
    efficiency   of the cube, for the formula: that of the board (`efficiency_of`), which `outcomes` don't tell
    Raises ImpossibleState for a state that no game can come to.
    """
    outcomes = np.asarray(outcomes, dtype=np.float64)
    stakes = stakes_of(state)
    pending = state.pending is not None
    available = pending or can_double(state)
    if values is not None:
        nd, dt = values
    elif available:
        nd, dt = map(float, nd_dt(cube_values(outcomes[None], efficiency, stakes)[0], stakes, state.owner))
    else:
        nd, dt = float(cube_values(outcomes[None], efficiency, stakes)[0, slot(state.owner)]), None
    lost_by_pass = LOSE if pending and to_decide(state) == "mover" else WIN
    mwc = {
        "nd": float(nd) if state.pending in (None, "double") else None,
        "dt": float(dt) if available else None,
        "dp": float(stakes.after[0, lost_by_pass]) if available else None,
    }
    equities = {name: None if value is None else float(emg(value, stakes)) for name, value in mwc.items()}
    if pending:
        action, optional = best_answer(equities["dt"], state)
    elif available:
        action, optional = _action(**equities, state=state)
    else:
        action, optional = "not available", False
    offered = available and state.pending in (None, "double")
    doubling_point, cash_point = _points(outcomes, state, efficiency, stakes) if offered else (None, None)
    return CubeDecision(
        action=action,
        optional=optional,
        **equities,
        mwc=None if stakes.money else mwc,
        outcomes=tuple(outcomes.tolist()),
        cubeless=float(outcomes @ OUTCOME_POINTS),
        take_point=None if cash_point is None else 1.0 - cash_point,
        doubling_point=doubling_point,
        cash_point=cash_point,
        gammon_values=_gammon_values(state, stakes),
    )


def _action(nd: float, dt: float, dp: float, state: State) -> tuple[str, bool]:
    """The player on roll's action with the opponent's answer to a double, and whether doubling is optional."""
    answer, _ = best_answer(dt, replace(state, pending="double"))
    doubled = double_value(dt, state)
    verb = "double" if state.owner == "centred" else "redouble"
    if doubled >= nd:
        action = verb
    elif nd > dp:
        action = f"too good to {verb}"
    else:
        action = f"no {verb}"
    return f"{action}/{answer}", abs(doubled - nd) <= OPTIONAL


def best_answer(dt: float, state: State) -> tuple[str, bool]:
    """The best answer to the pending cube of `state`, and whether the second best is as good within `OPTIONAL`.

    dt   EMG, for who doubled first, of taking the cube as it stands
    """
    worth = answerer_values(dt, state)
    best = max(worth, key=worth.get)  # of equals the first: a take before a pass or a beaver
    second = max(value for answer, value in worth.items() if answer != best)
    return best, worth[best] - second <= OPTIONAL


def answer_values(dt: float, state: State) -> dict[str, float]:
    """EMG, for who doubled first, of each answer to the pending cube; `dt`: taking it as it stands (R33, R35)."""
    own = to_decide(state) == "mover"
    worth = {}
    for answer in actions(state):
        if answer in ("take", "accept"):
            worth[answer] = dt
        elif answer == "pass":
            worth[answer] = -1.0 if own else 1.0
        elif answer in TURNS:
            turned = replace(state, cube=2 * state.cube, owner="opponent", pending=answer)
            worth[answer] = 2.0 * pending_value(dt, turned)
    return worth


def answerer_values(dt: float, state: State) -> dict[str, float]:
    """`answer_values`, but for whoever answers."""
    sign = 1.0 if to_decide(state) == "mover" else -1.0
    return {answer: sign * value for answer, value in answer_values(dt, state).items()}


def pending_value(dt: float, state: State) -> float:
    """EMG, for who doubled first, of the pending cube, which is answered best; `dt` as for `answer_values`."""
    return (max if to_decide(state) == "mover" else min)(answer_values(dt, state).values())


def double_value(dt: float, state: State) -> float:
    """EMG of doubling in `state`, answered best; `dt`: of double, take."""
    return pending_value(dt, replace(state, pending="double"))


def _points(outcomes: np.ndarray, state: State, efficiency: float, stakes: Stakes) -> list[float | None]:
    """Winning chances from which to double, and from which the opponent should pass, with these rates of gammons."""
    chances = np.linspace(0.0, 1.0, 2001)
    won, lost = outcomes[:3].sum(), outcomes[3:].sum()
    wins = outcomes[:3] / won if won > 0 else np.eye(3)[0]
    losses = outcomes[3:] / lost if lost > 0 else np.eye(3)[0]
    line = np.hstack([chances[:, None] * wins, (1.0 - chances)[:, None] * losses])
    nd, dt = nd_dt(cube_values(line, efficiency, stakes), stakes, state.owner)
    cash = stakes.after[0, WIN]
    return [_first_above(chances, np.minimum(dt, cash) - nd), _first_above(chances, dt - cash)]


def _first_above(chances: np.ndarray, gain: np.ndarray) -> float | None:
    """The smallest of `chances` at which `gain`, straight between them, rises above 0."""
    above = gain > 0
    i = int(above.argmax())
    if not above[i]:
        return None
    return float(np.interp(0.0, gain[i - 1 : i + 1], chances[i - 1 : i + 1])) if i else float(chances[0])


def _gammon_values(state: State, stakes: Stakes) -> tuple[float, float]:
    if not gammons_count(state):
        return 0.0, 0.0
    win, win_gammon, _, lose, lose_gammon, _ = stakes.after[0]
    return float((win_gammon - win) / (win - lose)), float((lose - lose_gammon) / (win - lose))
