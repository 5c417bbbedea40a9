"""Merchants and base rates: items of the Merchants table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored, Value
from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
from orderdesk.domain.pricing import FEE_TERMS, BaseRate, FeePolicy, OrderType

if TYPE_CHECKING:
    from orderdesk.domain.orders.blocks import Block

# The places of a block's hash and end in its attribute.
_DIGEST, _UNTIL = 2, 7

_FEES = Stored(FeePolicy, later=" ".join(FEE_TERMS))
_LATER = " ".join(name for name in MerchantTerms.__slots__ if name != "allowed_cidrs")
_TERMS = Stored(MerchantTerms, beside="fees", later=_LATER)
_MERCHANT = Stored(
    Merchant, beside="terms", usual="test_api_key sealed_test_secrets addresses more_keys approved"
)


def merchant_item(merchant: Merchant) -> Item:
    """Return the merchant's DynamoDB item; its terms are attributes of their own."""
    return {
        "pk": Key.merchant(merchant.merchant_id),
        **_MERCHANT.item(merchant),
        **_TERMS.item(merchant.terms),
        **_FEES.item(merchant.terms.fees),
    }


def merchant_of(row: Mapping[str, Any]) -> Merchant:
    """Return the merchant of a row."""
    return _MERCHANT.of(row, terms=_TERMS.of(row, fees=_FEES.of(row)))


def rate_attribute(side: OrderType) -> str:
    """Return the attribute name of a side's rate in the `rates` item."""
    return side.name.lower()


def rates_of(item: Mapping[str, Value]) -> dict[OrderType, BaseRate]:
    """Return the base rates in an item."""
    rates = {}
    for side in OrderType:
        row = cast("Mapping[str, Any] | None", item.get(rate_attribute(side)))
        if row is not None:
            rates[side] = BaseRate(**row)
    return rates


class MerchantStore(TableStore):
    """Read the Merchants table."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        return self._find(self._table, {"pk": Key.merchant(merchant_id)}, merchant_of)

    def rates(self) -> dict[OrderType, BaseRate]:
        return rates_of(self._get(Key.RATES))

    def desk(self) -> tuple[Mapping[OrderType, BaseRate], Mapping[str, int], Mapping[str, int]]:
        """Return the rates, the hashes and ends of blocks, and the limits of a day.

        Raises: TryAgain.
        """
        item = self._get(Key.RATES)
        rows = cast("list[list[Any]]", item.get("blocks", []))
        blocks = {row[_DIGEST]: row[_UNTIL] for row in rows}
        return rates_of(item), blocks, cast("Mapping[str, int]", item.get("day_limits", {}))

    def day_limits(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        row: Mapping[str, Any] = self._get(Key.RATES)
        return row.get("day_limits", {}), row.get("day_approved", {})

    def blocks(self) -> tuple[int, "Sequence[Block]"]:
        # Only operators read the entries.
        from orderdesk.domain.orders.blocks import Block, BlockKind  # noqa: PLC0415

        row: Mapping[str, Any] = self._get(Key.RATES)
        found = [Block(r[0], BlockKind(r[1]), *r[2:]) for r in row.get("blocks", ())]
        return row.get("blocks_version", 0), found

    def _get(self, key: str) -> Item:
        return self._get_item(self._table, {"pk": key}) or {}
