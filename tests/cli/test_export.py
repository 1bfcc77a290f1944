"""`bgai export`."""

import sys

import numpy as np
import onnxruntime


def test_a_model_is_written(bgai, checkpoint, tmp_path):
    path = tmp_path / "player.onnx"
    result = bgai("export", checkpoint, path)
    assert result == (0, f"{path}: inputs float32[N, 330] -> outcomes float32[N, 6]\n", "")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    outcomes = session.run(None, {"inputs": np.zeros((1, 330), np.float32)})[0]
    assert np.isclose(outcomes.sum(), 1)


def test_without_onnx_it_says_what_to_install(bgai, checkpoint, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    result = bgai("export", checkpoint, tmp_path / "player.onnx")
    assert result.code == 2 and "pip install onnx" in result.err and not list(tmp_path.iterdir())


def test_mistakes(bgai, checkpoint, tmp_path):
    assert "no checkpoint" in bgai("export", "nobody", tmp_path / "a.onnx").err
    assert bgai("export", checkpoint, "/dev/null/a.onnx").code == 2
    for name in ("", checkpoint):
        assert "ends in .onnx" in bgai("export", checkpoint, name).err
