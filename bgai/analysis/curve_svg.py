"""The curve of a match as SVG: chances over time, with its errors as dots that lead to them."""

from collections.abc import Callable
from html import escape

from bgai.analysis.decisions import Decision
from bgai.analysis.summary import CurvePoint, JudgedMatch
from bgai.lang import say

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _MARGIN = 960, 320, 72, 32, 14
_COLOURS = "#1d4f91", "#c07000"  # of the players' errors


def curve_svg(points: list[CurvePoint], judged: JudgedMatch, anchor: Callable[[int, Decision], str]) -> str:
    """The picture of `points`: player 0's chances. `anchor` names the place of a decision in the page."""
    if not points:
        return f"<p>{say('Nothing was judged.')}</p>"
    values = [point.value for point in points]
    low, high = (0.0, 1.0) if judged.match.length else (min(*values, 0.0), max(*values, 1.0))

    def x(i: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _MARGIN) * i / max(len(points) - 1, 1)

    def y(value: float) -> float:
        return _MARGIN + (_HEIGHT - _MARGIN - _BOTTOM) * (high - min(max(value, low), high)) / (high - low)

    parts = []
    for step in range(5):
        value = low + (high - low) * step / 4
        label = f"{100 * value:.0f} %" if judged.match.length else f"{value:+.1f}"
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _MARGIN}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end" font-size="13">{label}</text>')
    for i, point in enumerate(points):
        if i == 0 or point.game != points[i - 1].game:
            parts.append(
                f'<line x1="{x(i):.1f}" x2="{x(i):.1f}" y1="{_MARGIN}" y2="{_HEIGHT - _BOTTOM}" stroke="#bbb"/>'
            )
            number = judged.match.games[point.game].number
            parts.append(
                f'<text x="{x(i) + 3:.1f}" y="{_HEIGHT - 8}" font-size="13">{say("game {n}", n=number)}</text>'
            )
    line = " ".join(f"{x(i):.1f},{y(point.value):.1f}" for i, point in enumerate(points))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#222" stroke-width="1.6"/>')
    at = {(point.game, point.action): i for i, point in enumerate(points)}
    for game, _, decision in judged.decisions():
        i = at.get((game, decision.action))
        if decision.mark and i is not None:
            colour = _COLOURS[decision.player]
            parts.append(
                f'<a href="#{anchor(game, decision)}"><circle cx="{x(i):.1f}" cy="{y(points[i].value):.1f}" r="5" '
                f'fill="{colour}"><title>{-decision.loss:.3f} {say(decision.error)}</title></circle></a>'
            )
    head = f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
    legend = "".join(
        f'<span><span style="color:{colour}">●</span> {say("errors of {name}", name=escape(name))}</span>'
        for colour, name in zip(_COLOURS, judged.match.players, strict=True)
    )
    font = 'font-family="Helvetica, Arial, sans-serif" fill="#222"'
    return f'{head}<g {font}>{"".join(parts)}</g></svg><p class="legend">{legend}</p>'
