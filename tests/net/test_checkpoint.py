"""The checkpoint file: what goes in comes out, and whatever else is offered is refused in words."""

import json
import pickle
import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from bgai.net.checkpoint import Architecture, BadCheckpoint, Checkpoint, load_checkpoint, save_checkpoint

SMALL = Architecture((3,), "sigmoid")


def checkpoint_of(architecture: Architecture, **rest) -> Checkpoint:
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal(shape, dtype=np.float32) for name, shape in architecture.shapes().items()}
    return Checkpoint(architecture, weights, **rest)


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> bytes:
    """A small valid file."""
    path = tmp_path_factory.mktemp("good") / "good.safetensors"
    save_checkpoint(path, checkpoint_of(SMALL, stage="td", games=7))
    return path.read_bytes()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("offered") / "offered.safetensors"


def parts(data: bytes) -> tuple[dict, bytes]:
    """Header and tensors of a safetensors file."""
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def joined(header: dict, tensors: bytes) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + tensors


def with_meta(data: bytes, change) -> bytes:
    """The file with its metadata changed by `change(meta)`."""
    header, tensors = parts(data)
    meta = json.loads(header["__metadata__"]["bgai"])
    header["__metadata__"]["bgai"] = json.dumps(change(meta))
    return joined(header, tensors)


def refused(path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(BadCheckpoint) as error:
        load_checkpoint(path)
    assert str(path) in str(error.value)
    return str(error.value)


# --- what goes in comes out --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "architecture",
    [SMALL, Architecture((256, 32)), Architecture((5, 4, 3), "sigmoid", computed=True), Architecture((4,), checkers=3)],
    ids=str,
)
def test_round_trip_is_bit_exact(tmp_path, architecture):
    written = checkpoint_of(
        architecture, stage="td", games=10**9, updates=12, config={"net": {"hidden": [3]}}, measured={"ppg": 0.5}
    )
    save_checkpoint(tmp_path / "a" / "net.safetensors", written)
    read = load_checkpoint(str(tmp_path / "a" / "net.safetensors"))
    assert replace(read, weights={}) == replace(written, weights={})
    assert list(read.weights) == sorted(written.weights)  # the same order in every process
    for name, weight in written.weights.items():
        assert read.weights[name].dtype == np.float32
        assert read.weights[name].tobytes() == weight.tobytes()
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["net.safetensors"]  # no temporary file stays


def test_saving_again_replaces_the_file_whole(tmp_path):
    for games in (1, 2):
        save_checkpoint(tmp_path / "net.safetensors", checkpoint_of(SMALL, games=games))
    assert load_checkpoint(tmp_path / "net.safetensors").games == 2


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "net.safetensors"
    save_checkpoint(target, checkpoint_of(SMALL, games=1))
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        save_checkpoint(target, checkpoint_of(SMALL, games=2))
    assert load_checkpoint(target).games == 1
    assert list(tmp_path.iterdir()) == [target]


# --- what is refused ---------------------------------------------------------------------------------------------


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_checkpoint(tmp_path / "nothing.safetensors")


def test_path_through_a_file(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileNotFoundError):
        load_checkpoint(tmp_path / "file" / "net.safetensors")


def test_folder(tmp_path):
    with pytest.raises(BadCheckpoint, match="folder"):
        load_checkpoint(tmp_path)


def test_special_file_is_not_read_for_ever():
    with pytest.raises(BadCheckpoint, match="device"):
        load_checkpoint("/dev/zero")


def test_cut_at_every_length(good, path):
    header = 8 + int.from_bytes(good[:8], "little")
    for length in [*range(header + 40), *range(header + 40, len(good), 97), len(good) - 1]:
        assert "not a whole safetensors file" in refused(path, good[:length])


def test_longer_than_it_says(good, path):
    assert "not a whole safetensors file" in refused(path, good + b"\0")


NOT_WHOLE, NOT_OURS = "not a whole safetensors file", "not written by bgai: it has no bgai metadata"


@pytest.mark.parametrize(
    ("why", "data"),
    [
        pytest.param(NOT_WHOLE, pickle.dumps({"hidden.0.weight": [1.0]}), id="pickle"),
        pytest.param(NOT_WHOLE, b"\x80\x04cos\nsystem\n(S'true'\ntR.", id="pickle that would run a command"),
        pytest.param(NOT_WHOLE, b"PK\x03\x04" + bytes(200), id="zip, as torch.save writes"),
        pytest.param("header too large", struct.pack("<Q", 2**63) + b"{}", id="header announcing 8 EiB"),
        pytest.param("header length", struct.pack("<Q", 90_000_000) + b"{}", id="header announcing 90 MB"),
        pytest.param(
            "incomplete", joined({"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}, b""), id="huge"
        ),
        pytest.param(
            "overflow", joined({"w": {"dtype": "F32", "shape": [2**62, 8], "data_offsets": [0, 0]}}, b""), id="overflow"
        ),
        pytest.param("invalid JSON", struct.pack("<Q", 200_000) + b"[" * 200_000, id="deeply nested header"),
        pytest.param(NOT_WHOLE, b"gnubg weights file 1.00\n", id="text"),
        pytest.param(NOT_OURS, save({"w": np.zeros(3)}), id="foreign safetensors without metadata"),
        pytest.param(NOT_OURS, save({"w": np.zeros(3)}, {"format": "pt"}), id="foreign safetensors"),
        pytest.param(NOT_OURS, save({"w": np.zeros(3)}, {"bgai": "not json"}), id="metadata not JSON"),
        pytest.param("no table of names", save({"w": np.zeros(3)}, {"bgai": "[1]"}), id="metadata a list"),
        pytest.param(NOT_OURS, save({"w": np.zeros(3)}, {"bgai": "[" * 100_000}), id="metadata deeply nested"),
        pytest.param("lacks or misstates 'format'", save({"w": np.zeros(3)}, {"bgai": "{}"}), id="metadata empty"),
        pytest.param(NOT_OURS, save({"w": np.zeros(3)}, {"bgai": "9" * 10_000}), id="metadata an enormous number"),
    ],
)
def test_files_that_are_not_ours(path, why, data):
    assert why in refused(path, data)


def test_too_large_a_file_is_not_even_read(path, good):
    path.write_bytes(good)
    with open(path, "r+b") as file:
        file.truncate(2**40)  # sparse
    with pytest.raises(BadCheckpoint, match="bytes"):
        load_checkpoint(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 2, "format 2"),
        ("format", "1", "format"),
        ("format", True, "format"),
        ("architecture", None, "metadata"),
        ("architecture", [3], "metadata"),
        ("architecture", "net", "metadata"),
        ("stage", 5, "stage"),
        ("games", "many", "games"),
        ("games", -1, "games"),
        ("games", True, "games"),
        ("updates", 1.5, "updates"),
        ("config", [], "config"),
        ("measured", None, "measured"),
    ],
    ids=repr,
)
def test_metadata_of_a_wrong_type(good, path, key, value, message):
    assert message in refused(path, with_meta(good, lambda meta: meta | {key: value}))


@pytest.mark.parametrize("key", ["format", "architecture", "stage", "done", "games", "updates", "config", "measured"])
def test_metadata_that_lacks_something(good, path, key):
    assert key in refused(path, with_meta(good, lambda meta: {k: v for k, v in meta.items() if k != key}))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("hidden", 3, "metadata"),
        ("hidden", [], "hidden"),
        ("hidden", [3.0], "hidden"),
        ("hidden", [True], "hidden"),
        ("hidden", ["3"], "hidden"),
        ("hidden", [10**30], "hidden"),
        ("hidden", [3] * 9, "hidden"),
        ("hidden", [4], "shapes"),
        ("hidden", [3, 3], "shapes"),
        ("computed", True, "shapes"),
        ("computed", 0, "computed"),
        ("activation", "tanh", "tanh"),
        ("activation", ["relu"], "activation"),
        ("checkers", 16, "checkers"),
        ("checkers", True, "checkers"),
        ("depth", 2, "depth"),
    ],
    ids=repr,
)
def test_architecture_that_cannot_be_or_is_not_that_of_the_weights(good, path, key, value, message):
    changed = with_meta(good, lambda meta: meta | {"architecture": meta["architecture"] | {key: value}})
    assert message in refused(path, changed)


def saved(path, weights: dict) -> bytes:
    save_checkpoint(path, replace(checkpoint_of(SMALL), weights=weights))
    return path.read_bytes()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", SMALL.shapes())
def test_weights_that_are_not_finite(path, name, bad):
    weights = checkpoint_of(SMALL).weights
    weights[name].flat[-1] = bad
    assert name in refused(path, saved(path, weights))


def test_weights_missing_extra_or_of_other_shapes(path):
    weights = checkpoint_of(SMALL).weights
    for changed in (
        {k: v for k, v in weights.items() if k != "out.bias"},
        weights | {"hidden.1.bias": np.zeros(3)},
        weights | {"out.weight": weights["out.weight"].T},
        weights | {"out.bias": np.zeros((6, 1))},
        weights | {"hidden.0.weight": np.zeros((3, 332))},  # another set of inputs
    ):
        assert "shapes" in refused(path, saved(path, changed))


@pytest.mark.parametrize("dtype", ["F16", "BF16", "I32", "F8_E4M3", "BOOL", "U8"])
def test_weights_of_another_type(good, path, dtype):
    """Four bytes a number in the file, announced as something else."""
    header, tensors = parts(good)
    size = {"F16": 2, "BF16": 2, "I32": 4}.get(dtype, 1)
    entry = header["out.bias"]
    entry["dtype"], entry["shape"] = dtype, [24 // size]
    refused(path, joined(header, tensors))
    if size == 4:
        entry["shape"] = [6]
        assert "float32" in refused(path, joined(header, tensors))


@given(data=st.data())
def test_any_damaged_file_is_refused_or_still_a_whole_checkpoint(good, path, data):
    """Bytes changed, cut out or put in anywhere: BadCheckpoint or a valid checkpoint, never anything else."""
    damaged = bytearray(good)
    header = 8 + int.from_bytes(good[:8], "little")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, min(header + 50, len(damaged) - 1)))
        what = data.draw(st.sampled_from(["change", "insert", "delete"]))
        new = data.draw(
            st.binary(min_size=1, max_size=3) | st.sampled_from([b'"', b"{", b"[", b"]", b"0", b"-", b",", b"\xff"])
        )
        damaged[at : at + (0 if what == "insert" else len(new))] = b"" if what == "delete" else new
    path.write_bytes(damaged)
    try:
        checkpoint = load_checkpoint(path)
    except BadCheckpoint:
        return
    assert {name: w.shape for name, w in checkpoint.weights.items()} == checkpoint.architecture.shapes()


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(path, data):
    assert NOT_WHOLE in refused(path, data)


@given(
    key=st.sampled_from(["format", "architecture", "stage", "done", "games", "updates", "config", "measured"]),
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
)
def test_any_metadata_is_refused_or_well_typed(good, path, key, value):
    path.write_bytes(with_meta(good, lambda meta: meta | {key: value}))
    try:
        checkpoint = load_checkpoint(path)
    except BadCheckpoint:
        return
    assert type(checkpoint.games) is int and type(checkpoint.updates) is int and isinstance(checkpoint.stage, str)
    assert isinstance(checkpoint.config, dict) and isinstance(checkpoint.measured, dict)
