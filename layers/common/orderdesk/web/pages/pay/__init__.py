"""The pay page's texts, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.web.pages.pay.en import EN
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.pay.zh import ZH
from orderdesk.web.pages.texts import Language

TEXTS: Mapping[Language, PayTexts] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
