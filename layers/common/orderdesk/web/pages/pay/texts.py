"""The texts that the pay page needs in every language."""

from dataclasses import dataclass

from orderdesk.domain.orders.order import ByStatus
from orderdesk.web.pages.texts import Notice, QuestionTexts, SharedTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTexts:
    """All texts of the pay page in one language; `statuses` are those shown to the payer.

    `report_step` is the last step of paying. The steps before it depend on the method.
    """

    shared: SharedTexts
    statuses: ByStatus[Notice | None]
    report_step: str
    amount_due: str
    exact_amount: str
    pay_by: str
    transfer_to: str
    next_title: str
    payment_code: str
    remark: str
    remark_hint: str
    save_code: str
    code_hint: str
    code_site: str
    not_live: str
    check_now: str
    report: Notice
    i_have_paid: str
    proof: Notice
    needed_proof: Notice
    receipt_missing: Notice
    more_proof: Notice
    sent_proof: Notice
    sent_picture: str
    sent_document: str
    sent_page: str
    received: str
    overtaken: Notice
    cancelling: QuestionTexts
    disputable_from: str
    unconfirmed: Notice
    disputing: QuestionTexts
