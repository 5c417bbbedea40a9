"""Sending a request to AWS until there is an answer, and the errors if there is none."""

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


# botocore's own retries are off: they would hide that a throttled transaction had been sent before
# without an answer. A healthy request takes single milliseconds. Validating parameters and building
# the long user agent take a tenth of a buy's CPU time without any benefit: the service validates
# too, and a test makes every request.
CLIENT_CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"total_max_attempts": 1, "mode": "standard"},
    tcp_keepalive=True,
    parameter_validation=False,
    user_agent="orderdesk",
)
SENDS = 3
# There is no answer, or only a part of one. botocore reads a refusal of a request with a streamed
# answer (S3's GetObject, Lambda's Invoke) outside of its own handling of errors: urllib3's error
# then comes as it is.
UNANSWERED = (BotoConnectionError, HTTPClientError, HTTPError)

# At DEBUG these libraries log whole requests, with names, cards and secrets; that must never
# happen.
for _library in ("botocore", "urllib3"):
    logging.getLogger(_library).setLevel(logging.WARNING)

_PAUSE_SECONDS = 0.02

_THROTTLED = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "RequestThrottled",
    }
)
_IN_PROGRESS = "TransactionInProgressException"
_SERVER_ERROR = 500


def persistently[T](send: Callable[[], T]) -> T:
    """Send a request, up to SENDS times while it is unknown whether it was carried out.

    Raises: Throttled if it surely was not; TryAgain if that stays unknown (only the merchant's own
    retry can show it then); Contended; any other client error unchanged.
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
            if code not in _THROTTLED and code != _IN_PROGRESS and not is_server_error(error):
                raise
            undecided = True
        except UNANSWERED:
            undecided = True
        pause(number)
    raise TryAgain


def pause(number: int) -> None:
    """Sleep before a request is sent again; each time (`number` from 0) twice as long."""
    time.sleep(_PAUSE_SECONDS * 2**number)


def call[T](send: Callable[[], T]) -> T:
    """Send a request. Raises: TryAgain if the service throttles or does not answer."""
    try:
        return persistently(send)
    except (Throttled, Contended):
        raise TryAgain from None


def is_server_error(error: ClientError) -> bool:
    """Tell whether AWS answered with a status of 500 or more, whatever its code.

    Each service has codes of its own for these, and what stands in front of a service (a load
    balancer, a proxy) answers without any.
    """
    metadata = error.response.get("ResponseMetadata", {})
    return int(metadata.get("HTTPStatusCode", 0)) >= _SERVER_ERROR


def error_code(error: ClientError) -> str:
    """Give the error code of AWS's answer."""
    return str(error.response.get("Error", {}).get("Code", ""))


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
