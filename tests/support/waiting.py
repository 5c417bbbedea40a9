"""Waits for a condition, never for a fixed time.

A wait has no limit of its own, because the machine may be busy; pytest's timeout ends it.
"""

import time
from collections.abc import Callable

import psutil
import pytest
from botocore.config import Config

from orderdesk.adapters.dynamodb import client
from orderdesk.adapters.sending import CLIENT_CONFIG

PAUSE_SECONDS = 0.05


def wait_until[T](look: Callable[[], T]) -> T:
    """Poll until the result is true or not empty; return it."""
    while not (seen := look()):
        time.sleep(PAUSE_SECONDS)
    return seen


def wait_for_each_answer(patch: pytest.MonkeyPatch) -> None:
    """Make DynamoDB's clients wait longer than 3 s for an answer, because the machine may be busy.

    A request whose answer is not awaited may be carried out after the test has looked.
    """
    patch.setattr(client, "CLIENT_CONFIG", CLIENT_CONFIG.merge(Config(read_timeout=300)))


def runs(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
