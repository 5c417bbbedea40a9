"""`orderdesk ledger …`: the check of the books, and all balances."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.services.operator.ledger import (
    SEGMENTS,
    SEGMENTS_MAX,
    Reading,
    check_ledger,
    read_balances,
)
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
    """Prove the postings, balances, holds and counters; exit code 1 if anything is wrong.

    Orders may move meanwhile: a difference counts only if three readings find the same.
    """
    is_watched = sys.stderr.isatty() and not as_json
    with drawn() if is_watched else unwatched() as watch:
        operator = office.operator
        reading = Reading(office.ledger_scan, operator.now_us, operator.pause_ms, watch=watch)
        run = check_ledger(reading, operator.chance, segments=segments)
    return checked(run)


@command(group, "compare")
def compare(
    office: "Office",
    restored: Annotated[str, typer.Argument(help="The ledger table as it was, restored.")],
    merchant: Annotated[
        list[str] | None, typer.Option(help="Only this merchant's accounts; may be repeated.")
    ] = None,
    segments: Segments = SEGMENTS,
) -> Answer:
    """Compare the ledger with a table restored to an earlier time; exit code 1 if money was lost.

    Every posting of that time has to be there, and each balance has to be the sum of its postings.
    """
    from orderdesk.services.operator.ledger import compare_with_restored  # noqa: PLC0415 loaded only by this command
    from orderdesk_cli.ledger.restored_views import compared  # noqa: PLC0415 as above

    return compared(
        compare_with_restored(
            office.ledger_scan_of(restored),
            office.ledger_scan,
            merchant or None,
            segments=segments,
        )
    )


@command(group, "balances")
def balances(office: "Office", segments: Segments = SEGMENTS) -> Answer:
    """List what every account owns, live and test.

    Each account is read at its own time. While orders move, the totals may be off by their
    amounts.
    """
    tally = read_balances(office.ledger_scan, segments=segments)
    return owned(tally.balances(), tally.totals())
