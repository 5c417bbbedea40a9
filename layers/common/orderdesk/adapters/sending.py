"""Requests to AWS: the client configuration, retries, and the errors of a failed request."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as BotoConnectionError
from botocore.session import Session
from urllib3.exceptions import HTTPError

from orderdesk.domain.errors import Contended, Throttled, TryAgain

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient


# botocore's own retries are off: they would hide that a throttled transaction was sent before and
# got no response. A healthy request takes a few milliseconds. Parameter validation and the long
# user agent take a tenth of a buy's CPU time without any benefit: the service validates too, and
# tests send every request.
CLIENT_CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"total_max_attempts": 1, "mode": "standard"},
    tcp_keepalive=True,
    parameter_validation=False,
    user_agent="orderdesk",
)
SENDS = 3
# No response, or an incomplete one. For a request with a streamed response (S3's GetObject,
# Lambda's Invoke), botocore reads a refusal outside of its error handling, so urllib3's errors
# occur too.
UNANSWERED = (BotoConnectionError, HTTPClientError, HTTPError)

# At DEBUG these libraries log whole requests, with names, cards and secrets.
for _library in ("botocore", "urllib3"):
    logging.getLogger(_library).setLevel(logging.WARNING)

_PAUSE_SECONDS = 0.02

_THROTTLED = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "Throttling",  # IAM's
    }
)
# To be sent again. The last two are of S3: another request writes the key, or the body stopped.
_IN_PROGRESS = frozenset(
    {"TransactionInProgressException", "ConditionalRequestConflict", "RequestTimeout"}
)
_SERVER_ERROR = 500


def persistently[T](send: Callable[[], T]) -> T:
    """Send a request, up to SENDS times while its result is unknown.

    Raises: Throttled if it certainly had no effect; TryAgain if the result stays unknown (only the
    merchant's own retry can find out then); Contended; any other client error unchanged.
    """
    undecided = False
    for number in range(SENDS):
        try:
            return send()
        except ClientError as error:
            code = error_code(error)
            if code == "TransactionConflictException":
                raise Contended from error
            if code in _THROTTLED and not undecided:
                raise Throttled from error
            if code not in _THROTTLED | _IN_PROGRESS and not is_server_error(error):
                raise
            undecided = True
        except UNANSWERED:
            undecided = True
        pause(number)
    raise TryAgain


def pause(number: int) -> None:
    """Sleep before retry `number` (from 0), each time twice as long."""
    time.sleep(_PAUSE_SECONDS * 2**number)


def call[T](send: Callable[[], T]) -> T:
    """Send a request. Raises: TryAgain if the service throttles or does not respond."""
    try:
        return persistently(send)
    except (Throttled, Contended):
        raise TryAgain from None


def is_server_error(error: ClientError) -> bool:
    """Return whether AWS responded with a status of 500 or more.

    The code does not show it: each service has its own codes, and a load balancer sends none.
    """
    metadata = error.response.get("ResponseMetadata", {})
    return int(metadata.get("HTTPStatusCode", 0)) >= _SERVER_ERROR


def error_code(error: ClientError) -> str:
    """Return the error code of AWS's response."""
    return str(error.response.get("Error", {}).get("Code", ""))


class LazyKms:
    """A KMS client that is created on first use, because most requests need none.

    Thread-safe, because a botocore session cannot create two clients at the same time.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._made: KMSClient | None = None
        self._making = threading.Lock()

    def client(self) -> "KMSClient":
        """Return the client; region, credentials and endpoint come from the environment."""
        with self._making:
            if self._made is None:
                client = self._session.create_client("kms", config=CLIENT_CONFIG)
                self._made = cast("KMSClient", client)
            return self._made

    def close(self) -> None:
        """Close the connections if any are open."""
        if self._made is not None:
            self._made.close()
