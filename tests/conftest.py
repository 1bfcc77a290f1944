"""Hypothesis without deadlines: the first example of a test may have to compile a kernel."""

from hypothesis import settings

settings.register_profile("bgai", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("bgai")

pytest_plugins = ["no_network", "tiny_runs"]
