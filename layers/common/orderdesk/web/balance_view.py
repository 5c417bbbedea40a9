"""A merchant's balances as it sees them."""

from collections.abc import Mapping

from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.services.merchant_balance import MerchantBalance


def balances(by_mode: Mapping[Mode, MerchantBalance]) -> dict[str, object]:
    """Answer balance: what the merchant owns, live and test apart (contract section 4)."""
    return {
        mode.value: {
            "available": format_usdt(balance.available_micro),
            "held": format_usdt(balance.held_micro),
            "deposit": format_usdt(balance.deposit_micro),
        }
        for mode, balance in by_mode.items()
    }
