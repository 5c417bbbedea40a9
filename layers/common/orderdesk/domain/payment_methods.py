"""How a trader or customer receives CNY: a bank card, a WeChat or an Alipay account."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from orderdesk.domain.plain_text import mask


class MethodType(StrEnum):
    """The types of receiving method (contract section 4, payment_method)."""

    BANK = "bank"
    WECHAT = "wechat"
    ALIPAY = "alipay"


class ByMethod[T]:
    """One value for each type of method; a missing one is a type error."""

    def __init__(self, *, bank: T, wechat: T, alipay: T) -> None:
        def of(method_type: MethodType) -> T:
            match method_type:
                case MethodType.BANK:
                    return bank
                case MethodType.WECHAT:
                    return wechat
                case MethodType.ALIPAY:
                    return alipay

        self._values = {method_type: of(method_type) for method_type in MethodType}

    def __getitem__(self, method_type: MethodType) -> T:
        return self._values[method_type]


def fields_of(method_type: MethodType) -> Sequence[str]:
    """Return the field names of a type of method, its number first."""
    match method_type:
        case MethodType.BANK:
            return ("card_number", "real_name", "bank", "sub_bank")
        case MethodType.WECHAT | MethodType.ALIPAY:
            return ("account", "real_name", "qr_code")


ACCOUNTS_MAX = 5
"""How many accounts of one type a trader may have."""

_ACCOUNT_KEY = re.compile(rf"({'|'.join(MethodType)})([2-{ACCOUNTS_MAX}])?")


def account_key(method_type: MethodType, account_no: int) -> str:
    """Return the key of a trader's account: `bank` for the first of its type, then `bank2`."""
    return method_type.value if account_no == 1 else f"{method_type.value}{account_no}"


def account_of_key(key: str) -> tuple[MethodType, int] | None:
    """Return the type and number of an account by its key; None for any other text."""
    match = _ACCOUNT_KEY.fullmatch(key)
    return None if match is None else (MethodType(match[1]), int(match[2] or 1))


_CODE_LENGTH_MAX = 255
_WALLET_SCHEMES = frozenset({"wxp", "weixin", "alipays", "alipayqr"})
# Each is a host of codes alone; on others of a wallet, such as mp.weixin.qq.com, anybody has pages.
# 95516.com is UnionPay's, whose codes both wallets accept.
_WALLET_HOSTS = frozenset(
    {
        *("qr.alipay.com", "wx.tenpay.com", "u.wechat.com", "weixin.qq.com"),
        *("payapp.weixin.qq.com", "payapp.wechatpay.cn", "qr.95516.com"),
    }
)


def is_code_text(text: str) -> bool:
    """Return whether a text is that of a wallet's payment code, such as `wxp://f2f0…`.

    Any other address is controlled by somebody who can change what it leads to at any time.
    """
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    # A browser reads a backslash as a slash, which ends the host.
    is_plain = text.isascii() and text.isprintable() and not {" ", "\\"} & {*text}
    if not is_plain or len(text) > _CODE_LENGTH_MAX or "@" in parts.netloc:
        return False
    if parts.scheme in _WALLET_SCHEMES:
        return bool(parts.netloc)
    is_wallets = parts.scheme in {"http", "https"} and host in _WALLET_HOSTS
    return is_wallets and bool(parts.path.strip("/") or parts.query)


_LAST_DIGITS = 4
_MARK_LENGTH = 12


def mask_account(account: str) -> str:
    """Mask all but an account's first and last two characters: 62***********01."""
    return mask(account, head=2, tail=2)


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A receiving method; fields that the type does not have are empty strings.

    `account_no` counts a trader's accounts of this type from 1; it is 1 for a customer's. It is not
    on the wire. The repr shows the type only, so that logs cannot contain card numbers and names.
    """

    method_type: MethodType
    real_name: str = field(repr=False)
    bank: str = field(default="", repr=False)
    sub_bank: str = field(default="", repr=False)
    card_number: str = field(default="", repr=False)
    account: str = field(default="", repr=False)
    qr_code: str = field(default="", repr=False)
    account_no: int = 1

    @property
    def account_key(self) -> str:
        """The key of the account among its trader's."""
        return account_key(self.method_type, self.account_no)

    def fields(self) -> dict[str, str]:
        """Return every field by its wire name; the card number is not masked."""
        return {
            "method_type": self.method_type.value,
            "bank": self.bank,
            "sub_bank": self.sub_bank,
            "card_number": self.card_number,
            "account": self.account,
            "qr_code": self.qr_code,
            "real_name": self.real_name,
        }

    @property
    def masked_card_number(self) -> str:
        """The card number with all but its last four digits masked; "" without a card."""
        hidden = max(len(self.card_number) - _LAST_DIGITS, 0)
        return "*" * hidden + self.card_number[hidden:]

    @property
    def number(self) -> str:
        """What identifies the account among others of its type: its number, name or code."""
        match self.method_type:
            case MethodType.BANK:
                return self.card_number
            case MethodType.WECHAT | MethodType.ALIPAY:
                return self.account or self.qr_code

    @property
    def mark(self) -> str:
        """A short hash of the account, which reveals no number; the same under another key."""
        number = hashlib.sha256(self.number.encode()).hexdigest()[:_MARK_LENGTH]
        return f"{self.method_type.value}:{number}"

    @property
    def masked_number(self) -> str:
        """The card number or the account, masked: recognisable but not usable."""
        match self.method_type:
            case MethodType.BANK:
                return self.masked_card_number
            case MethodType.WECHAT | MethodType.ALIPAY:
                return mask_account(self.account)

    @property
    def full_info(self) -> str:
        """One line for people: bank, payee and last four card digits, or payee and account."""
        match self.method_type:
            case MethodType.BANK:
                return f"{self.bank} {self.real_name} ****{self.card_number[-_LAST_DIGITS:]}"
            case MethodType.WECHAT | MethodType.ALIPAY:
                return f"{self.method_type.value} {self.real_name} {self.account}"
