"""`bgai train`: hands its arguments to Hydra and runs the recipe they name."""

import sys

USAGE = """usage: bgai train [SETTING=VALUE ...]"""


def train(arguments: list[str]) -> int:
    if "--help" in arguments or "-h" in arguments:
        print(USAGE)
        return 0
    from hydra import compose, initialize_config_dir
    from hydra.core.config_store import ConfigStore
    from omegaconf import OmegaConf

    from bgai.files import config_dir
    from bgai.train.config import TrainConfig
    from bgai.train.loop import train as run

    ConfigStore.instance().store(name="base_train", node=TrainConfig)
    with initialize_config_dir(str(config_dir()), version_base="1.3"):
        composed = compose(
            "train", [a.replace("from=", "initial=", 1) if a.startswith("from=") else a for a in arguments]
        )
    OmegaConf.resolve(composed)
    config = OmegaConf.to_object(composed)
    try:
        print(run(config, OmegaConf.to_container(composed)))
    except KeyboardInterrupt:
        print(f"stopped; go on with: bgai train resume={config.run}", file=sys.stderr)
        return 130
    return 0
