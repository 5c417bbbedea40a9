"""Waiting for what happens elsewhere: for a condition, never for a time.

A wait has no end of its own: how long something takes says how busy the machine is. What never
happens ends with pytest's timeout, whose traceback shows the wait.
"""

import time
from collections.abc import Callable

import psutil

PAUSE_SECONDS = 0.05


def wait_until(true: Callable[[], bool]) -> None:
    """Come back once a condition holds."""
    while not true():
        time.sleep(PAUSE_SECONDS)


def runs(process: psutil.Process) -> bool:
    """Tell whether a process runs; one that ended and that nobody asked for does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
