"""The ledger check: it reads every account, so it runs when it is asked for."""

from collections.abc import Sequence

from starlette.responses import Response

from orderdesk.domain.ledger.findings import Finding
from orderdesk.services.operator.ledger import Reading, check_ledger
from orderdesk.web.operator.findings import told
from orderdesk_cli.console.sheets import Action, Section, Table, facts, number
from orderdesk_cli.console.visits import Visit


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
    office, operator = visit.office, visit.office.operator
    reading = Reading(office.ledger_scan, operator.now_us, operator.pause_ms)
    run = check_ledger(reading, operator.chance)
    totals, wrong = run.tally.totals(), run.found
    result = Section(
        heading=f"Findings: {len(wrong)}" if wrong else "The ledger balances",
        facts=facts(
            accounts=number(str(totals.accounts)),
            postings=number(str(totals.postings)),
            open_orders=number(str(totals.open_orders)),
            open_withdrawals=number(str(totals.open_withdrawals)),
            readings=number(str(run.number)),
        ),
        tables=_tables("Findings", wrong) + _tables("In use, not proved", run.moving),
        actions=[Action("Check again", visit.to("ledger", run="1"))],
    )
    return visit.page("sheet.html", section="ledger", title="Ledger", sections=[result])


def _tables(name: str, found: Sequence[Finding]) -> list[Table]:
    rows = [[told(finding)] for finding in found]
    return [Table(name, [name.lower()], rows, "")] if rows else []
