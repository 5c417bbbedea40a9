"""The texts that the pages need in every language; a missing one is a type error."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from orderdesk.domain.payment_methods import ByMethod
from orderdesk.domain.receipts.files import ByProblem


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
        return ByLanguage(en="en", zh="zh-CN")[self]

    @property
    def other(self) -> "Language":
        """The language that the switch offers."""
        return ByLanguage(en=Language.ZH, zh=Language.EN)[self]


class ByLanguage[T]:
    """One value for each language; a missing one is a type error."""

    def __init__(self, *, en: T, zh: T) -> None:
        def of(language: Language) -> T:
            match language:
                case Language.EN:
                    return en
                case Language.ZH:
                    return zh

        self._values: Final[Mapping[Language, T]] = {one: of(one) for one in Language}

    def __getitem__(self, language: Language) -> T:
        return self._values[language]


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
    choose: str
    choose_other: str
    choose_first: str
    preview: str
    send: str
    sending: str
    sent: Notice
    continue_: str
    unfit_title: str
    unfit: ByProblem[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTexts:
    """All texts that several pages share, in one language."""

    language_name: str
    safety: str
    test_order: str
    reload: str
    quote_number: str
    problems: Mapping[str, Notice]

    methods: ByMethod[str]
    how_to_pay: ByMethod[tuple[str, ...]]
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
    merchant: str
    support: str
    reference: str
    back_to_merchant: str
    copy: str
    copied: str
    date: str
    upload: UploadTexts
