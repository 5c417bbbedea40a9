"""Which texts the pages have, in every language; one that a language lacks is a type error."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.messages.desk_texts import DeskTexts
from orderdesk.web.messages.identity_texts import IdentityTexts
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import PayTexts


class Language(StrEnum):
    """The languages of the pages, as `?lang=` names them."""

    EN = "en"
    ZH = "zh"

    @property
    def tag(self) -> str:
        """The BCP 47 tag of the page's texts."""
        return "zh-CN" if self is Language.ZH else "en"

    @property
    def other(self) -> "Language":
        """What the switch leads to."""
        return Language.EN if self is Language.ZH else Language.ZH


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """Every text of the pages in one language."""

    language_name: str
    safety: str
    test_order: str
    reload: str
    quote_number: str
    problems: Mapping[str, Notice]

    statuses: Mapping[OrderStatus, Notice]
    methods: Mapping[MethodType, str]
    steps: Mapping[MethodType, tuple[str, ...]]
    amount_due: str
    exact_amount: str
    time_left: str
    pay_by: str
    updated: str
    time_zone: str
    transfer_to: str
    next_title: str
    payee: str
    bank: str
    branch: str
    card_number: str
    account: str
    order_no: str
    receiver: str
    payment_code: str
    copy: str
    copied: str
    not_live: str
    check_now: str
    date: str

    identity: IdentityTexts
    pay: PayTexts
    desk: DeskTexts
