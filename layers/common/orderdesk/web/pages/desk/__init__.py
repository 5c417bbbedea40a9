"""The desk's texts, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.web.pages.desk.en import EN
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.desk.zh import ZH
from orderdesk.web.pages.texts import Language

TEXTS: Mapping[Language, DeskTexts] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
