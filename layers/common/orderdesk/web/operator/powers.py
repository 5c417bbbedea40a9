"""The power of each field of each command that writes (contract section 11).

A command that is not here only reads. `tests/integration/operator_api/test_powers.py` compares the
table with the commands' parameters and with the entries of the audit log.
"""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.domain.authority import Power
from orderdesk.domain.merchants.notices import TERM_POWERS
from orderdesk.domain.merchants.terms import written_name
from orderdesk.domain.pricing import FEE_TERMS
from orderdesk.domain.traders.terms import TRADER_TERM_POWERS

EXPLAINS = frozenset({"idempotency_key", "reason", "memo"})
"""The fields that every write may have, and that change nothing."""

MERCHANT_TERMS: Mapping[str, str] = MappingProxyType(
    {
        "identity": "identity_required",
        "min_cny": "min_cny_fen",
        "max_cny": "max_cny_fen",
        "max_open_cny": "max_open_cny_fen",
        "max_open_sell_cny": "max_open_sell_cny_fen",
        "allow_cidr": "allowed_cidrs",
        **{written_name(name): "fees" for name in FEE_TERMS},
        **{
            name: name
            for name in (
                *("callback_url", "max_open_buys", "max_open_sells", "slot_share", "events"),
                *("require_receipt", "max_rps", "max_callback_rps", "balance_shards"),
                *("other_sums", "display_name", "support"),
            )
        },
    }
)
"""The term of each field of `merchant.add` and `merchant.set`."""

_TRADER_TERMS = {
    "min_cny": "min_cny_fen",
    "max_cny": "max_cny_fen",
    "max_open": "max_open",
    "daily_cny": "daily_cap_fen",
    "unique_amounts": "unique_amounts",
}


def _of(power: Power, fields: str) -> dict[str, Power]:
    return dict.fromkeys(fields.split(), power)


_MERCHANT = {name: TERM_POWERS[term] for name, term in MERCHANT_TERMS.items()}
_TRADER = {name: TRADER_TERM_POWERS[term] for name, term in _TRADER_TERMS.items()}
_MONEY_OF_MERCHANT = _of(Power.MONEY, "merchant_id amount is_test")
_MONEY_OF_TRADER = _of(Power.MONEY, "trader_id amount is_test")
_DAY_LIMITS = "id_card_daily_cny id_card_daily_count payee_daily_cny payee_daily_count"
_METHOD = "trader_id method_type real_name bank sub_bank card_number account qr_code account_no"

POWERS: Mapping[str, Mapping[str, Power]] = MappingProxyType(
    {
        "block.add": _of(Power.STOP, "kind value until"),
        "block.remove": _of(Power.PRICE, "block_no"),
        "callback.redeliver": _of(Power.CONTACT, "webhook_id"),
        "deposit.release": _MONEY_OF_MERCHANT,
        "desk.set": _of(Power.PRICE, _DAY_LIMITS),
        "fees.withdraw": _MONEY_OF_MERCHANT,
        "fund.merchant": _MONEY_OF_MERCHANT,
        "fund.trader": _MONEY_OF_TRADER,
        "ledger.acknowledge": _of(Power.MONEY, "finding_id"),
        "merchant.add": {**_MERCHANT, **_of(Power.ADMISSION, "name admin")},
        "merchant.invite": _of(Power.ADMISSION, "merchant_id name role"),
        "merchant.resume": _of(Power.STOP, "merchant_id"),
        "merchant.revoke-secret": _of(Power.STOP, "merchant_id is_test callback"),
        "merchant.set": {**_MERCHANT, **_of(Power.CONTACT, "merchant_id")},
        "merchant.suspend": _of(Power.STOP, "merchant_id"),
        "order.ask": _of(Power.CONTACT, "order_no text to"),
        "order.assign": _of(Power.ORDER, "order_no trader_id"),
        "order.cancel": _of(Power.ORDER, "order_no"),
        "order.claim": _of(Power.MONEY, "order_no trader_id verdict"),
        "order.dispute": _of(Power.ORDER, "order_no order_nos"),
        "order.resolve": _of(Power.ORDER, "order_no order_nos outcome amount"),
        "order.reverse": _of(Power.MONEY, "order_no usdt"),
        "order.unassign": _of(Power.ORDER, "order_no"),
        "proposal.approve": _of(Power.CONTACT, "proposal_no digest"),
        "proposal.reject": _of(Power.CONTACT, "proposal_no"),
        "proposal.reveal": _of(Power.CONTACT, "proposal_no"),
        "rate.set": _of(Power.PRICE, "order_type rate yes"),
        "trader.add": {**_TRADER, **_of(Power.ADMISSION, "name is_test")},
        "trader.add-method": _of(Power.DESTINATION, _METHOD),
        "trader.offline": _of(Power.STOP, "trader_id"),
        "trader.online": _of(Power.STOP, "trader_id"),
        "trader.remove-method": _of(Power.DESTINATION, "trader_id method_type account_no"),
        "trader.reset-code": _of(Power.DESTINATION, "trader_id"),
        "trader.resume-account": _of(Power.DESTINATION, "trader_id account"),
        "trader.set": {**_TRADER, **_of(Power.CONTACT, "trader_id")},
        "trader.stop-account": _of(Power.STOP, "trader_id account"),
        "trader.suspend": _of(Power.STOP, "trader_id"),
        "withdraw.merchant": {**_MONEY_OF_MERCHANT, **_of(Power.MONEY, "request_no")},
        "withdraw.sent": _of(Power.CONTACT, "withdrawal_no txid"),
        "withdraw.trader": _MONEY_OF_TRADER,
    }
)


def described(command: str, name: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Return a field's JSON schema with the power that it has in a command."""
    power = POWERS.get(command, {}).get(name)
    return {**schema, **({} if power is None else {"x-power": power.value})}
