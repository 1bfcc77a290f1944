"""A question to a trained player must not wait for libraries that it doesn't need."""

import resource
import subprocess
import sys


def cpu_seconds(*arguments) -> float:
    """The least of three runs: whatever else the machine does only adds."""

    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(3))


def test_a_warm_question_costs_at_most_two_and_a_half_times_the_import_of_numba(checkpoint):
    ask = ["-c", "from bgai.cli.main import main; main()", "move", "start", "31", "--checkpoint", str(checkpoint)]
    subprocess.run([sys.executable, *ask], stdout=subprocess.DEVNULL, check=True)  # compiles where that is needed
    assert cpu_seconds(*ask) <= 2.5 * cpu_seconds("-c", "import numba")


def test_import_bgai_alone_loads_nothing():
    program = "import sys, bgai; print(sorted({'numpy', 'numba', 'torch'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
