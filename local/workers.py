"""The emulator's Lambda workers, changed in two ways.

- All workers share one unpacked copy of a layer. By default the emulator unpacks the layer for each
  worker. Ours has 1,700 files: unpacking took five sixths of a worker's CPU time, and a hundred
  concurrent calls took two minutes. For functions in Docker the emulator has one copy of each
  layer, which it deletes with the layer's last version; the workers use that copy. They write
  nothing into it, because the build includes the bytecode.
- A worker ends an invocation only after ten times its timeout, because a function, its callers and
  all of AWS share this machine. The function's context reports its own timeout, so a job that
  checks its remaining time ends as on AWS.
"""

import os
from collections.abc import Mapping
from typing import Any

from ministack.core import lambda_runtime  # type: ignore[import-untyped]
from ministack.services import lambda_svc  # type: ignore[import-untyped]

LAYERS_FOLDERS = "_LAMBDA_LAYERS_DIRS"
"""The variable with the layers' folders for the emulator's worker script."""

TIMEOUT_FACTOR = 10


def install() -> None:
    """Use this class for new workers."""
    lambda_runtime.Worker = Worker


class Worker(lambda_runtime.Worker):  # type: ignore[misc]
    """A process that runs a function's invocations one at a time."""

    def __init__(self, name: str, config: Mapping[str, Any], code_zip: bytes) -> None:
        super().__init__(name, config, code_zip)
        self._deployed = config

    def _spawn(self) -> None:
        self.config = with_shared_layers(self._deployed)
        super()._spawn()
        self.config = {**self.config, "Timeout": TIMEOUT_FACTOR * self._deployed["Timeout"]}


def with_shared_layers(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function's configuration without layers, and with a variable of their folders."""
    layers = [lambda_svc._resolve_layer_zip(layer) for layer in config.get("Layers", [])]  # noqa: SLF001 no other way
    folders = [lambda_svc._docker_extracted_dir(layer, "layer") for layer in layers if layer]  # noqa: SLF001 no other way
    variables = config.get("Environment", {}).get("Variables", {})
    shared = {**variables, LAYERS_FOLDERS: os.pathsep.join(folders)}
    return {**config, "Layers": [], "Environment": {"Variables": shared}}
