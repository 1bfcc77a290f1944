"""Says why the first run after installation takes so long."""

import sys
from pathlib import Path

from bgai.net.features import features


def tell_if_first_run() -> None:
    """Numba keeps compiled kernels in a cache; where that is empty, this run has to compile them."""
    if not any(Path(features.stats.cache_path).glob("fast.*.nbi")):
        print("compiling, as only the first run after installation has to (about half a minute) ...", file=sys.stderr)
