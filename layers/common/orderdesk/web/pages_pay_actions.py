"""What the pay page says to a payer who acted in vain: what was wrong, what came first."""

from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages import MESSAGES, Language, Notice


def unfit_alert(problem: ReceiptProblem, language: Language) -> Notice:
    """Say what was wrong with a receipt."""
    texts = MESSAGES[language].pay
    return Notice(texts.unfit_title, texts.unfit[problem])


def overtaken_alert(language: Language) -> Notice:
    """Say that the order had moved before the payer did."""
    return MESSAGES[language].pay.overtaken
