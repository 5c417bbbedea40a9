"""The text of a refused upload."""

from orderdesk.domain.receipts.files import ReceiptProblem
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.texts import Language, Notice


def unfit_alert(problem: ReceiptProblem, language: Language) -> Notice:
    """Give the notice that says what is wrong with a file."""
    texts = SHARED[language].upload
    return Notice(texts.unfit_title, texts.unfit[problem])
