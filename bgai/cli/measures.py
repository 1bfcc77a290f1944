"""What was measured, as lines of text and as records for JSON."""

from dataclasses import asdict

from bgai.arena.benchmark import ErrorRate
from bgai.arena.calibration import FEWEST_GAMES, Line
from bgai.arena.pool import Rating
from bgai.arena.statistics import Estimate, Summary


def summary_record(summary: Summary) -> dict:
    """The record of a summary: `ppg` is what a game, or a match won (1 or 0), gives on average."""
    figures = asdict(summary)
    mean, adjusted = figures.pop("mean"), figures.pop("adjusted")
    return {
        "games": figures.pop("games"),
        "ppg" if not summary.matches else "match_wins": mean["mean"],
        "ci95": summary.wins95 if summary.matches else summary.mean.ci95,
        "luck_adjusted": adjusted and adjusted["mean"],
        "luck_adjusted95": adjusted and summary.adjusted.ci95,
        "gammons": summary.gammons_won + summary.gammons_lost,
        **figures,
    }


def rounded(record: dict) -> dict:
    """The record with five places of its numbers."""

    def value(x):
        if isinstance(x, list):
            return [value(each) for each in x]
        return round(x, 5) if isinstance(x, float) else x

    return {name: value(x) for name, x in record.items()}


def summary_lines(s: Summary) -> list[str]:
    """The same for people."""
    lines = [f"games            {s.games}" + (f" in {s.matches} matches" if s.matches else "")]
    if not s.matches:
        lines.append(f"points a game    {interval_text(s.mean)}")
    if s.adjusted:
        lines.append(f"{'wins' if s.matches else 'points'} luck-free".ljust(17) + interval_text(s.adjusted))
    low, high = s.wins95
    return [
        *lines,
        f"{'matches' if s.matches else 'games'} won".ljust(17) + f"{s.wins:.4f}, 95 % interval {low:.4f} to {high:.4f}",
        f"gammons          won {100 * s.gammons_won:.1f} %, lost {100 * s.gammons_lost:.1f} % of all games",
        f"backgammons      won {100 * s.backgammons_won:.1f} %, lost {100 * s.backgammons_lost:.1f} %",
        f"passes           won {100 * s.won_by_pass:.1f} %, lost {100 * s.lost_by_pass:.1f} %",
        f"Elo difference   {s.elo:+.0f}, 95 % interval {s.elo95[0]:+.0f} to {s.elo95[1]:+.0f}",
    ]


def interval_text(e: Estimate) -> str:
    """`+0.1234 +- 0.0123 (95 %)`."""
    return f"{e.mean:+.4f} +- {e.halfwidth:.4f} (95 %)"


def error_rate_lines(rates: list[ErrorRate]) -> list[str]:
    """A table of error rates."""
    lines = ["kind    phase      decisions  counted       PR  millipoints  blunders"]
    for r in rates:
        figures = f"{r.decisions:9}  {r.counted:7}  {r.pr:7.2f}  {r.millipoints:11.2f}  {r.blunders:8}"
        lines.append(f"{r.kind:7} {r.phase:10} {figures}")
    return lines


def calibration_lines(lines: list[Line]) -> list[str]:
    """A table of expected and actual rates in per cent: of whole phases, then of ranges of the expected
    rate that came up in enough games."""
    table = ["phase      outcome         range       positions  expected   actual   error (95 %)"]
    whole = [line for line in lines if line.whole]
    ranges = [line for line in lines if line.phase == "all" and not line.whole and line.games >= FEWEST_GAMES]
    for line in [*whole, *ranges]:
        within = f"{100 * line.low:.0f}-{100 * line.high:.0f} %"
        rates = f"{100 * line.expected:8.2f} {100 * line.actual:8.2f}"
        error = f"{100 * line.error.mean:+7.2f} +- {100 * line.error.halfwidth:.2f}"
        table.append(f"{line.phase:10} {line.outcome:15} {within:10} {line.positions:10}  {rates}   {error}")
    return table


def calibration_record(line: Line) -> dict:
    """One line of a calibration."""
    return asdict(line) | {"error": line.error.mean, "error95": line.error.ci95}


def rating_lines(ratings: list[Rating]) -> list[str]:
    """A table of Elo ratings."""
    width = max(len(r.name) for r in ratings)
    return [f"{'player':{width}}     Elo    +-  games"] + [
        f"{r.name:{width}}  {r.elo.mean:+6.0f} {r.elo.halfwidth:5.0f}  {r.games}" for r in ratings
    ]


def rating_record(rating: Rating) -> dict:
    """One player's rating."""
    return {"player": rating.name, "elo": rating.elo.mean, "elo95": rating.elo.ci95, "games": rating.games}
