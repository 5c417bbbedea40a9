"""Seals in their bucket: signed, chained, put once, and done again after a crash."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from botocore.session import Session

from orderdesk.adapters.receipts import s3_client
from orderdesk.adapters.seals import SealFiles, SealVault, object_key
from orderdesk.adapters.sending import LazyKms
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.seals import LAG_SECONDS, BrokenSeal, SealFile, SealSummary, day_end
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ledger.seal import SealPorts, seal_next
from tests.support.faults import Killed, killed_at
from tests.support.money_world import MoneyWorld
from tests.support.sealing import Sealer, sealable
from tests.support.world import World


class Files:
    """A money world whose seals are files."""

    def __init__(self, world: World) -> None:
        self.world, self.money = world, MoneyWorld(world)
        vault = SealVault(os.environ["SEALS_BUCKET"], os.environ["SEAL_KEY_ARN"])
        kms = LazyKms(Session())
        self.store = SealFiles(world.client, world.tables, world.s3, kms, vault)
        memory = Sealer(world, lambda: self.money.now)
        self.days = memory.days
        self.ports: SealPorts = replace(memory.ports, seals=self.store)

    def seal(self) -> int:
        """Trade, and seal the window; return the seal's end."""
        self.money.create(OrderType.BUY, 1000_00)
        self.money.now = sealable(self.money.now)
        sealed = seal_next(self.ports, self.days.save)
        assert sealed is not None
        return sealed.seal.end

    def put(self, end: int, content: bytes) -> None:
        self.world.s3.put_object(
            Bucket=os.environ["SEALS_BUCKET"], Key=object_key(end), Body=content
        )


@pytest.fixture
def files(world: World) -> Files:
    return Files(world)


def test_each_seal_names_the_hash_of_the_one_before(files: Files) -> None:
    ends = [files.seal() for _ in range(3)]
    names = [each.name for each in files.store.newest_first(limit=10)]
    assert [name.end for name in names] == ends[::-1]
    seals = [files.store.load(name) for name in names]
    assert [seal.before for seal in seals] == [*names[1:], None]


def test_the_seal_of_a_day_is_locked(files: Files) -> None:
    """S3 refuses a locked object without a checksum of its content."""
    s3 = s3_client(Session(), emulated=True)
    s3.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
    vault = SealVault("locked", os.environ["SEAL_KEY_ARN"], lock_days=400)
    kms = LazyKms(Session())
    store = SealFiles(files.world.client, files.world.tables, s3, kms, vault)
    files.ports = replace(files.ports, seals=store)
    files.money.now = day_end(files.money.now) - 1800
    of_window, of_day = files.seal(), files.seal()
    assert of_day == day_end(of_window)
    locks = [
        s3.head_object(Bucket="locked", Key=object_key(end)).get("ObjectLockRetainUntilDate")
        for end in (of_window, of_day)
    ]
    assert locks == [None, datetime.fromtimestamp(of_day, UTC) + timedelta(days=400)]


def test_nothing_is_sealed_before_its_time(files: Files) -> None:
    files.seal()
    files.money.now += 600
    assert seal_next(files.ports, files.days.save) is None


@pytest.mark.parametrize("what", ["content", "signature", "earlier", "missing"])
def test_a_seal_that_was_changed_or_replayed_is_found(files: Files, what: str) -> None:
    first, second = files.seal(), files.seal()
    file = files.store.file(second)
    changed = {
        "content": SealFile(file.content.replace(b"merchant", b"marchent", 1), file.signature),
        "signature": SealFile(file.content, files.store.file(first).signature),
        "earlier": files.store.file(first),
    }
    if what in changed:
        files.put(second, changed[what].dump())
    else:
        bucket: Any = {"Bucket": os.environ["SEALS_BUCKET"], "Key": object_key(second)}
        files.world.s3.delete_object(**bucket)
    with pytest.raises(BrokenSeal):
        files.seal()


def test_a_run_that_dies_before_any_of_its_requests_is_done_again(files: Files) -> None:
    files.seal()
    for number in range(60):
        files.money.now = sealable(files.money.now)
        try:
            with killed_at(files.world, number, "before-call"):
                sealed = seal_next(files.ports, files.days.save)
        except Killed:
            sealed = None
        if sealed is not None:
            break
        try:
            sealed = seal_next(files.ports, files.days.save)
        except ChangedMeanwhile:
            continue
        assert sealed is None or sealed.seal.findings == []
    else:
        pytest.fail("the run has more requests than were killed")
    seals = [files.store.load(each.name) for each in files.store.newest_first(limit=100)]
    assert all(late.start == early.end for late, early in pairwise(seals))


def test_a_run_that_died_after_the_put_is_completed(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(_: SealSummary) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(files.store, "put_place", dies)
        with pytest.raises(Killed):
            files.seal()
    assert files.store.newest() is None
    with pytest.raises(ChangedMeanwhile):
        seal_next(files.ports, files.days.save)
    newest = files.store.newest()
    assert newest is not None
    assert files.store.load(newest).findings == []
    files.seal()


def test_the_hash_of_a_day_is_in_the_audit_trail(files: Files) -> None:
    files.seal()
    end = day_end(files.money.now)
    files.money.now = end + LAG_SECONDS
    sealed = seal_next(files.ports, files.days.save)
    assert sealed is not None
    assert sealed.seal.end == end
    audit: list[Any] = files.world.items("Audit")
    rows = [row for row in audit if row["pk"].startswith("seals#")]
    newest = files.store.newest()
    assert newest is not None
    assert [row["details"]["hash"] for row in rows] == [newest.hash]
