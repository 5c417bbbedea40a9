"""The identity page's texts, by language."""

from orderdesk.web.pages.identity.en import EN
from orderdesk.web.pages.identity.zh import ZH
from orderdesk.web.pages.texts import ByLanguage

TEXTS = ByLanguage(en=EN, zh=ZH)
