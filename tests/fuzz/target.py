"""The functions with stored merchants, orders and drafts, which each request finds unchanged.

The tables are restored before each request. Therefore no request depends on an earlier one, no
limit of attempts is reached, and hypothesis can repeat and shrink an example.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType

import pytest
from moto import mock_aws

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Receipt
from orderdesk.domain.pricing import Mode
from orderdesk.domain.receipts.places import drawings_of
from tests.fuzz.requests import Case, Route, every_route
from tests.fuzz.rules import CPU_MS_MAX, broken_rules
from tests.fuzz.watch import Seen, Watch
from tests.support import engine
from tests.support.identities import identity
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import ALL_METHODS, Seed
from tests.support.trader import TraderVisit
from tests.support.world import ENVIRONMENT, World

_LINK = re.compile(r".*/([BD][0-9]{24})/([^/]+)")
_PLENTY_MICRO = 10**15
_LONG_AGO_SECONDS = 3_000
# A request that took too long is measured again; the shortest time counts.
_MEASURED_AGAIN = 2
_SETTINGS = ENVIRONMENT | {
    "LOG_LEVEL": "DEBUG",
    "CACHE_SECONDS": "86400",
    "PAY_WINDOW_SECONDS": "86400",
    "ALLOW_LOCAL_TARGETS": "true",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A page's number and token."""

    number: str
    token: str = field(repr=False)

    @classmethod
    def of(cls, url: str) -> "Link":
        """Parse a page's address."""
        match = _LINK.fullmatch(url)
        assert match is not None, url
        return cls(match[1], match[2])


@dataclass(slots=True)
class Stock:
    """The stored data that a request can name."""

    merchants: list[MerchantClient]
    test_key: MerchantClient
    visit: TraderVisit
    numbers: dict[str, list[str]]
    at_the_desk: list[str]
    with_receipt: str
    pay_links: list[Link]
    identity_links: list[Link]
    upload_keys: list[str]

    @property
    def secrets(self) -> set[str]:
        """The values that no log line may contain, whether the request contains them or not."""
        visit = self.visit
        links = {link.token for link in (*self.pay_links, *self.identity_links)}
        keys = {
            secret
            for client in (*self.merchants, self.test_key)
            for secret in (client.api_key, client.api_secret)
        }
        return {*links, *keys, visit.code, visit.cookie or ""} - {""}


def stocked(seed: Seed) -> Stock:
    """Add merchants, a logged-in trader, and orders and drafts of most statuses."""
    seed.clear_rotation()
    merchant, client = seed.add_merchant()
    merchant, test_key = seed.add_test_key(merchant)
    for mode in Mode:
        seed.fund(merchant, _PLENTY_MICRO, mode)
    visit = TraderVisit.of_new_trader(seed)
    seed.add_trader(mode=Mode.TEST, methods=ALL_METHODS)
    buys = _buys(seed, client, visit)
    sells = _sells(seed, client)
    agreeing, drafts = _drafts(seed)
    pay_links = [Link.of(reply.data["pay_url"]) for reply in buys]
    identity_links = [Link.of(reply.data["identity_url"]) for reply in drafts]
    assigned = sells[0].data["order_no"]
    return Stock(
        merchants=[client, agreeing],
        test_key=test_key,
        visit=visit,
        numbers={
            "order_no": [reply.data["order_no"] for reply in (*buys, *sells)],
            "merchant_order_no": ["fuzz-buy-0", "fuzz-sell-0", "fuzz-draft-0", "fuzz-draft-1"],
            "pending_no": [link.number for link in identity_links],
        },
        at_the_desk=[*(link.number for link in pay_links), assigned],
        with_receipt=buys[2].data["order_no"],
        pay_links=pay_links,
        identity_links=identity_links,
        upload_keys=[
            f"uploads/{pay_links[0].number}/payer/1",
            visit.upload_fields(assigned).get("key", f"uploads/{assigned}/nobody/1"),
        ],
    )


def _buys(seed: Seed, client: MerchantClient, visit: TraderVisit) -> list[Reply]:
    """Create buys: two pending, then paid, disputed, completed and cancelled."""
    made = [client.create(buy(merchant_order_no=f"fuzz-buy-{number}")) for number in range(6)]
    for reply in (made[2], made[3], made[4]):
        seed.report_paid(reply.data["order_no"], seconds_ago=_LONG_AGO_SECONDS)
    paid = visit.order(made[2].data["order_no"])
    receipt = Receipt(f"rendered/{paid.order_no}/payer/1/0", "image/png", 1, paid.createtime)
    seed.put(seed.tables.orders, order_item(replace(paid, receipts=(receipt,))))
    assert client.dispute(made[3]).code == 1
    assert visit.move(made[4].data["order_no"], "confirm") == 303
    assert client.cancel(made[5]).code == 1
    return made


def _sells(seed: Seed, client: MerchantClient) -> list[Reply]:
    """Create sells: assigned (in process), matching and cancelled."""
    assigned = client.create(sell(merchant_order_no="fuzz-sell-0"))
    seed.assign_sells()
    waiting, cancelled = (client.create(sell(merchant_order_no=f"fuzz-sell-{n}")) for n in (1, 2))
    assert client.cancel(cancelled).code == 1
    return [assigned, waiting, cancelled]


def _drafts(seed: Seed) -> tuple[MerchantClient, list[Reply]]:
    """Create two drafts of a merchant with an identity agreement; one has expired."""
    merchant, client = seed.add_merchant(identity_required=True)
    seed.fund(merchant, _PLENTY_MICRO)
    drafts = [client.create(buy(merchant_order_no=f"fuzz-draft-{number}")) for number in range(2)]
    seed.age_draft(drafts[1].data["pending_no"], "fuzz-draft-1", seconds=10_000)
    return client, drafts


class Target:
    """The functions in this process, with stored data."""

    def __init__(self, world: World, watch: Watch) -> None:
        self.world, self._watch = world, watch
        self.routes = every_route()
        for name in sorted({route.function for route in self.routes}):
            world.cold_start(name)
        world.cold_start("render_receipt")
        self.stock = stocked(world)
        self._tables = engine.snapshot()
        self.secrets = frozenset(self.stock.secrets | {*identity().values()})

    def live_items(self) -> list[Item]:
        """Return the stored orders and drafts, which are live, and the live accounts."""
        numbers = {*self.stock.numbers["order_no"], *self.stock.numbers["pending_no"]}
        orders = self.world.items(self.world.tables.orders)
        accounts = self.world.items(self.world.tables.ledger)
        return [row for row in orders if row["pk"] in numbers] + [
            row for row in accounts if Mode.LIVE in str(row["pk"]).split(":")
        ]

    def routes_of(self, *functions: str) -> list[Route]:
        """Return the routes of some functions."""
        return [route for route in self.routes if route.function in functions]

    def signed_routes(self) -> list[Route]:
        """Return the routes of the merchant API."""
        return [route for route in self.routes if route.is_signed]

    def send(self, case: Case) -> Seen:
        """Run a request on the original data."""
        if self._watch.has_written:
            engine.restore(self._tables)
            self._watch.has_written = False
        return self._watch.run(self._function(case).handler, case.event())

    def draw(self, content: bytes) -> Seen:
        """Run the function that draws receipts with an uploaded file."""
        key = self.stock.upload_keys[0]
        self.world.upload(key, content)
        # Otherwise the eleventh file of an order is refused.
        counted = to_item({"pk": Key.drawings(drawings_of(key))})
        self.world.client.delete_item(TableName=self.world.tables.guards, Key=counted)
        return self._watch.run(
            self.world.modules["render_receipt"].handler, {"upload": key, "merchant_id": "m1"}
        )

    def check(self, case: Case) -> Seen:
        """Run a request and check every rule. Raises: AssertionError."""
        seen = self.send(case)
        for _ in range(_MEASURED_AGAIN):
            if seen.cpu_ms <= CPU_MS_MAX:
                break
            again = self.send(case)
            seen.cpu_ms = min(seen.cpu_ms, again.cpu_ms)
        broken = list(broken_rules(case, seen))
        assert not broken, "\n".join([*broken, repr(case)])
        return seen

    def _function(self, case: Case) -> ModuleType:
        return self.world.modules[case.route.function]


@contextmanager
def open_target() -> Iterator[Target]:
    """Create a target in this process; the functions log at DEBUG."""
    watch = Watch()
    with pytest.MonkeyPatch.context() as patch, mock_aws(), engine.running(), watch.listening():
        for name, value in _SETTINGS.items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        patch.setenv("SECRETS_KEY_ARN", "set by the world")
        with watch.printing():
            target = Target(World(), watch)
        yield target
