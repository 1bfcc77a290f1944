"""`bgai train` as tests let torchrun start it: every rank writes at the end what its learner has become.

With a number of rounds in DIE_AFTER, rank 1 is killed after so many; once all are started again, rank 0 first copies
the run's folder to `cut`, as the kill has left it.
"""

import os
import shutil
import signal
import sys
from itertools import count

import numpy as np

from bgai.cli.train import train
from bgai.train import loop

learn, new_learner = loop.learn, loop.new_learner


def main() -> int:
    rank, starts = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
    rounds, learners = count(), []

    def mortal(*args):
        if rank == 1 and starts == 0 and next(rounds) == int(os.environ.get("DIE_AFTER", -1)):
            os.kill(os.getpid(), signal.SIGKILL)
        return learn(*args)

    def remembered(*args):
        learners.append(new_learner(*args))
        return learners[-1]

    loop.learn, loop.new_learner = mortal, remembered
    if rank == 0 and starts == 1:
        shutil.copytree("run", "cut")
    code = train(sys.argv[1:])
    np.savez(f"rank{rank}.npz", **learners[-1].state())
    return code


if __name__ == "__main__":
    sys.exit(main())
