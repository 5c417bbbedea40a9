"""The dispute on the pay page and at the desk: its story, its texts, by language."""

from orderdesk.web.pages.dispute.en import EN
from orderdesk.web.pages.dispute.zh import ZH
from orderdesk.web.pages.texts import ByLanguage

TEXTS = ByLanguage(en=EN, zh=ZH)
"""What both pages say of a dispute."""
