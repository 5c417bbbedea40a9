"""The ledger check: it reads every account, so it runs when it is asked for."""

from collections.abc import Sequence

from starlette.responses import Response

from orderdesk.domain.ledger.rows import Difference
from orderdesk.services.operator.ledger import SEGMENTS, check_ledger
from orderdesk_cli.console.sheets import Action, Section, Table, facts, number
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.ledger.check_views import told


def offered(visit: Visit) -> Response:
    """Offer the check, or show its result."""
    if "run" not in visit.query:
        section = Section(
            heading="Ledger check",
            note=(
                "It reads all accounts, postings, open orders and open withdrawals, and lists what "
                "does not add up. With many of them it takes a while."
            ),
            actions=[Action("Check now", visit.to("ledger", run="1"), "")],
        )
        return visit.page("sheet.html", section="ledger", title="Ledger", sections=[section])
    return _checked(visit)


def _checked(visit: Visit) -> Response:
    office = visit.office
    verdict = check_ledger(
        office.ledger_scan,
        segments=SEGMENTS,
        pause_ms=office.operator.pause_ms,
        watch=lambda _: None,
    )
    totals, wrong = verdict.totals, verdict.differences
    result = Section(
        heading=f"Differences: {len(wrong)}" if wrong else "The ledger balances",
        facts=facts(
            accounts=number(str(totals.accounts)),
            postings=number(str(totals.postings)),
            open_orders=number(str(totals.open_orders)),
            open_withdrawals=number(str(totals.open_withdrawals)),
            readings=number(str(verdict.passes)),
        ),
        tables=_tables("Differences", wrong) + _tables("In use, not proved", verdict.moving),
        actions=[Action("Check again", visit.to("ledger", run="1"))],
    )
    return visit.page("sheet.html", section="ledger", title="Ledger", sections=[result])


def _tables(name: str, found: Sequence[Difference]) -> list[Table]:
    rows = [[told(difference)] for difference in found]
    return [Table(name, [name.lower()], rows, "")] if rows else []
