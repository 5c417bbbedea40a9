"""Sending a request to AWS until an answer comes, and what no answer means."""

import logging
import time
from collections.abc import Callable

from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as BotoConnectionError

from orderdesk.domain.errors import Contended, Throttled, TryAgain

# botocore's own retries are off: they would hide whether a throttled transaction had been sent once
# before without an answer. A healthy request takes single milliseconds. Validation of parameters
# and the long user agent are a tenth of a buy's CPU time, and tell nobody anything: the service
# validates too, and a test makes every request.
CLIENT_CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"total_max_attempts": 1, "mode": "standard"},
    tcp_keepalive=True,
    parameter_validation=False,
    user_agent="orderdesk",
)
SENDS = 3

# At DEBUG these log whole requests, and with them names, cards and secrets: never, at any level.
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
_UNDECIDED = frozenset(
    {
        "InternalServerError",
        "InternalFailure",
        "ServiceUnavailable",
        "TransactionInProgressException",
        "KMSInternalException",
        "DependencyTimeoutException",
    }
)


def persistently[T](send: Callable[[], T]) -> T:
    """Send one request, the very same again where no answer tells whether it was carried out.

    Raises: Throttled where it surely was not, TryAgain where that stays unknown (only the
    merchant's own retry can tell then), Contended; any other client error as it is.
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
            if code not in _THROTTLED | _UNDECIDED:
                raise
            undecided = True
        except (BotoConnectionError, HTTPClientError):
            undecided = True
        pause(number)
    raise TryAgain


def pause(number: int) -> None:
    """Wait before something is sent again, each time (from 0) twice as long."""
    time.sleep(_PAUSE_SECONDS * 2**number)


def read[T](send: Callable[[], T]) -> T:
    """Send a read. Raises: TryAgain where the service throttles or does not answer."""
    try:
        return persistently(send)
    except (Throttled, Contended):
        raise TryAgain from None


def error_code(error: ClientError) -> str:
    """Name what AWS answered."""
    return str(error.response.get("Error", {}).get("Code", ""))
