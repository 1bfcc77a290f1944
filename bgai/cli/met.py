"""`bgai met`: the match equity table that follows from a player's own games, beside a published one."""

from pathlib import Path
from typing import Annotated

import numpy as np
from typer import Option

from bgai import api
from bgai.ask.json_text import json_line
from bgai.cli.drawing import HEADING, chances
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Json
from bgai.evaluator.met import KAZAROSS_XG2, LONGEST, MatchEquityTable, computed_table, load_table
from bgai.evaluator.met import POST_CRAWFORD as LAST_LINE
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.trials import Settings
from bgai.files import check_target, write_atomically
from bgai.notation.position import start_of

SHOWN = 9  # points away, so that a row fits a terminal


def met(
    checkpoint: Checkpoint = "default",
    length: Annotated[int, Option(min=1, max=LONGEST, help="points of the longest match")] = 25,
    trials: Annotated[int, Option(min=1, help="games from the start, their luck taken out")] = 1296,
    beside: Annotated[Path, Option("--table", help="a CSV file to compare with")] = KAZAROSS_XG2,
    csv: Annotated[Path | None, Option(help="write the computed table to this file")] = None,
    as_json: Json = False,
) -> None:
    """Compute a match equity table from a player's rates of wins and gammons, and show how it differs from another.

    bgai met --length 7
    """
    if csv:
        check_target(csv)
    published = load_table(beside).extended(length)
    tell_if_first_run()
    start, net = start_of("backgammon"), api.player(checkpoint)
    api.fitted(start, net)
    *_, games = roll_out(net, of_position(start.board, start.state), trials, Settings(luck_ply=0, cubeful=False))
    rates = np.maximum(games.outcomes[0], 0.0)  # with luck taken out, a rate near 0 can come out below it
    table = computed_table(rates / rates.sum(), length)
    if csv:
        write_atomically(csv, _csv(table).encode())
    print(_json(table, published, rates) if as_json else _text(table, published, rates, games.trials))


def _chances(table: MatchEquityTable, length: int) -> tuple[np.ndarray, np.ndarray]:
    """The table before the Crawford game has been played, float64[n, n], and the trailer's chances after it, [n]."""
    return table.mwc[0, 1 : length + 1, 1 : length + 1], table.mwc[1, 1 : length + 1, 1]


def _csv(table: MatchEquityTable) -> str:
    before, after = _chances(table, table.length)
    rows = [",".join(f"{chance:.5f}" for chance in row) for row in before]
    return "\n".join([*rows, ",".join([LAST_LINE, *(f"{chance:.5f}" for chance in after)]), ""])


def _json(table: MatchEquityTable, published: MatchEquityTable, rates: np.ndarray) -> str:
    before, after = _chances(table, table.length)
    theirs, theirs_after = _chances(published, table.length)
    return json_line(
        {
            "length": table.length,
            "outcomes": rates.tolist(),
            "mwc": before.tolist(),
            "post_crawford": after.tolist(),
            "compared_with": published.name,
            "mean_difference": float(np.abs(before - theirs).mean()),
            "largest_difference": float(np.abs(before - theirs).max()),
            "largest_difference_post_crawford": float(np.abs(after - theirs_after).max()),
        }
    )


def _text(table: MatchEquityTable, published: MatchEquityTable, rates: np.ndarray, trials: int) -> str:
    shown = min(SHOWN, table.length)
    before, after = _chances(table, table.length)
    theirs, theirs_after = _chances(published, table.length)
    heading = "away " + "".join(f"{away:>13}" for away in range(1, shown + 1))
    lines = [f"{HEADING}", chances(rates), f"by {trials} games, luck taken out", ""]
    lines += [f"match winning chance in per cent, and in brackets how much {published.name} has less or more", heading]
    for i in range(shown):
        lines.append(f"{i + 1:>4} " + "".join(_cell(before[i, j], theirs[i, j]) for j in range(shown)))
    lines += ["", "the trailer after the Crawford game", heading]
    lines.append("     " + "".join(_cell(after[i], theirs_after[i]) for i in range(shown)))
    gaps = np.abs(before - theirs)
    lines += [
        "",
        f"over all scores to {table.length}: mean difference {100 * gaps.mean():.2f}, largest {100 * gaps.max():.2f}",
    ]
    return "\n".join(lines)


def _cell(own: float, other: float) -> str:
    return f"{100 * own:6.1f} ({100 * (other - own):+.1f})"
