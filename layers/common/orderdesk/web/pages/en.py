"""The shared texts in English."""

from orderdesk.domain.payment_methods import ByMethod
from orderdesk.domain.receipts.files import ByProblem
from orderdesk.web.pages.texts import Notice, SharedTexts, UploadTexts

EN = SharedTexts(
    language_name="English",
    safety="orderdesk never asks for a password or a verification code.",
    test_order="Test order. Do not transfer real money.",
    reload="Reload this page",
    quote_number="If it keeps happening, quote this number:",
    problems={
        "order_not_found": Notice(
            "This link does not open an order",
            "It may be incomplete. Open it again from where you got it, or ask the merchant for "
            "a new one.",
        ),
        "try_again": Notice(
            "Very busy right now",
            "Your order is not affected. Please reload this page in a moment.",
        ),
        "too_many_requests": Notice(
            "Too many attempts", "Please wait a few minutes and reload this page."
        ),
        "not_same_origin": Notice(
            "This did not come from our page",
            "Nothing has been changed. Open the link again from where you got it, and continue "
            "there.",
        ),
        "bad_form": Notice(
            "What your browser sent could not be read",
            "Nothing has been changed. Please reload this page and try again.",
        ),
        "internal_error": Notice(
            "Something went wrong on our side",
            "Your order is not affected. Please reload this page in a moment.",
        ),
    },
    methods=ByMethod(
        bank="Bank card",
        wechat="WeChat Pay",
        alipay="Alipay",
    ),
    how_to_pay=ByMethod(
        bank=(
            "In your bank’s app, transfer exactly this amount to this card number.",
            "Before you confirm, check that the payee’s name is the one shown here.",
        ),
        wechat=(
            (
                "Scan the payment code in WeChat and enter exactly this amount. To pay on the same "
                "phone, save the code as a picture and open it from WeChat’s scanner."
            ),
            "Before you confirm, check that the payee’s name fits the one shown here.",
        ),
        alipay=(
            (
                "Scan the payment code in Alipay and enter exactly this amount. To pay on the same "
                "phone, save the code as a picture and open it from Alipay’s scanner."
            ),
            "Before you confirm, check that the payee’s name fits the one shown here.",
        ),
    ),
    time_left="Time left",
    updated="Updated",
    time_zone=" (Beijing time)",
    payee="Payee",
    bank="Bank",
    branch="Branch",
    card_number="Card number",
    account="Account",
    order_no="Order number",
    receiver="Paid to",
    merchant="Merchant",
    support="Merchant’s support",
    reference="Reference number",
    back_to_merchant="Back to the merchant",
    copy="Copy",
    copied="Copied",
    date="{t.day} {t:%b} {t.year}, {t:%H:%M}",
    upload=UploadTexts(
        file="Receipt file",
        file_rules="PNG, JPEG, WebP or PDF, up to 10 MB",
        choose="Choose a file",
        choose_other="File chosen · choose another",
        choose_first="Please choose a file first.",
        preview="The chosen picture",
        send="Send receipt",
        sending="Sending …",
        sent=Notice(
            "Your file has been sent",
            "It is checked now, which takes a few seconds. If this page stays, press Continue.",
        ),
        continue_="Continue",
        unfit_title="The receipt was not accepted",
        unfit=ByProblem(
            missing="The file did not arrive. Please choose it again.",
            empty="The file is empty. Please choose another one.",
            too_large="The file is larger than 10 MB. Please send a smaller one.",
            wrong_type=(
                "The file is no PNG, JPEG or WebP picture and no PDF. Please take a screenshot of "
                "the transfer and send that."
            ),
            damaged=(
                "The file is damaged or incomplete. Please take a new screenshot and send that."
            ),
            too_complex=(
                "The file cannot be shown as a picture. Please take a screenshot of the transfer "
                "and send that."
            ),
            too_many="There are 5 receipts already, which is the most.",
        ),
    ),
)
