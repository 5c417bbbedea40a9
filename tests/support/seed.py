"""Writes to the tables of a stack, in this process or deployed, and reads from them."""

import secrets as random_secrets
import time
from dataclasses import fields, replace
from typing import Any

from botocore.session import Session

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.keys import AMOUNT_KIND, Key, TableNames
from orderdesk.adapters.dynamodb.ledger import credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item, value_of
from orderdesk.adapters.dynamodb.merchants import merchant_item, rate_attribute
from orderdesk.adapters.dynamodb.traders.amounts import record_of
from orderdesk.adapters.dynamodb.traders.items import RotationIndex, trader_item, trader_of
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.domain.accounts import Account, AccountKind, TransferKind, decided_transfer
from orderdesk.domain.merchants.merchant import (
    ApiSecrets,
    Merchant,
    MerchantKey,
    MerchantSecrets,
    MerchantStatus,
    MerchantTerms,
    Scope,
    make_api_key,
)
from orderdesk.domain.merchants.terms import with_limits_epoch
from orderdesk.domain.orders.amounts import AmountRecord
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import BaseRate, FeePolicy, Mode, OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader, TraderCounts, TraderTerms
from tests.support.merchant_client import MerchantClient, Send
from tests.support.visitors import Transport

CALLBACK_SECRET = "whsec_" + "A" * 32
WORKED_FEES = FeePolicy(service_bps=60, deposit_bps=100)

BANK_METHOD = PaymentMethod(
    method_type=MethodType.BANK,
    real_name="交易员甲",
    bank="测试银行",
    sub_bank="测试支行",
    card_number="6200000000000001234",
)
WECHAT_METHOD = PaymentMethod(
    method_type=MethodType.WECHAT,
    real_name="交易员甲",
    account="trader-one",
    qr_code="wxp://f2f0-trader-one",
)
ALIPAY_METHOD = replace(WECHAT_METHOD, method_type=MethodType.ALIPAY)
ALL_METHODS = (BANK_METHOD, WECHAT_METHOD, ALIPAY_METHOD)

# Wide enough for tests with many orders, but still one counter.
WIDE_BUYS, WIDE_CNY_FEN = 10_000, 19_000_000_00
# Wide enough that sells use every balance shard.
WIDE_SELLS, WIDE_SELL_CNY_FEN = 100_000, 10_000_000_000_00


def a_merchant(merchant_id: str, /, **changes: Any) -> Merchant:
    """Return an active merchant with the fees of the contract's example; `changes` may be terms."""
    merchant = Merchant(
        merchant_id=merchant_id,
        name="a merchant",
        api_key=make_api_key(merchant_id, Mode.LIVE, "0123456789abcdef"),
        status=MerchantStatus.ACTIVE,
        created_at=0,
        sealed_secrets=b"-",
        sealed_callback_secrets=b"-",
        terms=MerchantTerms(fees=WORKED_FEES),
    )
    return with_changes(merchant, **changes)


def with_changes[T: Draft | Merchant | Order | OrderRequest | Trader](of: T, **changes: Any) -> T:
    """Return a dataclass with changed fields, its own or of its parts."""
    for name, value in changes.items():
        part = next((f.name for f in fields(of) if name in getattr(f.type, "__slots__", ())), "")
        changed = replace(getattr(of, part), **{name: value}) if part else value
        of = replace(of, **{part or name: changed})
    return of


def a_trader(trader_id: str, /, **changes: Any) -> Trader:
    """Return a live trader with a bank card, online, with 1,000,000 USDT."""
    trader = Trader(
        trader_id=trader_id,
        name="a trader",
        mode=Mode.LIVE,
        online=True,
        suspended=False,
        terms=TraderTerms(
            min_cny_fen=1_00, max_cny_fen=1_000_000_00, max_open=None, daily_cap_fen=None
        ),
        methods=(BANK_METHOD,),
        counts=TraderCounts(available_micro=1_000_000_000_000),
    )
    return with_changes(trader, **changes)


class Seed:
    """Writes merchants, traders, rates and balances directly, and reads items."""

    def __init__(self, session: Session, tables: TableNames, secrets_key: str) -> None:
        self.client = self.dynamodb = dynamodb_client(session)
        self.tables = tables
        self.kms = KmsSecrets(session, secrets_key)

    @property
    def endpoints(self) -> EndpointStore:
        return EndpointStore(self.client, self.tables.callbacks, retention_days=90)

    def new_name(self) -> str:
        return random_secrets.token_hex(6)

    def send(self, source_ip: str) -> Send:
        """Return a function that posts a merchant's calls from this address."""
        raise NotImplementedError

    def transport(self) -> Transport:
        raise NotImplementedError

    def assign_sells(self) -> None:
        raise NotImplementedError

    def set_rates(self, *, buy_e4: int, sell_e4: int, set_at: int | None = None) -> None:
        now = int(time.time()) if set_at is None else set_at
        rates = {
            OrderType.BUY: BaseRate(buy_e4, "test", now),
            OrderType.SELL: BaseRate(sell_e4, "test", now),
        }
        row: Item = {"pk": Key.RATES}
        row |= {rate_attribute(side): value_of(rate) for side, rate in rates.items()}
        self.put(self.tables.merchants, row)

    def add_merchant(self, **changes: Any) -> tuple[Merchant, MerchantClient]:
        """Add a merchant with the fees of the contract's example; return it and its client."""
        merchant_id = f"m{self.new_name()}"
        secrets = MerchantSecrets(("sk_" + merchant_id,), link_secret=b"k" * 32)
        usual: dict[str, Any] = {
            "sealed_secrets": self.kms.seal(merchant_id, secrets),
            "sealed_callback_secrets": self.kms.seal_callback(merchant_id, (CALLBACK_SECRET,)),
            "max_open_buys": WIDE_BUYS,
            "max_open_cny_fen": WIDE_CNY_FEN,
            "max_open_sells": WIDE_SELLS,
            "max_open_sell_cny_fen": WIDE_SELL_CNY_FEN,
            "max_rps": 1_000,
        }
        merchant = a_merchant(merchant_id, **usual | changes)
        self.put(self.tables.merchants, merchant_item(merchant))
        return merchant, self.client_of(merchant, secrets.api_secrets[0])

    def add_test_key(self, merchant: Merchant) -> tuple[Merchant, MerchantClient]:
        """Add a test key to a merchant; return the merchant and the client of this key."""
        merchant_id = merchant.merchant_id
        secret = "sk_test_" + merchant_id
        changed = self.change_merchant(
            merchant,
            test_api_key=make_api_key(merchant_id, Mode.TEST, "0123456789abcdef"),
            sealed_test_secrets=self.kms.seal_key(merchant_id, Mode.TEST, ApiSecrets((secret,))),
        )
        client = self.client_of(merchant, secret)
        return changed, replace(client, api_key=changed.test_api_key)

    def add_scoped_key(
        self, merchant: Merchant, scope: Scope, mode: Mode = Mode.LIVE
    ) -> tuple[Merchant, MerchantClient]:
        """Add a further key to a merchant; return the merchant and the client of this key."""
        merchant_id, chance = merchant.merchant_id, f"{scope.value}{len(merchant.more_keys)}"
        secret = f"sk_{chance}_{merchant_id}"
        key = MerchantKey(
            make_api_key(merchant_id, mode, chance),
            mode,
            scope,
            self.kms.seal_key(merchant_id, mode, ApiSecrets((secret,))),
        )
        changed = self.change_merchant(merchant, more_keys=(*merchant.more_keys, key))
        return changed, replace(self.client_of(merchant, secret), api_key=key.api_key)

    def change_merchant(self, merchant: Merchant, **changes: Any) -> Merchant:
        changed = with_changes(merchant, **changes)
        terms = with_limits_epoch(merchant.terms, changed.terms)
        changed = replace(changed, terms=terms)
        self.put(self.tables.merchants, merchant_item(changed))
        return changed

    def client_of(
        self, merchant: Merchant, secret: str, source_ip: str = "198.51.100.7"
    ) -> MerchantClient:
        return MerchantClient(self.send(source_ip), merchant.api_key, secret)

    def add_trader(self, **changes: Any) -> Trader:
        name = self.new_name()
        trader = a_trader(f"t{name}", **{"name": f"trader {name}"} | changes)
        self.put_trader(trader)
        return trader

    def put_trader(self, trader: Trader) -> None:
        sums: Item = {"a0": trader.counts.available_micro, "h0": trader.counts.held_micro}
        self.put(self.tables.traders, trader_item(trader, shard=0) | sums)

    def only_trader(self, **changes: Any) -> Trader:
        """Remove all traders from the rotation and add one."""
        self.clear_rotation()
        return self.add_trader(**changes)

    def clear_rotation(self) -> None:
        """Set every trader offline, which removes it from the rotation."""
        for mode in Mode:
            for page in RotationIndex(self.client, self.tables.traders, shards=1).pages(mode):
                for trader in page:
                    self.client.update_item(
                        TableName=self.tables.traders,
                        Key=to_item({"trader_id": trader.trader_id}),
                        UpdateExpression="REMOVE rotation_key SET #online = :no",
                        ExpressionAttributeNames={"#online": "online"},
                        ExpressionAttributeValues=to_item({":no": False}),
                    )

    def trader(self, trader_id: str) -> Trader:
        return trader_of(self.get(self.tables.traders, {"trader_id": trader_id}) or {})

    def amounts(self, trader_id: str) -> dict[str, AmountRecord]:
        """Return the records of a trader's amounts by method and fen, `bank:100000`."""
        rows = self.items(self.tables.traders, AMOUNT_KIND)
        records = {str(row["trader_id"]): record_of(row) for row in rows}
        return {
            key.partition("#")[2].replace("#", ":"): record
            for key, record in records.items()
            if key.startswith(f"{trader_id}#")
        }

    def open_amounts(self, trader_id: str) -> set[str]:
        """Return the amounts of a trader's open buys, `bank:100000`."""
        return {name for name, record in self.amounts(trader_id).items() if record.open_orders}

    def fund(self, merchant: Merchant, micro: int, mode: Mode = Mode.LIVE) -> None:
        """Set a merchant's balance, without postings."""
        account = Account(AccountKind.MERCHANT, merchant.merchant_id, mode)
        row: Item = {"pk": account.key, "sk": Key.BALANCE}
        more = frozenset(str(number) for number in range(1, merchant.terms.balance_shards))
        money: Item = {
            "available_micro": micro,
            "held_micro": 0,
            "a0": micro,
            "shards": more or None,
        }
        self.put(self.tables.ledger, row | money)

    def balance(self, merchant: Merchant, mode: Mode = Mode.LIVE) -> tuple[int, int]:
        """Return a merchant's available and held micro-USDT."""
        account = Account(AccountKind.MERCHANT, merchant.merchant_id, mode)
        rows = self.shards(account)
        return sum(available for available, _ in rows), sum(held for _, held in rows)

    def shards(self, account: Account) -> list[tuple[int, int]]:
        """Return the available and held micro-USDT of each shard of an account."""
        rows: list[Any] = [self._balance_item(account.key)]
        head = f"{account.kind.value}:{account.owner}"
        rows += [
            self._balance_item(f"{head}#{number}:{account.mode.value}")
            for number in range(1, 1 + len(rows[0].get("shards", ())))
        ]
        return [(row.get("available_micro", 0), row.get("held_micro", 0)) for row in rows]

    def _balance_item(self, key: str) -> Item:
        return self.get(self.tables.ledger, {"pk": key, "sk": Key.BALANCE}) or {}

    def age_draft(self, pending_no: str, merchant_order_no: str, *, seconds: int) -> None:
        draft: Any = self.get(self.tables.orders, {"pk": pending_no})
        self.age_order(pending_no, seconds=seconds)
        self.age_order(Key.number(draft["merchant_id"], merchant_order_no), seconds=seconds)

    def age_order(self, key: str, *, seconds: int) -> None:
        """Move the end of an order, a draft or a reservation to so many seconds earlier."""
        item: Any = self.get(self.tables.orders, {"pk": key})
        self.put(self.tables.orders, {**item, "expire_time": item["expire_time"] - seconds})

    def report_paid(self, order_no: str, *, seconds_ago: int = 0) -> None:
        order: Any = self.get(self.tables.orders, {"pk": order_no})
        entry: Item = {"status": "paid", "time": int(time.time()) - seconds_ago, "by": "payer"}
        moved: Item = {"status": "paid", "timeline": [*order["timeline"], entry]}
        on_desk = {"desk_key": Key.desk(order["trader_id"], DeskList.TRADER)}
        self.put(self.tables.orders, {**order, **moved, **on_desk})

    def put(self, table: str, item: Item) -> None:
        self.client.put_item(TableName=table, Item=to_item(item))

    def get(self, table: str, key: Item) -> Item | None:
        item = self.client.get_item(TableName=table, Key=to_item(key)).get("Item")
        return None if item is None else from_item(item)

    def items(self, table: str, kind: str | None = None) -> list[Item]:
        """Scan a table; return all items, or those of a kind."""
        pages = self.client.get_paginator("scan").paginate(TableName=table)
        rows = [from_item(item) for page in pages for item in page["Items"]]
        return [row for row in rows if kind is None or row.get("kind") == kind]


def post_funding(
    seed: Seed, merchant: Merchant, micro: int, mode: Mode = Mode.LIVE, *, at_us: int | None = None
) -> None:
    """Post a funding of a merchant with its balances, as an operator does."""
    transfer = decided_transfer(
        TransferKind.FUNDING,
        Account(AccountKind.MERCHANT, merchant.merchant_id, mode),
        micro,
        transfer_id=random_secrets.token_hex(8),
        at_us=time.time_ns() // 1000 if at_us is None else at_us,
        memo="test",
    )
    balances = [
        credit_write(seed.tables.ledger, posting, transfer.at_us // US_PER_SECOND)
        for posting in transfer.postings
    ]
    writes = [*balances, *posting_writes(seed.tables.ledger, transfer)]
    transact(seed.client, writes, random_secrets.token_hex(16))
