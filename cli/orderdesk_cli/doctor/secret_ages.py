"""Since when each merchant has its newest API secret, as the audit trail tells it."""

from typing import TYPE_CHECKING

from orderdesk.domain.audit import months_between
from orderdesk.domain.times import US_PER_SECOND
from orderdesk_cli.doctor.checks import DAY_SECONDS, SECRET_DAYS_MAX

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

ROTATED = "merchant.rotate-secret"


def secret_ages(office: "Office") -> dict[str, int]:
    """Give by merchant_id when its secret was made or last rotated, in Unix seconds.

    A secret older than the audit trail that is read here is given the merchant's own age.
    """
    since = {m.merchant_id: m.created_at for m in office.merchants.merchants()}
    now_us = office.now_us()
    first_us = now_us - (SECRET_DAYS_MAX + 1) * DAY_SECONDS * US_PER_SECOND
    for entry in office.audit.entries(months_between(first_us, now_us), first_us):
        if entry.action == ROTATED and entry.target in since:
            since[entry.target] = entry.at_us // US_PER_SECOND
    return since
