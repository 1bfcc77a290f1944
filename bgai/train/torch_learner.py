"""Learning in plain torch, on a GPU or with a network of one's own: the steps of `learner.py`, with the same face."""

import os

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from bgai.net.checkpoint import Architecture
from bgai.net.model import model_of, weights_of
from bgai.threads import threads


class TorchLearner:
    """A network that learns; see `Learner`. Its state is laid out alike: a run may change from one to the other."""

    def __init__(self, architecture: Architecture, weights: dict[str, np.ndarray], device: str):
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # or cuBLAS adds up in any order
        torch.use_deterministic_algorithms(True)
        torch.set_num_threads(threads())
        self.architecture = architecture
        self.device = device
        self.model = model_of(architecture, weights).to(device).train()
        self.optimiser = torch.optim.Adam(self.model.parameters(), fused=True)
        self.steps = 0

    def weights(self) -> dict[str, np.ndarray]:
        """A copy of the weights as they stand, laid out as in a checkpoint."""
        return weights_of(self.model)

    def learn(self, boards: np.ndarray, targets: np.ndarray, batch: int, rate: float) -> float:
        """As `Learner.learn`."""
        torch.manual_seed(self.steps)  # of dropout and the like: a resumed run draws the same
        self.optimiser.param_groups[0]["lr"] = rate
        total = torch.zeros((), device=self.device)
        for first in range(0, len(boards), batch):
            part = slice(first, first + batch)
            seen = torch.as_tensor(self.model.inputs(boards[part]), device=self.device)
            loss = cross_entropy(self.model(seen), torch.tensor(targets[part], device=self.device))
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            self.steps += 1
            total += loss.detach()
        return total.item() * batch / max(len(boards), 1)

    def state(self) -> dict[str, np.ndarray]:
        """Everything that the next step depends on, as arrays by name."""
        arrays = {f"weights.{name}": w for name, w in self.weights().items()}
        for name, parameter in self.model.named_parameters():
            moments = self.optimiser.state.get(parameter) or dict.fromkeys(("exp_avg", "exp_avg_sq"), 0 * parameter)
            arrays[f"mean.{name}"] = moments["exp_avg"].detach().cpu().numpy()
            arrays[f"square.{name}"] = moments["exp_avg_sq"].detach().cpu().numpy()
        return arrays | {"steps": np.array([self.steps])}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from `state()`."""
        self.steps = int(state["steps"][0])
        self.model.load_state_dict({name: torch.tensor(state[f"weights.{name}"]) for name in self.model.state_dict()})
        for name, parameter in self.model.named_parameters():
            self.optimiser.state[parameter] = {
                "step": torch.tensor(float(self.steps), device=parameter.device),
                "exp_avg": torch.tensor(state[f"mean.{name}"], device=parameter.device),
                "exp_avg_sq": torch.tensor(state[f"square.{name}"], device=parameter.device),
            }
