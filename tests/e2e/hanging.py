"""An endpoint that does not answer, and the containers that wait for it.

The local stack runs each container as a process, so the process at the other end of a connection
identifies the container.
"""

import threading
from typing import Any

import psutil

from tests.support.merchant_receiver import Received


class Hanging:
    """A receiver that holds every request until it is released; a sender may time out before.

    `most_containers` is the largest number of containers that waited at the same time.
    """

    def __init__(self) -> None:
        self.released = threading.Event()
        self.most_containers = 0
        self._waiting: set[int] = set()
        self._lock = threading.Lock()

    def __call__(self, received: Received) -> None:
        with self._lock:
            self._waiting.add(received.port)
            processes = _processes_by_port()
            self._waiting &= processes.keys()  # the others timed out
            containers = {processes[port] for port in self._waiting}
            self.most_containers = max(self.most_containers, len(containers))
        self.released.wait()


def _processes_by_port() -> dict[int, int]:
    """Return the process of each open connection, by its local port."""
    connections: Any = psutil.net_connections("tcp4")
    return {
        connection.laddr.port: connection.pid
        for connection in connections
        if connection.status == psutil.CONN_ESTABLISHED and connection.pid is not None
    }
