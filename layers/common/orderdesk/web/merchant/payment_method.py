"""A sell's payment_method: what each method_type requires (contract section 4)."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue, is_absent
from orderdesk.domain.payment_methods import ByMethod, MethodType, PaymentMethod, is_code_text
from orderdesk.domain.plain_text import plain_line, text_problems
from orderdesk.web.merchant.parameters import MISSING, Parameters, Text, parse, present, problem

NAME = "payment_method"

# Chinese bank cards have 12 to 19 digits; some passbook accounts are shorter or longer.
_CARD_DIGITS = range(4, 33)
_NO_CUSTOMERS_CODE = "must be an http or https URL, or the text of a wallet's payment code"
_NO_CARD = f"must be a card number: {_CARD_DIGITS.start} to {_CARD_DIGITS.stop - 1} digits"


def _printable(text: str) -> str:
    """Refuse blank text and control characters, because the trader must read it to pay."""
    if not plain_line(text):
        raise problem("must not be blank")
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise problem("must not hold control characters")
    return text


Line = Annotated[Text, AfterValidator(_printable)]


def _card_number(text: str) -> str:
    digits = text.replace(" ", "").replace("-", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) in _CARD_DIGITS):
        raise problem(_NO_CARD)
    return digits


def _customers_code(text: str) -> str:
    """Accept a wallet's text, or the address of a picture, which only we open."""
    if is_code_text(text):
        return text
    try:
        parts = urlsplit(text)
    except ValueError:
        raise problem(_NO_CUSTOMERS_CODE) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or not text.isprintable():
        raise problem(_NO_CUSTOMERS_CODE)
    return text


def _code_text(text: str) -> str:
    if not is_code_text(text.strip()):
        raise problem("must be the text of a wallet's payment code, such as wxp://…")
    return text.strip()


class MethodParameters(Parameters, defer_build=True):
    """Base of the methods' models; pydantic builds them when the first one is parsed."""


class BankMethod(MethodParameters):
    """The fields of a bank card."""

    method_type: MethodType = MethodType.BANK
    real_name: Line
    bank: Line
    sub_bank: Line
    card_number: Annotated[Text, AfterValidator(_card_number)]


class WalletMethod(MethodParameters):
    """The fields of a WeChat or Alipay account."""

    method_type: MethodType
    real_name: Line
    account: Line
    qr_code: Annotated[Text, AfterValidator(_customers_code)]


class OwnWalletMethod(WalletMethod):
    """The fields of a trader's own wallet, whose code is its text and not a picture's address."""

    qr_code: Annotated[Text, AfterValidator(_code_text)]


class UnknownMethod(MethodParameters):
    """The model of any other method_type, which it refuses."""

    method_type: MethodType


METHOD_MODELS: ByMethod[type[MethodParameters]] = ByMethod(
    bank=BankMethod, wechat=WalletMethod, alipay=WalletMethod
)
OWN_METHOD_MODELS: ByMethod[type[MethodParameters]] = ByMethod(
    bank=BankMethod, wechat=OwnWalletMethod, alipay=OwnWalletMethod
)


def read_payment_method(
    value: JsonValue, models: ByMethod[type[MethodParameters]] = METHOD_MODELS
) -> tuple[PaymentMethod | None, list[FieldProblem]]:
    """Parse the object; method_type defaults to bank, and fields of other types are dropped."""
    if is_absent(value):
        return None, [FieldProblem(NAME, MISSING)]
    if not isinstance(value, dict):
        return None, [FieldProblem(NAME, "must be an object")]
    fields = present(value)
    model = _model_for(fields.get("method_type", MethodType.BANK), models)
    method, problems = parse(model, fields)
    if problems:
        return None, [FieldProblem(f"{NAME}.{p.field}", p.problem) for p in problems]
    return PaymentMethod(**method.model_dump()), []


def read_own_method(fields: Mapping[str, str]) -> tuple[PaymentMethod | None, list[FieldProblem]]:
    """Parse a trader's receiving account, typed by an operator or at the desk.

    The rules are those of createOrder's payment_method and of `text_problems`; a wallet's code is
    its text. With problems there is no method.
    """
    method, found = read_payment_method({**fields}, OWN_METHOD_MODELS)
    problems = [FieldProblem(p.field.removeprefix(f"{NAME}."), p.problem) for p in found]
    for name, text in fields.items():
        problems += text_problems(name, text)
    return (None if problems else method), problems


def _model_for(
    method_type: JsonValue, models: ByMethod[type[MethodParameters]]
) -> type[MethodParameters]:
    if not isinstance(method_type, str) or method_type not in MethodType:
        return UnknownMethod
    return models[MethodType(method_type)]
