"""A trained network as an ONNX model, which other programs run without bgai: inputs in, outcomes out.

    inputs    float32[N, 330 or 377], as docs/inputs.md lists them; N is free
    outcomes  float32[N, 6] in the order of `board.OUTCOMES`, for the player on roll, who hasn't rolled

The package onnx is loaded, and needed, only where a model is made.
"""

import json

from bgai.board import CHECKERS, OUTCOMES
from bgai.net.checkpoint import Checkpoint
from bgai.net.inputs import n_inputs

OPSET = 13  # of 2020: Gemm, Relu, Sigmoid and Softmax as they still are
IR = 8
_ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid"}


class NoOnnx(ValueError):
    """The package onnx isn't installed."""


def onnx_model(checkpoint: Checkpoint) -> bytes:
    """The model of a checkpoint's network, as the bytes of an .onnx file. Raises NoOnnx.

    Finished games are not told apart: whoever asks about one gets the network's guess, not the result.
    """
    try:
        import onnx
    except ImportError:
        raise NoOnnx("a model of this kind needs the package onnx, which isn't installed: pip install onnx") from None
    from onnx import TensorProto, helper, numpy_helper

    def dense(units: str, layer: str) -> onnx.NodeProto:
        return helper.make_node("Gemm", [units, f"{layer}.weight", f"{layer}.bias"], [layer], transB=1)

    a = checkpoint.architecture
    activation = _ACTIVATIONS[a.activation]
    nodes, units = [], "inputs"
    for layer in (f"hidden.{number}" for number in range(len(a.hidden))):
        nodes += [dense(units, layer), helper.make_node(activation, [layer], [f"{layer}.units"])]
        units = f"{layer}.units"
    nodes += [dense(units, "out"), helper.make_node("Softmax", ["out"], ["outcomes"], axis=1)]
    graph = helper.make_graph(
        nodes,
        "bgai",
        [helper.make_tensor_value_info("inputs", TensorProto.FLOAT, ["N", n_inputs(a.computed)])],
        [helper.make_tensor_value_info("outcomes", TensorProto.FLOAT, ["N", len(OUTCOMES)])],
        [numpy_helper.from_array(weights, name) for name, weights in checkpoint.weights.items()],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR, producer_name="bgai"
    )
    helper.set_model_props(model, _metadata(checkpoint))
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def _metadata(checkpoint: Checkpoint) -> dict[str, str]:
    """What a user of the model has to know, and where it comes from."""
    a = checkpoint.architecture
    return {
        "outcomes": json.dumps(OUTCOMES),
        "checkers": str(a.checkers),
        "variant": str(checkpoint.config.get("variant", "backgammon" if a.checkers == CHECKERS else "hypergammon")),
        "computed features": str(a.computed).lower(),
        "stage": checkpoint.stage,
        "games": str(checkpoint.games),
        "updates": str(checkpoint.updates),
    }
