"""The texts of the pay page's actions in English."""

from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import PayTexts, QuestionTexts

PAY_EN = PayTexts(
    report=Notice(
        "Have you transferred the money?",
        "Report it only once the transfer has gone through. You cannot cancel after that.",
    ),
    i_have_paid="I have paid",
    proof=Notice(
        "Or report it with a receipt",
        "A screenshot of the finished transfer helps the payee find your money sooner.",
    ),
    more_proof=Notice(
        "Receipts", "A screenshot of the finished transfer helps the payee find your money sooner."
    ),
    file="Receipt file",
    file_rules="PNG, JPEG, WebP or PDF, up to 10 MB",
    send="Send receipt",
    sending="Sending …",
    received="{count} of {most} received",
    unfit_title="The receipt was not accepted",
    unfit={
        ReceiptProblem.MISSING: "The file did not arrive. Please choose it again.",
        ReceiptProblem.EMPTY: "The file is empty. Please choose another one.",
        ReceiptProblem.TOO_LARGE: "The file is larger than 10 MB. Please send a smaller one.",
        ReceiptProblem.WRONG_TYPE: (
            "The file is no PNG, JPEG or WebP picture and no PDF. Please take a screenshot of the "
            "transfer and send that."
        ),
        ReceiptProblem.DAMAGED: (
            "The file is damaged or incomplete. Please take a new screenshot and send that."
        ),
        ReceiptProblem.UNSAFE: (
            "The file contains more than a picture or a plain document. Please take a screenshot "
            "of the transfer and send that."
        ),
        ReceiptProblem.TOO_MANY: "There are 5 receipts already, which is the most.",
    },
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
