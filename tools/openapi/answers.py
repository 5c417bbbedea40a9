"""The schemas of the answers. The views' output defines the fields, `TYPES` their types."""

from collections.abc import Mapping, Sequence
from typing import Any

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.open_buys import OpenLimit
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.services.merchants.statement import ACCOUNTS
from orderdesk.web.errors import FIELD_LENGTH_MAX, FIELDS_MAX
from orderdesk.web.merchant import endpoint

type Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "integer", "minimum": 0}
URL: Schema = {"type": "string", "format": "uri"}
CNY: Schema = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$"}
USDT: Schema = {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{6}$"}
RATE: Schema = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{4}$"}
ORDER_NO: Schema = {"type": "string", "pattern": "^[BS][0-9]{24}$"}
PENDING_NO: Schema = {"type": "string", "pattern": "^D[0-9]{24}$"}


def _values(enum: type[Any]) -> Schema:
    return {"type": "string", "enum": [member.value for member in enum]}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def ref(name: str) -> Schema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


# The type of every field of answers and callbacks. A rendered field that is missing here stops the
# generator. "Schema.field" has priority over "field".
TYPES: Mapping[str, Schema] = {
    "order_id": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
    "order_no": ORDER_NO,
    "pending_no": PENDING_NO,
    "merchant_order_no": _or_null(TEXT),
    "order_type": {"enum": [1, 2]},
    "is_test": {"enum": [0, 1]},
    "status": _values(OrderStatus),
    "Draft.status": _values(DraftStatus),
    "DraftEvent.status": _values(DraftStatus),
    "state_conflict.status": {"enum": [*map(str, OrderStatus), *map(str, DraftStatus)]},
    "result_status": {"enum": ["success", "pending_identity"]},
    "cny_amount": CNY,
    "rate": RATE,
    "usdt_amount": USDT,
    "merchant_amount": USDT,
    "deposit_amount": USDT,
    "service_amount": USDT,
    "merchant_actual_amount": USDT,
    "payment_method": ref("TraderMethod"),
    "customer_payment_method": ref("CustomerMethod"),
    "createtime": TIME,
    "updatetime": TIME,
    "expire_time": TIME,
    "BuyOrder.expire_time": _or_null(TIME),
    "SellOrder.expire_time": _or_null(TIME),
    "OrderEvent.expire_time": _or_null(TIME),
    "timeline": {"type": "array", "items": ref("TimelineEntry"), "minItems": 1},
    "time": TIME,
    "pay_url": URL,
    "identity_url": URL,
    "ignored": {"type": "array", "items": TEXT, "minItems": 1, "maxItems": endpoint.IGNORED_MAX},
    "string_to_sign": TEXT,
    "same": {"type": "boolean"},
    "postings": {"type": "array", "items": ref("Posting")},
    "kind": _values(TransferKind),
    "Posting.order_no": _or_null(ORDER_NO),
    "Posting.account": {"enum": list(ACCOUNTS)},
    "amount": USDT,
    "balance": USDT,
    "callbacks": {"type": "array", "items": ref("Delivery")},
    "webhook_id": TEXT,
    "Delivery.order_no": _or_null(ORDER_NO),
    "Delivery.pending_no": _or_null(PENDING_NO),
    "Delivery.status": _values(DeliveryState),
    "attempts": {"type": "array", "items": ref("Attempt")},
    "next_time": _or_null(TIME),
    "http_status": _or_null({"type": "integer"}),
    "latency_ms": {"type": "integer", "minimum": 0},
    "failure": _or_null(TEXT),
    "answer": TEXT,
    "sequence": {"type": "integer", "minimum": 1},
    "orders": {"type": "array", "items": {"anyOf": [ref("BuyOrder"), ref("SellOrder")]}},
    "cursor": _or_null(TEXT),
    "live": ref("Balance"),
    "test": ref("Balance"),
    "available": USDT,
    "held": USDT,
    "deposit": USDT,
    "method_type": _values(MethodType),
    "bank": TEXT,
    "sub_bank": TEXT,
    "card_number": TEXT,
    "account": TEXT,
    "qr_code": TEXT,
    "real_name": TEXT,
    "full_info": TEXT,
    "type": _values(CallbackType),
    "timestamp": TIME,
    "reason": TEXT,
    "fields": {
        "type": "array",
        "items": ref("FieldProblem"),
        "minItems": 1,
        "maxItems": FIELDS_MAX,
    },
    "field": {"type": "string", "maxLength": FIELD_LENGTH_MAX},
    "problem": TEXT,
    "more": {"const": True},
    "min_cny": CNY,
    "max_cny": CNY,
    "server_time": TIME,
    "limit": _values(OpenLimit),
}


def of_view(name: str, *rendered: Mapping[str, object], **fixed: Schema) -> Schema:
    """Return the schema of an object from a view's output.

    A field that only some of the outputs have is optional. `fixed`: fields with one value in this
    object.
    """
    names = list(dict.fromkeys(field for each in rendered for field in each))
    properties = {
        field: fixed.get(field) or TYPES.get(f"{name}.{field}") or TYPES[field] for field in names
    }
    required = [field for field in names if all(field in each for each in rendered)]
    return {"type": "object", "required": required, "properties": properties}


def envelope(code: int, data: Schema, *, from_gateway: bool) -> Schema:
    """Return the schema of an answer; API Gateway's own answers have no `time`."""
    properties = {"code": {"const": code}, "msg": TEXT, "data": data, "time": TIME}
    required = [name for name in properties if name != "time" or not from_gateway]
    return {"type": "object", "required": required, "properties": properties}


def refusal(code: int, reason: str, datas: Sequence[Mapping[str, object]]) -> Schema:
    """Return the schema of a refusal from its examples' data."""
    data = of_view(reason, *datas, reason={"const": reason})
    # API Gateway sends only the slug: `data` of its 1002 has no `fields`.
    return envelope(code, data, from_gateway=True)
