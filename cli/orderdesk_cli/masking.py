"""Masks personal data for an operator's screen: it can be recognised there, but not used."""

from orderdesk.domain.payment_methods import PaymentMethod, masked_account


def masked_method(method: PaymentMethod) -> dict[str, str]:
    """Write a receiving method with card, account and payee masked, and without its QR code."""
    return {
        "method_type": method.method_type.value,
        "bank": method.bank,
        "sub_bank": method.sub_bank,
        "card_number": method.masked_card_number,
        "account": masked_account(method.account),
        "real_name": masked_name(method.real_name),
    }


def method_line(method: PaymentMethod) -> list[str]:
    """Write a receiving method as the cells of a row: type, bank, payee, card or account."""
    masked = masked_method(method)
    bank = " ".join(part for part in (method.bank, method.sub_bank) if part)
    return [
        masked["method_type"],
        bank,
        masked["real_name"],
        masked["card_number"] or masked["account"],
    ]


def masked_name(name: str) -> str:
    """Keep a name's first character."""
    return name[:1] + "*" * (len(name) - 1)
