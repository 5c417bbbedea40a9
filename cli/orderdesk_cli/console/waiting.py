"""The console's start page: what waits for operators, counted, each count with a link."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from starlette.responses import Response

from orderdesk_cli.api import PAGE_MAX, NoAnswer, Refused
from orderdesk_cli.console.console_texts import Names
from orderdesk_cli.console.site import Visit
from orderdesk_cli.sheets.sheet import Json, objects

WAITING = "waiting"
_LABELS = Names.labels(lambda names: names.waiting)

type Row = Mapping[str, Json]


def _of_dispute(row: Row, _: Visit) -> str:
    if row["overdue"]:
        return "overdue"
    if row.get("new_answer"):
        return "answered"
    return "others" if row.get("owner") else "new"


def _of_proposal(row: Row, visit: Visit) -> str:
    return "own" if visit.is_proposer_of(row) else "others"


def _of_items(kind_of: Callable[[Row, Visit], str]) -> Callable[[Row, Visit], Iterable[str]]:
    """Return a function that yields the kinds of a list's items."""
    return lambda answer, visit: (kind_of(each, visit) for each in objects(answer.get("items")))


def _of_callbacks(answer: Row, _: Visit) -> Iterable[str]:
    """Return the kinds of paused endpoints, and of callbacks that were given up."""
    paused, given_up = (len(objects(answer.get(name))) for name in ("paused", "items"))
    return [*["paused"] * paused, *["others"] * given_up]


def _of_seals(answer: Row, _: Visit) -> Iterable[str]:
    """Return a kind for each finding of the newest seal."""
    newest = next(iter(objects(answer.get("items"))), {})
    return ["findings"] * int(str(newest.get("findings") or 0))


@dataclass(frozen=True, slots=True)
class Part:
    """A section's things that wait: the command that lists them, and the kinds of an answer's.

    `path` is the section's page. The catalogue has the names of its kinds.
    """

    command: str
    path: str
    kinds_of: Callable[[Row, Visit], Iterable[str]]
    asks: Mapping[str, Json] = field(default_factory=dict)

    def counts(self, visit: Visit) -> Counter[str] | None:
        """Return how many things of each kind there are on the first page; None if unknown."""
        try:
            answer = visit.call(self.command, **{"limit": PAGE_MAX, **self.asks})
        except (Refused, NoAnswer):
            return None
        return Counter(self.kinds_of(answer, visit))


PARTS = (
    Part("order.list", "disputes", _of_items(_of_dispute), {"status": "disputed"}),
    Part("order.list", "claims", _of_items(lambda *_: "late"), {"claims": True}),
    Part("proposal.list", "proposals", _of_items(_of_proposal), {"open_only": True}),
    Part(
        "withdraw.list",
        "withdrawals",
        _of_items(lambda row, _: str(row["status"])),
        {"open_only": True},
    ),
    Part("callback.dead", "callbacks", _of_callbacks),
    Part("ledger.seals", "ledger", _of_seals, {"limit": 1}),
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


def _group(part: Part, counts: Counter[str] | None, visit: Visit) -> Mapping[str, object]:
    kinds = [name for name in _LABELS if name.startswith(f"{part.path}.")]
    lines = [
        (visit.text(_LABELS[name]), None if counts is None else counts[name.partition(".")[2]])
        for name in kinds
    ]
    return {"name": visit.text(_LABELS[part.path]), "link": visit.to(part.path), "lines": lines}
