"""What a function logs of an error that nobody expected."""

import traceback

from aws_lambda_powertools.logging import Logger

from orderdesk.web.codes import CODES, INTERNAL_ERROR


def log_unexpected(logger: Logger, error: Exception) -> None:
    """Log an error that nobody expected: its type and where it came from, never its text."""
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
