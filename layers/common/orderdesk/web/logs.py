"""The log line of an unexpected error."""

import traceback

from aws_lambda_powertools.logging import Logger

from orderdesk.web.codes import CODES, INTERNAL_ERROR


def log_unexpected(logger: Logger, error: Exception) -> None:
    """Log an unexpected error: its type and its stack, never its text."""
    where = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    extra = {
        "code": CODES[INTERNAL_ERROR].code,
        "error": type(error).__qualname__,
        "where": where,
    }
    logger.error("unexpected", extra=extra)
