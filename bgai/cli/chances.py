"""Outcomes as people read them: six columns of cumulative chances in per cent."""

import numpy as np

HEADING = "   win    (g)   (bg)    lose    (g)   (bg)"


def chances(outcomes: np.ndarray) -> str:
    """A line of chances under `HEADING` from exclusive `outcomes float32[6]`: gammons are counted among the wins, and
    backgammons among the gammons."""
    columns = [outcomes[side : side + 3][::-1].cumsum()[::-1] * 100 for side in (0, 3)]
    return "  ".join("".join(f"{share:6.1f} " for share in side) for side in columns).rstrip()
