"""End a draft without an order; the same transaction frees its number."""

from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.errors import NumberLost
from orderdesk.services.ports import Chance, Drafts


def end_draft(drafts: Drafts, before: Draft, after: Draft, chance: Chance) -> None:
    """Lock or expire a draft, and free its merchant_order_no if the draft still has it.

    Before the sweep expires a draft, a new order may have taken the number; then nothing is freed.
    Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
    """
    try:
        has_number = before.merchant_order_no is not None
        drafts.end(before, after, chance.token(), frees_number=has_number)
    except NumberLost:
        drafts.end(before, after, chance.token(), frees_number=False)
