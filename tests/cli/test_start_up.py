"""A question to a trained player must not wait for libraries that it doesn't need."""

import subprocess
import sys


def test_import_bgai_alone_loads_nothing():
    program = "import sys, bgai; print(sorted({'numpy', 'numba', 'torch'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
