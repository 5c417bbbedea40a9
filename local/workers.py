"""The emulator's Lambda workers, changed in three ways.

- All workers share one unpacked copy of a layer. By default the emulator unpacks the layer for each
  worker. Ours has 1,700 files: unpacking took five sixths of a worker's CPU time, and a hundred
  concurrent calls took two minutes. For functions in Docker the emulator has one copy of each
  layer, which it deletes with the layer's last version; the workers use that copy. They write
  nothing into it, because the build includes the bytecode.
- A worker ends an invocation only after ten times its timeout, because a function, its callers and
  all of AWS share this machine. The function's context reports its own timeout, so a job that
  checks its remaining time ends as on AWS.
- The log of an invocation is complete. By default the emulator waits a few milliseconds for the
  lines that its own thread has yet to read; on a busy machine they came with the next invocation.
"""

import os
import select
from collections.abc import Mapping
from threading import Lock
from typing import IO, Any

from ministack.core import lambda_runtime  # type: ignore[import-untyped]
from ministack.services import lambda_svc  # type: ignore[import-untyped]

LAYERS_FOLDERS = "_LAMBDA_LAYERS_DIRS"
"""The variable with the layers' folders for the emulator's worker script."""

TIMEOUT_FACTOR = 10

PIPE_BYTES = 65_536


def install() -> None:
    """Use this class for new workers."""
    lambda_runtime.Worker = Worker


class Worker(lambda_runtime.Worker):  # type: ignore[misc]
    """A process that runs a function's invocations one at a time."""

    def __init__(self, name: str, config: Mapping[str, Any], code_zip: bytes) -> None:
        super().__init__(name, config, code_zip)
        self._deployed = config
        self._reading = Lock()
        self._pipe: IO[str] | None = None
        self._unended = b""

    def _spawn(self) -> None:
        self.config = with_shared_layers(self._deployed)
        super()._spawn()
        self._pipe = self._proc.stderr
        self.config = {**self.config, "Timeout": TIMEOUT_FACTOR * self._deployed["Timeout"]}

    def _read_stderr(self) -> None:
        """Read the process's log until it ends, so that the process never waits for its reader."""
        pipe = self._proc.stderr
        while self._read_lines(pipe):
            select.select([pipe], [], [])

    def _drain_stderr_bounded(self) -> str:
        """Return all that the process has written: it writes its log before its answer."""
        if self._pipe is not None:
            self._read_lines(self._pipe)
        return str(self._drain_stderr())

    def _read_lines(self, pipe: IO[str]) -> bool:
        """Queue the lines that are in the pipe; return whether more may follow."""
        with self._reading:
            while not pipe.closed:
                os.set_blocking(pipe.fileno(), False)
                try:
                    chunk = os.read(pipe.fileno(), PIPE_BYTES)
                except BlockingIOError:
                    return True
                *lines, self._unended = (self._unended + chunk).split(b"\n")
                for line in lines:
                    self._stderr_queue.put(line.decode(errors="replace"))
                if not chunk:
                    break
            return False


def with_shared_layers(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function's configuration without layers, and with a variable of their folders."""
    layers = [lambda_svc._resolve_layer_zip(layer) for layer in config.get("Layers", [])]  # noqa: SLF001 no other way
    folders = [lambda_svc._docker_extracted_dir(layer, "layer") for layer in layers if layer]  # noqa: SLF001 no other way
    variables = config.get("Environment", {}).get("Variables", {})
    shared = {**variables, LAYERS_FOLDERS: os.pathsep.join(folders)}
    return {**config, "Layers": [], "Environment": {"Variables": shared}}
