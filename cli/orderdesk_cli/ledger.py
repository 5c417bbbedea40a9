"""`orderdesk ledger …`, `report`, `audit` and `rights`: the books, and who did what."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from orderdesk_cli.answering import Answer, Form
from orderdesk_cli.commands import lists, reads, runs
from orderdesk_cli.options import MODES
from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.ledger import BALANCES, CHECKED, COMPARED, REPORT, ROWS, STATEMENT
from orderdesk_cli.sheets.operators import ENTRIES, RIGHTS
from orderdesk_cli.sheets.sheet import objects, value_at

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Said
    from orderdesk_cli.sheets.sheet import Json

_OF_PARTS = frozenset({"next", "progress"})


@runs("check", "")
def _check(api: "Api", said: "Said") -> Answer:
    """Prove the postings, balances, holds and counters; exit code 1 if anything is wrong.

    Orders may move meanwhile: a difference counts only if three readings find the same.
    """
    data = last_part(api.pages("ledger.check"), is_drawn=said.form is Form.TEXT)
    moving = [*objects(data["moving"])]
    warning = (
        f"{len(moving)} more differed in each of {data['passes']} passes, by changing "
        "amounts: money moves through them now; check again when less does"
    )
    findings = [f"finding: {finding['text']}" for finding in objects(data["findings"])]
    return Answer(data, CHECKED, findings, warning if moving else "")


@runs("compare", "restored")
def _compare(api: "Api", said: "Said", restored: str) -> Answer:
    """Compare the postings with a restored table; exit code 1 if one is lost or changed."""
    parts = api.pages("ledger.compare", restored=restored)
    is_drawn = said.form is Form.TEXT and sys.stderr.isatty()
    findings: list[Mapping[str, Json]] = []
    postings = 0
    for part in _drawn(parts) if is_drawn else parts:
        findings += objects(part["items"])
        postings += int(str(part["postings"]))
    told = [f"finding: {finding['text']}" for finding in findings]
    return Answer({"postings": postings, "findings": findings}, COMPARED, told)


@runs("report", "date as_csv")
def _report(api: "Api", said: "Said", date: str) -> Answer:
    """Report a trading day by merchant and trader; exit code 1 if an account does not close.

    Orders count on the day on which they were completed.
    """
    day = last_part(api.pages("report.day", date=date), is_drawn=said.form is Form.TEXT)
    moving = ", ".join(str(each["account"]) for each in objects(day["moving"]))
    return Answer(
        [*rows_of_day(day)] if said.form is Form.CSV else day,
        ROWS if said.form is Form.CSV else REPORT,
        [_complaint(account) for account in objects(day["differences"])],
        f"in use while they were read, so closing may be off: {moving}" if moving else "",
    )


def rows_of_day(day: "Mapping[str, Json]") -> "Iterator[dict[str, Json]]":
    """Yield every account of both modes as one row."""
    for mode in MODES:
        of_mode = day[mode]
        assert isinstance(of_mode, Mapping)
        for kind in ("merchant", "trader"):
            for row in objects(of_mode[f"{kind}s"]):
                yield {**row, "mode": mode, "kind": kind, "id": row[f"{kind}_id"]}
        for row in objects(of_mode["accounts"]):
            kind, owner, _ = str(row["account"]).split(":")
            yield {**row, "mode": mode, "kind": kind, "id": owner}


def _complaint(account: "Mapping[str, Json]") -> str:
    """Return the complaint about an account that does not close."""
    return (
        f"difference: {account['account']}: opening {account['opening']} and postings "
        f"{account['postings']} do not make closing {account['closing']} "
        f"(difference {account['difference']})"
    )


def last_part(parts: "Iterator[Mapping[str, Json]]", *, is_drawn: bool) -> "dict[str, Json]":
    """Read parts until the last, which is the whole answer; draw how far each says it is."""
    *_, last = _drawn(parts) if is_drawn and sys.stderr.isatty() else parts
    return {name: value for name, value in last.items() if name not in _OF_PARTS}


def _drawn(parts: "Iterator[Mapping[str, Json]]") -> "Iterator[Mapping[str, Json]]":
    """Draw the `progress` of each part as a bar on stderr."""
    with click.progressbar(length=1, label="Reading", file=sys.stderr) as bar:
        for part in parts:
            done, total = value_at(part, "progress.done"), value_at(part, "progress.of")
            if isinstance(done, int) and isinstance(total, int):
                bar.label = printable(str(value_at(part, "progress.text") or "Reading"))
                bar.length = total
                bar.update(done - bar.pos)
            yield part


COMMANDS = {
    "": [
        _report,
        lists(
            *("audit.list", ENTRIES, "since until operator subject"),
            "List what operators did, and traders to their own settings, the newest last.",
            name="audit",
        ),
        reads(
            *("rights.list", RIGHTS, ""),
            "Show who you are to the operators' API, and which commands you may call.",
            name="rights",
        ),
    ],
    "ledger": [
        _check,
        _compare,
        reads(
            *("ledger.balances", BALANCES, ""),
            "List what every account owns, live and test.\n\nEach account is read at its own "
            "time. While orders move, the totals may be off by their amounts.",
        ),
        lists(
            *("ledger.statement", STATEMENT, "merchant_id mode:one since until"),
            "List the postings of a merchant's accounts, the oldest first, each with its balance.",
        ),
    ],
}
