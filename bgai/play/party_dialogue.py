"""The talk of a chouette: a party and a line of text give the next party and what is said to it, as in `dialogue`."""

from collections.abc import Callable
from dataclasses import replace

from bgai import api
from bgai.game import RESIGNATIONS, IllegalAction, State, actions
from bgai.notation.play_text import InvalidPlay, parse_play
from bgai.play import party as table
from bgai.play import tutor
from bgai.play.dialogue import ACTIONS, DONE, LONGEST_LINE, ROLL, Refused, Warned, parse_dice, warn
from bgai.play.party import Party

_LEAVE = (*ROLL, "no")


def begin(party: Party) -> tuple[Party, str]:
    """A party that was just made or resumed, brought to where a person is asked."""
    return _go_on(party, [_title(party)])


def question(party: Party) -> str:
    """Who is asked what now."""
    names, chouette = party.names, party.chouette
    if party.stage == "opening":
        return f"opening roll, the die of {names[chouette.captain]} first: "
    if party.stage == "cube":
        member, waits = table.cube_question(party)
        who = names[party.decider(member)]
        whose = f" {names[member]}" if chouette.box == party.decider(member) else ""
        if waits:
            return f"{who}, {' or '.join(_answers(chouette.cubes[member]))}{whose and f' to{whose}'}: "
        return f"{who}, double{whose}, or Enter: "
    if party.stage == "roll":
        return f"the dice of {names[party.leader]}: "
    if party.stage == "play":
        return f"{names[party.leader]}, {party.dice[0]}{party.dice[1]}: "
    if party.stage == "made":
        return f"{table.play_text(party, party.made)}: Enter to pick up the dice, or undo: "
    return "Enter for the next game, or quit: "


def reply(party: Party, line: str) -> tuple[Party, str]:
    """What follows from a line that is entered, and what is said to it. A wrong entry changes nothing."""
    entry = " ".join(line.lower().split())
    said: list[str] = []
    try:
        if len(entry) > LONGEST_LINE:
            raise Refused(f"an entry has at most {LONGEST_LINE} characters")
        if entry in ("help", "?"):
            return party, help_text(party)
        if entry in ("tutor on", "tutor off"):
            return replace(party, tutor=entry == "tutor on"), f"the tutor is {entry[6:]}"
        if entry in ("hint", "h"):
            return party, _hint(party)
        after = replace(_STAGES[party.stage](party, entry, said), warned=None)
        if party.stage != "over":  # what begins a game isn't part of it
            after = replace(after, entries=(*after.entries, entry))
        return _go_on(after, said)
    except Warned as why:
        return replace(party, warned=entry), str(why)
    except (Refused, InvalidPlay, IllegalAction, api.InvalidRoll) as why:
        return party, str(why)


def help_text(party: Party) -> str:
    """What can be entered now, and always."""
    now = {
        "opening": "the captain's die of the opening roll, then the box's, such as 31",
        "roll": "the dice as they lie on the board, such as 31",
        "cube": "Enter (or roll, or no) to leave the cube; double; or an answer to it; resign",
        "play": "a play such as 8/5 6/5, 24/18*/13, bar/20 6/4(2) or 6/off; resign",
        "made": "Enter (or done) to pick up the dice and end the turn; undo",
        "over": "Enter for the next game",
    }[party.stage]
    return f"now: {now}\nat any time: hint, help, tutor on, tutor off, quit"


# What is entered at each stage


def _opening(party: Party, entry: str, said: list[str]) -> Party:
    return table.open_game(party, parse_dice(entry))


def _cube(party: Party, entry: str, said: list[str]) -> Party:
    member, waits = table.cube_question(party)
    action = ACTIONS.get(entry, entry)
    if not waits and action in _LEAVE:
        _warn(party, entry, lambda: tutor.action_warning(party.game_of(member), "roll", **party.network))
        return table.leave(party, member)
    allowed = _answers(party.chouette.cubes[member]) if waits else ("double",)
    if action not in (*allowed, *RESIGNATIONS):
        raise Refused(f"{entry[:40]!r} is no answer: {', '.join(allowed)}{'' if waits else ', or nothing to leave it'}")
    _warn(party, entry, lambda: tutor.action_warning(party.game_of(member), action, **party.network))
    return _act(party, member, action, said)


def _roll(party: Party, entry: str, said: list[str]) -> Party:
    return table.roll(party, parse_dice(entry))


def _play(party: Party, entry: str, said: list[str]) -> Party:
    action = ACTIONS.get(entry, entry)
    if action in RESIGNATIONS:
        _warn(party, entry, lambda: tutor.action_warning(party.position, action, **party.network))
        said.append(f"{party.names[party.leader]}: {action}")
        return table.resign(party, action)
    index = parse_play(entry, party.board, party.dice)
    board = table.plays(party).boards[index]
    _warn(party, entry, lambda: tutor.play_warning(party.position, board, **party.network))
    return replace(party, stage="made", made=index)


def _made(party: Party, entry: str, said: list[str]) -> Party:
    if entry in ("undo", "u"):
        return replace(party, stage="play", made=None)
    if entry not in DONE:
        raise Refused("the play is made: enter nothing to pick up the dice, or undo")
    return _played(party, party.made, said)


def _over(party: Party, entry: str, said: list[str]) -> Party:
    if entry not in DONE:
        raise Refused("the game is over: enter nothing for the next one, or quit")
    party = table.next_game(party)
    said.append(_title(party))
    return party


_STAGES: dict[str, Callable[[Party, str, list[str]], Party]] = {
    "opening": _opening,
    "cube": _cube,
    "roll": _roll,
    "play": _play,
    "made": _made,
    "over": _over,
}


def _warn(party: Party, entry: str, find: Callable[[], str | None]) -> None:
    if party.tutor:
        warn(entry, party.warned, find)


def _hint(party: Party) -> str:
    if party.stage == "play":
        return tutor.hint(party.position, **party.network)
    if party.stage == "cube":
        member, _ = table.cube_question(party)
        return tutor.hint(party.game_of(member), **party.network)
    raise Refused("there is nothing to decide now")


# What goes on by itself


def _go_on(party: Party, said: list[str]) -> tuple[Party, str]:
    """Rolls, forced plays and all that programs do, until a person is asked."""
    while (after := _next(party, said)) is not None:
        party = after
    if party.stage == "over":
        said.append(_totals(party))
    return party, "\n".join(said)


def _next(party: Party, said: list[str]) -> Party | None:
    if party.stage == "opening" and not party.typed:
        return table.open_game(party)
    if party.stage == "cube":
        return _next_cube(party, said)
    if party.stage == "roll" and not party.typed:
        return table.roll(party)
    if party.stage == "play":
        if party.levels[party.leader] is not None:
            return _played(*table.best_play(party), said)
        if len(table.plays(party).boards) == 1:
            return _played(party, 0, said)
    return None


def _next_cube(party: Party, said: list[str]) -> Party | None:
    """A program's double or answer, or the end of it all; None where a person is asked."""
    found = table.cube_question(party)
    if found is None:
        return table.cubes_settled(party)
    member, waits = found
    if party.levels[party.decider(member)] is None:
        return None
    if waits:
        party, answer = table.answer(party, member)
        return _act(party, member, answer, said)
    party, doubles = table.doubles(party, member)
    return _act(party, member, "double", said) if doubles else table.leave(party, member)


def _act(party: Party, member: int, action: str, said: list[str]) -> Party:
    who, box = party.names[party.decider(member)], party.decider(member) == party.chouette.box
    after = table.act(party, member, action)
    about = f" ({party.names[member]}'s cube)" if box else ""
    said.append(f"{who}: {action}{about}")
    return after


def _played(party: Party, index: int, said: list[str]) -> Party:
    roll = "{}{}".format(*party.dice)
    said.append(f"{party.names[party.leader]} plays {roll}: {table.play_text(party, index)}")
    return table.play(party, index)


# Words


def cubes_text(party: Party) -> str:
    """All cubes, and whose they are."""
    box, on_roll = party.chouette.box, party.chouette.box_on_roll

    def owner(member: int, state: State) -> str:
        if state.owner == "centred":
            return "centred"
        return party.names[box if (state.owner == "mover") == on_roll else member]

    cubes = ((member, party.chouette.cubes[member]) for member in party.chouette.playing)
    return "cubes: " + ", ".join(f"{party.names[m]} {state.cube} ({owner(m, state)})" for m, state in cubes)


def _answers(state: State) -> tuple[str, ...]:
    return tuple(action for action in actions(state) if action not in RESIGNATIONS)


def _title(party: Party) -> str:
    names, chouette = party.names, party.chouette
    team = ", ".join(names[member] for member in chouette.team)
    return f"{names[chouette.box]} is the box, against {team}; {names[chouette.captain]} is captain"


def _totals(party: Party) -> str:
    totals = zip(party.names, party.chouette.totals, strict=True)
    return f"the game is over: {', '.join(f'{name} {total:+d}' for name, total in totals)}"
