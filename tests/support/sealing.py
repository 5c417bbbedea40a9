"""Seals over a test's tables: kept in memory, made at the times that the test sets."""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
from orderdesk.adapters.dynamodb.portal import MerchantDayStore
from orderdesk.domain.accounts import WINDOW_SECONDS
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.sealing import Checkpoint, Sealed
from orderdesk.domain.ledger.seals import (
    LAG_SECONDS,
    Finding,
    Seal,
    SealFile,
    SealName,
    SealSummary,
    decoded,
    encoded,
    summary_of,
)
from orderdesk.services.ledger.seal import SealPorts, seal_next
from tests.support.seed import Seed


@dataclass
class MemorySeals:
    """Stores the bytes of seals, and their checkpoints."""

    stored: dict[SealName, bytes] = field(default_factory=dict)
    checkpoints: list[Checkpoint] = field(default_factory=list)

    def newest(self) -> SealName | None:
        return max(self.stored, key=lambda name: name.end, default=None)

    def oldest(self) -> SealName | None:
        return min(self.stored, key=lambda name: name.end, default=None)

    def newest_first(self, before: int | None = None, limit: int = 1) -> list[SealSummary]:
        names = sorted(self.stored, key=lambda name: -name.end)
        past = [name for name in names if before is None or name.end < before]
        return [summary_of(self.load(name), name.hash) for name in past[:limit]]

    def load(self, name: SealName) -> Seal:
        return decoded(self.stored[name])

    def put(self, sealed: Sealed) -> SealName:
        if any(name.end == sealed.seal.end for name in self.stored):
            raise ChangedMeanwhile
        content = encoded(sealed.seal)
        assert decoded(content) == sealed.seal
        name = SealName(sealed.seal.end, SealFile(content, b"").hash)
        self.stored[name] = content
        self.checkpoints += sealed.checkpoints
        return name


class Sealer:
    """Makes seals of a seed's tables; `now` is the test's clock."""

    def __init__(self, seed: Seed, now: Callable[[], int], every: int = WINDOW_SECONDS) -> None:
        self.seals = MemorySeals()
        books = DynamoBooks(seed.client, seed.tables)
        self.ports = SealPorts(books, self.seals, now, every, threads=1)
        self.days = MerchantDayStore(seed.client, seed.tables.guards)

    def seal(self) -> Sealed:
        """Make the seal that is due."""
        sealed = seal_next(self.ports, self.days.save)
        assert sealed is not None
        return sealed

    @property
    def end(self) -> int:
        """The end of the newest seal."""
        name = self.seals.newest()
        return 0 if name is None else name.end

    def found(self) -> list[Finding]:
        """Make the seal that is due, and return what is new in it."""
        return [each.finding for each in self.seal().new]

    def newest(self) -> Seal:
        """Return the newest seal."""
        name = self.seals.newest()
        assert name is not None
        return self.seals.load(name)


def sealable(now: int, windows: int = 1) -> int:
    """Return the first time at which so many windows after `now` can be sealed."""
    return (now // WINDOW_SECONDS + windows) * WINDOW_SECONDS + LAG_SECONDS
