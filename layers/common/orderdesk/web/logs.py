"""The log line of an unexpected error."""

import os
import traceback

from aws_lambda_powertools.logging import Logger

from orderdesk.web.codes import CODES, INTERNAL_ERROR

_ENDPOINT = "AWS_ENDPOINT_URL"
_LOOPBACK = ("http://127.0.0.1:", "http://localhost:")


def log_unexpected(logger: Logger, error: Exception) -> None:
    """Log an unexpected error: its type and its stack.

    The error's text may quote values that must not be logged. So the text and the traceback are
    logged on the local stack only.
    """
    where = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    extra = {
        "code": CODES[INTERNAL_ERROR].code,
        "error": type(error).__qualname__,
        "where": where,
    }
    if _is_on_local_stack():
        extra["traceback"] = "".join(traceback.format_exception(error))
    logger.error("unexpected", extra=extra)


def _is_on_local_stack() -> bool:
    """Return whether AWS is emulated on this machine.

    The local emulator sets this variable for each function. On AWS a function with such an
    endpoint reaches no table, so a wrong setting cannot put error texts into its log.
    """
    return os.environ.get(_ENDPOINT, "").startswith(_LOOPBACK)
