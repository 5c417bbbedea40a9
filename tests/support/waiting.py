"""Waits for a condition, never for a fixed time.

A wait has no limit of its own, because the machine may be busy; pytest's timeout ends it.
"""

import time
from collections.abc import Callable

import psutil

PAUSE_SECONDS = 0.05


def wait_until[T](look: Callable[[], T]) -> T:
    """Poll until the result is true or not empty; return it."""
    while not (seen := look()):
        time.sleep(PAUSE_SECONDS)
    return seen


def runs(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
