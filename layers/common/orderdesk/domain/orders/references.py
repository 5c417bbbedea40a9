"""The short payment reference, which distinguishes a payer's transfers (contract section 8)."""

_DIGITS = 6


def payment_reference(order_no: str) -> str:
    """Return the last six digits of the order_no, which a payer puts in the transfer's remark.

    Digits only, so that a phone's number pad suffices. The end of the number changes most, so
    orders of one amount rarely share a reference. A trader with many compares the amount and the
    payer, too. A reference neither identifies an order by itself nor grants access.
    """
    return order_no[-_DIGITS:]
