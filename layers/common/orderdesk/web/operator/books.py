"""`ledger.check`, `ledger.seals`, `ledger.acknowledge`: the sealed books (contract section 13)."""

import base64
import re
from collections.abc import Mapping
from itertools import islice
from typing import Annotated

from orderdesk.domain.authority import Power
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.seals import OpenFinding, SealSummary
from orderdesk.domain.modes import Mode
from orderdesk.domain.times import date_in_china
from orderdesk.services.ledger.check import OpenBooks, check_books
from orderdesk.services.operator.books import acknowledge
from orderdesk.web.operator.declare import Role, command, powers
from orderdesk.web.operator.ledger import finding_data, totals_data, totals_of
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    CommandParameters,
    Id,
    Limit,
    NeededReason,
    WriteParameters,
    told,
    written_as,
)
from orderdesk.web.operator.parties import row_of
from orderdesk.web.operator.ports import OperatorPorts

_FINDING = re.compile(r"F[0-9a-f]{16}")
_END = re.compile(r"[0-9]{1,10}")


class CheckParameters(CommandParameters):
    """Parameters of `ledger.check`; a page can end with a finding."""

    limit: Limit = PAGE_MAX
    after: Annotated[str, written_as(_FINDING.fullmatch)] | None = None


class SealsParameters(CommandParameters):
    """Parameters of `ledger.seals`; a page can end with a seal."""

    limit: Limit = PAGE_MAX
    after: Annotated[str, written_as(_END.fullmatch)] | None = None


class AcknowledgeParameters(WriteParameters):
    finding_id: Id = told("As `ledger check` names it.")
    reason: NeededReason


@command("ledger.check", Role.VIEWER)
def check(ports: OperatorPorts, asked: CheckParameters) -> Mapping[str, object]:
    """Compare every balance with the newest seal and what came after; return a page of findings.

    `findings` is the same list as `items`, by its earlier name.
    """
    books = check_books(ports.books, ports.operator.pause_ms)
    after = asked.after or ""
    left = [each for each in books.findings if each.finding_id > after]
    page = list(islice(left, asked.limit))
    items = [open_finding_data(each, is_sealed=each.finding_id in books.sealed) for each in page]
    return {
        **_books_data(books),
        "items": items,
        "findings": items,
        "next": page[-1].finding_id if len(left) > len(page) else None,
    }


def _books_data(books: OpenBooks) -> dict[str, object]:
    newest, seal = books.newest, books.seal
    stored = (
        (account, row.balance)
        for key, rows in books.balances.items()
        if (account := account_of(key))
        for row in rows.values()
    )
    owned = totals_of(stored)
    return {
        "balanced": not books.findings,
        "seal": None if newest is None else seal_mark(newest),
        "accounts": len(books.balances),
        "postings": seal.postings,
        "orders": len(seal.orders),
        "withdrawals": books.withdrawals,
        "acknowledged": books.acknowledged,
        "totals": {mode.value: totals_data(owned, mode) for mode in Mode},
    }


def seal_mark(summary: SealSummary) -> dict[str, object]:
    """Return when a seal ended and its hash."""
    return row_of(summary.name, "time=end hash")


def open_finding_data(found: OpenFinding, *, is_sealed: bool) -> dict[str, object]:
    """Return an open finding; `since` is the seal that has it first, null before it is sealed."""
    return {
        "finding_id": found.finding_id,
        "since": found.since if is_sealed else None,
        **finding_data(found.finding),
    }


@command("ledger.seals", Role.VIEWER)
def list_seals(ports: OperatorPorts, asked: SealsParameters) -> Mapping[str, object]:
    """List the seals of the books, the newest first, each with a link to its file."""
    before = None if asked.after is None else int(asked.after)
    found = ports.seal_files.newest_first(before, asked.limit + 1)
    page = found[: asked.limit]
    items = [seal_data(each, ports.seal_files.link(each.name.end)) for each in page]
    return {
        "items": items,
        "public_key": base64.b64encode(ports.seal_files.public_key()).decode(),
        "next": str(page[-1].name.end) if len(found) > len(page) else None,
    }


def seal_data(summary: SealSummary, url: str) -> dict[str, object]:
    """Return a seal's name and counts; `date` is its trading day (UTC+8)."""
    return {
        **seal_mark(summary),
        "date": date_in_china(summary.name.end - 1).isoformat(),
        **row_of(summary, "start_time=start accounts postings orders findings"),
        "url": url,
    }


@command("ledger.acknowledge", Role.FINANCE, powers(Power.MONEY, "finding_id"))
def accept(ports: OperatorPorts, asked: AcknowledgeParameters) -> Mapping[str, object]:
    """Accept a finding with its reason, with a second person; it stays in the books."""
    found = acknowledge(
        ports.books.seals, ports.proposals, ports.operator, asked.finding_id, asked.reason
    )
    return open_finding_data(found, is_sealed=True)
