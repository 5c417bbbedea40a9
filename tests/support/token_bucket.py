"""The bucket of a key's request rate, as the contract says it (section 3, 1201)."""

from orderdesk.domain.merchants.request_rate import cost_ns, latest_start_ns


def used_until_ns(before_ns: int | None, calls: int, max_rps: int, now_ns: int) -> int | None:
    """Return the bucket's time after calls, or None if there is no room for them.

    `before_ns` is the time before; None means that the merchant was not counted yet.
    """
    start = now_ns if before_ns is None else max(before_ns, now_ns)
    room = start <= latest_start_ns(calls, max_rps, now_ns)
    return start + cost_ns(calls, max_rps) if room else None
