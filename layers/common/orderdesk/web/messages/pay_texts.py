"""Which texts the pay page's actions have, in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages.notices import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTexts:
    """Reporting a payment, its receipts, and cancelling; `unfit` by what is wrong with a file."""

    report: Notice
    i_have_paid: str
    proof: Notice
    more_proof: Notice
    file: str
    file_rules: str
    send: str
    sending: str
    received: str
    unfit_title: str
    unfit: Mapping[ReceiptProblem, str]
    overtaken: Notice
    cancel: str
    cancelling: Notice
    cancel_for_good: str
    keep: str
