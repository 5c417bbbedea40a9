"""The fields of the clients' types, from the schemas of docs/openapi.yaml.

Answers of a method that have several schemas are one type, whose fields are optional unless each
schema requires them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tools.openapi.parameters import Schema

# Arguments of createBuy and createSell: they are not in the optional parameters.
ARGUMENTS = {"order_type", "cny_amount", "merchant_order_no", "payment_method"}

# The schemas that each type of the clients joins. A type comes after those that it uses.
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "PaymentMethod": ("BankMethod", "WalletMethod"),
    "BuyOptions": ("Buy",),
    "SellOptions": ("Sell",),
    "OrderNumber": ("OrderNumber",),
    "AnyNumber": ("AnyNumber",),
    "OrderFilters": ("OrderListing",),
    "StatementFilters": ("Statement",),
    "CallbackFilters": ("CallbackListing",),
}
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "TraderMethod": ("TraderMethod",),
    "CustomerMethod": ("CustomerMethod",),
    "TimelineEntry": ("TimelineEntry",),
    "CreatedBuy": ("CreatedBuy", "HeldDraft"),
    "CreatedSell": ("CreatedSell",),
    "Order": ("BuyOrder", "SellOrder", "Draft"),
    "OrderPage": ("OrderPage",),
    "Balance": ("Balance",),
    "Balances": ("Balances",),
    "Posting": ("Posting",),
    "StatementPage": ("StatementPage",),
    "Attempt": ("Attempt",),
    "Delivery": ("Delivery",),
    "PausedEndpoint": ("PausedEndpoint",),
    "CallbackPage": ("CallbackPage",),
    "EventData": ("OrderEvent", "DraftEvent", "EndpointEvent"),
}
DOCS = {
    "PaymentMethod": "A customer's method: the fields of a bank account, or those of a wallet.",
    "BuyOptions": "The optional parameters of a buy.",
    "SellOptions": "The optional parameters of a sell.",
    "OrderNumber": "The number of an order: one of the fields.",
    "AnyNumber": "The number of an order or a draft: one of the fields.",
    "OrderFilters": "The filters of a list of orders.",
    "StatementFilters": "The filters of a statement.",
    "CallbackFilters": "The filters of a list of callbacks.",
    "TraderMethod": "The account to which the payer of a buy sends the money.",
    "CustomerMethod": "The account to which a sell is paid.",
    "TimelineEntry": "A change of an order's status.",
    "CreatedBuy": "A buy, or a draft that waits for the customer's identity: see `result_status`.",
    "CreatedSell": "A sell.",
    "Order": "An order, or a draft without `order_no`.",
    "OrderPage": "A page of orders.",
    "Balance": "A balance in USDT.",
    "Balances": "The balances of live and test money.",
    "Posting": "A posting of an account.",
    "StatementPage": "A page of postings.",
    "Attempt": "An attempt to deliver a callback.",
    "Delivery": "A callback with its attempts.",
    "PausedEndpoint": "An endpoint whose callbacks wait because it keeps failing.",
    "CallbackPage": "A page of callbacks.",
    "EventData": "The data of a callback: of an order, or of a draft (`pending_no`).",
    "Event": "A callback.",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its base type (`string`, `integer`, `boolean` or the name of a type), and its form.

    `values` are all possible values if the document lists them.
    """

    name: str
    base: str
    is_required: bool
    is_list: bool = False
    is_nullable: bool = False
    values: tuple[str | int, ...] = ()


type Types = Mapping[str, list[Field]]


def types(schemas: Mapping[str, Schema], names: Mapping[str, tuple[str, ...]]) -> Types:
    """Return the fields of each type."""
    joined = {part: name for name, parts in ANSWERS.items() for part in parts}

    def left_out(name: str) -> set[str]:
        return {*COMMON_PARAMETERS, *(ARGUMENTS if name.endswith("Options") else ())}

    return {
        name: [
            _field(field, parts, joined)
            for field in dict.fromkeys(chain(*(part["properties"] for part in parts)))
            if field not in left_out(name)
        ]
        for name, sources in names.items()
        for parts in [[schemas[source] for source in sources]]
    }


def _field(name: str, parts: list[Schema], joined: Mapping[str, str]) -> Field:
    found = [part["properties"][name] for part in parts if name in part["properties"]]
    is_required = all(name in part.get("required", ()) for part in parts)
    items = [each.get("items", each) for each in found]
    choices = [choice for each in items for choice in each.get("anyOf", [each])]
    refs = [choice["$ref"] for choice in choices if "$ref" in choice]
    if refs:
        [base] = {joined[ref.rpartition("/")[2]] for ref in refs}
        return Field(name, base, is_required, is_list="items" in found[0])
    kinds = {kind for each in items for kind in _listed(each["type"])}
    [base] = kinds - {"null"}
    values = [_listed(each.get("enum", each.get("const", []))) for each in items]
    known = tuple(dict.fromkeys(chain(*values))) if all(values) else ()
    return Field(name, base, is_required, "items" in found[0], "null" in kinds, known)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


EVENT = [
    Field("type", "string", is_required=True),
    Field("timestamp", "integer", is_required=True),
    Field("data", "EventData", is_required=True),
]
