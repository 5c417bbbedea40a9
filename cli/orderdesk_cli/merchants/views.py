"""Merchants as operators see them; a secret is only in the answer that creates it."""

from collections.abc import Mapping, Sequence

from orderdesk.domain.ledger.accounts import AccountKind, Balance
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.terms import describe_terms, written_fees
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.services.operator.merchants import NewMerchant
from orderdesk_cli.output import Answer, Json, listing, record, stacked, time_text

ONCE = "Secrets are shown this one time; keep them now."

type Balances = Mapping[tuple[Mode, AccountKind], Balance]


def merchant_data(merchant: Merchant) -> dict[str, Json]:
    """Write a merchant for programs."""
    return {
        "merchant_id": merchant.merchant_id,
        "name": merchant.name,
        "api_key": merchant.api_key,
        "status": merchant.status.value,
        "identity": merchant.terms.identity_required,
        "callback_url": merchant.terms.callback_url,
        **written_fees(merchant.terms.fees),
        "min_cny": format_cny(merchant.terms.min_cny_fen),
        "max_cny": format_cny(merchant.terms.max_cny_fen),
        "max_open_buys": merchant.terms.max_open_buys,
        "max_open_cny": format_cny(merchant.terms.max_open_cny_fen),
        "require_receipt": merchant.terms.require_receipt,
        "allowed_cidrs": list(merchant.terms.allowed_cidrs),
        "events": None if merchant.terms.events is None else list(merchant.terms.events),
        "max_rps": merchant.terms.max_rps,
        "balance_shards": merchant.terms.balance_shards,
        "display_name": merchant.terms.display_name,
        "support": merchant.terms.support,
        "created_at": merchant.created_at,
    }


def added(new: NewMerchant) -> Answer:
    """Answer `merchant add`."""
    merchant = new.merchant
    secrets = {
        "merchant_id": merchant.merchant_id,
        "api_key": merchant.api_key,
        "api_secret": new.api_secret,
        "callback_secret": new.callback_secret,
    }
    shown = stacked(record(f"Added merchant {merchant.name}", secrets), ONCE)
    return Answer({**merchant_data(merchant), **secrets}, shown)


def rotated(merchant_id: str, name: str, secret: str) -> Answer:
    """Answer a rotation."""
    data = {"merchant_id": merchant_id, name: secret}
    return Answer(data, stacked(record("New secret", data), ONCE))


def changed(merchant: Merchant) -> Answer:
    """Answer a change: the merchant as it is now."""
    title = f"Merchant {merchant.merchant_id} is now"
    return Answer(merchant_data(merchant), record(title, _fields(merchant)))


def shown(merchant: Merchant, balances: Balances) -> Answer:
    """Answer `merchant show`: the agreement, and the balances of both modes."""
    money: dict[str, dict[str, str]] = {
        mode.value: {
            "available": format_usdt(balances[mode, AccountKind.MERCHANT].available_micro),
            "held": format_usdt(balances[mode, AccountKind.MERCHANT].held_micro),
            "deposit": format_usdt(balances[mode, AccountKind.DEPOSIT].available_micro),
        }
        for mode in Mode
    }
    rows = [[mode, *amounts.values()] for mode, amounts in money.items()]
    title = f"Merchant {merchant.merchant_id}"
    table = listing(["USDT", "available", "held", "deposit"], rows, "")
    return Answer(
        {**merchant_data(merchant), "balances": money},
        stacked(record(title, _fields(merchant)), table),
    )


def listed(merchants: Sequence[Merchant]) -> Answer:
    """Answer `merchant list`."""
    rows = [
        [
            m.merchant_id,
            m.name,
            m.status.value,
            "yes" if m.terms.identity_required else "no",
            f"{format_cny(m.terms.min_cny_fen)} - {format_cny(m.terms.max_cny_fen)}",
            str(m.terms.fees.service_bps),
            str(m.terms.fees.deposit_bps),
            str(m.terms.fees.spread_bps),
        ]
        for m in merchants
    ]
    columns = ["merchant", "name", "status", "identity", "CNY", "service", "deposit", "spread"]
    return Answer([merchant_data(m) for m in merchants], listing(columns, rows, "No merchants."))


def _fields(merchant: Merchant) -> dict[str, str]:
    return {
        "name": merchant.name,
        "api_key": merchant.api_key,
        "status": merchant.status.value,
        **describe_terms(merchant.terms),
        "created": time_text(merchant.created_at),
    }
