"""The languages of sheets and console, and how a text is declared in both (`make texts`)."""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Self


class Language(IntEnum):
    """The languages of labels and words; the value is the index in a `Label`."""

    EN = 0
    ZH = 1


class Texts:
    """Base of a group of texts: an instance reads them in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    @classmethod
    def labels(cls, table: Callable[[Self], Mapping[str, str]]) -> dict[str, tuple[str, str]]:
        """Return the labels of a table by their names: English, Chinese."""
        english, chinese = (table(cls(language)) for language in Language)
        return {name: (text, chinese[name]) for name, text in english.items()}


class Text[T]:
    """A text, or a table of texts, in both languages; an attribute of a `Texts` class."""

    def __init__(self, *, en: T, zh: T) -> None:
        self._both = (en, zh)

    def __get__(self, texts: Texts, _: type[Texts]) -> T:
        return self._both[texts.language]
