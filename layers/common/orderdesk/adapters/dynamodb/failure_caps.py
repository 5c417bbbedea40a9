"""Failed verifications in Guards: a count by merchant and hour, a set by person and day.

Each window has its own item, so an item that TTL has not deleted yet has no effect.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import failures_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.kms import Pseudonym
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.identity import Identity
from orderdesk.domain.merchants.merchant import counter_of
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MERCHANT_WINDOW_SECONDS = 3_600
PERSON_WINDOW_SECONDS = 86_400
# Beyond the merchant's cap only first tries are made, so that one customer's failures refuse nobody
# else. This many failures refuse first tries too: each costs money.
MERCHANT_FAILURES_HARD = 1_000
# Five different sets of factors allow for typing errors and an old mobile, and are too few to guess
# a person's mobile. The same factors again reveal nothing new, so they do not count.
PERSON_FAILURES_MOST = 5


class Pseudonyms(Protocol):
    """Keyed hashes of persons."""

    def pseudonym(self, identity: Identity) -> Pseudonym:
        """Return an identity's hashes. Raises: TryAgain."""


class FailureCapStore(TableStore):
    """Count each attempt before it is made, so concurrent attempts cannot exceed a cap."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        pseudonyms: Pseudonyms,
        merchant_failures_most: int,
    ) -> None:
        super().__init__(client, table)
        self._pseudonyms = pseudonyms
        self._merchant_failures_most = merchant_failures_most

    def reserve(self, attempt: CustomerCheck) -> Cap | Callable[[], None]:
        """Count the attempt for its merchant, then for its person; one UpdateItem each."""
        pseudonym = self._pseudonyms.pseudonym(attempt.identity)
        failures = self._count_merchant(attempt)
        if failures is None:
            return Cap.MERCHANT
        is_capped = failures >= self._merchant_failures_most
        first_only = is_capped and not attempt.has_draft
        is_counted, is_new = self._count_person(pseudonym, attempt.now, first_only=first_only)
        if not is_counted:
            self._take_back_merchant(attempt)
            return Cap.MERCHANT if first_only else Cap.PERSON

        def take_back() -> None:
            self._take_back_merchant(attempt)
            if is_new:
                self._take_back_person(pseudonym, attempt.now)

        return take_back

    def _count_merchant(self, attempt: CustomerCheck) -> int | None:
        """Count the attempt; return the failures before it, or None beyond the hard cap."""
        hard = max(self._merchant_failures_most, MERCHANT_FAILURES_HARD)
        most = {":one": {"N": "1"}, ":most": {"N": str(hard)}}
        before = self._update(
            _merchant(attempt),
            "SET expires_at = :end ADD failures :one",
            most | _end(attempt.now, MERCHANT_WINDOW_SECONDS),
            "attribute_not_exists(failures) OR failures < :most",
        )
        return None if before is None else int(before.get("failures", {"N": "0"})["N"])

    def _take_back_merchant(self, attempt: CustomerCheck) -> None:
        self._update(_merchant(attempt), "ADD failures :less", {":less": {"N": "-1"}})

    def _count_person(
        self, pseudonym: Pseudonym, now: int, *, first_only: bool
    ) -> tuple[bool, bool]:
        """Count the factors; return whether they are counted, and whether they are new.

        With `first_only`, a person with a failure is not counted.
        """
        no_failures = "attribute_not_exists(failed)"
        room = "size(failed) < :most"
        same_factors = "contains(failed, :factors)"
        values: dict[str, Any] = {":new": {"SS": [pseudonym.factors]}}
        condition = no_failures
        if not first_only:
            values |= {
                ":factors": {"S": pseudonym.factors},
                ":most": {"N": str(PERSON_FAILURES_MOST)},
            }
            condition = f"{no_failures} OR {room} OR {same_factors}"
        before = self._update(
            _person(pseudonym, now),
            "SET expires_at = :end ADD failed :new",
            values | _end(now, PERSON_WINDOW_SECONDS),
            condition,
        )
        if before is None:
            return False, False
        return True, pseudonym.factors not in before.get("failed", {}).get("SS", [])

    def _take_back_person(self, pseudonym: Pseudonym, now: int) -> None:
        factors = {":factors": {"SS": [pseudonym.factors]}}
        self._update(_person(pseudonym, now), "DELETE failed :factors", factors)

    def _update(
        self, key: str, update: str, values: dict[str, Any], condition: str | None = None
    ) -> dict[str, Any] | None:
        """Update an item; return the old attributes, or None if the condition fails."""
        request: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({"pk": key}),
            "UpdateExpression": update,
            "ExpressionAttributeValues": values,
            "ReturnValues": "UPDATED_OLD",
        }
        if condition is not None:
            request["ConditionExpression"] = condition
        try:
            answer = call(lambda: self._client.update_item(**request))
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                return None
            raise
        return dict(answer.get("Attributes", {}))


def _merchant(attempt: CustomerCheck) -> str:
    counter = counter_of(attempt.merchant_id, attempt.mode)
    return failures_key(Cap.MERCHANT.value, counter, attempt.now // MERCHANT_WINDOW_SECONDS)


def _person(pseudonym: Pseudonym, now: int) -> str:
    return failures_key(Cap.PERSON.value, pseudonym.person, now // PERSON_WINDOW_SECONDS)


def _end(now: int, window_seconds: int) -> dict[str, Any]:
    return to_item({":end": (now // window_seconds + 1) * window_seconds})
