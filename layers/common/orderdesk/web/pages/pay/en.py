"""The texts of the pay page in English."""

from orderdesk.domain.orders.order import ByStatus
from orderdesk.web.pages.en import EN as SHARED
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.texts import Notice, QuestionTexts

_CONTACT = "If you have already paid, contact the merchant and quote the order number."

EN = PayTexts(
    shared=SHARED,
    statuses=ByStatus(
        pending=Notice(
            "Waiting for your transfer",
            "Transfer the exact amount to the payee shown here before the time runs out.",
        ),
        paid=Notice(
            "Payment reported",
            "The payee is checking that the money has arrived. There is nothing to do for you; "
            "please do not pay again.",
        ),
        completed=Notice(
            "Payment complete",
            "The payee has received your transfer. You can close this page and go back to the "
            "merchant.",
        ),
        cancelled=Notice(
            "Order cancelled", f"Please do not transfer money for this order. {_CONTACT}"
        ),
        expired=Notice(
            "Time has run out",
            f"Please do not transfer money for this order any more. {_CONTACT}",
        ),
        disputed=Notice(
            "Payment under review",
            "A member of staff is looking into it. Please do not pay again, and keep the receipt "
            "of your transfer; this page will show the outcome.",
        ),
        matching=None,
        assigned=None,
    ),
    report_step="Then report the payment on this page; the payee confirms that it has arrived.",
    amount_due="Amount to transfer",
    exact_amount="Exactly this amount, to the last fen.",
    pay_by="Pay by ",
    transfer_to="Transfer to",
    next_title="What happens next",
    payment_code="Payment code of the payee",
    remark="Remark of the transfer",
    remark_hint="Put this number in, so that the payee finds your money.",
    save_code="Save the picture",
    code_hint="On a phone you can also press and hold the code.",
    code_site="Opens the picture at {site}. On a phone you can also press and hold the code.",
    not_live="This page does not update by itself in your browser.",
    check_now="Check again now",
    report=Notice(
        "Have you transferred the money?",
        "Report it only once the transfer has gone through. You cannot cancel after that.",
    ),
    i_have_paid="I have paid",
    proof=Notice(
        "Or report it with a receipt",
        "A screenshot of the finished transfer helps the payee find your money sooner.",
    ),
    needed_proof=Notice(
        "Report it with a receipt",
        "This merchant needs a screenshot of the finished transfer. You cannot cancel after that.",
    ),
    receipt_missing=Notice(
        "A receipt is needed",
        "Nothing was changed. This merchant needs a receipt: add a screenshot of the finished "
        "transfer below to report the payment.",
    ),
    more_proof=Notice(
        "Receipts", "A screenshot of the finished transfer helps the payee find your money sooner."
    ),
    sent_proof=Notice("Receipts", ""),
    sent_picture="Receipt {number}",
    sent_document="Receipt {number} (PDF)",
    sent_page="Page {page}",
    received="{count} of {most} received",
    overtaken=Notice(
        "Nothing was changed", "The order had moved on already. This is how it stands now."
    ),
    cancelling=QuestionTexts(
        link="Cancel this order",
        notice=Notice(
            "Cancel this order?",
            "Cancel only if you have not transferred any money. A cancelled order cannot be "
            "reopened.",
        ),
        keep="Keep the order",
        go="Cancel the order",
    ),
    disputable_from=(
        "If it is not confirmed by {time} (Beijing time), you can ask for a review here."
    ),
    unconfirmed=Notice(
        "Not confirmed yet",
        "The payee has not confirmed that the money has arrived. Please do not pay again. If it "
        "has left your account, ask for a review, and a member of staff will look into it.",
    ),
    disputing=QuestionTexts(
        link="Ask for a review",
        notice=Notice(
            "Ask for a review?",
            "Do so only if the money has left your account. A member of staff will look into it; "
            "keep the receipt of your transfer.",
        ),
        keep="Keep waiting",
        go="Ask for a review",
    ),
)
