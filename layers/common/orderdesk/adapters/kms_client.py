"""A KMS client that is made on first use.

Most requests need none: a warm container has its secrets in a cache, most merchants have no
identity agreement, and most requests of the desk have nothing to do with pushes.
"""

import threading
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient


class LazyKms:
    """Thread-safe: a botocore session cannot make two clients at the same time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._made: KMSClient | None = None
        self._making = threading.Lock()

    def client(self) -> "KMSClient":
        """Give the client; region, credentials and endpoint come from the environment."""
        with self._making:
            if self._made is None:
                client = self._session.create_client("kms", config=CLIENT_CONFIG)
                self._made = cast("KMSClient", client)
            return self._made

    def close(self) -> None:
        """Close the connections if any are open."""
        if self._made is not None:
            self._made.close()
