"""Hypothesis without deadlines, as the first example of a test may have to compile a kernel; and Ctrl-C for all.

A shell has what it runs in the background ignore Ctrl-C, and so do the programs that are started from there.
"""

import signal

from hypothesis import settings

signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("bgai", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("bgai")

pytest_plugins = ["no_network", "tiny_runs"]
