"""The console's start page: what waits for operators, counted, each count with a link."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest

from starlette.responses import Response

from orderdesk_cli.api import PAGE_MAX, NoAnswer, Refused
from orderdesk_cli.console.console_texts import Names
from orderdesk_cli.console.site import Visit
from orderdesk_cli.sheets.sheet import Json, objects

WAITING = "waiting"
_LABELS = Names.labels(lambda names: names.waiting)

type Row = Mapping[str, Json]
type Fits = Callable[[Row, Visit], object]


def _rows(answer: Row) -> Sequence[Row]:
    return objects(answer.get("items"))


def _with_paused(answer: Row) -> Sequence[Row]:
    """Return the paused endpoints, marked, and the callbacks that were given up."""
    return [*({**each, "paused": True} for each in objects(answer.get("paused"))), *_rows(answer)]


def _findings(answer: Row) -> Sequence[Row]:
    """Return a row for each finding of the newest seal."""
    newest = next(iter(_rows(answer)), {})
    return [{}] * int(str(newest.get("findings") or 0))


def _by_status(**statuses: str) -> dict[str, Fits]:
    """Return kinds by their names, each of the things of a status."""

    def fits(status: str, row: Row, _: Visit) -> bool:
        return row.get("status") == status

    return {name: partial(fits, status) for name, status in statuses.items()}


def _any(*_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Part:
    """A section's things that wait: the command that lists them, and their kinds.

    A thing is of the first kind that it fits. `path` is the section's page.
    """

    command: str
    path: str
    kinds: Mapping[str, Fits]
    asks: Mapping[str, Json] = field(default_factory=dict)
    rows: Callable[[Row], Sequence[Row]] = _rows

    def counts(self, visit: Visit) -> list[int] | None:
        """Return how many things of each kind there are on the first page; None if unknown."""
        try:
            answer = visit.call(self.command, **{"limit": PAGE_MAX, **self.asks})
        except (Refused, NoAnswer):
            return None
        kinds = [*self.kinds.values()]
        first = [
            next((nth for nth, fits in enumerate(kinds) if fits(row, visit)), -1)
            for row in self.rows(answer)
        ]
        return [first.count(nth) for nth in range(len(kinds))]


PARTS = (
    Part(
        "order.list",
        "disputes",
        {
            "overdue": lambda row, _: row["overdue"],
            "answered": lambda row, _: row.get("new_answer"),
            "new": lambda row, _: not row.get("owner"),
            "others": _any,
        },
        {"status": "disputed"},
    ),
    Part("order.list", "claims", {"late": _any}, {"claims": True}),
    Part(
        "proposal.list",
        "proposals",
        {"own": lambda row, visit: visit.is_proposer_of(row), "others": _any},
        {"open_only": True},
    ),
    Part(
        "withdraw.list",
        "withdrawals",
        _by_status(
            requested="requested", blocked="blocked_by_finding", approved="approved", open="open"
        ),
        {"open_only": True},
    ),
    Part(
        "callback.dead",
        "callbacks",
        {"paused": lambda row, _: row.get("paused"), "others": _any},
        rows=_with_paused,
    ),
    Part("ledger.seals", "ledger", {"findings": _any}, {"limit": 1}, _findings),
)


def waiting(visit: Visit) -> Response:
    """Show what waits, as far as the operator may read it."""
    parts = [part for part in PARTS if visit.may(part.command)]
    if not parts:
        return visit.go("orders")
    with ThreadPoolExecutor(len(parts)) as pool:
        counted = list(pool.map(lambda part: part.counts(visit), parts))
    groups = [_group(part, counts, visit) for part, counts in zip(parts, counted, strict=True)]
    values = {"section": WAITING, "title": visit.words.waiting, "groups": groups, "most": PAGE_MAX}
    return visit.page("waiting.html", values)


def _group(part: Part, counts: Sequence[int] | None, visit: Visit) -> Mapping[str, object]:
    names = [visit.text(_LABELS[f"{part.path}.{kind}"]) for kind in part.kinds]
    lines = list(zip_longest(names, counts or ()))  # without a count where nobody answered
    return {"name": visit.text(_LABELS[part.path]), "link": visit.to(part.path), "lines": lines}
