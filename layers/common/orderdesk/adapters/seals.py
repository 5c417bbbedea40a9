"""Seals in their bucket, signed by KMS, and their places in the ledger (contract section 13).

An object is put only if its key is free, so no seal is replaced. Its item in the ledger is written
afterwards: after a crash in between, the next run finds the object and writes the item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.audit import audit_item
from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts, TablesStore, put_whole
from orderdesk.adapters.dynamodb.keys import Index, Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Stored
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.receipts import UPLOADED_TYPE, Bucket
from orderdesk.adapters.sending import LazyKms, call, error_code
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.sealing import Checkpoint, Sealed
from orderdesk.domain.ledger.seals import (
    BrokenSeal,
    Seal,
    SealFile,
    SealName,
    SealSummary,
    day_end,
    decoded,
    encoded,
    summary_of,
)
from orderdesk.domain.times import US_PER_SECOND, date_in_china

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_ALGORITHM: Final = "ECDSA_SHA_256"
_LINK_SECONDS = 600
_FILE_BYTES_MAX = 1 << 30


@dataclass(frozen=True, slots=True)
class SealVault:
    """Where seals are: bucket and key of their signatures; day seals are locked for `lock_days`."""

    bucket: str
    key_id: str
    lock_days: int = 0


class SealPlaces(TablesStore):
    """Read and write the places of seals."""

    def newest_first(self, before: int | None = None, limit: int = 1) -> Sequence[SealSummary]:
        return self._page(before, limit, newest_first=True)

    def newest(self) -> SealName | None:
        found = self.newest_first()
        return found[0].name if found else None

    def oldest(self) -> SealName | None:
        found = self._page(None, 1, newest_first=False)
        return found[0].name if found else None

    def _page(self, before: int | None, limit: int, *, newest_first: bool) -> list[SealSummary]:
        until = ("<", None if before is None else Key.seal(before))
        more: QueryParts = {"newest_first": newest_first, "consistent": True, "limit": limit}
        asked = self._query(self._tables.ledger, Index.ITEMS, Key.SEALS, until, **more)
        return [
            _SUMMARY.of(row, name=SealName(int(row["sk"]), row["hash"])) for row in asked.rows()
        ]

    def put_place(self, summary: SealSummary) -> None:
        """Write a seal's place, and a day's hash into the audit trail, once.

        Raises: ChangedMeanwhile if it is there, TryAgain.
        """
        end, seal_hash = summary.name.end, summary.name.hash
        writes = [Write.put_new(self._tables.ledger, "pk", _summary_item(summary))]
        if end == day_end(end - 1):
            entry = _day_entry(end, seal_hash)
            key = Key.seal_audit(entry.target[:4])
            writes.append(Write.put_new(self._tables.audit, "pk", audit_item(entry, key)))
        transact(self._client, writes, seal_hash[:36])

    def put_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store a checkpoint; a repeated run puts the same one."""
        item: Item = {
            "pk": Key.checkpoints(checkpoint.account_key),
            "sk": checkpoint.place,
            "balance_micro": checkpoint.balance,
            "count": checkpoint.count,
        }
        put_whole(self._client, self._tables.ledger, item)


def _day_entry(end: int, seal_hash: str) -> AuditEntry:
    day = date_in_china(end - 1).isoformat()
    return AuditEntry(
        seal_hash[:26], end * US_PER_SECOND, "seal", "ledger.seal", day, details={"hash": seal_hash}
    )


_SUMMARY = Stored(SealSummary, beside="name", usual="finding_accounts")


def _summary_item(summary: SealSummary) -> Item:
    return {
        "pk": Key.SEALS,
        "sk": Key.seal(summary.name.end),
        "hash": summary.name.hash,
        **_SUMMARY.item(summary),
    }


class SealFiles(SealPlaces):
    """Store and read seals."""

    def __init__(
        self, client: DynamoDB, tables: TableNames, s3: "S3Client", kms: LazyKms, vault: SealVault
    ) -> None:
        super().__init__(client, tables)
        self._bucket = Bucket(lambda: s3, vault.bucket)
        self._kms = kms
        self._vault = vault

    def file(self, end: int) -> SealFile:
        """Return the file of a seal that ended at a time. Raises: BrokenSeal, TryAgain."""
        found = self._bucket.read(object_key(end), _FILE_BYTES_MAX)
        if found is None:
            raise BrokenSeal(end, "its file is missing")
        try:
            return SealFile.load(found.content)
        except ValueError:
            raise BrokenSeal(end, "its file is no seal") from None

    def link(self, end: int) -> str:
        """Sign a link to a seal's file, for some minutes; that sends no request."""
        return self._bucket.url(object_key(end), _LINK_SECONDS)

    def public_key(self) -> bytes:
        answer = call(lambda: self._kms.client().get_public_key(KeyId=self._vault.key_id))
        return answer["PublicKey"]

    def load(self, name: SealName) -> Seal:
        file = self.file(name.end)
        if file.hash != name.hash:
            raise BrokenSeal(name.end, "its content has another hash")
        if not self._is_signed(file):
            raise BrokenSeal(name.end, "its signature is wrong")
        return decoded(file.content)

    def _is_signed(self, file: SealFile) -> bool:
        try:
            answer = call(
                lambda: self._kms.client().verify(
                    KeyId=self._vault.key_id,
                    Message=sha256(file.content).digest(),
                    MessageType="DIGEST",
                    Signature=file.signature,
                    SigningAlgorithm=_ALGORITHM,
                )
            )
        except ClientError as error:
            if error_code(error) == "KMSInvalidSignatureException":
                return False
            raise
        return bool(answer["SignatureValid"])

    def put(self, sealed: Sealed) -> SealName:
        seal = sealed.seal
        for checkpoint in sealed.checkpoints:
            self.put_checkpoint(checkpoint)
        content = encoded(seal)
        file = SealFile(content, self._sign(content))
        if not self._put_file(seal.end, file):
            stored = self.file(seal.end)
            other = decoded(stored.content)
            if not self._is_signed(stored) or other.before != seal.before:
                raise BrokenSeal(seal.end, "another file is in its place")
            self.put_place(summary_of(other, stored.hash))
            raise ChangedMeanwhile
        self.put_place(summary_of(seal, file.hash))
        return SealName(seal.end, file.hash)

    def _sign(self, content: bytes) -> bytes:
        answer = call(
            lambda: self._kms.client().sign(
                KeyId=self._vault.key_id,
                Message=sha256(content).digest(),
                MessageType="DIGEST",
                SigningAlgorithm=_ALGORITHM,
            )
        )
        return answer["Signature"]

    def _put_file(self, end: int, file: SealFile) -> bool:
        locked: dict[str, Any] = {}
        if self._vault.lock_days and end == day_end(end - 1):
            until = datetime.fromtimestamp(end, UTC) + timedelta(days=self._vault.lock_days)
            locked = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": until}
        return self._bucket.keep(object_key(end), file.dump(), UPLOADED_TYPE, **locked)


def object_key(end: int) -> str:
    """Return the key of a seal's object: its trading day and its end."""
    return f"seals/{date_in_china(end - 1).isoformat()}/{end:010d}"
