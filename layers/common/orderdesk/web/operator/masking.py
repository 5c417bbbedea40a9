"""Masks personal data for operators: it can be recognised there, but not used."""

from orderdesk.domain.payment_methods import PaymentMethod, masked_account


def masked_method(method: PaymentMethod) -> dict[str, str]:
    """Return a receiving method with card, account and payee masked, and without its QR code."""
    return {
        "method_type": method.method_type.value,
        "bank": method.bank,
        "sub_bank": method.sub_bank,
        "card_number": method.masked_card_number,
        "account": masked_account(method.account),
        "real_name": masked_name(method.real_name),
    }


def masked_name(name: str) -> str:
    """Mask all but a name's first character."""
    return name[:1] + "*" * (len(name) - 1)
