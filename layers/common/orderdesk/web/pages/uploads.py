"""What a page says of a file that it could not take."""

from orderdesk.domain.receipts.files import ReceiptProblem
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.texts import Language, Notice


def unfit_alert(problem: ReceiptProblem, language: Language) -> Notice:
    """Say what was wrong with a file."""
    texts = SHARED[language].upload
    return Notice(texts.unfit_title, texts.unfit[problem])
