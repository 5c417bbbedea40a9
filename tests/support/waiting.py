"""Waiting for what happens elsewhere: for a condition, never for a time.

A wait has no end of its own: how long something takes says how busy the machine is. What never
happens ends with pytest's timeout, whose traceback shows the wait.
"""

import time
from collections.abc import Callable

import psutil

PAUSE_SECONDS = 0.05


def wait_until[T](look: Callable[[], T]) -> T:
    """Look until what is seen is true, or is not empty; give it."""
    while not (seen := look()):
        time.sleep(PAUSE_SECONDS)
    return seen


def runs(process: psutil.Process) -> bool:
    """Tell whether a process runs; one that ended and that nobody asked for does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
