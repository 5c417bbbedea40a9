"""Failed verifications in Guards: a count by merchant and hour, a set by person and day.

Each window has its own item, so an item that TTL has not deleted yet has no effect.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from orderdesk.adapters.dynamodb.client import DynamoDB, TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Write, never, transact
from orderdesk.adapters.kms import Pseudonym
from orderdesk.adapters.system import SystemRetries
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.identity import Identity
from orderdesk.domain.merchants.merchant import counter_of
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck
from orderdesk.services.retrying import until_committed

MERCHANT_WINDOW_SECONDS = 3_600
PERSON_WINDOW_SECONDS = 86_400
# Beyond the merchant's cap only first tries are made, so that one customer's failures refuse nobody
# else. This many failures refuse first tries too: each costs money.
MERCHANT_FAILURES_HARD = 1_000
# Five different sets of factors allow for typing errors and an old mobile, and are too few to guess
# a person's mobile. The same factors again reveal nothing new, so they do not count.
PERSON_FAILURES_MOST = 5


class _MerchantCapped(OrderdeskError):
    """The merchant has as many failures as it may have."""


class _PersonCapped(OrderdeskError):
    """The person has as many failures as it may have."""


class _SameFactors(OrderdeskError):
    """The person failed with the same factors before."""


class _NotCounted(OrderdeskError):
    """The merchant's count is 0 or gone."""


class FailureCapStore(TableStore):
    """Count each attempt before it is made, so concurrent attempts cannot exceed a cap."""

    def __init__(
        self,
        client: DynamoDB,
        table: str,
        pseudonym_of: Callable[[Identity], Pseudonym],
        merchant_failures_most: int,
    ) -> None:
        """`pseudonym_of` returns an identity's hashes, or raises TryAgain."""
        super().__init__(client, table)
        self._pseudonym_of = pseudonym_of
        self._merchant_failures_most = merchant_failures_most

    def reserve(self, attempt: CustomerCheck) -> Cap | Callable[[], None]:
        """Count the attempt for its merchant and its person, in one transaction."""
        pseudonym = self._pseudonym_of(attempt.identity)
        soft = self._merchant_failures_most
        hard = max(soft, MERCHANT_FAILURES_HARD)
        for most, first_only in ((soft, False), (hard, not attempt.has_draft)):
            try:
                return self._counted(attempt, pseudonym, most, first_only=first_only)
            except _MerchantCapped:
                continue
            except _PersonCapped:
                return Cap.MERCHANT if first_only else Cap.PERSON
        return Cap.MERCHANT

    def _counted(
        self, attempt: CustomerCheck, pseudonym: Pseudonym, most: int, *, first_only: bool
    ) -> Callable[[], None]:
        """Count the attempt; return what removes it again.

        `most`: the merchant's failures. With `first_only`, a person with a failure is not counted.
        Raises: _MerchantCapped, _PersonCapped, TryAgain.
        """
        writes = [
            self._merchant_write(attempt, most),
            self._person_write(pseudonym, attempt.now, first_only=first_only),
        ]
        taken_back = [
            Write.add(self._table, _merchant(attempt), {"failures": -1}, lambda _: _NotCounted())
        ]
        try:
            self._write(writes)
        except _SameFactors:
            self._write(writes[:1])
        else:
            taken_back.append(self._forget_write(pseudonym, attempt.now))

        def take_back() -> None:
            with suppress(_NotCounted):
                self._write(taken_back)

        return take_back

    def _write(self, writes: Sequence[Write]) -> None:
        """Write in a transaction, so that a request sent again counts nothing twice.

        Raises: the error of the first write whose condition failed; TryAgain.
        """
        ports = SystemRetries()
        until_committed(lambda: transact(self._client, writes, ports.chance.token()), ports)

    def _merchant_write(self, attempt: CustomerCheck, most: int) -> Write:
        """Count a failure of a merchant. Lost: _MerchantCapped."""
        return Write.update(
            self._table,
            _merchant(attempt),
            "SET expires_at = :end ADD failures :one",
            "attribute_not_exists(failures) OR failures < :most",
            lambda _: _MerchantCapped(),
            values={":one": 1, ":most": most, ":end": _end(attempt.now, MERCHANT_WINDOW_SECONDS)},
        )

    def _person_write(self, pseudonym: Pseudonym, now: int, *, first_only: bool) -> Write:
        """Count a person's factors unless they are counted. Lost: _SameFactors, _PersonCapped."""
        factors = pseudonym.factors
        condition = "attribute_not_exists(failed)"
        values: Item = {":new": frozenset({factors}), ":end": _end(now, PERSON_WINDOW_SECONDS)}
        if not first_only:
            condition += " OR (size(failed) < :most AND NOT contains(failed, :factors))"
            values |= {":factors": factors, ":most": PERSON_FAILURES_MOST}

        def lost(item: Item | None) -> OrderdeskError:
            failed = (item or {}).get("failed", frozenset())
            assert isinstance(failed, frozenset)
            is_same = factors in failed and not first_only
            return _SameFactors() if is_same else _PersonCapped()

        key, update = _person(pseudonym, now), "SET expires_at = :end ADD failed :new"
        parts = (self._table, key, update, condition, lost)
        return Write.update(*parts, values=values, returns_item=True)

    def _forget_write(self, pseudonym: Pseudonym, now: int) -> Write:
        key, values = _person(pseudonym, now), {":factors": frozenset({pseudonym.factors})}
        remove, lost = "DELETE failed :factors", never("it has no condition")
        return Write.update(self._table, key, remove, "", lost, values=values)


def _merchant(attempt: CustomerCheck) -> Item:
    counter, window = counter_of(attempt.merchant_id, attempt.mode), MERCHANT_WINDOW_SECONDS
    return {"pk": Key.failures(Cap.MERCHANT.value, counter, attempt.now // window)}


def _person(pseudonym: Pseudonym, now: int) -> Item:
    window = PERSON_WINDOW_SECONDS
    return {"pk": Key.failures(Cap.PERSON.value, pseudonym.person, now // window)}


def _end(now: int, window_seconds: int) -> int:
    return (now // window_seconds + 1) * window_seconds
