"""`bgai bearoff`: the exact tables of bear-offs, which are otherwise built when a question first needs them."""

from typing import Annotated

from typer import Argument

from bgai.ask.reading import BadRequest
from bgai.cli.first_run import tell_if_first_run
from bgai.evaluator import bearoff as tables
from bgai.evaluator import bearoff_store as store


def bearoff(action: Annotated[str, Argument(help="build: work the tables out, and keep them")]) -> None:
    """Build the bear-off tables anew and say which file keeps them. The folder is $BGAI_CACHE, else ~/.cache/bgai.

    bgai bearoff build
    """
    if action != "build":
        raise BadRequest(f"bgai bearoff can't {action[:20]!r}: give build")
    tell_if_first_run()
    with tables.progress_bar() as progress:
        built = tables.compute(progress)
    store.save(tables.path(), built._asdict())
    print(f"{tables.path()}: {tables.path().stat().st_size / 1e6:.1f} MB")
