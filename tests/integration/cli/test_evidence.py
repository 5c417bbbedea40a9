"""`orderdesk order evidence` (contract section 9)."""

import stat
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.world import ENVIRONMENT, World

RECEIPTS = ENVIRONMENT["RECEIPTS_BUCKET"]
PDF, PNG = samples.pdf(2), samples.png()


@pytest.fixture
def payer(world: World) -> Payer:
    """Return a payer who has sent a document and a picture."""
    payer = Payer.of_new_order(world)
    for content in (PDF, PNG):
        assert payer.upload(content)["statusCode"] == 303
    return payer


def test_links_lead_to_the_originals_and_the_pictures(
    world: World, terminal: Terminal, payer: Payer
) -> None:
    told = terminal.json("order", "evidence", payer.order_no)
    document, picture = told["evidence"]
    assert (told["order_no"], document["kind"]) == (payer.order_no, "receipt")
    assert (document["content_type"], document["size_bytes"]) == ("application/pdf", len(PDF))
    assert [len(each["pictures"]) for each in (document, picture)] == [2, 1]
    files = world.files()
    for link, content in ((document["original"], PDF), (picture["original"], PNG)):
        address = urlsplit(link)
        query = parse_qs(address.query)
        assert files[address.path.lstrip("/").removeprefix(f"{RECEIPTS}/")] == content
        assert int(query["X-Amz-Expires"][0]) <= 300
        assert query["response-content-disposition"][0].startswith("attachment; ")
        assert query["response-content-type"] == ["application/octet-stream"]
    shown = terminal.run("order", "evidence", payer.order_no).stdout.splitlines()
    assert len([line for line in shown if line.startswith("https://")]) == 5


def test_files_are_saved_as_they_came_and_none_is_overwritten(
    terminal: Terminal, payer: Payer, tmp_path: Path
) -> None:
    words = ("order", "evidence", payer.order_no, "--save", str(tmp_path / "case"))
    told = terminal.json(*words)
    stem = f"{payer.order_no}-receipt"
    saved = {path.name: path for path in (tmp_path / "case").iterdir()}
    assert set(saved) == {
        *(f"{stem}-1.pdf", f"{stem}-1-page-1.jpg", f"{stem}-1-page-2.jpg"),
        *(f"{stem}-2.png", f"{stem}-2-page-1.jpg"),
    }
    assert saved[f"{stem}-1.pdf"].read_bytes() == PDF
    assert saved[f"{stem}-2.png"].read_bytes() == PNG
    assert {stat.S_IMODE(path.stat().st_mode) for path in saved.values()} == {0o600}
    assert told["evidence"][0]["original"] == str(saved[f"{stem}-1.pdf"])
    saved[f"{stem}-1.pdf"].write_bytes(b"mine")
    refused = terminal.run(*words)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert saved[f"{stem}-1.pdf"].read_bytes() == b"mine"


def test_a_file_that_is_gone_is_told(
    world: World, terminal: Terminal, payer: Payer, tmp_path: Path
) -> None:
    [original] = [key for key, content in world.files().items() if content == PDF]
    world.s3.delete_object(Bucket=RECEIPTS, Key=original)
    result = terminal.run("order", "evidence", payer.order_no, "--save", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr == f"{payer.order_no}-receipt-1.pdf: no longer kept\n"
    assert len(list(tmp_path.iterdir())) == 4


def test_an_order_without_any_and_a_draft(world: World, terminal: Terminal) -> None:
    world.add_trader()
    _, client = world.add_merchant()
    number = client.create(buy()).data["order_no"]
    assert terminal.json("order", "evidence", number)["evidence"] == []
    _, careful = world.add_merchant(identity_required=True)
    draft = careful.create(buy()).data["pending_no"]
    refused = terminal.run("order", "evidence", draft)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "is a draft" in refused.stderr
