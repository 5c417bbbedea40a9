"""Rows of the tables' items for seals; scans of all balances, and of a restored ledger.

An item that cannot be read becomes a row of its own, so that it never ends the check.
"""

from collections.abc import Mapping
from itertools import batched
from typing import Any, cast

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk.adapters.dynamodb.audit import audit_entry_of
from orderdesk.adapters.dynamodb.client import (
    KEYS_MAX,
    DynamoDB,
    TablesStore,
    TableStore,
    scan_pages,
    unparsed_items,
)
from orderdesk.adapters.dynamodb.keys import AMOUNT_KIND, LIST_SHARDS, Key, Prefix
from orderdesk.adapters.dynamodb.ledger import listed_in
from orderdesk.adapters.dynamodb.marshal import UNREADABLE, WireItem, from_item, to_item
from orderdesk.adapters.dynamodb.merchants import merchant_of, rates_of
from orderdesk.adapters.dynamodb.operator.typed import Malformed, number, problem_of, strictly, text
from orderdesk.adapters.dynamodb.orders.items import draft_of, order_of
from orderdesk.adapters.dynamodb.orders.reads import notes_of, reservation_of
from orderdesk.adapters.dynamodb.proposals import proposal_of
from orderdesk.adapters.dynamodb.teams import team_of
from orderdesk.adapters.dynamodb.traders.amounts import record_of
from orderdesk.adapters.dynamodb.traders.items import slots_of, trader_of
from orderdesk.adapters.dynamodb.withdrawals import book_of, request_of
from orderdesk.adapters.sending import CLIENT_CONFIG, call, error_code
from orderdesk.domain.accounts import Account, AccountKind, Balance, TransferKind
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.rows import (
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    RequestPlaceRow,
    Source,
    TraderRow,
    account_of,
    shard_of,
)
from orderdesk.domain.merchants.withdrawals import REQUEST_ACTION
from orderdesk.domain.money import parse_usdt
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import MONEY_COMMANDS, Proposal
from orderdesk.services.operator.actions import APPROVE
from orderdesk.services.operator.ledger import CONNECTIONS_MAX, Pages, RestoredPage, RestoredPlace
from orderdesk.services.ports import Slice

# Reads can be retried safely, so botocore retries them. It retries often, because a table throttles
# parallel scans first.
SCAN_CONFIG = CLIENT_CONFIG.merge(
    Config(
        max_pool_connections=CONNECTIONS_MAX,
        read_timeout=10,
        retries={"total_max_attempts": 8, "mode": "standard"},
    )
)
_KEYS = {
    Source.LEDGER: ("pk", "sk"),
    Source.TRADERS: ("trader_id",),
    Source.ORDERS: ("pk",),
    Source.AUDIT: ("pk", "sk"),
    Source.MERCHANTS: ("pk",),
}
_BALANCES = {
    "FilterExpression": "sk = :balance",
    "ExpressionAttributeValues": to_item({":balance": Key.BALANCE}),
}


def scan_client(session: Session) -> DynamoDB:
    """Create a client for scans; it is thread-safe."""
    unparsed_items(session)
    return cast("DynamoDB", session.create_client("dynamodb", config=SCAN_CONFIG))


class DynamoLedgerScan(TablesStore):
    """Scan balances; each page is read consistently at its own time."""

    def balances(self, index: int, of: int) -> Pages:
        return self.rows(Source.LEDGER, index, of, _BALANCES)

    def traders(self, index: int, of: int) -> Pages:
        return self.rows(Source.TRADERS, index, of)

    def rows(
        self, source: Source, index: int, of: int, scan: Mapping[str, Any] | None = None
    ) -> Pages:
        part = {"Segment": index, "TotalSegments": of, "ConsistentRead": True}
        table = getattr(self._tables, source.value)
        for page in scan_pages(self._client, {"TableName": table, **part, **(scan or {})}):
            rows = (checked_row(source, item) for item in page)
            yield [row for row in rows if row is not None]


class RestoredLedger(TableStore):
    """The postings of a restored table. The role may read tables with this prefix only."""

    def __init__(self, client: DynamoDB, table: str, restored: str) -> None:
        super().__init__(client, table)
        if not restored.startswith(f"{table}-restored-"):
            raise UnknownId("restored table", restored)
        self._restored = restored

    def page(self, start: RestoredPlace | None) -> RestoredPage:
        scan: dict[str, Any] = {"TableName": self._restored, "ConsistentRead": True}
        if start is not None:
            pk, sk = start
            scan["ExclusiveStartKey"] = to_item({"pk": pk, "sk": sk})
        try:
            answer = call(lambda: self._client.scan(**scan))
        except ClientError as error:
            if error_code(error) == "ResourceNotFoundException":
                raise UnknownId("restored table", self._restored) from None
            raise
        then = [item for item in answer["Items"] if item["sk"]["S"].startswith(Prefix.POSTING)]
        keys = [from_item({name: item[name] for name in ("pk", "sk")}) for item in then]
        now = [
            item
            for some in batched(keys, KEYS_MAX, strict=False)
            for item in self._get_items(self._table, some)
        ]
        pairs = [
            (
                checked_row(Source.LEDGER, old),
                checked_row(Source.LEDGER, to_item(new)) if new else None,
            )
            for old, new in zip(then, now, strict=True)
        ]
        last: Any = answer.get("LastEvaluatedKey")
        return Slice(pairs, None if last is None else (last["pk"]["S"], last["sk"]["S"]))


def checked_row(source: Source, item: WireItem) -> LedgerRow | None:
    """Return the row of a wire item; None if it has no money and nothing is wrong with it.

    Each field of a row has its type, so what the check counts with never stops it.
    """
    try:
        row = _row(source, item)
        # Orders, postings and proposals were read strictly.
        is_strict = row is None or isinstance(row, Order | PostingRow | Proposal)
        return row if is_strict else strictly(row)
    except UNREADABLE as error:
        return malformed_row(source, item, error)


def malformed_row(source: Source, item: WireItem, error: Exception) -> MalformedRow:
    key = " ".join(next(iter(item[name].values())) for name in _KEYS[source])
    return MalformedRow(source.value, key, problem_of(error))


def _row(source: Source, item: WireItem) -> LedgerRow | None:
    match source:
        case Source.LEDGER:
            return _ledger_row(item)
        case Source.TRADERS:
            return _trader_row(from_item(item))
        case Source.ORDERS:
            return _order_row(from_item(item))
        case Source.AUDIT:
            return _entry_row(from_item(item))
        case Source.MERCHANTS:
            _check_merchant(from_item(item))
            return None


def _ledger_row(item: WireItem) -> LedgerRow | None:
    sort_key = text(item, "sk")
    if sort_key.startswith(Prefix.POSTING):
        return _posting(item, sort_key)
    if sort_key == Key.BALANCE:
        for name in ("available_micro", "held_micro"):
            number(item, name)
        return balance_row_of(from_item(item))
    partition = text(item, "pk")
    if partition == Key.PROPOSALS:
        return _money_proposal(from_item(item))
    if partition.startswith(Prefix.REQUESTS):
        return request_of(from_item(item))
    if partition in {Key.OPEN_REQUESTS, Key.ENDED_REQUESTS}:
        is_open = partition == Key.OPEN_REQUESTS
        return RequestPlaceRow(sort_key, text(item, "merchant_id"), is_open)
    if partition.startswith(Prefix.ADDRESSES):
        strictly(book_of(partition.removeprefix(Prefix.ADDRESSES), from_item(item)))
    elif partition not in {Key.SEALS, Key.PAYOUTS} and not partition.startswith(Prefix.CHECKPOINTS):
        raise Malformed("unknown kind of item")
    return None


def _posting(item: WireItem, sort_key: str) -> PostingRow:
    row = PostingRow(
        text(item, "pk"),
        text(item, "transfer_id"),
        number(item, "amount_micro"),
        text(item, "kind"),
        text(item, "order_no") if "order_no" in item else "",
        number(item, "at_us"),
    )
    if row.kind not in _TRANSFER_KINDS:
        raise Malformed("unknown kind")
    is_spread = row.kind == TransferKind.SPREAD.value
    if sort_key != Key.posting(row.at_us, row.transfer_id, is_spread=is_spread):
        raise Malformed("its key has another time or transfer_id")
    if account_of(row.account_key) is None:
        raise Malformed("its key is not of an account")
    return row


_TRANSFER_KINDS = frozenset(kind.value for kind in TransferKind)


def _money_proposal(item: Mapping[str, Any]) -> Proposal | None:
    """Return a proposal that is about money."""
    proposal = strictly(proposal_of(item))
    if proposal.kind is None:
        return None
    if proposal.plan.money is None:
        raise Malformed("no account")
    return proposal


def balance_row_of(row: Mapping[str, Any]) -> BalanceRow:
    """Return the balance of one shard of an account."""
    account_key, shard = shard_of(row["pk"])
    counted = row.get("open_sells", 0), row.get("open_sell_fen", 0)
    return BalanceRow(account_key, _balance_of(row), shard, listed_in(row), *counted)


def trader_row_of(row: Mapping[str, Any]) -> TraderRow:
    """Return a trader's balance and counts of open orders."""
    account = Account(AccountKind.TRADER, row["trader_id"], Mode(row["mode"]))
    return TraderRow(
        account, _balance_of(row), row.get("open_orders", 0), tuple(slots_of(row).items())
    )


def _trader_row(row: Mapping[str, Any]) -> TraderRow | AmountRow | None:
    if row["trader_id"].startswith(Prefix.NAME):
        _check_name(row)
        return None
    if row.get("kind") == AMOUNT_KIND:
        trader_id, _, _ = row["trader_id"].partition("#")
        account = Account(AccountKind.TRADER, trader_id, Mode(row["mode"]))
        return AmountRow(account, strictly(record_of(row)).open_orders)
    strictly(trader_of(row))
    return trader_row_of(row)


def _balance_of(row: Mapping[str, Any]) -> Balance:
    """Return a balance whose types `strictly` checks, so that it names a wrong attribute."""
    return Balance(row.get("available_micro", 0), row.get("held_micro", 0))


def _order_row(row: Mapping[str, Any]) -> LedgerRow | None:
    match row["kind"]:
        case "order":
            return _order(row)
        case "open_buys":
            return OpenBuysRow(row["pk"], row["open_buys"], row["open_fen"])
        case "draft":
            strictly(draft_of(row))
        case "notes":
            for note in notes_of(dict(row)):
                strictly(note)
        case "reservation":
            strictly(reservation_of(row))
        case "ending":
            pass  # finds an order by its number's ending, and has nothing to prove
        case _:
            raise Malformed("unknown kind")
    return None


def _order(row: Mapping[str, Any]) -> Order:
    order = strictly(order_of(row))
    if order.order_no != row["pk"]:
        raise Malformed("order_no is not its key")
    if row["list_key"] != Key.merchants_orders(order.merchant_id, order.order_id % LIST_SHARDS):
        raise Malformed("list_key is of another merchant or order_id")
    if order.status.is_open and order.order_type is OrderType.BUY and order.trader_id is None:
        raise Malformed("no trader_id")
    return order


def _entry_row(item: Mapping[str, Any]) -> DecisionRow | EntryRow | None:
    entry = strictly(audit_entry_of(item))
    is_approval = entry.action == APPROVE
    command = entry.details.get("command") if is_approval else entry.action
    if item["pk"].startswith(Prefix.PORTAL_AUDIT):
        return _portal_entry_row(entry)
    if not item["pk"].startswith(Prefix.AUDIT) or command not in MONEY_COMMANDS:
        return None
    if entry.proposal_no:
        return DecisionRow(
            entry.proposal_no,
            is_approval,
            entry.who,
            entry.details["account"],
            parse_usdt(entry.details["amount_usdt"]),
        )
    return EntryRow(
        audit_id=entry.audit_id,
        at_us=entry.at_us,
        account_key=entry.details["account"],
        amount_micro=parse_usdt(entry.details["amount_usdt"]),
        kind=MONEY_COMMANDS[entry.action],
        is_alone=entry.alone,
        request_no=entry.details.get("request_no", ""),
    )


def _portal_entry_row(entry: AuditEntry) -> DecisionRow | None:
    """Return the entry of a withdrawal request; the others of a merchant's team have no money."""
    if entry.action != REQUEST_ACTION:
        return None
    details = entry.details
    amount = parse_usdt(details["amount_usdt"])
    return DecisionRow(details["request_no"], False, entry.who, details["account"], amount)


def _check_merchant(row: Mapping[str, Any]) -> None:
    if row["pk"] == Key.RATES:
        for rate in rates_of(row).values():
            strictly(rate)
    elif row["pk"].startswith(Prefix.TEAM):
        strictly(team_of(row))
    elif row["pk"].startswith(Prefix.NAME):
        _check_name(row)
    else:
        strictly(merchant_of(row))


def _check_name(row: Mapping[str, Any]) -> None:
    if not isinstance(row.get("owners", frozenset()), frozenset):
        raise Malformed("wrong type of owners")
