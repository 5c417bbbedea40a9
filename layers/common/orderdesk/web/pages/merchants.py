"""What the payers' pages show of the merchant (contract section 8)."""

from dataclasses import dataclass, field

from orderdesk.domain.merchants.merchant import Merchant


@dataclass(frozen=True, slots=True)
class MerchantView:
    """A merchant's name and support contact, "" where there is none, and the way back to it."""

    name: str = ""
    support: str = ""
    return_url: str | None = field(default=None, repr=False)


def merchant_view(merchant: Merchant | None, return_url: str | None) -> MerchantView:
    """Give what is shown of an order's or draft's merchant."""
    if merchant is None:
        return MerchantView(return_url=return_url)
    return MerchantView(merchant.terms.display_name, merchant.terms.support, return_url)
