"""GNU Backgammon's match files in the Smart Game Format (GM[6]): one game tree for each game.

    (;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[White]PB[Black]RU[Crawford]RE[W+2R]
    ;W[31hefe];B[52lnab];W[double];B[take];...)

White is player 0. A play is the dice and a letter for each place, from and to: a to x are points 1 to 24 as White
numbers them, y the bar, z off. A resignation stands in the result alone (the R). Only the game is read, not what a
program thought of it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bgai.game import BEAVERS, IllegalAction, ImpossibleState, State, check_state
from bgai.notation.match_file import CUBE_ACTIONS, MAX_ACTIONS, Action, BadMatchFile, Fault, Game, Match
from bgai.notation.play_text import InvalidPlay
from bgai.notation.recorder import GameRecorder

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,20})|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])", re.DOTALL)
_DEEPEST = 1000  # nested variations
_COLOURS = "WB"
_BAR, _OFF = "y", "z"
_PLAY = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
_RESULT = re.compile(r"([WB])\+(\d{1,9})")
_RESIGN = re.compile(r"resign:(\d{1,9})")  # so many points
_CUBE_WORDS = {"double": "double", "redouble": "double", "beaver": "double", "take": "take", "drop": "pass"}
_TAGS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "US": "Transcriber", "AN": "Annotator"}
_SETUP = ("AE", "AW", "AB", "CV", "CP")
_READ = {"GM", "MI", "PW", "PB", "RU", "RE", "PL", "DI", *_COLOURS, *_TAGS, *_SETUP}
_BAD_ACTION = (InvalidPlay, IllegalAction, ImpossibleState)

Node = dict[str, list[str]]


class Tree(NamedTuple):
    """One game: the nodes of its main line, and how many other variations branch off."""

    nodes: list[Node]
    variations: int


def parse_sgf(text: str) -> list[Tree]:
    """The game trees of any SGF text, in time that grows with its length. Raises BadMatchFile."""
    trees: list[Tree] = []
    open_: list[bool] = []  # for each parenthesis, is what stands there on the main line?
    nodes: list[Node] = []
    variations, branched, name, at, count = 0, False, "", 0, 0
    while token := _TOKEN.match(text, at):
        at = token.end()
        mark, word, value = token.groups()
        main = bool(open_) and open_[-1]
        if mark == "(":
            if len(open_) == _DEEPEST:
                raise BadMatchFile(f"variations nested more than {_DEEPEST} deep")
            variations += bool(open_) and branched
            open_.append(not open_ or (main and not branched))
            branched = False
        elif mark == ")":
            if not open_:
                raise BadMatchFile("a ')' without its '('")
            open_.pop()
            branched = True  # any further tree beside the one that ends here is another variation
            if not open_:
                trees += [Tree(nodes, variations)] if nodes else []
                nodes, variations, branched = [], 0, False
        elif mark == ";":
            if main:
                nodes.append({})
                count += 1
                if count > 2 * MAX_ACTIONS:
                    raise BadMatchFile(f"more than {2 * MAX_ACTIONS} nodes: split the file")
        elif main and nodes and not branched:
            if word:
                name = word
            elif name in _READ:
                nodes[-1].setdefault(name, []).append(_unescaped(value))
    if open_ or text[at:].strip():
        raise BadMatchFile(f"no SGF: stopped at {text[at : at + 20]!r}, {len(open_)} '(' not closed")
    return trees


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) if "\\" in value else value


def is_sgf(text: str) -> bool:
    """`text` begins as a game tree does."""
    return re.match(r"\s*\(\s*;", text) is not None


def read_sgf(text: str) -> Match:
    """The match in the game trees of an SGF file. Raises BadMatchFile if it is none."""
    trees = parse_sgf(text)
    if not trees or any(tree.nodes[0].get("GM") != ["6"] for tree in trees):
        raise BadMatchFile("an SGF file, but not of backgammon: that has GM[6]")
    root = trees[0].nodes[0]
    players, length = _names(root), _match_info(root)["length"]
    games, faults, comments = [], [], []
    for tree in trees:
        info = _match_info(tree.nodes[0])
        number = info["game"] + 1
        if info["length"] != length or _names(tree.nodes[0]) != players:
            raise BadMatchFile(f"game {number} belongs to another match than the first one: split the file")
        if tree.variations:
            comments.append(f"game {number}: {tree.variations} other variations are left out")
        game, more = _read_game(tree.nodes, number, info)
        games.append(game)
        faults += more
        if sum(len(game.actions) for game in games) > MAX_ACTIONS:
            raise BadMatchFile(f"more than {MAX_ACTIONS} actions: split the file")
    tags = {tag: root[name][0] for name, tag in _TAGS.items() if root.get(name)}
    return Match(players, length, tuple(games), tuple(faults), tags, tuple(comments))


def _names(root: Node) -> tuple[str, str]:
    white, black = (" ".join("".join(root.get(name, [])).split()) for name in ("PW", "PB"))
    return white or "White", black or "Black"


def _match_info(root: Node) -> dict[str, int]:
    info = {"length": 0, "game": 0, "ws": 0, "bs": 0}
    for value in root.get("MI", []):
        name, _, number = value.partition(":")
        if name in info:
            if not re.fullmatch(r"\d{1,5}", number):
                raise BadMatchFile(f"MI[{value[:20]}]: expected a number")
            info[name] = int(number)
    return info


def _read_game(nodes: list[Node], number: int, info: dict[str, int]) -> tuple[Game, list[Fault]]:
    root, faults, text = nodes[0], [], []
    acts = [(colour, node[colour][0]) for node in nodes for colour in _COLOURS if node.get(colour)]
    game = GameRecorder(number, State())
    try:
        game = GameRecorder(number, check_state(_state(root, info, acts)))
        if any(name in root for name in _SETUP[:3]):
            raise InvalidPlay("begins with a board that is set up")
    except _BAD_ACTION as fault:
        faults.append(Fault(number, 0, str(fault)))
        text.append("(")
    for node in nodes[1:]:
        if not text:
            try:
                _node(game, node)
                continue
            except _BAD_ACTION as fault:
                faults.append(Fault(number, game.move + 1, str(fault)))
        text += [f"{name}[{node[name][0][:100]}]" for name in (*_COLOURS, *_SETUP, "PL", "DI") if node.get(name)]
    result = _RESULT.match(root.get("RE", [""])[0] if root.get("RE") else "")
    recorded = (_COLOURS.index(result[1]), int(result[2])) if result else None
    read, more = game.finish(recorded, text)
    return read, faults + more


def _state(root: Node, info: dict[str, int], acts: list[tuple[str, str]]) -> State:
    rules = ":".join(root.get("RU", [])).split(":")
    money = info["length"] == 0
    beavered = any(first[1] == second[1] == "double" for first, second in pairwise(acts))
    cube = root.get("CV", ["1"])[0]
    return State(
        cube=int(cube) if re.fullmatch(r"\d{1,5}", cube) else 0,
        length=info["length"],
        score=(info["ws"], info["bs"]),
        crawford="CrawfordGame" in rules,
        jacoby=money and "Jacoby" in rules,
        beavers=BEAVERS if money and beavered else 0,
    )


def _node(game: GameRecorder, node: Node) -> None:
    """What happens in one node of the main line."""
    for name in _SETUP:
        if name in node:
            raise InvalidPlay(f"{name}: something is set up in the middle of the game")
    if dice := node.get("DI"):
        found = _PLAY.fullmatch(dice[0])
        player = {"W": 0, "B": 1}.get("".join(node.get("PL", [])), game.turn or 0)
        if not found:
            raise InvalidPlay(f"DI[{dice[0][:10]}] is no roll")
        game.roll(player, (int(found[1]), int(found[2])))
    for player, colour in enumerate(_COLOURS):
        for value in node.get(colour, []):
            _act(game, player, value)


def _act(game: GameRecorder, player: int, value: str) -> None:
    if value in _CUBE_WORDS:
        game.cube(player, _CUBE_WORDS[value])
    elif resignation := _RESIGN.fullmatch(value):
        game.resign(player, int(resignation[1]))
    elif value == "accept" and game.result:
        return
    elif play := _PLAY.fullmatch(value):
        places = [_place(letter, player) for letter in play[3]]
        moves = " ".join(f"{source}/{target}" for source, target in zip(places[::2], places[1::2], strict=True))
        game.play(player, (int(play[1]), int(play[2])), moves)
    else:
        raise InvalidPlay(f"{value[:40]!r} is neither a play nor a cube action")


def _place(letter: str, player: int) -> int:
    if letter in (_BAR, _OFF):
        return 25 if letter == _BAR else 0
    white = ord(letter) - ord("a") + 1
    return white if player == 0 else 25 - white


def write_sgf(match: Match) -> str:
    """The text of an .sgf file, as GNU Backgammon writes and reads it. A game's `text` becomes a comment."""
    return "\n".join(f"({''.join(_nodes(match, game))})" for game in match.games) + "\n"


def _nodes(match: Match, game: Game) -> Iterator[str]:
    state = game.state
    rules = ["Crawford"] if match.length > 1 else ["Jacoby"] if state.jacoby else []
    rules += ["CrawfordGame"] if state.crawford else []
    info = {"length": match.length, "game": game.number - 1, "ws": state.score[0], "bs": state.score[1]}
    resigned = bool(game.actions) and game.actions[-1].kind == "resign"
    yield ";FF[4]GM[6]CA[UTF-8]AP[bgai]MI" + "".join(f"[{name}:{number}]" for name, number in info.items())
    yield f"PW[{_escaped(match.players[0])}]PB[{_escaped(match.players[1])}]"
    yield "".join(f"{name}[{_escaped(match.tags[tag])}]" for name, tag in _TAGS.items() if tag in match.tags)
    yield f"RU[{':'.join(rules)}]" if rules else ""
    yield f"CV[{state.cube}]" if state.cube > 1 else ""
    yield f"RE[{_COLOURS[game.winner]}+{game.points}{'R' if resigned else ''}]" if game.winner is not None else ""
    yield f"C[{_escaped(chr(10).join(game.text))}]" if game.text else ""
    for action in game.actions:
        if action.kind != "resign":
            yield f"\n;{_action_text(action)}"


def _action_text(action: Action) -> str:
    colour = _COLOURS[action.player]
    if action.kind in CUBE_ACTIONS:
        words = {"pass": "drop", "take": "take", "accept": "take"}
        return f"{colour}[{words.get(action.kind, 'double')}]"
    dice = "{}{}".format(*action.position.dice)
    if action.kind == "roll":
        return f"PL[{colour}]DI[{dice}]"
    letters = "".join(_letter(place, action.player) for move in action.moves for place in move)
    return f"{colour}[{dice}{letters}]"


def _letter(place: int, player: int) -> str:
    if place in (0, 25):
        return _BAR if place else _OFF
    return chr(ord("a") + (place if player == 0 else 25 - place) - 1)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
