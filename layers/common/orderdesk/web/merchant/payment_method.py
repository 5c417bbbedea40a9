"""payment_method of a sell: what each method_type requires (service specification)."""

import unicodedata
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ValidationError

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue, is_absent
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.web.merchant.parameters import (
    MISSING,
    Parameters,
    Text,
    present,
    problem,
    problems_of,
)

NAME = "payment_method"

# Chinese bank cards have 12 to 19 digits; some passbook accounts are shorter or longer.
_CARD_DIGITS = range(4, 33)


def _printable(text: str) -> str:
    """Refuse blank text and control characters, because the trader must read it to pay."""
    if not text.strip():
        raise problem("must not be blank")
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise problem("must not hold control characters")
    return text


Line = Annotated[Text, AfterValidator(_printable)]


def _card_number(text: str) -> str:
    digits = text.replace(" ", "").replace("-", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) in _CARD_DIGITS):
        raise problem("must be a card number")
    return digits


def _image_url(text: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        raise problem("must be an http or https URL") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or not text.isprintable():
        raise problem("must be an http or https URL")
    return text


class MethodParameters(Parameters, defer_build=True):
    """Base of the methods' models; pydantic builds them at the first sell."""


class BankMethod(MethodParameters):
    """The fields of a bank card."""

    method_type: Literal["bank"] = "bank"
    real_name: Line
    bank: Line
    sub_bank: Line
    card_number: Annotated[Text, AfterValidator(_card_number)]


class WalletMethod(MethodParameters):
    """The fields of a WeChat or Alipay account."""

    method_type: Literal["wechat", "alipay"]
    real_name: Line
    account: Line
    qr_code: Annotated[Text, AfterValidator(_image_url)]


class UnknownMethod(MethodParameters):
    """Refuses any other method_type."""

    method_type: Literal["bank", "wechat", "alipay"]


def read_payment_method(value: JsonValue) -> tuple[PaymentMethod | None, list[FieldProblem]]:
    """Parse the object; method_type defaults to bank, and fields of other types are dropped."""
    if is_absent(value):
        return None, [FieldProblem(NAME, MISSING)]
    if not isinstance(value, dict):
        return None, [FieldProblem(NAME, "must be an object")]
    fields = present(value)
    try:
        method = _model_for(fields.get("method_type", "bank")).model_validate(fields)
    except ValidationError as error:
        return None, [FieldProblem(f"{NAME}.{p.field}", p.problem) for p in problems_of(error)]
    read = method.model_dump()
    return PaymentMethod(**{**read, "method_type": MethodType(read["method_type"])}), []


def _model_for(method_type: JsonValue) -> type[Parameters]:
    match method_type:
        case "bank":
            return BankMethod
        case "wechat" | "alipay":
            return WalletMethod
        case _:
            return UnknownMethod
