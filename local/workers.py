"""The emulator's Lambda workers, as this machine needs them.

- One unpacked copy of a layer for all of them. The emulator unpacks the layer for each worker. Ours
  has 1,700 files: that took five sixths of a worker's CPU time, and a hundred calls at once took
  two minutes. For functions in Docker the emulator keeps one copy of each layer, deletes it with
  its last version, and mounts it read-only; here the workers get that copy. They write nothing into
  it, because its bytecode is built.
- Time. A function, its callers and all of AWS share this machine. On AWS a function that takes
  longer than its timeout hangs; here it may only wait for the others. So it is ended much later. It
  is told its own timeout, and a job that looks at its remaining time ends as on AWS.
"""

import os
from collections.abc import Mapping
from typing import Any

from ministack.core import lambda_runtime  # type: ignore[import-untyped]
from ministack.services import lambda_svc  # type: ignore[import-untyped]

LAYERS_FOLDERS = "_LAMBDA_LAYERS_DIRS"
"""The variable that tells the emulator's worker script where the layers are."""

TIMEOUT_FACTOR = 10


def install() -> None:
    """Make the workers that start from now on such workers."""
    lambda_runtime.Worker = Worker


class Worker(lambda_runtime.Worker):  # type: ignore[misc]
    """A process that runs a function's invocations, one at a time."""

    def __init__(self, name: str, config: Mapping[str, Any], code_zip: bytes) -> None:
        super().__init__(name, config, code_zip)
        self._deployed = config

    def _spawn(self) -> None:
        self.config = with_shared_layers(self._deployed)
        super()._spawn()
        self.config = {**self.config, "Timeout": TIMEOUT_FACTOR * self._deployed["Timeout"]}


def with_shared_layers(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a function's configuration without layers to unpack: a variable names their folders."""
    layers = [lambda_svc._resolve_layer_zip(layer) for layer in config.get("Layers", [])]  # noqa: SLF001 no other way
    folders = [lambda_svc._docker_extracted_dir(layer, "layer") for layer in layers if layer]  # noqa: SLF001 no other way
    variables = config.get("Environment", {}).get("Variables", {})
    shared = {**variables, LAYERS_FOLDERS: os.pathsep.join(folders)}
    return {**config, "Layers": [], "Environment": {"Variables": shared}}
