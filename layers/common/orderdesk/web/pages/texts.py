"""The texts that the pages need in every language; a missing one is a type error."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.receipts.files import ReceiptProblem


@dataclass(frozen=True, slots=True)
class Notice:
    """A headline, and what the reader should know or do next."""

    headline: str
    advice: str


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
        """The language that the switch offers."""
        return Language.EN if self is Language.ZH else Language.ZH


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTexts:
    """A move that needs a confirmation: the link to it, the question, and both answers."""

    link: str
    notice: Notice
    keep: str
    go: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadTexts:
    """The texts of choosing and sending a file; `unfit` says what is wrong with it."""

    file: str
    file_rules: str
    send: str
    sending: str
    unfit_title: str
    unfit: Mapping[ReceiptProblem, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTexts:
    """All texts that several pages share, in one language."""

    language_name: str
    safety: str
    test_order: str
    reload: str
    quote_number: str
    problems: Mapping[str, Notice]

    methods: Mapping[MethodType, str]
    time_left: str
    updated: str
    time_zone: str
    payee: str
    bank: str
    branch: str
    card_number: str
    account: str
    order_no: str
    receiver: str
    copy: str
    copied: str
    date: str
    upload: UploadTexts
