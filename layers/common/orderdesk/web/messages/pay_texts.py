"""Which texts the pay page's actions have, in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages.notices import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTexts:
    """A move that is asked about first: the link to it, the question, and both answers."""

    link: str
    notice: Notice
    keep: str
    go: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTexts:
    """Reporting a payment, its receipts, cancelling, disputing; `unfit` by a file's problem."""

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
    cancelling: QuestionTexts
    disputable_from: str
    unconfirmed: Notice
    disputing: QuestionTexts
