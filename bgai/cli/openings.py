"""`bgai openings`: what a player does with the 15 opening rolls, beside what is generally accepted."""

import json

from bgai import api, files
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint


def openings(checkpoint: Checkpoint = "default") -> None:
    """Compare a player's plays of the 15 opening rolls with the accepted ones.

    bgai openings --checkpoint runs/quick/last.safetensors
    """
    tell_if_first_run()
    accepted = json.loads(files.data_file("openings.json").read_text())["rolls"]
    best = {roll: api.best_plays("start", roll, checkpoint=checkpoint)[0] for roll in accepted}
    agrees = {roll: best[roll].board.tolist() in plays.values() for roll, plays in accepted.items()}
    print("roll     play             accepted")
    for roll, plays in accepted.items():
        print(f"{roll}   {'=' if agrees[roll] else ' '}  {best[roll].play:<16} {' or '.join(plays)}")
    print(f"{sum(agrees.values())} of {len(accepted)} are accepted plays")
