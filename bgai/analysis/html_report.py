"""A report of one analysed match as a single HTML file that needs no network: to look at, to print, to learn from."""

from collections.abc import Iterable, Iterator
from html import escape
from random import Random

from bgai import files
from bgai.analysis.curve_svg import curve_svg
from bgai.analysis.decisions import Decision, mark
from bgai.analysis.summary import JudgedMatch, curve, summarise, summary_lines
from bgai.analysis.tables import id_of, position_of, worst
from bgai.lang import language, say
from bgai.notation.match_file import Action, Game, Match, move_array
from bgai.notation.svg_board import svg_board

QUIZ = 10  # questions
_CHOICES = 4  # answers to each, if there are so many

Place = tuple[int, Game, Decision]  # index of the game, game, decision


def html_report(judged: JudgedMatch, title: str) -> str:
    """The text of the report, in the language spoken. `title` is shown with the names: that of the file, say."""
    match = judged.match
    names = " – ".join(map(escape, match.players))
    kind = say("match to {length}", length=match.length) if match.length else say("money session")
    first = escape(match.players[0])
    chances = say("Match winning chance of {name}", name=first) if match.length else say("Equity of {name}", name=first)
    parts = [
        f"<h1>{names} {match.score[0]}–{match.score[1]}</h1>",
        f"<p>{kind}, {say('{n} games', n=len(match.games))}, {escape(title)}</p>",
        *(f'<p class="fault">{say("not understood: {fault}", fault=escape(str(fault)))}</p>' for fault in match.faults),
        f'<nav><a href="#summary">{say("Summary")}</a><a href="#curve">{say("Curve")}</a>'
        f'<a href="#errors">{say("Errors")}</a><a href="#quiz">{say("Quiz")}</a>'
        f'<a href="#games">{say("All decisions")}</a></nav>',
        f'<h2 id="summary">{say("Summary")}</h2>',
        _summary(judged),
        f'<h2 id="curve">{chances}</h2>',
        curve_svg(curve(judged), judged, _anchor),
        f'<h2 id="errors">{say("Errors")}</h2>',
        _errors(judged),
        f'<h2 id="quiz">{say("Quiz")}</h2>',
        *_quiz(judged),
        f'<h2 id="games">{say("All decisions")}</h2>',
        *_games(judged),
    ]
    style, script = (files.data_file(f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{names}</title>\n<style>\n{style}</style>\n</head>\n<body>",
            *parts,
            f"<script>\n{script}</script>\n</body>\n</html>\n",
        ]
    )


def _anchor(game: int, decision: Decision) -> str:
    return f"g{game + 1}-{decision.action}-{decision.kind}"


def _summary(judged: JudgedMatch) -> str:
    rows = summary_lines({str(number): summary for number, summary in enumerate(summarise(judged))})
    head = ("", *judged.match.players)
    return _table([head, *rows[1:]])


def _table(rows: list[tuple[str, ...]]) -> str:
    """The first row is the heading; all but the first column are numbers."""

    def cells(row: tuple[str, ...], tag: str) -> str:
        first, *others = map(escape, row)
        return f"<{tag}>{first}</{tag}>" + "".join(f'<{tag} class="number">{each}</{tag}>' for each in others)

    lines = [f"<tr>{cells(rows[0], 'th')}</tr>", *(f"<tr>{cells(row, 'td')}</tr>" for row in rows[1:])]
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def _errors(judged: JudgedMatch) -> str:
    marked = [each for each in worst(judged) if each[2].mark]
    if not marked:
        return f"<p>{say('None.')}</p>"
    columns = ("loss", "where", "player", "kind", "play", "play")  # classes for the style
    heads = (say("loss"), say("where"), say("player"), say("kind"), say("done"), say("best"))
    rows = []
    for i, game, decision in marked:
        action, best = game.actions[decision.action], decision.said(decision.options[0])
        rows.append(
            (
                f"{-decision.loss:.3f} {decision.mark}",
                f'<a href="#{_anchor(i, decision)}">{game.number}, {action.number}</a>',
                escape(judged.match.players[decision.player]),
                say(decision.error),
                _with_roll(action, decision),
                best,
            )
        )
    head = "".join(f'<th class="{column}">{cell}</th>' for column, cell in zip(columns, heads, strict=True))
    body = (
        "".join(f'<td class="{column}">{cell}</td>' for column, cell in zip(columns, row, strict=True)) for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(f"<tr>{row}</tr>" for row in body)}</table></div>'


def _with_roll(action: Action, decision: Decision) -> str:
    roll = "{}{}: ".format(*action.position.dice) if decision.kind == "play" else ""
    return roll + decision.said(decision.options[decision.chosen])


# Quiz


def _quiz(judged: JudgedMatch) -> Iterator[str]:
    """The worst decisions as questions; where the right answer stands is drawn from what is asked."""
    asked = list(worst(judged, QUIZ))
    if not asked:
        yield f"<p>{say('No errors, no questions.')}</p>"
    for number, (i, game, decision) in enumerate(asked, start=1):
        options = list(decision.options[: _CHOICES - 1])
        if decision.chosen >= len(options):
            options.append(decision.options[decision.chosen])
        Random(f"{id_of(position_of(game, decision))} {decision.options[0].text}").shuffle(options)
        answer = "ABCD"[options.index(decision.options[0])]
        choices = "".join(f"<li>{decision.said(option)}</li>" for option in options)
        played, loss = decision.said(decision.options[decision.chosen]), f"{decision.loss:.3f}"
        yield (
            f'<div class="question" id="q{number}"><h3>{number}. {_what_to_decide(judged.match, game, decision)}</h3>'
            f'<div class="boards">{_figure(game, decision, None, "")}</div><ol class="quiz">{choices}</ol>'
            f'<details class="answer"><summary>{say("Answer")}</summary><p>'
            f"{answer}. {decision.said(decision.options[0])}. "
            f"{say('Played was {play}, which lost {loss}.', play=played, loss=loss)} "
            f'<a href="#{_anchor(i, decision)}">{say("All options")}</a></p></details></div>'
        )


# All decisions


def _games(judged: JudgedMatch) -> Iterator[str]:
    for i, (game, found) in enumerate(zip(judged.match.games, judged.games, strict=True)):
        score = f"{game.state.score[0]}–{game.state.score[1]}"
        crawford = f", {say('Crawford game')}" if game.state.crawford else ""
        head = say("Game {n}, at {score}{crawford}", n=game.number, score=score, crawford=crawford)
        yield f'<h3 id="g{i + 1}">{head}: {_result(judged.match, game)}</h3>'
        for decision in found.decisions:
            yield _decision(judged.match, (i, game, decision))
        if game.text:
            yield f"<pre>{escape(chr(10).join(game.text))}</pre>"


def _result(match: Match, game: Game) -> str:
    if game.winner is None:
        return say("broken off")
    return say("{name} wins {what}", name=escape(match.players[game.winner]), what=game.points)


def _decision(match: Match, place: Place) -> str:
    i, game, decision = place
    action = game.actions[decision.action]
    loss = f' <span class="loss">{-decision.loss:.3f} {decision.mark}</span>' if decision.loss >= 0.0005 else ""
    head = f"{action.number}. {escape(match.players[decision.player])}: {_with_roll(action, decision)}{loss}"
    return (
        f'<details id="{_anchor(i, decision)}"><summary>{head}</summary>'
        f"<p>{_what_to_decide(match, game, decision)}{_named(decision)} "
        f"<code>{id_of(position_of(game, decision))}</code></p>"
        f'<div class="boards">{"".join(_boards(game, decision))}</div>{_options(decision)}</details>'
    )


def _named(decision: Decision) -> str:
    name = mark(decision.loss)[1]
    return f" ({say(name)})" if name else ""


def _boards(game: Game, decision: Decision) -> Iterable[str]:
    done, best = (decision.said(decision.options[k]) for k in (decision.chosen, 0))
    if decision.kind != "play":
        yield _figure(game, decision, None, say("Done: {done}. Best: {best}", done=done, best=best))
        return
    played = say("Played: {play}" if decision.chosen else "Played: {play}, the best", play=done)
    yield _figure(game, decision, decision.chosen, played)
    if decision.chosen:
        yield _figure(game, decision, 0, say("Best: {play}", play=best))


def _figure(game: Game, decision: Decision, option: int | None, caption: str) -> str:
    """The board, seen by the player on roll; of a pending double by who doubled."""
    moves = None if option is None else move_array(decision.options[option].moves)
    board = svg_board(position_of(game, decision), moves=moves)
    return f"<figure>{f'<figcaption>{caption}</figcaption>' if caption else ''}{board}</figure>"


def _what_to_decide(match: Match, game: Game, decision: Decision) -> str:
    """Whose decision it is and with which checkers: the player on roll has the light ones."""
    position = position_of(game, decision)
    light = decision.player if decision.kind != "answer" else _light(decision, position.state.pending)
    player = escape(match.players[decision.player])
    if decision.kind == "play":
        what = say("{actor} to play {roll}", actor=player, roll="{}{}".format(*position.dice))
    elif decision.kind == "double":
        what = say("{name} to double or not", name=player)
    else:
        what = say("{name} to answer the {cube}", name=player, cube=say(position.state.pending))
    return f"{what}; {say('{name} has the light checkers', name=escape(match.players[light]))}"


def _light(decision: Decision, pending: str) -> int:
    """Who doubled first, by whom a position with a pending cube is seen."""
    return decision.player if pending in ("beaver", "re-beaver") else 1 - decision.player


def _options(decision: Decision) -> str:
    rows = []
    for k, option in enumerate(decision.options):
        outcomes = option.outcomes
        chances = [sum(outcomes[a:b]) for a, b in ((0, 3), (1, 3), (2, 3), (3, 6), (4, 6), (5, 6))] if outcomes else []
        cells = "".join(f'<td class="number">{100 * chance:.1f}</td>' for chance in chances)
        behind = f"{option.equity - decision.options[0].equity:.3f}" if k else ""
        how = say("rollout") if option.ply < 0 else f"{option.ply}-ply"
        done = ' class="done"' if k == decision.chosen else ""
        rows.append(
            f'<tr{done}><td class="play">{decision.said(option)}</td><td class="number">{option.equity:+.3f}</td>'
            f'<td class="number">{behind}</td>{cells}<td class="number">{how}</td></tr>'
        )
    columns = [say("win"), "g", "bg", say("lose"), "g", "bg"] if decision.options[0].outcomes else []
    heads = [say("equity"), say("behind"), *columns]
    head = "<th></th>" + "".join(f'<th class="number">{each}</th>' for each in heads) + "<th></th>"
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'
