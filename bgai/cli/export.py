"""`bgai export`: a trained network for programs that run ONNX models."""

from pathlib import Path
from typing import Annotated

from typer import Argument

from bgai import files
from bgai.ask.reading import BadRequest
from bgai.files import write_atomically
from bgai.net.checkpoint import load_checkpoint
from bgai.net.inputs import n_inputs
from bgai.net.onnx_model import onnx_model


def export(
    checkpoint: Annotated[str, Argument(help="a player that ships, or the path of a checkpoint")],
    file: Annotated[Path, Argument(help="the model to write, FILE.onnx")],
) -> None:
    """Write a player's network as an ONNX model: inputs of positions in (docs/inputs.md), six outcomes out.

    bgai export default bgai.onnx
    """
    if file.suffix != ".onnx":
        raise BadRequest(f"{file}: the name of a model ends in .onnx")
    loaded = load_checkpoint(files.checkpoint(checkpoint))
    write_atomically(file, onnx_model(loaded))
    print(f"{file}: inputs float32[N, {n_inputs(loaded.architecture.computed)}] -> outcomes float32[N, 6]")
