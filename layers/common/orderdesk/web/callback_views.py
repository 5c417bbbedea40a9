"""Orders and drafts as callbacks tell them: the `data` of contract section 7."""

from orderdesk.domain.drafts import Draft
from orderdesk.domain.orders import Order
from orderdesk.web.order_views import Data, draft_facts, order_facts


def callback_data(changed: Order | Draft) -> Data:
    """Tell what queryOrder would, without urls and payment details, and which change it was.

    The status is the change's own: no clock comes in, so a callback made again is the same.
    """
    if isinstance(changed, Draft):
        facts = draft_facts(changed, changed.status)
        return {**facts, "is_test": changed.mode.is_test, "sequence": changed.sequence}
    return {**order_facts(changed, changed.status), "sequence": changed.sequence}
