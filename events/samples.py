"""The sample events, by function and name: the files of this folder and the tables below.

A sample may have <placeholders> and is not signed; events/sign.py fills and signs it.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from events.gateway import HOST, as_deployed, operator_event, proxy_event
from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item

type Event = dict[str, Any]

FOLDER = Path(__file__).resolve().parent

_API_HEADERS = {
    "Accept": "application/json",
    "Content-Type": "application/json; charset=utf-8",
    "Host": HOST,
}
_PAGE_HEADERS = {
    "Accept": "text/html,application/xhtml+xml",
    "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
    "Host": HOST,
}
_FORM_HEADERS = {
    **_PAGE_HEADERS,
    "Content-Type": "application/x-www-form-urlencoded",
    "Origin": f"https://{HOST}",
    "Sec-Fetch-Site": "same-origin",
}
_REQUEST_ID = {"x-amzn-requestid": "<request_id>"}

# Signed calls: the route, and the parameters beside api_key, timestamp, nonce and signature, as
# JSON text, because a signature covers the text of a number.
_CREATE = "/merchant/createOrder"
_BUY = '"order_type":1,"cny_amount":1000.00,"merchant_order_no":"sample-<nonce>"'
_SELL = '"order_type":2,"cny_amount":"1000.00","merchant_order_no":"sample-<nonce>"'
_BANK = (
    '"payment_method":{"method_type":"bank","real_name":"测试甲","bank":"测试银行",'
    '"sub_bank":"测试支行","card_number":"6200000000000000017"}'
)
_ALIPAY = (
    '"payment_method":{"method_type":"alipay","real_name":"测试乙",'
    '"account":"payee@example.com","qr_code":"https://img.example.com/alipay.png"}'
)
_CUSTOMER = '"customer_name":"测试丙","id_card":"999999190001010007"'
_BAD = '"order_type":3,"cny_amount":"10.005","callback_url":"ftp://merchant.example.com/callback"'
_ORDER_NO = '"order_no":"<order_no>"'
_CALLS = {
    "create_order/buy_wechat": (_CREATE, f'{_BUY},"method_type":"wechat"'),
    "create_order/buy_alipay": (_CREATE, f'{_BUY},"method_type":"alipay"'),
    "create_order/sell_bank": (_CREATE, f"{_SELL},{_BANK}"),
    "create_order/sell_alipay": (_CREATE, f"{_SELL},{_ALIPAY}"),
    "create_order/test_buy": ("/test/createOrder", _BUY),
    "create_order/bad_parameters": (_CREATE, _BAD),
    "create_order/unsupported_content_type": (_CREATE, _BUY),
    "merchant_api/query_by_merchant_order_no": (
        "/merchant/queryOrder",
        '"merchant_order_no":"<merchant_order_no>"',
    ),
    "merchant_api/list_orders": ("/merchant/listOrders", '"status":"pending,paid","limit":10'),
    "merchant_api/balance": ("/merchant/balance", ""),
    "merchant_api/statement": ("/merchant/statement", '"is_test":0,"limit":50'),
    "merchant_api/list_events": ("/merchant/listEvents", '"limit":50'),
    "merchant_api/list_withdrawals": ("/merchant/listWithdrawals", ""),
    "merchant_api/agreement": ("/merchant/agreement", ""),
    "create_order/quote": ("/merchant/quote", '"order_type":1,"cny_amount":"1000.00"'),
    "merchant_api/cancel_order": ("/merchant/cancelOrder", _ORDER_NO),
    "merchant_api/dispute_order": ("/merchant/disputeOrder", _ORDER_NO),
    "merchant_api/list_callbacks": ("/merchant/listCallbacks", f'{_ORDER_NO},"limit":50'),
    "merchant_api/redeliver_callback": (
        "/merchant/redeliverCallback",
        '"webhook_id":"msg_<order_no>_2"',
    ),
    "merchant_api/test_callback": (
        "/merchant/testCallback",
        '"callback_url":"https://merchant.example.com/callback"',
    ),
}
# Calls of the merchant whose customers are identified.
_IDENTITY_CALLS = {
    "create_order/agreement_buy_held": (_CREATE, _BUY),
    "create_order/agreement_buy_created": (_CREATE, f'{_BUY},{_CUSTOMER},"mobile":"13800000001"'),
    "create_order/agreement_sell_refused": (
        _CREATE,
        f'{_SELL},{_BANK},{_CUSTOMER},"mobile":"13800000000"',
    ),
    "merchant_api/query_by_pending_no": ("/merchant/queryOrder", '"pending_no":"<pending_no>"'),
}

# Requests of a browser: the method, the route, and the query of a GET or the form of a POST.
_PAY = "/pay/{order_no}/{token}"
_IDENTITY = "/identity/{pending_no}/{token}"
_ORDER = "/trader/orders/{order_no}"
_METHOD = "/trader/settings/methods/{method_type}"
_BUCKET = "bucket=orderdesk-uploads"
_SAY = "seen=0&text=%E5%B7%B2%E4%BB%98%E6%AC%BE"
_CODE = "access_code=0000-1111-2222-3333-4444-5555-6666"
_DEVICE = "endpoint=https%3A%2F%2Fpush.example.com%2Fa-device"
_CUSTOMER_FORM = "customer_name=%E6%B5%8B%E8%AF%95%E4%B8%99&id_card=110101200001010002"
_WECHAT_FORM = "account=trader-one&real_name=x&qr_code=wxp%3A%2F%2Ff2f0abc"
_BROWSER = {
    "pay_page/status": ("GET", f"{_PAY}/status", ""),
    "pay_page/confirm_cancel": ("GET", f"{_PAY}/cancel", ""),
    "pay_page/cancel": ("POST", f"{_PAY}/cancel", ""),
    "pay_page/confirm_paid": ("GET", f"{_PAY}/paid", ""),
    "pay_page/paid": ("POST", f"{_PAY}/paid", ""),
    "pay_page/come_back": (
        "GET",
        f"{_PAY}/receipt",
        f'{_BUCKET}&key=uploads/<order_no>/payer/1&etag="0"',
    ),
    "pay_page/receipt": ("POST", f"{_PAY}/receipt", "key=uploads%2F<order_no>%2Fpayer%2F1"),
    "pay_page/code": ("GET", f"{_PAY}/code.png", ""),
    "pay_page/picture": ("GET", f"{_PAY}/receipts/{{number}}", ""),
    "pay_page/confirm_dispute": ("GET", f"{_PAY}/dispute", ""),
    "pay_page/dispute": ("POST", f"{_PAY}/dispute", "reason=%E5%B7%B2%E4%BB%98%E6%AC%BE"),
    "pay_page/say": ("POST", f"{_PAY}/say", _SAY),
    "pay_page/agree": ("POST", f"{_PAY}/agree", ""),
    "pay_page/object": ("POST", f"{_PAY}/object", ""),
    "pay_page/note": ("GET", f"{_PAY}/notes/{{number}}", ""),
    "identity_page/submit_passes": ("POST", _IDENTITY, f"{_CUSTOMER_FORM}&mobile=13800000001"),
    "identity_page/submit_fails": ("POST", _IDENTITY, f"{_CUSTOMER_FORM}&mobile=13800000000"),
    "merchant_portal/overview": ("GET", "/portal", ""),
    "merchant_portal/orders": ("GET", "/portal/{proxy+}", ""),
    "merchant_portal/new_challenge": ("POST", "/portal/{proxy+}", ""),
    "trader_desk/login": ("GET", "/trader", ""),
    "trader_desk/log_in_wrong_code": ("POST", "/trader/login", _CODE),
    "trader_desk/log_out": ("POST", "/trader/logout", ""),
    "trader_desk/go_online": ("POST", "/trader/online", ""),
    "trader_desk/go_offline": ("POST", "/trader/offline", ""),
    "trader_desk/worker": ("GET", "/trader/worker.js", ""),
    "trader_desk/status": ("GET", "/trader/status", ""),
    "trader_desk/push_key": ("GET", "/trader/push", ""),
    "trader_desk/push_on": ("POST", "/trader/push", _DEVICE),
    "trader_desk/push_off": ("POST", "/trader/push/off", _DEVICE),
    "trader_desk/orders": ("GET", "/trader/orders", ""),
    "trader_desk/history": ("GET", "/trader/history", ""),
    "trader_desk/balance": ("GET", "/trader/balance", ""),
    "trader_desk/order": ("GET", _ORDER, ""),
    "trader_desk/ask_confirm": ("GET", f"{_ORDER}/confirm", ""),
    "trader_desk/confirm": ("POST", f"{_ORDER}/confirm", ""),
    "trader_desk/ask_decline": ("GET", f"{_ORDER}/decline", ""),
    "trader_desk/decline": ("POST", f"{_ORDER}/decline", ""),
    "trader_desk/ask_report": ("GET", f"{_ORDER}/report", ""),
    "trader_desk/report": ("POST", f"{_ORDER}/report", "reason=%E6%9C%AA%E6%94%B6%E5%88%B0"),
    "trader_desk/report_sum": ("POST", f"{_ORDER}/sum", "amount=900.00"),
    "trader_desk/come_back": (
        "GET",
        f"{_ORDER}/proof",
        f'{_BUCKET}&key=uploads/<order_no>/T0123456789/2/1&etag="0"',
    ),
    "trader_desk/proof": (
        "POST",
        f"{_ORDER}/proof",
        "key=uploads%2F<order_no>%2FT0123456789%2F2%2F1",
    ),
    "trader_desk/receipt": ("GET", f"{_ORDER}/receipts/{{number}}", ""),
    "trader_desk/say": ("POST", f"{_ORDER}/say", _SAY),
    "trader_desk/note": ("GET", f"{_ORDER}/notes/{{number}}", ""),
    "trader_desk/statement": ("GET", "/trader/statement", ""),
    "trader_desk/compare_statement": ("POST", "/trader/statement", ""),
    "trader_desk/settings": ("GET", "/trader/settings", ""),
    "trader_desk/set_limits": (
        "POST",
        "/trader/settings/limits",
        "version=0&min_cny=100&max_cny=&max_open=&daily_cny=",
    ),
    "trader_desk/method": ("GET", _METHOD, ""),
    "trader_desk/code_sent": ("GET", f"{_METHOD}/code", f"{_BUCKET}&key=uploads/code-1/t1/1"),
    "trader_desk/read_code": ("POST", f"{_METHOD}/code", "key=uploads%2Fcode-1%2Ft1%2F1"),
    "trader_desk/set_method": ("POST", _METHOD, f"version=0&{_CODE}&{_WECHAT_FORM}"),
    "trader_desk/set_terms": ("POST", f"{_METHOD}/terms", "version=0&account=0&daily_cny="),
    "trader_desk/ask_remove_method": ("GET", f"{_METHOD}/remove", ""),
    "trader_desk/remove_method": ("POST", f"{_METHOD}/remove", f"version=0&{_CODE}"),
}
# Commands of the operators' API: the route and the body.
_COMMANDS = {
    "operator_api/rate_list": ("/{command}", "rate.list", "{}"),
    "operator_api/rate_set_alone": (
        "/solo/{command}",
        "rate.set",
        '{"order_type":"buy","rate":"7.2360"}',
    ),
    "operator_api/unknown_command": ("/{command}", "rate.nope", "{}"),
}

_PATH_VALUES = {
    "number": "1",
    "method_type": "wechat",
    "proxy": "orders",
}  # others are placeholders

# SQS messages: the file whose record they copy, and the change of its body.
_MESSAGES: dict[str, tuple[str, Callable[[str], str]]] = {
    "send_callback/unreadable": ("send_callback/order_paid", lambda _: "no event"),
    "send_callback/unrecorded": ("send_callback/order_paid", str),
    "send_push/unreadable": ("send_push/late", lambda _: "no push"),
}

# Records of the Orders table's stream, built from the order in relay_events/order_created.json.
_CREATED = "relay_events/order_created"
_DRAFT: Item = {
    "pk": "D202511210009876543210123",
    "kind": "draft",
    "pending_no": "D202511210009876543210123",
    "merchant_id": "m0sampleorder",
    "merchant_order_no": "sample-0002",
    "mode": "live",
    "status": "held",
    "sequence": 1,
    "version": 1,
    "cny_fen": 100037,
    "method_type": "bank",
    "createtime": 1763729000,
    "updatetime": 1763729000,
    "expire_time": 1763736200,
    "identity_token_hash": "0" * 64,
}


def _record(event_name: str, new: Mapping[str, Any], old: Mapping[str, Any] | None) -> Event:
    """Return the event of one record of the Orders table's stream."""
    event = _read(_CREATED)
    [record] = event["Records"]
    record["eventName"] = event_name
    record["dynamodb"] |= {"Keys": {"pk": new["pk"]}, "NewImage": new, "OldImage": old}
    if old is None:
        del record["dynamodb"]["OldImage"]
    return event


def _order_paid() -> Event:
    paid, pending = _images()
    return _record("MODIFY", paid, pending)


def _receipt_added() -> Event:
    paid = _images()[0]
    receipt: dict[str, Value] = {
        "key": f"receipts/{paid['pk']['S']}/{'0' * 32}",
        "content_type": "image/png",
        "size_bytes": 12345,
        "time": 1763729090,
    }
    changed = to_item({"version": 3, "updatetime": 1763729090, "receipts": [receipt]})
    return _record("MODIFY", paid | changed, paid)


def _unreadable() -> Event:
    paid, pending = _images()
    return _record("MODIFY", paid | to_item({"status": "nonsense"}), pending)


def _draft_expired() -> Event:
    held = to_item(_DRAFT)
    expired = to_item(
        {**_DRAFT, "status": "expired", "sequence": 2, "version": 2, "updatetime": 1763736200}
    )
    due = to_item({"due_key": "due#3", "due_time": 1763736200})
    return _record("MODIFY", expired, held | due)


def _images() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the new and the old image of the order that was just paid."""
    pending = _read(_CREATED)["Records"][0]["dynamodb"]["NewImage"]
    del pending["pending_no"]
    at, due = 1763729060, 1763815460
    changed: Item = {"status": "paid", "sequence": 2, "version": 2, "updatetime": at}
    step = to_item({"": {"status": "paid", "time": at, "by": "payer"}})[""]
    timeline = {"L": [*pending["timeline"]["L"], step]}
    return pending | to_item(changed | {"due_time": due}) | {"timeline": timeline}, pending


_RECORDS: dict[str, Callable[[], Event]] = {
    "relay_events/order_paid": _order_paid,
    "relay_events/receipt_added": _receipt_added,
    "relay_events/draft_expired": _draft_expired,
    "relay_events/unreadable": _unreadable,
}

NAMES = sorted(
    {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.json")}
    | _CALLS.keys()
    | _IDENTITY_CALLS.keys()
    | _BROWSER.keys()
    | _COMMANDS.keys()
    | _MESSAGES.keys()
    | _RECORDS.keys()
)


def sample_at(path: Path) -> Event:
    """Return the sample of a file, or of a table row that is named like the path.

    Raises: FileNotFoundError for neither.
    """
    name = f"{path.parent.name}/{path.stem}"
    return sample(name) if name in NAMES and not path.exists() else _parsed(path)


def sample(name: str) -> Event:
    """Return the sample FUNCTION/NAME."""
    if name in _CALLS:
        return _signed_call(name, *_CALLS[name], "merchant")
    if name in _IDENTITY_CALLS:
        return _signed_call(name, *_IDENTITY_CALLS[name], "merchant_identity")
    if name in _BROWSER:
        return _browser_request(*_BROWSER[name])
    if name in _COMMANDS:
        return operator_event(*_COMMANDS[name])
    if name in _MESSAGES:
        return _message(*_MESSAGES[name])
    return _RECORDS[name]() if name in _RECORDS else _read(name)


def _signed_call(name: str, route: str, params: str, merchant: str) -> Event:
    head = f'"api_key":"<{merchant}.api_key>","timestamp":<timestamp>,"nonce":"<nonce>"'
    body = ",".join(part for part in (head, params, '"signature":"<signature>"') if part)
    headers = _FORM_HEADERS if name.endswith("/unsupported_content_type") else _API_HEADERS
    return proxy_event("POST", route, body=f"{{{body}}}".encode(), headers=headers | _REQUEST_ID)


def _browser_request(method: str, route: str, params: str) -> Event:
    names = re.findall(r"{(\w+)\+?}", route)
    is_form = method == "POST"
    values = {name: _PATH_VALUES.get(name, f"<{name}>") for name in names}
    deployed, parameters = as_deployed(route, values)
    return proxy_event(
        method,
        deployed,
        body=params.encode() if is_form else b"",
        headers=(_FORM_HEADERS if is_form else _PAGE_HEADERS) | _REQUEST_ID,
        path_parameters=parameters,
        query=None if is_form else dict(pair.split("=", 1) for pair in params.split("&") if pair),
    )


def _message(copied: str, change: Callable[[str], str]) -> Event:
    event = _read(copied)
    [record] = event["Records"]
    record["body"] = change(record["body"])
    return event


def _read(name: str) -> Event:
    return _parsed(FOLDER / f"{name}.json")


def _parsed(path: Path) -> Event:
    event = json.loads(path.read_text("utf-8"))
    assert isinstance(event, dict)
    return event
