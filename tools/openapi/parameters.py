"""The schemas of a request's parameters, from the pydantic models of the parsers."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.plain_text import unmarked
from orderdesk.domain.pricing import OrderType
from orderdesk.web.merchant.create_order import (
    METADATA_MAX,
    METADATA_NAME,
    METADATA_VALUE_LENGTH_MAX,
    BuyParameters,
    IdentityParameters,
    OrderParameters,
    QuoteParameters,
    SellParameters,
    _length,
    _web_address,
)
from orderdesk.web.merchant.lists import (
    ListCallbacksParameters,
    ListEventsParameters,
    ListOrdersParameters,
    ListWithdrawalsParameters,
    RedeliverParameters,
    StatementParameters,
    TestCallbackParameters,
    _cursor_id,
    _cursor_us,
    _place,
)
from orderdesk.web.merchant.parameters import (
    ANY_INT,
    MAX_TEXT_LENGTH,
    Parameters,
    _amount_fen,
    _discount_fen,
    _one_of,
    _some_of,
    whole,
)
from orderdesk.web.merchant.payment_method import (
    METHOD_MODELS,
    _card_number,
    _customers_code,
    _printable,
)
from orderdesk.web.merchant.query_order import AdvanceOrderParameters, AnyNumber, OrderNumber
from tools.openapi.texts import Schema

# The document is strict: it declares the form to send. The service also accepts an int as a string
# of digits, an amount as a number, and null or "" for a parameter that is not sent. The description
# of the document says so. It also takes full-width digits and invisible characters in an identity.
_LEAST, _MOST = ANY_INT
INTEGER: Schema = {"type": "integer", "format": "int64", "minimum": _LEAST, "maximum": _MOST}
AMOUNT: Schema = {"type": "string", "pattern": r"^(?=.*[1-9])(?!.{33})[0-9]+(\.[0-9]{1,2})?$"}
DISCOUNT: Schema = {"type": "string", "pattern": r"^(0+(\.[0-9]{1,2})?|0*1(\.0{1,2})?)$"}
URL: Schema = {"pattern": "^[hH][tT][tT][pP][sS]?://[^/?#]"}
CODE: Schema = {
    "pattern": "^([hH][tT][tT][pP][sS]?|[wW][xX][pP]|[wW][eE][iI][xX][iI][nN]|[aA][lL][iI][pP][aA][yY]([sS]|[qQ][rR]))://[^/?#]"
}
# The service also refuses control characters. A pattern of them breaks generated code.
_LINE: Schema = {"pattern": r"\S"}
METADATA: Schema = {
    "type": "object",
    "maxProperties": METADATA_MAX,
    "propertyNames": {"pattern": "^" + METADATA_NAME.pattern.replace("\\Z", "$")},
    "additionalProperties": {"type": "string", "maxLength": METADATA_VALUE_LENGTH_MAX},
}
MAX_LISTED = 5
# An unknown parameter of a list is refused.
_LIST: Schema = {"additionalProperties": False}


def one_of(*allowed: int) -> Schema:
    """Return the schema of an int that has few values."""
    return {"type": "integer", "enum": list(allowed)}


def _range(_wrong: str, first: int, last: int) -> Schema:
    """Return the schema of an int in a range; that of a short range is a list."""
    if (first, last) == ANY_INT:
        return INTEGER
    if last - first < MAX_LISTED:
        return one_of(*range(first, last + 1))
    return {"type": "integer", "minimum": first, "maximum": last}


def _exactly(length: int) -> Schema:
    return {"minLength": length, "maxLength": length}


def _several(values: Iterable[str]) -> Schema:
    """Return the schema of one or more values with commas between them."""
    one = f"({'|'.join(values)})"
    return {"type": "string", "pattern": f"^ *{one}( *, *{one})* *$"}


# The schema of each validator of the models, from the arguments of its `partial`. A validator
# that is missing here stops the generator.
_MEANING: Mapping[Callable[..., Any], Callable[..., Schema]] = {
    whole: _range,
    _amount_fen: lambda: AMOUNT,
    _discount_fen: lambda: DISCOUNT,
    _one_of: lambda allowed: one_of(*map(int, allowed)),
    _length: _exactly,
    unmarked: dict,
    _web_address: lambda: URL,
    _printable: lambda: _LINE,
    _card_number: lambda: {"pattern": "^[ -]*([0-9][ -]*){4,32}$"},
    _customers_code: lambda: CODE,
    _some_of: lambda enum: _several(map(re.escape, enum)),
    _cursor_us: lambda: {"type": "string", "pattern": "^w[0-9]{16}$"},
    _cursor_id: lambda: {"type": "string", "pattern": "^[A-Za-z0-9_-]{10}$"},
    _place: lambda: {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
}


def _meaning(validator: Callable[..., Any]) -> Schema:
    called = partial(validator)  # has the function and the arguments of a validator's own partial
    return _MEANING[called.func](*called.args)


class _AsSent(GenerateJsonSchema):
    """Generates the schemas of a validator's input; pydantic generates those of its output."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> Schema:
        return _meaning(schema["function"]["function"])

    def function_after_schema(self, schema: core_schema.AfterValidatorFunctionSchema) -> Schema:
        return {**self.generate_inner(schema["schema"]), **_meaning(schema["function"]["function"])}


def of_model(model: type[Parameters]) -> tuple[dict[str, Schema], list[str]]:
    """Return the properties of a model, and the names of the required ones."""
    whole = model.model_json_schema(schema_generator=_AsSent)
    required = whole.get("required", [])
    properties = {}
    for name, schema in whole["properties"].items():
        sent = next((s for s in schema.get("anyOf", []) if "$ref" in s), schema)
        if "$ref" in sent:  # the models have one enum
            sent = {"type": "string", "enum": [kind.value for kind in MethodType]}
        sent = {key: value for key, value in sent.items() if key not in {"title", "default"}}
        [declared] = [part for part in sent.get("anyOf", [sent]) if part != {"type": "null"}]
        properties[name] = declared
    return properties, required


_COMMON: dict[str, Schema] = {
    "api_key": {"type": "string", "minLength": 1},
    "timestamp": INTEGER,
    "nonce": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
    "signature": {"type": "string", "minLength": 1},
}


def signed(properties: Mapping[str, Schema], required: list[str], **more: Any) -> Schema:
    """Return the schema of a signed body: the common parameters and a route's own."""
    return {
        "type": "object",
        "required": [*_COMMON, *required],
        "properties": {**_COMMON, **properties},
        "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
        **more,
    }


def of(*models: type[Parameters], **more: Any) -> Schema:
    """Return the schema of a signed body with the parameters of some models."""
    read = [of_model(model) for model in models]
    properties = {name: schema for own, _ in read for name, schema in own.items()}
    return signed(properties, [name for _, required in read for name in required], **more)


def _one(model: type[OrderNumber], *, or_none: bool = False) -> Schema:
    """Return the keyword that forbids two of a model's numbers, and none unless `or_none`.

    Generators ignore `not`.
    """
    names = [*model.model_fields]
    forbidden: list[Schema] = [{"required": list(two)} for two in combinations(names, 2)]
    if not or_none:
        forbidden.append({"not": {"anyOf": [{"required": [name]} for name in names]}})
    return {"not": {"anyOf": forbidden}}


def _order(order_type: OrderType, model: type[OrderParameters], **own: Schema) -> Schema:
    properties, required = of_model(model)
    identity, _ = of_model(IdentityParameters)
    properties |= identity | own
    properties["order_type"] = one_of(order_type)
    properties["metadata"] = METADATA
    properties["callback_url"] = {"type": "string", "maxLength": MAX_TEXT_LENGTH, **URL}
    return signed(properties, [*required, *own])


def _method(model: type[Parameters], *kinds: MethodType) -> Schema:
    properties, required = of_model(model)
    properties["method_type"] = {"type": "string", "enum": [kind.value for kind in kinds]}
    return {"type": "object", "required": required, "properties": properties}


def _methods() -> dict[str, Schema]:
    """Return the schema of each model of a payment method, with the types that use it."""
    kinds: dict[type[Parameters], list[MethodType]] = {}
    for kind in MethodType:
        kinds.setdefault(METHOD_MODELS[kind], []).append(kind)
    return {model.__name__: _method(model, *used_by) for model, used_by in kinds.items()}


_METHODS = _methods()
_BUY = _order(OrderType.BUY, BuyParameters)
_SELL = _order(
    OrderType.SELL,
    SellParameters,
    payment_method={"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in _METHODS]},
)
REQUESTS: Mapping[str, Schema] = {
    **_METHODS,
    "Buy": _BUY,
    "Sell": _SELL,
    # On the test route, every order is a test order.
    "TestBuy": {**_BUY, "properties": {**_BUY["properties"], "is_test": one_of(1)}},
    "TestSell": {**_SELL, "properties": {**_SELL["properties"], "is_test": one_of(1)}},
    "AnyNumber": of(AnyNumber, **_one(AnyNumber)),
    "OrderNumber": of(OrderNumber, **_one(OrderNumber)),
    "OrderListing": of(ListOrdersParameters, **_LIST),
    "Statement": of(StatementParameters, **_LIST),
    "CallbackListing": of(
        AnyNumber, ListCallbacksParameters, **_one(AnyNumber, or_none=True), **_LIST
    ),
    "EventListing": of(
        OrderNumber, ListEventsParameters, **_one(OrderNumber, or_none=True), **_LIST
    ),
    "WithdrawalListing": of(ListWithdrawalsParameters, **_LIST),
    "QuoteRequest": of(QuoteParameters),
    "Advance": of(AnyNumber, AdvanceOrderParameters, **_one(AnyNumber)),
    "Redelivery": of(RedeliverParameters),
    "CallbackTest": of(TestCallbackParameters),
    "Nothing": signed({}, []),
}
