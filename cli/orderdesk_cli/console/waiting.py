"""The console's start page: what waits for operators, counted, each count with a link."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from starlette.responses import Response

from orderdesk_cli.api import PAGE_MAX, NoAnswer, Refused
from orderdesk_cli.console.site import Visit
from orderdesk_cli.sheets.sheet import Json, Label, objects

WAITING = "waiting"

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


def _is(status: str) -> Fits:
    return lambda row, _: row.get("status") == status


def _is_own(row: Row, visit: Visit) -> bool:
    return str(row.get("proposed_by")).casefold() == visit.site.person.casefold()


@dataclass(frozen=True, slots=True)
class Part:
    """A section's things that wait: the command that lists them, and their kinds.

    A thing is of the first kind that it fits. `path` is the section's page.
    """

    command: str
    path: str
    label: Label
    kinds: Sequence[tuple[Label, Fits]]
    asks: Mapping[str, Json] = field(default_factory=dict)
    rows: Callable[[Row], Sequence[Row]] = _rows

    def counts(self, visit: Visit) -> list[int] | None:
        """Return how many things of each kind there are on the first page; None if unknown."""
        try:
            answer = visit.call(self.command, **{"limit": PAGE_MAX, **self.asks})
        except (Refused, NoAnswer):
            return None
        counts = [0] * len(self.kinds)
        for row in self.rows(answer):
            for nth, (_, fits) in enumerate(self.kinds):
                if fits(row, visit):
                    counts[nth] += 1
                    break
        return counts


PARTS = (
    Part(
        *("order.list", "disputes", ("Disputes", "争议")),
        (
            (("An answer is overdue: decide", "答复已逾期，请判定"), lambda row, _: row["overdue"]),
            (("New answers to read", "有新回复待阅"), lambda row, _: row.get("new_answer")),
            (("Nobody has taken it up", "尚无人跟进"), lambda row, _: not row.get("owner")),
            (("Payer or trader is next", "等待付款人或交易员答复"), lambda *_: True),
        ),
        {"status": "disputed"},
    ),
    Part(
        *("order.list", "claims", ("Claims", "凭证裁定")),
        ((("Late proofs to decide", "待裁定的逾期凭证"), lambda *_: True),),
        {"claims": True},
    ),
    Part(
        *("proposal.list", "proposals", ("Proposals", "提案")),
        (
            (("Yours: another person decides", "您提出的，由他人审批"), _is_own),
            (("For you to decide", "待您审批"), lambda *_: True),
        ),
        {"open_only": True},
    ),
    Part(
        *("withdraw.list", "withdrawals", ("Withdrawals", "提现")),
        (
            (("Requests to take up", "待受理的申请"), _is("requested")),
            (("Stopped by a finding of the books", "因账目问题暂停"), _is("blocked_by_finding")),
            (("Approved, wait for a seal", "已批准，等待封账"), _is("approved")),
            (("Wait for a decision", "待审批"), _is("open")),
        ),
        {"open_only": True},
    ),
    Part(
        *("callback.dead", "callbacks", ("Callbacks", "回调")),
        (
            (("Paused endpoints", "已暂停投递的回调地址"), lambda row, _: row.get("paused")),
            (("Callbacks that were given up", "已放弃的回调"), lambda *_: True),
        ),
        rows=_with_paused,
    ),
    Part(
        *("ledger.seals", "ledger", ("Books", "账本")),
        ((("Findings of the newest seal", "最近一次封账发现的问题"), lambda *_: True),),
        {"limit": 1},
        _findings,
    ),
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
    def lines() -> Iterator[tuple[str, int | None]]:
        for nth, (label, _) in enumerate(part.kinds):
            yield visit.text(label), None if counts is None else counts[nth]

    return {"name": visit.text(part.label), "link": visit.to(part.path), "lines": list(lines())}
