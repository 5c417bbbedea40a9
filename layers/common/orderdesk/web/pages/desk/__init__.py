"""The desk's texts, by language."""

from orderdesk.web.pages.desk.en import EN
from orderdesk.web.pages.desk.zh import ZH
from orderdesk.web.pages.texts import ByLanguage

TEXTS = ByLanguage(en=EN, zh=ZH)
