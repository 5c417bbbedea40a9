"""Refuse an order that the desk's block list or a limit of a day is about.

Both are read with the merchants' cache, without a request of the store. The key of their hashes is
read once by a container, and only if there is a block or a limit.
"""

from typing import TYPE_CHECKING

from orderdesk.domain.orders.order_errors import DeskRule, RefusedByDesk
from orderdesk.domain.pricing import OrderType

if TYPE_CHECKING:
    from orderdesk.domain.identity import Identity
    from orderdesk.domain.orders.blocks import DayCount
    from orderdesk.domain.orders.requests import OrderRequest
    from orderdesk.services.orders.place_buy import MatchingPorts


def refuse_blocked(asked: "OrderRequest | Identity", ports: "MatchingPorts", now: int) -> None:
    """Check a request or a customer at a time (Unix seconds). Raises: RefusedByDesk, TryAgain."""
    blocks = ports.directory.blocks()
    if not blocks:
        return
    # Most stacks block nobody, so a cold start does not load it.
    from orderdesk.domain.orders.blocks import digest_of, holds, rule_of, subjects_of  # noqa: PLC0415

    key = ports.block_key()
    for subject in subjects_of(asked):
        until = blocks.get(digest_of(key, subject))
        if until is not None and holds(until, now):
            raise RefusedByDesk(rule_of(subject[0]))


def day_of_customer(identity: "Identity", ports: "MatchingPorts") -> str | None:
    """Return the hash of a customer whose buys a limit counts; None without one. Raises: TryAgain.

    A draft keeps it until its buy is created.
    """
    return _digest(OrderType.BUY, identity, ports)


def day_of_request(request: "OrderRequest", ports: "MatchingPorts", now: int) -> "DayCount | None":
    """Return what an order adds to its customer's or payee's day; None without a limit.

    Raises: RefusedByDesk, TryAgain.
    """
    digest = _digest(request.order_type, request, ports)
    return count_of(digest, request, ports, now)


def count_of(
    digest: str | None, request: "OrderRequest", ports: "MatchingPorts", now: int
) -> "DayCount | None":
    """Return what an order adds to the day of a hash. Raises: RefusedByDesk, TryAgain."""
    if digest is None:
        return None
    from orderdesk.domain.orders.blocks import day_count, limits_of  # noqa: PLC0415

    limits = limits_of(ports.directory.day_limits(), request.order_type)
    count = day_count(limits, digest, request.mode, request.cny_fen, now)
    if count.is_too_large:
        raise RefusedByDesk(DeskRule.DAY)
    return count if any(limits) else None


def _digest(
    order_type: OrderType, asked: "OrderRequest | Identity", ports: "MatchingPorts"
) -> str | None:
    limits = ports.directory.day_limits()
    if not limits:
        return None
    from orderdesk.domain.orders.blocks import counted_subject, digest_of, limits_of, subjects_of  # noqa: PLC0415

    if not any(limits_of(limits, order_type)):
        return None
    subject = counted_subject(order_type, subjects_of(asked))
    return None if subject is None else digest_of(ports.block_key(), subject)
