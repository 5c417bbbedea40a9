"""The texts that all pages share, by language."""

from orderdesk.web.pages.en import EN
from orderdesk.web.pages.texts import ByLanguage
from orderdesk.web.pages.zh import ZH

SHARED = ByLanguage(en=EN, zh=ZH)
