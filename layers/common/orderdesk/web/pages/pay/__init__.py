"""The pay page's texts, by language."""

from orderdesk.web.pages.pay.en import EN
from orderdesk.web.pages.pay.zh import ZH
from orderdesk.web.pages.texts import ByLanguage

TEXTS = ByLanguage(en=EN, zh=ZH)
