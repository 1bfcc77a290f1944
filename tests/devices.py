"""Where torch is tested: on the CPU, and on a GPU where there is one."""

import pytest
import torch

no_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU that torch can use")
every_device = pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=no_gpu)])
