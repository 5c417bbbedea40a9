"""The short payment reference, which tells a payer's transfers apart (contract section 8)."""

_DIGITS = 6


def payment_reference(order_no: str) -> str:
    """Give the digits that a payer puts in the transfer's remark: the last six of the order_no.

    Only digits, so a phone's number pad types them. The end of the number changes most, so two
    orders of one amount rarely share a reference; a trader that has many compares them with the
    amount and the payer. It identifies nothing by itself and opens nothing.
    """
    return order_no[-_DIGITS:]
