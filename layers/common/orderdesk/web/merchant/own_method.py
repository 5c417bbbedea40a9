"""A trader's own receiving method, by the rules of createOrder's payment_method.

Operators enter it by the command, traders at the desk.
"""

from collections.abc import Mapping

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.plain_text import text_problems


def read_own_method(
    fields: Mapping[str, str],
) -> tuple[PaymentMethod | None, list[FieldProblem]]:
    """Parse the fields of a method; if there are problems, there is no method."""
    # Its models cost a cold start some time, and few requests enter a method.
    from orderdesk.web.merchant.payment_method import NAME, read_payment_method  # noqa: PLC0415

    method, found = read_payment_method({**fields})
    problems = [FieldProblem(p.field.removeprefix(f"{NAME}."), p.problem) for p in found]
    for name, text in fields.items():
        problems += text_problems(name, text)
    return (None if problems else method), problems
