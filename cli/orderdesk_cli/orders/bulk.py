"""`orderdesk order resolve` for all disputed orders of a merchant: one move an order."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.errors import StateConflict
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.services.operator import moves as operator_moves
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.services.operator.orders import OrderSearch, newest_orders
from orderdesk_cli.confirmation import confirm
from orderdesk_cli.orders import bulk_views as views
from orderdesk_cli.orders.refusals import conflict_text
from orderdesk_cli.output import Answer

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

ORDERS_MAX = 1000
UNDECIDED = "the tables do not answer or are too busy; run it again"


@dataclass(frozen=True, slots=True)
class Bulk:
    """Which disputed orders to end, how and why."""

    merchant_id: str
    outcome: operator_moves.Resolution
    reason: str


def resolve_all(office: "Office", bulk: Bulk, *, is_agreed: bool) -> Answer:
    """End a merchant's disputes, the newest 1000 at most, after showing them and asking.

    Each order is moved by itself, so one that cannot be moved does not hold back the others.
    Raises: UnknownId, Declined.
    """
    merchant = known_merchant(office.merchants, bulk.merchant_id)
    wanted = OrderSearch(merchant_id=merchant.merchant_id, status=OrderStatus.DISPUTED)
    now = office.now()
    newest = newest_orders(office.order_listing, wanted, now)
    found = list(islice(newest, ORDERS_MAX))
    if found:
        confirm(lambda: views.foreseen(found, bulk.outcome), is_agreed=is_agreed)
    done = [_resolved(office, order, bulk) for order in found]
    return views.resolved(done, bulk.outcome, may_be_more=len(done) == ORDERS_MAX)


def _resolved(office: "Office", order: Order, bulk: Bulk) -> views.Resolved:
    try:
        after = operator_moves.resolve(
            order.order_no, bulk.outcome, office.order_ports, reason=bulk.reason
        )
    except StateConflict as conflict:
        return views.Resolved(order, conflict_text(order, OrderStatus(conflict.status)))
    except TryAgain:
        return views.Resolved(order, UNDECIDED)
    except OperatorRefusal as refusal:
        return views.Resolved(order, str(refusal))
    return views.Resolved(after)
