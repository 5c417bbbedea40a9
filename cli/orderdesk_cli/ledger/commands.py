"""`orderdesk ledger …`: the check of the books, and all balances."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.services.operator.ledger import SEGMENTS, SEGMENTS_MAX, check_ledger, read_balances
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.ledger.balance_views import owned
from orderdesk_cli.ledger.check_views import checked
from orderdesk_cli.ledger.progress import drawn, unwatched
from orderdesk_cli.output import Answer

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()

Segments = Annotated[
    int,
    typer.Option(
        min=1,
        max=SEGMENTS_MAX,
        metavar="N",
        help="Parts of each table, and how many are read at a time.",
    ),
]


@command(group, "check")
def check(office: "Office", as_json: bool, segments: Segments = SEGMENTS) -> Answer:
    """Check accounts, transfers, open orders and withdrawals; exit code 1 if they do not add up.

    Orders may move meanwhile: a difference counts only if three readings find the same.
    """
    is_watched = sys.stderr.isatty() and not as_json
    with drawn() if is_watched else unwatched() as watch:
        verdict = check_ledger(
            office.ledger_scan, segments=segments, pause_ms=office.operator.pause_ms, watch=watch
        )
    return checked(verdict)


@command(group, "balances")
def balances(office: "Office", segments: Segments = SEGMENTS) -> Answer:
    """List what every account owns, live and test.

    Each account is read at its own time. While orders move, the totals may be off by their
    amounts.
    """
    tally = read_balances(office.ledger_scan, segments=segments)
    return owned(tally.balances(), tally.totals())
