"""The balance page: balances, withdrawals, the address book; the statement, and its CSV file."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from http import HTTPStatus
from typing import Protocol

from orderdesk.domain.accounts import Account
from orderdesk.domain.merchants.withdrawals import (
    Network,
    WithdrawalProblem,
    WithdrawalRefused,
    WithdrawalRequest,
    is_request_no,
)
from orderdesk.domain.money import format_usdt, parse_typed_usdt
from orderdesk.domain.plain_text import plain_line
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import SECONDS_PER_DAY, date_in_china
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.services.merchants.statement import (
    ACCOUNTS,
    KINDS,
    Balances,
    NewestPostings,
    PostingFilter,
    Postings,
    Span,
    StatementLine,
    first_position,
    merchant_balance,
    newest_lines,
    span_lines,
    statement,
)
from orderdesk.services.merchants.withdrawals import (
    Asked,
    WithdrawalPorts,
    add_address,
    cancel_request,
    draw_request_no,
    remove_address,
    request_withdrawal,
)
from orderdesk.services.orders.listing import numbered_order
from orderdesk.services.ports import MAX_LIMIT, Orders, Slice
from orderdesk.web.pages.csv_file import csv_file
from orderdesk.web.pages.frame import Download, Page, SeeOther, Shown
from orderdesk.web.pages.portal.gate import (
    MONEY,
    PORTAL,
    PageNotFound,
    PortalGate,
    PortalScene,
    Routes,
)
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import chosen, read_form
from orderdesk.web.pages.values import china_time, start_of_day

BALANCE = f"{PORTAL}/balance"
PAGE_LENGTH = 20
PAGES_MAX = 50
CSV_LINES_MAX = 5_000
SEARCH_READS_MAX = 10
_CSV_READ = 500
_DAYS = 31
_CSV_VALUES = {0, 3, 4}  # the columns of times and amounts
_PAGE = re.compile(r"[1-9][0-9]?")
_SECOND = re.compile(r"[1-9][0-9]{0,10}")
_SEARCH_FIELDS = ("kind", "order", "since", "until")
# The field of the request's form that a problem is shown at.
_FORM_FIELDS = {
    WithdrawalProblem.BAD_ADDRESS: "address",
    WithdrawalProblem.ADDRESS_KNOWN: "address",
    WithdrawalProblem.BAD_LABEL: "label",
    WithdrawalProblem.UNKNOWN_ADDRESS: "to",
    WithdrawalProblem.ADDRESS_RESTS: "to",
    WithdrawalProblem.BAD_AMOUNT: "amount",
    WithdrawalProblem.BALANCE_TOO_LOW: "amount",
    WithdrawalProblem.BAD_MEMO: "memo",
}


class StatementReads(Postings, NewestPostings, Protocol):
    """Reads the postings of accounts, in both orders."""


@dataclass(frozen=True, slots=True)
class _StatementSearch:
    """What a member searches; `again` are the parameters with which a later part is the same."""

    typed: Mapping[str, str]
    again: Mapping[str, str]
    span: Span
    wanted: PostingFilter


@dataclass(frozen=True, slots=True)
class Statements:
    gate: PortalGate
    balances: Balances
    postings: StatementReads
    orders: Orders

    def view(self, scene: PortalScene) -> Mapping[str, object]:
        """Return the newest postings of an account, or those of a search, each with a balance.

        `csv` is the address of the file of the same lines, by default of the last 31 days.
        `newest`, `older` and `rest` are the addresses of other pages, or None; `rest` are the later
        ones of a search. `is_cut`: older ones are only in the file.
        """
        asked, links = scene.request.query.get("account", ""), scene.links
        account = asked if asked in ACCOUNTS else "available"
        search = self._search(scene)
        typed = search.typed
        view = {
            "account": account,
            "accounts": [(name, links.to("balance", account=name, **typed)) for name in ACCOUNTS],
            "typed": typed,
            "kinds": KINDS,
            "csv": links.to("balance.csv", **typed),
            **dict.fromkeys(("newest", "older", "rest", "is_cut")),
        }
        if not typed:
            return view | self._newest(scene, account)
        reads = iter(range(1, SEARCH_READS_MAX))
        found = self._found(
            scene,
            search,
            account,
            MAX_LIMIT,
            lambda lines: len(lines) < PAGE_LENGTH and next(reads, None) is not None,
        )
        if found.following is not None:
            later = {**typed, "from": str(found.following)}
            view["rest"] = links.to("balance", account=account, **later)
        shown = [(line.entry, line.balance_micro) for line in found.items]
        return view | {"postings": shown, "newest": links.to("balance", account=account)}

    def _newest(self, scene: PortalScene, account: str) -> dict[str, object]:
        links, page = scene.links, min(int(scene.asked("page", _PAGE) or 1), PAGES_MAX)
        read = Account(ACCOUNTS[account], scene.who.merchant_id, Mode.LIVE)
        most = page * PAGE_LENGTH
        lines = newest_lines(self.postings, self.balances, read, most + 1)
        has_more, is_last = len(lines) > most, page == PAGES_MAX
        older = links.to("balance", account=account, page=str(page + 1))
        return {
            "postings": lines[most - PAGE_LENGTH : most],
            "newest": links.to("balance", account=account) if page > 1 else None,
            "older": older if has_more and not is_last else None,
            "is_cut": has_more and is_last,
        }

    def file(self, scene: PortalScene) -> Download:
        """Return the lines of both accounts as a file, or a part whose last line links the next."""
        search, has_time = self._search(scene), self.gate.time_for_a_file()
        found = self._found(
            scene, search, "", _CSV_READ, lambda lines: len(lines) < CSV_LINES_MAX and has_time()
        )
        t = scene.texts.balance
        names = {"available": t.available, "deposit": t.deposit}
        rows = [t.csv_head, *(_row(line, names[line.account], scene) for line in found.items)]
        if found.following is not None:
            path = scene.links.to("balance.csv", **search.again, **{"from": str(found.following)})
            rest = self.gate.rest_of_file(scene, t.csv_rest, found.following, path)
            rows.append((rest, *[""] * (len(rows[0]) - 1)))
        is_whole = found.following is None and "from" not in scene.request.query
        return csv_file("statement.csv" if is_whole else "statement-part.csv", rows, _CSV_VALUES)

    def _found(
        self,
        scene: PortalScene,
        search: _StatementSearch,
        account: str,
        limit: int,
        goes_on: Callable[[Sequence[StatementLine]], bool],
    ) -> Slice[StatementLine, int]:
        ours = self.postings, scene.who.merchant_id, Mode.LIVE, search.span
        return span_lines(
            lambda position: statement(*ours, position, limit=limit, now=scene.now),
            first_position(*ours),
            has=lambda line: account in {"", line.account} and search.wanted.has(line.entry),
            goes_on=goes_on,
        )

    def _search(self, scene: PortalScene) -> _StatementSearch:
        """Return what is searched: by default all of the last 31 days; of an order, all of it."""
        query = scene.request.query
        typed = {name: value for name in _SEARCH_FIELDS if (value := query.get(name, "").strip())}
        until = _day(typed.get("until", "")) or date_in_china(scene.now)
        since = _day(typed.get("since", "")) or until - timedelta(days=_DAYS - 1)
        span = Span(start_of_day(since), start_of_day(until) + SECONDS_PER_DAY - 1)
        again = {"since": since.isoformat(), "until": until.isoformat()} | typed
        number, kind = typed.get("order", ""), typed.get("kind", "")
        if number:
            order = numbered_order(self.orders, scene.who.merchant_id, number)
            has_days = typed.keys() & {"since", "until"}
            span = (span if has_days else Span()).of_order(order, scene.who.merchant_id)
            number, again = "" if order is None else order.order_no, typed
        known = [each for each in KINDS if each.value == kind]
        if kind and not known:
            span = Span(1, 0)
        if (asked := scene.asked("from", _SECOND)) is not None:
            span = Span(max(int(asked), span.start or 0), span.end)
        wanted = PostingFilter(number, known[0] if known else None)
        return _StatementSearch(typed, again, span, wanted)


@dataclass(frozen=True, slots=True)
class BalancePages:
    balances: Balances
    statements: Statements
    withdrawals: WithdrawalPorts

    def routes(self) -> Routes:
        requests, addresses = f"{BALANCE}/requests", f"{BALANCE}/addresses"
        return (
            Route("GET", BALANCE, self.show),
            Route("GET", f"{BALANCE}.csv", self.statements.file, MONEY, limit=PORTAL_FILES),
            Route("POST", requests, self.request, MONEY, fresh=True),
            Route("POST", f"{requests}/{{request_no}}/cancel", self.cancel, MONEY),
            Route("POST", addresses, self.add, MONEY, fresh=True),
            Route("POST", f"{addresses}/remove", self.remove, MONEY, fresh=True),
        )

    def show(
        self,
        scene: PortalScene,
        problem: WithdrawalProblem | None = None,
        typed: Mapping[str, str] | None = None,
    ) -> Page:
        merchant_id, query = scene.who.merchant_id, scene.request.query
        book = self.withdrawals.book.address_book(merchant_id)
        requests, older = self._requests(scene)
        links, t = scene.links, scene.texts.balance
        view = {
            "own": merchant_balance(self.balances, merchant_id, Mode.LIVE),
            "requests": requests,
            "older_requests": older,
            "addresses": book.addresses,
            "usable": [each for each in book.addresses if each.usable_at <= scene.now],
            "networks": tuple(Network),
            "request_no": draw_request_no(self.withdrawals),
            "typed": typed or {},
            "statement": self.statements.view(scene),
            "can_change": scene.may(MONEY),
            "can_export": scene.role in MONEY,
            "said": t.done.get(query.get("said", ""), ""),
            "problem": None if problem is None else t.problems[problem],
            "unfit": _FORM_FIELDS.get(problem) if problem else None,
        }
        return Page("portal/balance.html", view, links.here("balance"), section="balance")

    def request(self, scene: PortalScene) -> Shown:
        """Request a withdrawal, then redirect to the page."""
        form = read_form(scene.request, ("request_no", "to", "amount", "memo"))
        place, memo = _place(form["to"]), plain_line(form["memo"])

        def change() -> None:
            asked = Asked(form["request_no"], *place, _amount(form["amount"]), memo)
            request_withdrawal(self.withdrawals, scene.who.by, asked)

        return self._changed(scene, change, "requested", form)

    def cancel(self, scene: PortalScene) -> Shown:
        """Cancel a withdrawal that no operator has taken up, then redirect to the page."""
        number = scene.request.path_parameters["request_no"]
        change = partial(cancel_request, self.withdrawals, scene.who.by, number)
        return self._changed(scene, change, "cancelled", {})

    def add(self, scene: PortalScene) -> Shown:
        """Add an address, then redirect to the page."""
        form = read_form(scene.request, ("network", "address", "label"))
        added = chosen(form, "network", Network), form["address"], form["label"]
        change = partial(add_address, self.withdrawals, scene.who.by, *added)
        return self._changed(scene, change, "added", form)

    def remove(self, scene: PortalScene) -> Shown:
        """Remove an address, then redirect to the page."""
        place = _place(read_form(scene.request, ("to",))["to"])
        change = partial(remove_address, self.withdrawals, scene.who.by, *place)
        return self._changed(scene, change, "removed", {})

    def _changed(
        self, scene: PortalScene, change: Callable[[], object], said: str, typed: Mapping[str, str]
    ) -> Shown:
        """Make a change and redirect; a refusal shows the page with what was typed."""
        try:
            change()
        except WithdrawalRefused as refused:
            if refused.problem is WithdrawalProblem.UNKNOWN_REQUEST:
                raise PageNotFound from None
            page = self.show(scene, refused.problem, typed)
            return replace(page, status=HTTPStatus.CONFLICT)
        return SeeOther(scene.links.to("balance", said=said))

    def _requests(self, scene: PortalScene) -> tuple[Sequence[WithdrawalRequest], str | None]:
        before = scene.request.query.get("before", "")
        found = self.withdrawals.book.newest(
            scene.who.merchant_id, before if is_request_no(before) else None, PAGE_LENGTH + 1
        )
        last = found[PAGE_LENGTH - 1].request_no if len(found) > PAGE_LENGTH else None
        return found[:PAGE_LENGTH], scene.links.older("balance", last)


def _place(text: str) -> tuple[Network, str]:
    """Return the network and address of a form. Raises: BadForm."""
    network, _, address = text.partition(":")
    return chosen({"network": network}, "network", Network), address


def _amount(text: str) -> int:
    """Parse an amount in USDT. Raises: WithdrawalRefused."""
    try:
        return parse_typed_usdt(text)
    except ValueError:
        raise WithdrawalRefused(WithdrawalProblem.BAD_AMOUNT) from None


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    is_sane = 2000 <= day.year < 2100  # noqa: PLR2004 other years have no postings
    return day if is_sane else None


def _row(line: StatementLine, account: str, scene: PortalScene) -> Sequence[str]:
    entry = line.entry
    return (
        china_time(line.second),
        account,
        scene.texts.balance.kinds[entry.kind],
        format_usdt(entry.amount_micro),
        format_usdt(line.balance_micro),
        entry.order_no,
        entry.memo,
    )
