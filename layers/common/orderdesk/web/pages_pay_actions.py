"""What the pay page says to a payer who acts: cancel or not, what was wrong, what came first."""

from orderdesk.domain.orders import Order
from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages import MESSAGES, Language, Notice
from orderdesk.web.pages import Page
from orderdesk.web.pages_pay import Links
from orderdesk.web.pages_values import amount_of


def cancel_page(order: Order, language: Language, links: Links) -> Page:
    """Ask whether to cancel, where no script can open the page's own dialog."""
    view = {"order_no": order.order_no, "amount": amount_of(order.quote.cny_fen), "links": links}
    return Page("cancel.html", {"view": view, "notice": MESSAGES[language].pay.cancelling})


def unfit_alert(problem: ReceiptProblem, language: Language) -> Notice:
    """Say what was wrong with a receipt."""
    texts = MESSAGES[language].pay
    return Notice(texts.unfit_title, texts.unfit[problem])


def overtaken_alert(language: Language) -> Notice:
    """Say that the order had moved before the payer did."""
    return MESSAGES[language].pay.overtaken
