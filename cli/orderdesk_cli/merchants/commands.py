"""`orderdesk merchant …`."""

from typing import Annotated, Unpack

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.merchants.options import MerchantOptions
from orderdesk_cli.options import MerchantId, Reason
from orderdesk_cli.sheets.merchants import LIMITS, MERCHANT, MERCHANTS, SECRETS

commands = Commands()
group = commands.typer

Name = Annotated[str, typer.Argument(metavar="NAME", help="For people.", show_default=False)]


@commands.writes("merchant.add", SECRETS)
def add(name: Name, *, reason: Reason = None, **options: Unpack[MerchantOptions]) -> None:
    """Add a merchant; its secrets are shown this one time."""


@commands.lists("merchant.list", MERCHANTS)
def list_all() -> None:
    """List all merchants, the newest last."""


@commands.reads("merchant.show", MERCHANT)
def show(merchant_id: MerchantId) -> None:
    """Show a merchant's agreement and balances; never its secrets."""


@commands.reads("merchant.limits", LIMITS)
def limits(merchant_id: MerchantId) -> None:
    """Show how much of a merchant's limits its open buys take."""


@commands.writes("merchant.suspend", MERCHANT)
def suspend(merchant_id: MerchantId, reason: Reason = None) -> None:
    """Refuse a merchant's calls from now on; its open orders run their course."""


@commands.writes("merchant.resume", MERCHANT)
def resume(merchant_id: MerchantId, reason: Reason = None) -> None:
    """Answer a suspended merchant's calls again."""


@commands.writes("merchant.rotate-secret", SECRETS)
def rotate_secret(merchant_id: MerchantId, reason: Reason = None) -> None:
    """Give a merchant a new api_secret; the earlier one stays valid.

    A second person approves it; then you read the secret with `proposal reveal`.
    """


@commands.writes("merchant.rotate-callback-secret", SECRETS)
def rotate_callback_secret(merchant_id: MerchantId, reason: Reason = None) -> None:
    """Give a merchant a new callback secret, shown this one time; both sign for now."""


@commands.writes("merchant.set", MERCHANT, name="set")
def set_terms(
    merchant_id: MerchantId, *, reason: Reason = None, **options: Unpack[MerchantOptions]
) -> None:
    """Change a merchant's agreement for orders to come; what is not named stays as it is."""
