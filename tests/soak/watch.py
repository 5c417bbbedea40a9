"""Samples the functions' containers every few seconds; each is a process of the emulator."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil

from local.emulator import Emulator

SAMPLE_SECONDS = 5
_WORKER = re.compile(r"ministack-lambda-orderdesk-(?P<function>[a-z-]+)-\w+/_worker\.py")
_BYTES_A_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """A container at a time (seconds since the beginning)."""

    at: float
    function: str
    pid: int
    memory_mb: float
    connections: int
    cpu_seconds: float


@contextmanager
def watching(emulator: Emulator) -> Iterator[list[Sample]]:
    samples, over, began = list[Sample](), threading.Event(), time.monotonic()

    def watch() -> None:
        while not over.wait(SAMPLE_SECONDS):
            samples.extend(_samples(emulator, time.monotonic() - began))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def _samples(emulator: Emulator, at: float) -> Iterator[Sample]:
    for process in psutil.Process(emulator.process.pid).children(recursive=True):
        with suppress(psutil.Error):
            worker = _WORKER.search(" ".join(process.cmdline()))
            if worker is None:
                continue
            cpu = process.cpu_times()
            yield Sample(
                at,
                worker["function"],
                process.pid,
                memory_mb=process.memory_info().rss / _BYTES_A_MB,
                connections=len(process.net_connections("inet")),
                cpu_seconds=cpu.user + cpu.system,
            )
