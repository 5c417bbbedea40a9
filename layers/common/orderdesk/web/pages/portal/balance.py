"""The balance page: balances, withdrawals and the address book, beside the statement."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from orderdesk.domain.merchants.addresses import Network, WithdrawalProblem, WithdrawalRefused
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest, is_request_no
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import parse_typed_usdt
from orderdesk.domain.plain_text import plain_line
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.services.merchants.statement import Balances, merchant_balance
from orderdesk.services.merchants.withdrawals import (
    Asked,
    Requester,
    WithdrawalPorts,
    add_address,
    cancel_request,
    draw_request_no,
    remove_address,
    request_withdrawal,
)
from orderdesk.web.pages.frame import Page, SeeOther, Shown
from orderdesk.web.pages.portal.gate import MONEY, PORTAL, PageNotFound, PortalScene, Routes
from orderdesk.web.pages.portal.statement import Statements
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import BadForm, read_form

BALANCE = f"{PORTAL}/balance"
PAGE_LENGTH = 20
# The field of the request's form that a problem is shown at.
_FIELDS = {
    WithdrawalProblem.BAD_ADDRESS: "address",
    WithdrawalProblem.ADDRESS_KNOWN: "address",
    WithdrawalProblem.BAD_LABEL: "label",
    WithdrawalProblem.UNKNOWN_ADDRESS: "to",
    WithdrawalProblem.ADDRESS_RESTS: "to",
    WithdrawalProblem.BAD_AMOUNT: "amount",
    WithdrawalProblem.BALANCE_TOO_LOW: "amount",
    WithdrawalProblem.BAD_MEMO: "memo",
}


@dataclass(frozen=True, slots=True)
class BalancePages:
    """The ports of the page."""

    balances: Balances
    statements: Statements
    withdrawals: WithdrawalPorts

    def routes(self) -> Routes:
        """Return the routes."""
        requests, addresses = f"{BALANCE}/requests", f"{BALANCE}/addresses"
        return (
            Route("GET", BALANCE, self.show),
            Route("GET", f"{BALANCE}.csv", self.statements.file, MONEY, limit=PORTAL_FILES),
            Route("POST", requests, self.request, MONEY, fresh=True),
            Route("POST", f"{requests}/{{request_no}}/cancel", self.cancel, MONEY),
            Route("POST", addresses, self.add, MONEY, fresh=True),
            Route("POST", f"{addresses}/remove", self.remove, MONEY, fresh=True),
        )

    def show(self, scene: PortalScene) -> Page:
        """Show the page."""
        return self._page(scene)

    def request(self, scene: PortalScene) -> Shown:
        """Request a withdrawal, then redirect to the page."""
        form = read_form(scene.request, ("request_no", "to", "amount", "memo"))
        network, address = _place(form["to"])

        def change() -> None:
            amount = _amount(form["amount"])
            asked = Asked(form["request_no"], network, address, amount, plain_line(form["memo"]))
            request_withdrawal(self.withdrawals, _requester(scene), asked)

        return self._changed(scene, change, "requested", form)

    def cancel(self, scene: PortalScene) -> Shown:
        """Cancel a withdrawal that no operator has taken up, then redirect to the page."""
        number = scene.request.path_parameters["request_no"]

        def change() -> None:
            try:
                cancel_request(self.withdrawals, _requester(scene), number)
            except WithdrawalRefused as refused:
                if refused.problem is WithdrawalProblem.UNKNOWN_REQUEST:
                    raise PageNotFound from None
                raise

        return self._changed(scene, change, "cancelled", {})

    def add(self, scene: PortalScene) -> Shown:
        """Add an address, then redirect to the page."""
        form = read_form(scene.request, ("network", "address", "label"))
        if form["network"] not in set(Network):
            raise BadForm

        def change() -> None:
            network = Network(form["network"])
            by = _requester(scene)
            add_address(self.withdrawals, by, network, form["address"], form["label"])

        return self._changed(scene, change, "added", form)

    def remove(self, scene: PortalScene) -> Shown:
        """Remove an address, then redirect to the page."""
        network, address = _place(read_form(scene.request, ("to",))["to"])

        def change() -> None:
            remove_address(self.withdrawals, _requester(scene), network, address)

        return self._changed(scene, change, "removed", {})

    def _changed(
        self, scene: PortalScene, change: Callable[[], None], said: str, typed: Mapping[str, str]
    ) -> Shown:
        """Make a change and redirect; a refusal shows the page with what was typed."""
        try:
            change()
        except WithdrawalRefused as refused:
            page = self._page(scene, refused.problem, typed)
            return replace(page, status=HTTPStatus.CONFLICT)
        return SeeOther(scene.links.to("balance", said=said))

    def _page(
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
            "unfit": _FIELDS.get(problem) if problem else None,
        }
        return Page("portal/balance.html", view, links.here("balance"), section="balance")

    def _requests(self, scene: PortalScene) -> tuple[Sequence[WithdrawalRequest], str | None]:
        before = scene.request.query.get("before", "")
        found = self.withdrawals.book.newest(
            scene.who.merchant_id, before if is_request_no(before) else None, PAGE_LENGTH + 1
        )
        older = None
        if len(found) > PAGE_LENGTH:
            older = scene.links.to("balance", before=found[PAGE_LENGTH - 1].request_no)
        return found[:PAGE_LENGTH], older


def _requester(scene: PortalScene) -> Requester:
    browser = scene.browser
    return Requester(
        scene.who.merchant_id, scene.who.member.name, browser.source_ip, browser.request_id
    )


def _place(text: str) -> tuple[Network, str]:
    """Return the network and address of a form. Raises: BadForm."""
    network, _, address = text.partition(":")
    if network not in set(Network):
        raise BadForm
    return Network(network), address


def _amount(text: str) -> int:
    """Parse an amount in USDT. Raises: WithdrawalRefused."""
    try:
        return parse_typed_usdt(text)
    except ValueError:
        raise WithdrawalRefused(WithdrawalProblem.BAD_AMOUNT) from None
