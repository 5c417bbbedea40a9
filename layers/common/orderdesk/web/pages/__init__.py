"""The texts that all pages share, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.web.pages.en import EN
from orderdesk.web.pages.texts import Language, SharedTexts
from orderdesk.web.pages.zh import ZH

SHARED: Mapping[Language, SharedTexts] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
