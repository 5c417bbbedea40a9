"""orderdesk's merchant API: `Orderdesk`, `AsyncOrderdesk`, and `verify_callback`."""

from orderdesk_client.asynchronous import AsyncOrderdesk
from orderdesk_client.client import (
    Code,
    InvalidCallback,
    NoAnswer,
    Orderdesk,
    OrderdeskError,
    Refused,
    verify_callback,
)

__all__ = [
    "AsyncOrderdesk",
    "Code",
    "InvalidCallback",
    "NoAnswer",
    "Orderdesk",
    "OrderdeskError",
    "Refused",
    "verify_callback",
]
