"""`orderdesk ledger check|seals|verify|acknowledge` on sealed books (contract section 13)."""

import csv
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from botocore.session import Session
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
from orderdesk.adapters.dynamodb.portal import MerchantDayStore
from orderdesk.adapters.seals import SealFiles, SealVault, object_key
from orderdesk.adapters.sending import LazyKms
from orderdesk.adapters.system import now_us
from orderdesk.domain.ledger.seals import Seal, SealFile, day_end
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ledger.seal import SealPorts, seal_next
from orderdesk_cli import ledger as offline
from tests.support.market import FundedBooks

FORGED = 5_000_000
HOURS_OF_A_TEST = 6


class Sealed:
    """Funded books that are sealed every second; `later` moves the operators' clock."""

    def __init__(self, books: FundedBooks, later: Callable[[int], None]) -> None:
        self.books, self.world, self.terminal = books, books.world, books.terminal
        vault = SealVault(os.environ["SEALS_BUCKET"], os.environ["SEAL_KEY_ARN"])
        self.store = SealFiles(
            self.world.client, self.world.tables, self.world.s3, LazyKms(Session()), vault
        )
        self._later, self._ahead = later, 0
        now = now_us() // US_PER_SECOND
        if day_end(now) - now < HOURS_OF_A_TEST * 3600:  # a seal ends with its day
            self._ahead = day_end(now) - now + 60

    def seal(self) -> Seal:
        """Seal all that was done so far; what follows is done an hour later."""
        now = now_us() // US_PER_SECOND + self._ahead + 3
        books = DynamoBooks(self.world.client, self.world.tables)
        ports = SealPorts(books, self.store, lambda: now, 1, threads=1)
        days = MerchantDayStore(self.world.client, self.world.tables.guards)
        sealed = seal_next(ports, days.save)
        assert sealed is not None
        while (after := seal_next(ports, days.save)) is not None:
            sealed = after
        self._ahead += 3600
        self._later(self._ahead)
        return sealed.seal

    def forge(self) -> None:
        """Add USDT to the merchant's available balance."""
        key = {"pk": self.books.key(), "sk": "balance"}
        row: Any = self.world.get("Ledger", {**key})
        self.books.set("Ledger", key, "available_micro", row["available_micro"] + FORGED)

    def check(self) -> Any:
        _, document = self.books.refused()
        return document


@pytest.fixture
def sealed(books: FundedBooks, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    def later(seconds: int) -> None:
        monkeypatch.setattr(
            "orderdesk.wiring.operators.now_us", lambda: now_us() + seconds * US_PER_SECOND
        )

    # AWS and the local stack sign a digest as it is; moto hashes it once more.
    monkeypatch.setattr(
        "moto.kms.utils.ECDSAPrivateKey._ECDSAPrivateKey__hash_algorithm",
        lambda *_: Prehashed(hashes.SHA256()),
    )
    return Sealed(books, later)


def test_a_finding_is_accepted_by_two_and_stays_in_the_books(sealed: Sealed) -> None:
    sealed.seal()
    assert sealed.terminal.json("ledger", "check")["balanced"] is True
    sealed.forge()
    [found] = sealed.check()["findings"]
    assert (found["kind"], found["key"], found["since"]) == ("balance", sealed.books.key(), None)
    reason = ("--reason", "counted by hand")
    early = sealed.terminal.run("ledger", "acknowledge", found["finding_id"], *reason, "--json")
    assert (early.exit_code, "no such open finding" in early.stderr) == (1, True)

    end = sealed.seal().end
    [again] = sealed.check()["findings"]
    assert (again["finding_id"], again["since"]) == (found["finding_id"], end)
    proposed = sealed.terminal.run("ledger", "acknowledge", again["finding_id"], *reason, "--json")
    assert proposed.exit_code == 3
    [proposal] = sealed.terminal.json("proposal", "list", "--open")
    shown = (proposal["before"]["expected"], proposal["after"]["accepted"])
    assert shown == (again["expected"], again["actual"])
    done = sealed.terminal.approve(proposal["proposal_no"], "finance-2")
    assert (done["status"], done["command"]) == ("executed", "ledger.acknowledge")
    assert sealed.terminal.json("ledger", "check")["balanced"] is True

    seal = sealed.seal()
    assert seal.findings == []
    accepted = [(each.finding_id, each.ref) for each in seal.acknowledged]
    assert accepted == [(found["finding_id"], proposal["proposal_no"])]
    assert sealed.terminal.json("ledger", "check")["acknowledged"] == 1
    sealed.forge()
    [new] = sealed.check()["findings"]
    assert new["delta"] == "10.000000"


def test_a_days_seals_are_verified_and_so_are_their_files(sealed: Sealed, tmp_path: Path) -> None:
    ends = [sealed.seal().end for _ in range(3)]
    listed = sealed.terminal.json("ledger", "seals")
    assert [each["time"] for each in listed] == ends[::-1]
    day = listed[-1]["date"]
    of_day = [each for each in listed if each["date"] == day]
    told = sealed.terminal.json("ledger", "verify", day, "--save", str(tmp_path))
    assert (told["verified"], told["seals"]) == (True, len(of_day))
    assert told["hash"] == of_day[0]["hash"]
    files = [str(path) for path in sorted(tmp_path.glob("*.seal"))]
    assert sealed.terminal.json("ledger", "verify", *files)["verified"] is True


@pytest.mark.parametrize("what", ["content", "signature", "bytes"])
def test_a_changed_file_is_refused(sealed: Sealed, what: str, tmp_path: Path) -> None:
    end = sealed.seal().end
    file = sealed.store.file(end)
    changed = {
        "content": SealFile(file.content.replace(b"merchant", b"marchent", 1), file.signature),
        "signature": SealFile(file.content, file.signature[:-1] + b"\x00"),
    }
    content = changed[what].dump() if what in changed else b"no seal"
    path = tmp_path / "one.seal"
    path.write_bytes(content)
    refused = sealed.terminal.run("ledger", "verify", str(path), "--json")
    assert refused.exit_code == 1
    sealed.world.s3.put_object(Bucket=os.environ["SEALS_BUCKET"], Key=object_key(end), Body=content)
    assert [each["kind"] for each in sealed.check()["findings"]] == ["broken_seal"]


def test_a_missing_seal_breaks_the_chain(sealed: Sealed) -> None:
    files = [sealed.store.file(sealed.seal().end).dump() for _ in range(3)]
    read = [offline.VerifiedFile.read(each) for each in files]
    key = sealed.store.public_key()
    assert list(offline.problems_of(read, key)) == []
    assert len(list(offline.problems_of([read[0], read[2]], key))) == 1


def test_signatures_are_verified_as_the_library_does() -> None:
    for number in range(20):
        private = ec.generate_private_key(ec.SECP256R1())
        key = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        seal = SealFile(b'{"before":null,"end":1,"accounts":{},"findings":[]}', b"")
        good = private.sign(seal.content, ec.ECDSA(hashes.SHA256()))
        other = private.sign(seal.content + bytes([number]), ec.ECDSA(hashes.SHA256()))
        for signature, is_right in ((good, True), (other, False), (good[:-1], False), (b"", False)):
            stored = SealFile(seal.content, signature).dump()
            assert offline.VerifiedFile.read(stored).is_signed_by(key) is is_right


def test_books_with_open_orders_balance(books: FundedBooks) -> None:
    shown = books.terminal.run("ledger", "check")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert ["balances", "yes"] in [line.split() for line in shown.stdout.splitlines()]
    found = books.terminal.json("ledger", "check")
    assert (found["balanced"], found["findings"], found["seal"]) == (True, [], None)
    assert (found["accounts"], found["postings"], found["orders"]) == (6, 8, 4)
    assert not {"next", "items"} & found.keys()
    live = found["totals"]["live"]
    assert live["funding"] == {"accounts": 1, "available": "-6000.000000", "held": "0.000000"}
    assert live["trader"] == {"accounts": 1, "available": "4861.802101", "held": "138.197899"}


def test_balances_name_every_account(books: FundedBooks) -> None:
    found = books.terminal.json("ledger", "balances")
    assert found["live"]["merchants"] == [
        {
            "merchant_id": books.merchant.merchant_id,
            "available": "859.575655",
            "held": "140.424345",
            "deposit": "0.000000",
            "fee": "0.000000",
            "day": None,
        }
    ]
    assert found["seal"] is None, "nothing is sealed"
    assert found["test"]["traders"] == [
        {
            "trader_id": books.traders[Mode.TEST].trader_id,
            "available": "4861.802101",
            "held": "138.197899",
        }
    ]
    shown = books.terminal.run("ledger", "balances").stdout
    for text in (
        "Merchants, live",
        "Merchants on the day of the newest seal, live",
        "859.575655",
        "Traders, test",
        "-6000.000000",
        "funding",
    ):
        assert text in shown


def today(books: FundedBooks) -> str:
    now = books.terminal.office.operator.now()
    return (datetime.fromtimestamp(now, UTC) + timedelta(hours=8)).date().isoformat()


def test_fundings_of_today_are_reported_and_today_closes(books: FundedBooks) -> None:
    date = today(books)
    found = books.terminal.json("report", date)
    [merchant] = found["live"]["merchants"]
    assert merchant["merchant_id"] == books.merchant.merchant_id
    assert (merchant["orders"], merchant["fundings"]) == (0, "1000.000000")
    assert (merchant["opening"], merchant["closing"]) == ("0.000000", "1000.000000")
    assert (found["date"], found["closes"]) == (date, True)
    shown = books.terminal.run("report", date)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "Merchants, live" in shown.stdout
    told = books.terminal.run("report", date, "--csv")
    rows = list(csv.DictReader(StringIO(told.stdout)))
    assert {(row["mode"], row["kind"]) for row in rows} == {
        (mode, kind) for mode in ("live", "test") for kind in ("merchant", "trader", "funding")
    }


def test_what_does_not_close_is_exit_1_and_one_document(books: FundedBooks) -> None:
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "held_micro", 0)
    for more in ((), ("--csv",), ("--json",)):
        result = books.terminal.run("report", today(books), *more)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"difference: {books.key()}: opening 0.000000 and postings")
        if "--json" in more:
            assert json.loads(result.stdout)["closes"] is False


@pytest.mark.parametrize(("date", "code"), [("yesterday", 2), ("2026-13-01", 2), ("2999-01-01", 1)])
def test_no_date_and_a_day_to_come(books: FundedBooks, date: str, code: int) -> None:
    result = books.terminal.run("report", date)
    assert (result.exit_code, result.stdout) == (code, "")
