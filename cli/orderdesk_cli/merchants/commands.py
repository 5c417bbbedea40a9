"""`orderdesk merchant …`."""

from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.merchants.terms import changed_terms, check_terms
from orderdesk.domain.modes import Mode
from orderdesk.services.operator import merchants as onboard_merchants
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.merchants import views
from orderdesk_cli.merchants.options import MerchantOptions, given_terms
from orderdesk_cli.output import Answer
from orderdesk_cli.values import MerchantId, Reason

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()

Name = Annotated[str, typer.Argument(metavar="NAME", help="For people.", show_default=False)]


@command(group, "add")
def add(
    office: "Office",
    name: Name,
    *,
    reason: Reason = "",
    **options: Unpack[MerchantOptions],
) -> Answer:
    """Add a merchant; its secrets are shown this one time."""
    terms = changed_terms(MerchantTerms(), given_terms(options))
    check_terms(terms, allow_loopback=True)  # before anything is read from AWS
    new = onboard_merchants.add_merchant(
        office.merchants,
        office.vault,
        office.operator,
        name,
        terms,
        allow_loopback=office.stack.allows_loopback,
        reason=reason,
    )
    return views.added(new)


@command(group, "list")
def list_all(office: "Office") -> Answer:
    """List all merchants, the newest last."""
    return views.listed(
        sorted(office.merchants.merchants(), key=lambda m: (m.created_at, m.merchant_id))
    )


@command(group, "show")
def show(office: "Office", merchant_id: MerchantId) -> Answer:
    """Show a merchant's agreement and balances; never its secrets."""
    merchant = onboard_merchants.known_merchant(office.merchants, merchant_id)
    balances = {
        (mode, kind): office.balances.balance(Account(kind, merchant_id, mode))
        for mode in Mode
        for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT)
    }
    return views.shown(merchant, balances)


@command(group, "suspend")
def suspend(office: "Office", merchant_id: MerchantId, reason: Reason = "") -> Answer:
    """Refuse a merchant's calls from now on; its open orders run their course."""
    return views.changed(
        onboard_merchants.suspend_merchant(office.merchants, office.operator, merchant_id, reason)
    )


@command(group, "resume")
def resume(office: "Office", merchant_id: MerchantId, reason: Reason = "") -> Answer:
    """Answer a suspended merchant's calls again."""
    return views.changed(
        onboard_merchants.resume_merchant(office.merchants, office.operator, merchant_id, reason)
    )


@command(group, "rotate-secret")
def rotate_secret(office: "Office", merchant_id: MerchantId, reason: Reason = "") -> Answer:
    """Give a merchant a new api_secret, shown this one time; the earlier one stays valid."""
    secret = onboard_merchants.rotate_api_secret(
        office.merchants, office.vault, office.operator, merchant_id, reason
    )
    return views.rotated(merchant_id, "api_secret", secret)


@command(group, "rotate-callback-secret")
def rotate_callback_secret(
    office: "Office", merchant_id: MerchantId, reason: Reason = ""
) -> Answer:
    """Give a merchant a new callback secret, shown this one time; both sign for now."""
    secret = onboard_merchants.rotate_callback_secret(
        office.merchants, office.vault, office.operator, merchant_id, reason
    )
    return views.rotated(merchant_id, "callback_secret", secret)


@command(group, "set")
def set_terms(
    office: "Office",
    merchant_id: MerchantId,
    *,
    reason: Reason = "",
    **options: Unpack[MerchantOptions],
) -> Answer:
    """Change a merchant's agreement for orders to come; what is not named stays as it is."""
    change = given_terms(options)
    if not change:
        raise typer.BadParameter("name at least one term to change")
    return views.changed(
        onboard_merchants.set_terms(
            office.merchants,
            office.operator,
            merchant_id,
            change,
            allow_loopback=office.stack.allows_loopback,
            reason=reason,
        )
    )
