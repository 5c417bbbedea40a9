"""Ending a draft without an order: its number is free again in the same transaction."""

from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.errors import NumberLost
from orderdesk.services.ports import Chance, Drafts


def end_draft(drafts: Drafts, before: Draft, after: Draft, chance: Chance) -> None:
    """Lock or expire a draft and free its merchant_order_no, if that is still the draft's.

    A draft past its life may have lost its number to a new order before the sweep came by: then
    there is nothing to free. Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
    """
    try:
        has_number = before.merchant_order_no is not None
        drafts.end(before, after, chance.token(), frees_number=has_number)
    except NumberLost:
        drafts.end(before, after, chance.token(), frees_number=False)
