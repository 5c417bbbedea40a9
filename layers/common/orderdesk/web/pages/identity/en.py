"""The identity page's texts in English."""

from orderdesk.web.pages.en import EN as SHARED
from orderdesk.web.pages.identity.texts import ByState, FieldTexts, IdentityTexts, ProviderNames
from orderdesk.web.pages.texts import Notice

_NEW_ORDER = "Please ask the merchant for a new order."

EN = IdentityTexts(
    shared=SHARED,
    notices=ByState(
        form=Notice(
            "Confirm your identity",
            "The merchant requires this before you pay. Then the payment page opens by itself.",
        ),
        verifying=Notice(
            "Checking your details",
            "This usually takes a few seconds. Please do not send them again.",
        ),
        verified=Notice(
            "Your identity is confirmed",
            "Nobody can receive this amount at the moment. Please try again in a few minutes; "
            "there is nothing to enter again.",
        ),
        unavailable=Notice(
            "The check is not available right now",
            "Your details could not be checked, and your attempt was not used. Please wait a "
            "moment and send them again.",
        ),
        locked=Notice(
            "Verification failed",
            f"The details could not be confirmed, so this link is closed. {_NEW_ORDER}",
        ),
        expired=Notice("This link has run out", f"It was not used in time. {_NEW_ORDER}"),
        completed=Notice(
            "Your order is ready",
            "Your identity is confirmed. Everything about the payment is on its own page.",
        ),
    ),
    fields={
        "customer_name": FieldTexts(
            label="Full name",
            hint="As on your ID card",
            problems={
                "missing": "Enter your full name.",
                "malformed": "Enter the name as on your ID card: 2 to 50 letters or characters, "
                "no digits.",
            },
        ),
        "id_card": FieldTexts(
            label="ID card number",
            hint="18 characters; the last one may be an X",
            problems={
                "missing": "Enter your ID card number.",
                "malformed": "An ID card number has 17 digits and then a digit or an X.",
                "bad_birth_date": "Digits 7 to 14 are no date of birth. Please check them.",
                "bad_check_digit": "A digit is wrong or two are swapped. Please compare the "
                "number with your card.",
            },
        ),
        "mobile": FieldTexts(
            label="Mobile number",
            hint="11 digits, registered in your own name",
            problems={
                "missing": "Enter your mobile number.",
                "malformed": "Enter a mainland China mobile number: 11 digits that begin with 13 "
                "to 19.",
            },
        ),
    },
    amount="Amount to pay",
    works_until="This link works until ",
    form_title="Your details",
    problems_title="Please check your entries. Your attempt has not been used.",
    submit="Confirm and continue",
    submit_again="Send again",
    sending="Checking…",
    try_again="Try again",
    go_to_payment="Go to the payment page",
    watching="This page goes on by itself.",
    not_watching="This page does not go on by itself in your browser.",
    check_now="Check again now",
    privacy_title="How your details are used",
    privacy=(
        (
            "Name, ID card number and mobile number are sent to {provider}, which checks whether "
            "they belong to the same person."
        ),
        (
            "Only the result and masked values are kept, such as 138****8000. The merchant does "
            "not receive what you enter here."
        ),
        "You can send your details once. Typing errors that this page finds do not count.",
    ),
    consent=(
        "By pressing “{button}” you agree that {provider} checks your name, ID card number and "
        "mobile number as described here."
    ),
    providers=ProviderNames(
        none="an identity verification service",
        sandbox="the sandbox provider (for tests, no real check)",
        tencent="Tencent Cloud",
    ),
)
