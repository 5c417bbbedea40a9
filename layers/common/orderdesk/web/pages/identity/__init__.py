"""The identity page's texts, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.web.pages.identity.en import EN
from orderdesk.web.pages.identity.texts import IdentityTexts
from orderdesk.web.pages.identity.zh import ZH
from orderdesk.web.pages.texts import Language

TEXTS: Mapping[Language, IdentityTexts] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
