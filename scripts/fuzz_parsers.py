"""Everything that reads what others have written, with real inputs of it and the refusals that it documents."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import fuzz_kept as kept
import fuzz_servers as servers
import fuzz_states as states
import fuzz_talks as talks
import numpy as np
import yaml
from safetensors.numpy import load, save

from bgai.arena.benchmark import BadBenchmark, load_benchmark
from bgai.arena.meetings import BadMeetings
from bgai.arena.parts import BadPart
from bgai.ask.reading import BadRequest, read_position
from bgai.board import CHECKERS, NACKGAMMON, START
from bgai.cli.runs import listed
from bgai.evaluator.bearoff_store import DamagedFile
from bgai.evaluator.met import KAZAROSS_XG2, InvalidTable, load_table
from bgai.evaluator.rollout import OtherRollout
from bgai.game import IllegalAction, ImpossibleState
from bgai.named import BadName
from bgai.net.checkpoint import Architecture, BadCheckpoint, Checkpoint, load_checkpoint, save_checkpoint
from bgai.notation.board_line import InvalidLine, parse_board_line
from bgai.notation.match_file import BadMatchFile
from bgai.notation.play_text import InvalidPlay, format_play, parse_play
from bgai.notation.position import InvalidID, parse_position, position_id, xgid
from bgai.notation.reading import read_match
from bgai.play import dialogue, party, party_dialogue, party_saving
from bgai.play.levels import UnknownLevel
from bgai.play.saving import CannotResume, from_mat
from bgai.play.session import Settings, new_session
from bgai.plays import legal_plays_with_moves
from bgai.train.compose import composed
from bgai.train.config import BadConfig
from bgai.train.folder import CONFIG, BadRun, old_run
from bgai.train.history import BadMetrics, read_run
from bgai.train.label_files import BadLabels, read_labels, write_labels
from bgai.train.selfplay import Samples

DATA = Path(__file__).parents[1] / "tests" / "data"
NAMES = [
    *("xgid", "gnu-id", "options", "text-position", "play-text", "mat", "sgf", "resumed-session"),
    *("board-line", "gnubg-server", "ubgi", "http", "play-entry", "chouette-entry", "kept-chouette"),
    *("checkpoint", "checkpoint-meta", "state", "state-meta", "labels", "run-config", "overrides", "metrics"),
    *("met", "table", "benchmark", "part", "meetings", "rollout", "judged-game"),
]


class Parser(NamedTuple):
    """seeds: real inputs. read(data, folder): has it read, files lying in the folder. refusals: what it may raise.
    longest: bytes of an input. share: of the inputs; less for those that take long."""

    name: str
    seeds: list[bytes]
    read: Callable[[bytes, Path], object]
    refusals: tuple[type[Exception], ...]
    longest: int = 60_000
    share: float = 1.0


def parsers(folder: Path) -> list[Parser]:
    """All of them, in the order of `NAMES`. Files that they need besides are written to `folder`."""
    ids, games, files = _ids(), _lines_asked(), _match_files()
    checkpoint, meta = _checkpoint(folder)
    state, state_meta = states.state_file(folder)
    solo = talks.Talk(dialogue, dialogue.begin(new_session(Settings(typed=True)))[0])
    chouette = talks.Talk(party_dialogue, party_dialogue.begin(talks.people())[0])
    parties = [chouette.saved(), talks.with_programs()]
    bad_party = (party_saving.CannotResume, party.BadParty, UnknownLevel, IllegalAction, OSError)
    bad_match = (BadMatchFile,)
    resumed = (BadMatchFile, CannotResume, UnknownLevel, ImpossibleState)
    found = [
        Parser("xgid", ids["xgid"], _position, (InvalidID,)),
        Parser("gnu-id", ids["gnuid"], _position, (InvalidID,)),
        Parser("options", _OPTIONS, _options, (BadRequest, ImpossibleState)),
        Parser("text-position", files["text"], _file(read_match), bad_match),
        Parser("play-text", _plays(), _play, (InvalidPlay,)),
        Parser("mat", files["mat"], _file(read_match), bad_match, 40_000, 0.25),
        Parser("sgf", files["sgf"], _file(read_match), bad_match, 40_000, 0.25),
        Parser("resumed-session", files["mat"], _file(from_mat), resumed, 40_000, 0.2),
        Parser("board-line", games, lambda data, _: parse_board_line(_text(data)), (InvalidLine,)),
        Parser("gnubg-server", games, servers.replies_to_gnubg(), ()),
        Parser("ubgi", servers.CONVERSATIONS, servers.converse_by_ubgi, ()),
        Parser("http", servers.requests(), servers.asks_over_http(), ()),
        Parser("play-entry", talks.ENTRIES, solo, ()),
        Parser("chouette-entry", talks.ENTRIES, chouette, ()),
        Parser("kept-chouette", parties, _file(party_saving.from_json), bad_party, 4000),
        Parser("checkpoint", [checkpoint], _file(load_checkpoint), (BadCheckpoint,)),
        Parser("checkpoint-meta", [meta], _with_meta(checkpoint), (BadCheckpoint,)),
        Parser("state", [state], _file(states.read_state), (BadCheckpoint,)),
        Parser("state-meta", [state_meta], states.read_with_meta(state), (BadCheckpoint,)),
        Parser("labels", [_labels(folder)], _file(lambda path: read_labels(path, CHECKERS)), (BadLabels,)),
        Parser("run-config", _configs(), _run, (BadRun, BadConfig, BadName, BadLabels), share=0.2),
        Parser("overrides", _OVERRIDES, _composed, (BadConfig, BadName, BadCheckpoint, BadLabels, OSError), 2000, 0.1),
        Parser("metrics", [_METRICS], _metrics(folder, checkpoint), (BadMetrics,)),
        Parser("met", [KAZAROSS_XG2.read_bytes(), kept.SMALL_MET], _file(load_table), (InvalidTable,)),
        Parser("table", [kept.table_file(folder)], _file(kept.read_table), (DamagedFile,)),
        Parser("benchmark", kept.benchmark_files(), _file(load_benchmark), (BadBenchmark,)),
        Parser("part", [kept.part_file(folder)], _file(kept.read_part), (BadPart,)),
        Parser("meetings", [kept.meetings_file(folder)], _file(kept.read_meetings), (BadMeetings,)),
        Parser("rollout", [kept.rollout_file(folder)], _file(kept.read_rollout), (OtherRollout,)),
        Parser("judged-game", kept.judged_game_files(folder), kept.read_judged_game, ()),
    ]
    assert [parser.name for parser in found] == NAMES
    return found


def _text(data: bytes) -> str:
    """As Python gives the words of a command line."""
    return data.decode(errors="surrogateescape")


def _file(read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """Has the data read from a file."""

    def read_file(data: bytes, folder: Path) -> object:
        path = folder / "input"
        path.write_bytes(data)
        return read(path)

    return read_file


# IDs, plays and what else stands on a line


def _ids() -> dict[str, list[bytes]]:
    cases = [json.loads(line) for line in (DATA / "cases.jsonl").read_text().splitlines()]
    ids = {kind: [case[kind].encode() for case in cases if case.get(kind)] for kind in ("xgid", "gnuid")}
    return {"xgid": ids["xgid"][:200], "gnuid": [*ids["gnuid"][:200], b"start", b"hypergammon"]}


def _position(data: bytes, folder: Path) -> None:
    """A position that was read is written as an ID which means the same, where the ID can hold it."""
    position = parse_position(_text(data))
    for write in (position_id, xgid):
        try:
            written = write(position)
        except InvalidID:
            continue
        again = parse_position(written)
        assert (again.board == position.board).all() and again.dice == position.dice, written


_OPTIONS = [b"2:mover\n3-4/7", b"1\n0-0/0", b"4:opponent\n6-4/7:crawford", b"64:centred\n1-2/25"]


def _options(data: bytes, folder: Path) -> None:
    cube, _, score = _text(data).partition("\n")
    read_position("start", cube or None, score or None)


_ROLLED = [("start", (3, 1)), ("4HPwATDgc/ABMA", (1, 1)), ("HC/wATDg8+AxAA", (5, 1)), ("/+YAASD+2xQAAA", (6, 1))]


def _plays() -> list[bytes]:
    """Legal plays of `_ROLLED`, and ways in which people write them."""
    texts = ["no play", "13/7, 8/7", "25/22/20 0", "bar-24 24-18", "6/5(4)", "dance"]
    for text, dice in _ROLLED:
        board = parse_position(text).board
        plays = legal_plays_with_moves(board[None], np.array([dice], dtype=np.int8))
        texts += [format_play(board, moves) for moves in plays.moves[:30]]
    return [text.encode() for text in texts]


def _play(data: bytes, folder: Path) -> None:
    """The play for each of `_ROLLED`; refused if it is for all."""
    refusal = None
    for text, dice in _ROLLED:
        try:
            parse_play(_text(data), parse_position(text).board, dice)
            return
        except InvalidPlay as error:
            refusal = error
    raise refusal


# Match files


def _match_files() -> dict[str, list[bytes]]:
    """By kind; of files the beginning, of one in three a longer one: what a play costs, an input has many times."""
    kinds: dict[str, list[bytes]] = {"mat": [], "sgf": [], "text": []}
    for number, path in enumerate(sorted((DATA / "match_files").iterdir())):
        data = path.read_bytes()
        kind = "sgf" if path.suffix == ".sgf" else "mat" if b"point match" in data else "text"
        kinds[kind].append(data[: 1000 if kind != "text" and number % 3 else 3000])
    small = (DATA / "match_files" / "12_gibbon_7point.sgf").read_bytes().split(b"\n\n")[0]
    kinds["sgf"] = [data[: data.rfind(b";")] + b")" for data in kinds["sgf"]] + [small[:3000]]
    return kinds


# Other programs


def _lines_asked() -> list[bytes]:
    text = "".join(path.read_text() for path in sorted((DATA / "gnubg_protocol").iterdir()))
    return [line.encode() for line in re.findall(r"gnubg> b'(board:.*)\\n'", text)]


# Checkpoints and runs


def _checkpoint(folder: Path) -> tuple[bytes, bytes]:
    """A small checkpoint file, and the JSON of its metadata."""
    architecture = Architecture((4,))
    random = np.random.default_rng(1)
    weights = {name: random.normal(0, 1, shape).astype(np.float32) for name, shape in architecture.shapes().items()}
    save_checkpoint(folder / "small.safetensors", Checkpoint(architecture, weights, config={"seed": 1}))
    data = (folder / "small.safetensors").read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return data, header["__metadata__"]["bgai"].encode()


def _with_meta(checkpoint: bytes) -> Callable[[bytes, Path], object]:
    """Reads the checkpoint with the input for its metadata."""
    weights = load(checkpoint)

    def read(data: bytes, folder: Path) -> None:
        path = folder / "input.safetensors"
        path.write_bytes(save(weights, {"bgai": data.decode(errors="replace")}))
        load_checkpoint(path)

    return read


def _labels(folder: Path) -> bytes:
    """A small file of labels."""
    boards, thought, results = (
        np.stack([START, NACKGAMMON]),
        np.full((2, 6), 1 / 6, np.float32),
        np.array([0, 4], np.int8),
    )
    samples = Samples(boards, thought, thought, results, np.array([1, 0, 0, 0, 1, 0]), 60, 2)
    write_labels(folder / "1.safetensors", samples, {"kind": "one-ply"})
    return (folder / "1.safetensors").read_bytes()


def _configs() -> list[bytes]:
    seeds = []
    for overrides in ([], ["experiment=quick"], ["experiment=champion", "net=tdgammon"]):
        config = composed(overrides)
        seeds.append(yaml.safe_dump(yaml.safe_load(json.dumps(_plain(config)))).encode())
    # Refused, but not before PyTorch and the kernels are loaded, whose memory isn't the inputs'.
    stages = b"stages: [{name: a, games: 1, labels: nowhere}]"
    return [*seeds, stages, stages + b"\nnet: {own: 'math:pi'}"]


def _plain(config) -> dict:
    from bgai.train.config import as_plain

    return as_plain(config)


def _run(data: bytes, folder: Path) -> None:
    (folder / CONFIG).write_bytes(data)
    with old_run(folder):
        pass


_OVERRIDES = [
    b"experiment=quick\nnet.hidden=[128,32]\nseed=7",
    b"stages=[{name: one, games: 1000}, {name: two, games: 2000, rate_start: 1e-4}]\nrun=runs/a b",
    b"net=tdgammon\nstages.0.starts={opening: 0.8, race: 0.1}\nvariant=nackgammon",
    b"+stages.0.luck_free=true\n~net\nthreads=1\nsave_minutes=0.5\neval_every=100",
]


def _composed(data: bytes, folder: Path) -> None:
    composed(_text(data).split("\n"))


_METRICS = b"".join(
    json.dumps(record).encode() + b"\n"
    for record in (
        {"kind": "progress", "stage": "td", "games": 900, "core_seconds": 9.5, "gammon": 0.25, "backgammon": 0.01},
        {"kind": "measured", "games": 1000, "pubeval": -0.5, "pubeval_ci95": [-0.6, -0.4]},
        {"kind": "progress", "stage": "td", "games": 1800, "core_seconds": 9.0, "gammon": None, "backgammon": None},
    )
)


def _metrics(folder: Path, checkpoint: bytes) -> Callable[[bytes, Path], object]:
    (folder / "last.safetensors").write_bytes(checkpoint)

    def read(data: bytes, folder: Path) -> None:
        (folder / "metrics.jsonl").write_bytes(data)
        listed([read_run(folder)])

    return read
