"""The data of responses and callbacks: orders, drafts and balances as merchants see them."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from orderdesk.domain.ids import IDENTITY_LINK, PAY_LINK, is_numbered, is_pending_no, link_token
from orderdesk.domain.money import format_cny, format_rate, format_usdt
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import PaymentMethod, is_code_text
from orderdesk.domain.pricing import Mode, OrderType, Quote
from orderdesk.domain.times import MS_PER_SECOND, US_PER_SECOND

# createOrder needs none of these modules, and importing them would slow down its cold start.
if TYPE_CHECKING:
    from orderdesk.domain.callbacks.delivery import Delivery
    from orderdesk.domain.callbacks.endpoints import Endpoint
    from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
    from orderdesk.services.merchants.list_withdrawals import ListedWithdrawal
    from orderdesk.services.merchants.statement import (
        MerchantBalance,
        Position,
        SealMark,
        StatementLine,
    )
    from orderdesk.services.ports import Slice

type Data = dict[str, object]

_UNITS: Mapping[str, Callable[[int], object]] = {
    "_fen": format_cny,
    "_micro": format_usdt,
    "_e4": format_rate,
    "_us": lambda us: us // US_PER_SECOND,
    "_ms": lambda ms: ms // MS_PER_SECOND,
}
_AMOUNTS = (
    "merchant_amount=merchant_micro deposit_amount=deposit_micro service_amount=service_micro "
    "merchant_actual_amount=merchant_actual_micro"
)


_OTHER_SUMS = "requested_cny_amount=requested_fen reported_cny_amount=reported_fen"
"""The amount that was asked for, if it is or may be another one, and what a trader reported."""

_SENT = "remark metadata"
"""What the merchant sent for itself."""


def row_of(source: object, names: str) -> Data:
    """Return attributes of a domain value as the APIs write them, in the order of the names.

    `terms.min_cny_fen` becomes the text `min_cny`: an amount or a rate loses its unit, and a time
    becomes Unix seconds. `time=at_us` names the field, a name with the unit keeps the number, and
    `reason?` is null where it is empty. An attribute of None is null.
    """
    row: Data = {}
    for name, path, unit, is_null_if_empty in _parsed(names):
        value: Any = source
        for part in path:
            value = None if value is None else getattr(value, part)
        is_null = value is None or (is_null_if_empty and not value)
        row[name] = None if is_null else _written(value, unit)
    return row


def present_of(source: object, names: str) -> Data:
    """Return those attributes that `row_of` does not write as null."""
    return {name: value for name, value in row_of(source, names).items() if value is not None}


@cache
def _parsed(names: str) -> list[tuple[str, list[str], str, bool]]:
    """Return each field's name, the path of its attribute, its unit, and whether it has a `?`."""
    parsed = []
    for each in names.split():
        name, _, path = each.removesuffix("?").rpartition("=")
        own = path.rpartition(".")[2]
        units = (unit for unit in _UNITS if own.endswith(unit) and not name.endswith(unit))
        unit = next(units, "")
        parsed.append((name or own.removesuffix(unit), path.split("."), unit, each.endswith("?")))
    return parsed


def _written(value: Any, unit: str) -> object:
    match value:
        case Enum():
            return value.value
        case tuple():
            return list(value)
        case Mapping():
            return dict(value)
        case _:
            return _UNITS[unit](value) if unit else value


def pay_url(base_url: str, order_no: str, token: str) -> str:
    """Return the address of an order's pay page (contract section 8)."""
    return f"{base_url}/pay/{order_no}/{token}"


def identity_url(base_url: str, pending_no: str, token: str) -> str:
    """Return the address of a draft's identity page (contract section 8)."""
    return f"{base_url}/identity/{pending_no}/{token}"


def created_buy(order: Order, url: str) -> Data:
    """Return createOrder's data for a buy (contract section 4, result_status success)."""
    return {
        "result_status": "success",
        **row_of(order, "order_no merchant_order_no status order_type cny_amount=quote.cny_fen"),
        **present_of(order, "requested_cny_amount=sums.requested_fen"),
        **row_of(order, "quote.rate_e4"),
        "payment_method": _receiving(order.payment_method, url),
        **row_of(order.quote, _AMOUNTS),
        "createtime": order.createtime,
        "pay_url": url,
    }


def created_sell(order: Order) -> Data:
    """Return createOrder's data for a sell (contract section 4)."""
    return {
        **row_of(order, "order_id order_no merchant_order_no status order_type"),
        **row_of(order.quote, "cny_amount=cny_fen rate_e4 usdt_amount=usdt_micro"),
        **row_of(order.quote, "merchant_amount=merchant_micro"),
        **row_of(order.quote, "merchant_actual_amount=merchant_actual_micro"),
        "customer_payment_method": _customer_method(order.payment_method),
        "createtime": order.createtime,
    }


def held_draft(draft: Draft, url: str) -> Data:
    """Return createOrder's data for a draft (specification, result_status pending_identity)."""
    return {
        "result_status": "pending_identity",
        "pending_no": draft.pending_no,
        "identity_url": url,
        "expire_time": draft.expire_time,
    }


def queried(found: Order | Draft, base_url: str, link_secret: bytes | None, now: int) -> Data:
    """Return an order's or draft's data at a time (Unix seconds), with its page's link.

    Only the hash of the link's token is stored, so the token is derived again. Without the secret
    the link is None.
    """
    if isinstance(found, Draft):
        if link_secret is None:
            return queried_draft(found, None, now)
        token = link_token(link_secret, IDENTITY_LINK, found.pending_no)
        return queried_draft(found, identity_url(base_url, found.pending_no, token), now)
    match found.order_type:
        case OrderType.SELL:
            return queried_order(found, None, now)
        case OrderType.BUY if link_secret is None:
            return queried_order(found, None, now)
        case OrderType.BUY:
            token = link_token(link_secret, PAY_LINK, found.order_no)
            return queried_order(found, pay_url(base_url, found.order_no, token), now)


def queried_order(order: Order, url: str | None, now: int) -> Data:
    """Return queryOrder's data of an order at a time; a sell has no pay page (`url`)."""
    sent = present_of(order.given, f"{_SENT} callback_url return_url")
    data = order_facts(order, order.status_at(now)) | sent
    match order.order_type:
        case OrderType.BUY:
            method = _receiving(order.payment_method, url)
            return {**data, "payment_method": method, "pay_url": url}
        case OrderType.SELL:
            return {**data, "customer_payment_method": _customer_method(order.payment_method)}


def queried_draft(draft: Draft, url: str | None, now: int) -> Data:
    """Return queryOrder's data of a draft at a time, with its url only while it is held."""
    status = draft.status_at(now)
    data = draft_facts(draft, status)
    if status is DraftStatus.HELD:
        data["identity_url"] = url
    if draft.order_no is not None:
        data["order_no"] = draft.order_no
    return data


def order_facts(order: Order, status: OrderStatus) -> Data:
    """Return an order's data without urls and payment details, so that it can be logged."""
    return {
        **row_of(order, "order_id order_no merchant_order_no order_type mode.is_test"),
        "status": status.value,
        **row_of(order, "cny_amount=quote.cny_fen"),
        **present_of(order.sums, _OTHER_SUMS),
        **row_of(order.quote, f"rate_e4 usdt_amount=usdt_micro {_AMOUNTS}"),
        **row_of(order, "createtime updatetime"),
        "expire_time": order.deadline(status),
        "timeline": _timeline(order),
        **_reversed(order),
        **_refunds(order),
    }


def _reversed(order: Order) -> Data:
    """Return how much of a completed order was reversed, or paid after a sell was cancelled."""
    data = dict[str, object]()
    if order.undone.reversals:
        data["reversed_usdt"] = format_usdt(order.reversed_micro)
    if order.merchant_claim is not None:
        data["claimed_usdt"] = format_usdt(order.quote.merchant_actual_micro)
    return data


def _refunds(order: Order) -> Data:
    """Return the buy that a sell refunds, or the sells that refund a buy, if there are any."""
    listed = [row_of(each, "order_no cny_amount=cny_fen") for each in order.undone.refunds]
    return present_of(order.undone, "refund_of") | ({"refunds": listed} if listed else {})


def _timeline(order: Order) -> list[Data]:
    """Return each status with its time and actor.

    The merchant creates an order, or the payer on the identity page, if it comes from a draft.
    """
    creator = Actor.MERCHANT if order.pending_no is None else Actor.PAYER
    return [
        {"status": entry.status.value, "time": entry.time, "by": entry.by or creator.value}
        for entry in order.timeline
    ]


def draft_facts(draft: Draft, status: DraftStatus) -> Data:
    """Return a draft's data without its url."""
    numbers = row_of(draft, "pending_no merchant_order_no")
    return {**numbers, "status": status.value, "expire_time": draft.expire_time}


def _receiving(method: PaymentMethod, url: str | None) -> dict[str, str]:
    """Return a trader's method; its payment code is a picture of the pay page at `url`."""
    code = f"{url}/code.png" if url and is_code_text(method.qr_code) else ""
    return {**method.fields(), "card_number": method.masked_card_number, "qr_code": code}


def _customer_method(method: PaymentMethod) -> dict[str, str]:
    return {**method.fields(), "full_info": method.full_info}


def balances(by_mode: Mapping[Mode, "MerchantBalance"]) -> dict[str, object]:
    """Return a merchant's balances by mode (contract section 4)."""
    names = "available_micro held_micro deposit_micro"
    return {mode.value: row_of(balance, names) for mode, balance in by_mode.items()}


def statement(
    page: "Slice[StatementLine, Position]",
    cursor: str | None,
    settled: Mapping[str, Order],
    seal: "SealMark | None",
) -> Data:
    """Return one page of a merchant's postings, and the next cursor (contract section 4).

    `settled` are the orders of the postings by order_no. The last page has the newest seal.
    """
    newest = {} if seal is None else {"seal": row_of(seal, "time hash")}
    return {
        "postings": [
            posting(line) | _of_order(settled.get(line.entry.order_no)) for line in page.items
        ],
        "cursor": cursor,
        **newest,
    }


def _of_order(order: Order | None) -> Data:
    """Return what a posting says of its order."""
    if order is None:
        return {"merchant_order_no": None}
    return row_of(order, "merchant_order_no") | present_of(order.undone, "refund_of")


def posting(line: "StatementLine") -> Data:
    """Return one posting of a merchant's accounts."""
    entry = line.entry
    is_withdrawal = entry.kind.value == "withdrawal"
    has_number = is_numbered("P", entry.transfer_id)
    return {
        "id": f"{entry.transfer_id}-{line.account}",
        **row_of(entry, "time=at_us kind order_no?"),
        "withdrawal_no": entry.transfer_id if is_withdrawal and has_number else None,
        **row_of(line, "account entry.amount_micro balance_micro"),
    }


def quoted(order_type: OrderType, amounts: Quote, rate_time: int, *, fits: bool | None) -> Data:
    """Return quote's data: all amounts; `fits` is whether a trader fits a buy now."""
    return {
        "order_type": order_type.value,
        **row_of(amounts, "cny_amount=cny_fen rate_e4"),
        "rate_time": rate_time,
        **row_of(amounts, f"usdt_amount=usdt_micro {_AMOUNTS}"),
        "would_match": fits,
    }


def agreement(
    merchant: "Merchant", used: Mapping[Mode, Mapping[OpenLimit, int]]
) -> dict[str, object]:
    """Return a merchant's terms, and in each mode what is open of its limits (section 4)."""
    terms = merchant.terms
    return {
        **row_of(terms, "min_cny_fen max_cny_fen"),
        "fees": row_of(terms.fees, "service_bps service_fixed_micro deposit_bps spread_bps"),
        **row_of(terms, "identity_required require_receipt max_rps callback_url?"),
        **{mode.value: open_limits(terms, by_limit) for mode, by_limit in used.items()},
    }


def open_limits(terms: "MerchantTerms", used: Mapping[OpenLimit, int]) -> Data:
    """Return the limits of a merchant's open orders in a mode, and what is used of them."""
    return {
        "max_open_buys": terms.max_open_buys,
        "open_buys": used[OpenLimit.BUYS],
        "max_open_cny": format_cny(terms.max_open_cny_fen),
        "open_cny": format_cny(used[OpenLimit.CNY]),
        "max_open_sells": terms.max_open_sells,
        "open_sells": used[OpenLimit.SELLS],
        "max_open_sell_cny": format_cny(terms.max_open_sell_cny_fen),
        "open_sell_cny": format_cny(used[OpenLimit.SELL_CNY]),
    }


def withdrawals(page: "Slice[ListedWithdrawal, int]", cursor: str | None) -> Data:
    """Return one page of withdrawals, newest first, and the next cursor (contract section 4)."""
    return {"withdrawals": [_withdrawal(each) for each in page.items], "cursor": cursor}


def _withdrawal(listed: "ListedWithdrawal") -> Data:
    return row_of(
        listed,
        "time=at_us state amount_micro request_no withdrawal_no network address_ending txid reason",
    )


def events(page: "Slice[Delivery, str]", cursor: str | None) -> Data:
    """Return one page of the bodies of callbacks, newest first, each with its `event_id`."""
    listed = [
        {"event_id": each.event.webhook_id, **json.loads(each.event.body)} for each in page.items
    ]
    return {"events": listed, "cursor": cursor}


def deliveries(
    page: "Slice[Delivery, str]", cursor: str | None, endpoints: "Sequence[Endpoint]"
) -> Data:
    """Return one page of a merchant's deliveries, and the next cursor (contract section 4).

    `endpoints` are those that are paused (section 7).
    """
    return {
        "callbacks": [delivery(each) for each in page.items],
        "cursor": cursor,
        "paused": [row_of(each, "id.origin since_ms") for each in endpoints],
    }


def delivery(of: "Delivery") -> Data:
    """Return a delivery with its attempts; times in Unix seconds."""
    number = of.event.number
    is_draft = is_pending_no(number)
    names = "time=at_ms http_status=status latency_ms=latency_ms failure answer"
    return {
        **row_of(of, "event.webhook_id"),
        **present_of(of, "endpoint_id?"),
        **row_of(of, "event.type"),
        "order_no": None if is_draft else number or None,
        "pending_no": number if is_draft else None,
        "status": of.state.value,
        "attempts": [row_of(attempt, names) for attempt in of.attempts],
        **row_of(of, "next_time=next_ms"),
    }


PAYEE_STOPPED = "payee_stopped"
"""Why an order expired whose account was stopped: its page said not to pay."""


def callback_data(changed: Order | Draft) -> Data:
    """Return a callback's data: queryOrder's without urls and payment details, with `sequence`.

    The status is that of the change and does not depend on the clock, so that a callback that is
    built again is the same (contract section 7).
    """
    if isinstance(changed, Draft):
        facts = draft_facts(changed, changed.status)
        return {**facts, "is_test": changed.mode.is_test, "sequence": changed.sequence}
    stopped = (
        changed.status is OrderStatus.EXPIRED and changed.pay_page.payee_stopped_at is not None
    )
    reason = {"reason": PAYEE_STOPPED} if stopped else {}
    is_first = changed.sequence == 1 and changed.pending_no is not None
    draft = {"pending_no": changed.pending_no} if is_first else {}
    facts = order_facts(changed, changed.status) | present_of(changed.given, _SENT)
    return {**facts, **reason, **draft, "sequence": changed.sequence}
