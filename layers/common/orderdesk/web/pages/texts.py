"""How a text is declared in its languages, and what the texts of a page consist of."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self, overload


class Language(StrEnum):
    """The languages of the pages, as `?lang=` names them."""

    EN = "en"
    ZH = "zh"

    @property
    def tag(self) -> str:
        """The BCP 47 tag of the page's texts."""
        match self:
            case Language.EN:
                return "en"
            case Language.ZH:
                return "zh-CN"

    @property
    def other(self) -> "Language":
        """The language that the language link switches to."""
        match self:
            case Language.EN:
                return Language.ZH
            case Language.ZH:
                return Language.EN


class Texts:
    """Base of a group of texts: an instance reads them in one language."""

    __slots__ = ("language",)

    def __init__(self, language: Language) -> None:
        self.language = language


class Text[T]:
    """A text, or a table of texts, in every language; a missing language is a type error.

    An attribute of a `Texts` class: an instance reads the text in its language.
    """

    __slots__ = ("en", "zh")

    def __init__(self, *, en: T, zh: T) -> None:
        self.en = en
        self.zh = zh

    @overload
    def __get__(self, texts: None, owner: type[Texts]) -> Self: ...

    @overload
    def __get__(self, texts: Texts, owner: type[Texts]) -> T: ...

    def __get__(self, texts: Texts | None, owner: type[Texts]) -> Self | T:
        if texts is None:
            return self
        match texts.language:
            case Language.EN:
                return self.en
            case Language.ZH:
                return self.zh


class Group[G: Texts]:
    """A group of texts within another group, in the same language."""

    __slots__ = ("texts_of",)

    def __init__(self, texts_of: type[G]) -> None:
        self.texts_of = texts_of

    @overload
    def __get__(self, texts: None, owner: type[Texts]) -> Self: ...

    @overload
    def __get__(self, texts: Texts, owner: type[Texts]) -> G: ...

    def __get__(self, texts: Texts | None, owner: type[Texts]) -> Self | G:
        return self if texts is None else self.texts_of(texts.language)


@dataclass(frozen=True, slots=True)
class Notice:
    """A headline, and what the reader should know or do next."""

    headline: str
    advice: str

    def filled(self, **values: str) -> "Notice":
        """Return it with the values of its advice's placeholders."""
        return Notice(self.headline, self.advice.format(**values))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTexts:
    """A move that needs a confirmation: the link to it, the question, and both answers."""

    link: str
    notice: Notice
    keep: str
    go: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTexts:
    """A field's label, its hint, and its problems by slug."""

    label: str
    hint: str
    problems: Mapping[str, str]
