"""What the pages say, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.web.messages.en import EN
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.texts import Language, Messages
from orderdesk.web.messages.zh import ZH

__all__ = ["MESSAGES", "Language", "Messages", "Notice"]

MESSAGES: Mapping[Language, Messages] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
