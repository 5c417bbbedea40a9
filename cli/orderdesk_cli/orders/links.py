"""An order as its merchant sees it, with the payer's link for those who may open its secrets."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.web.merchant.views import queried
from orderdesk_cli.output import Json

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office


def merchant_view(
    office: "Office", of: Order | Draft
) -> Callable[[Order | Draft], dict[str, Json]]:
    """Give what writes an order or draft, in any of its states, as queryOrder answers it.

    The secret and the address for the link are read here, before a move: so the answer after the
    move needs no further read. Raises: UnknownId, StackUnavailable, TryAgain, botocore's errors.
    """
    secret = _link_secret(office, of.merchant_id) if _has_link(of) else None
    base_url = office.stack.output("BaseUrl")

    def seen(found: Order | Draft) -> dict[str, Json]:
        return cast("dict[str, Json]", queried(found, base_url, secret, office.now()))

    return seen


def _has_link(of: Order | Draft) -> bool:
    return isinstance(of, Draft) or of.order_type is OrderType.BUY


def _link_secret(office: "Office", merchant_id: str) -> bytes | None:
    """Open the secret that makes links; None for an operator who may not.

    Whoever has a link can act as the payer. The secret is sealed together with the merchant's own,
    so the right to open it is finance's.
    """
    merchant = known_merchant(office.merchants, merchant_id)
    try:
        return office.vault.unseal(merchant_id, merchant.sealed_secrets).link_secret
    except Exception as error:
        from orderdesk_cli.aws_rights import is_denied  # noqa: PLC0415 botocore is loaded only to work on a stack

        if is_denied(error):
            return None
        raise
