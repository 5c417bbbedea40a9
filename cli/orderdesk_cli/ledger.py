"""`orderdesk ledger …`, `report`, `audit` and `rights`: the books, and who did what."""

import base64
import hashlib
import json
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click

from orderdesk_cli.answering import Answer, Form
from orderdesk_cli.api import Api
from orderdesk_cli.commands import Said, calls, runs
from orderdesk_cli.options import MODES, is_date
from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets import ledger as sheets
from orderdesk_cli.sheets.operators import ENTRIES, RIGHTS
from orderdesk_cli.sheets.sheet import Json, objects, value_at

KEY_FILE = "key.der"


@dataclass(frozen=True, slots=True)
class VerifiedFile:
    """A seal's file: its place in the chain (Unix seconds), and its signature.

    A file is the length of the signature (2 bytes), the signature, and the compressed JSON. What is
    signed, with ECDSA on P-256, is the SHA-256 of the JSON, which is the seal's hash too
    (contract section 13).
    """

    end: int
    hash: str
    before: tuple[int, str] | None
    signature: bytes

    @classmethod
    def read(cls, stored: bytes) -> "VerifiedFile":
        """Return the seal of a file's bytes. Raises: ValueError."""
        size = 2 + int.from_bytes(stored[:2])
        try:
            content = zlib.decompress(stored[size:])
            seal = json.loads(content)
            before = seal["before"]
            return cls(
                seal["end"],
                hashlib.sha256(content).hexdigest(),
                None if before is None else (before[0], before[1]),
                stored[2:size],
            )
        except (zlib.error, ValueError, KeyError, TypeError, IndexError):
            raise ValueError("is no seal") from None

    def is_signed_by(self, public_key: bytes) -> bool:
        """Return whether the signature is that of a key (DER of a P-256 key)."""
        # A large library, which few commands need.
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec, utils  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_der_public_key  # noqa: PLC0415

        how = ec.ECDSA(utils.Prehashed(SHA256()))
        try:
            key = load_der_public_key(public_key)
            if not isinstance(key, ec.EllipticCurvePublicKey):
                return False
            key.verify(self.signature, bytes.fromhex(self.hash), how)
        except (ValueError, InvalidSignature):
            return False
        return key.curve.name == ec.SECP256R1.name


def problems_of(seals: Sequence[VerifiedFile], public_key: bytes) -> Iterator[str]:
    """Yield what is wrong with seals: wrong signatures, and breaks of the chain between them."""
    chain = sorted(seals, key=lambda seal: seal.end)
    for seal in chain:
        if not seal.is_signed_by(public_key):
            yield f"seal {seal.end}: its signature is wrong"
    for before, seal in pairwise(chain):
        if seal.before != (before.end, before.hash):
            yield f"seal {seal.end}: it does not follow seal {before.end} that is here"


@runs("check", "")
def _check(api: Api, _: Said) -> Answer:
    """Compare every balance with the newest seal and what came after; exit code 1 if it differs.

    Orders may move meanwhile: a difference counts only if three readings find the same.
    """
    first, *more = api.pages("ledger.check")
    found = sorted(
        (each for page in (first, *more) for each in objects(page["items"])),
        key=lambda each: (str(each["kind"]), str(each["key"])),
    )
    data = {name: value for name, value in first.items() if name not in {"items", "next"}}
    told = [f"finding: {each['text']}" for each in found]
    return Answer({**data, "findings": found}, sheets.CHECKED, told)


@runs("verify", "what key save")
def _verify(
    api: Api, _: Said, what: tuple[str, ...], key: Path | None, save: Path | None
) -> Answer:
    """Verify the signatures and the chain of a day's seals, or of files; exit code 1 if not.

    Files need no stack if the public key is given, or is beside them as key.der. --save keeps a
    day's files and the key. Keep the key yourself: it must not come from who is to be checked.
    """
    if all(map(is_date, what)):
        seals = [each for day in what for each in _seals_of(api, day)]
        files = {f"{each['time']}.seal": api.file(str(each["url"])) for each in seals}
        known = {int(str(each["time"])): str(each["hash"]) for each in seals}
    else:
        files, known = {name: Path(name).read_bytes() for name in what}, {}
    beside = Path(what[0]).with_name(KEY_FILE)
    path = key or (beside if not known and beside.exists() else None)
    public = (
        path.read_bytes()
        if path
        else base64.b64decode(str(api.call("ledger.seals", limit=1)["public_key"]))
    )
    if save is not None:
        save.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in (*files.items(), (KEY_FILE, public)):
            (save / Path(name).name).write_bytes(content or b"")
    read, told = list[VerifiedFile](), list[str]()
    for name, content in files.items():
        try:
            read.append(VerifiedFile.read(content or b""))
        except ValueError as error:
            told.append(f"{name}: {error}")
    told += problems_of(read, public)
    told += [
        f"seal {each.end}: its hash is not the listed one"
        for each in read
        if known.get(each.end, each.hash) != each.hash
    ]
    told += [] if files else [f"no seal of {' '.join(what)}"]
    chain = sorted(read, key=lambda seal: seal.end)
    ends: dict[str, Json] = {"first": None, "last": None, "hash": None}
    if chain:
        ends = {"first": chain[0].end, "last": chain[-1].end, "hash": chain[-1].hash}
    data = {"verified": not told, "seals": len(chain), **ends, "problems": told}
    return Answer(data, sheets.VERIFIED, told)


def _seals_of(api: Api, day: str) -> Iterator[Mapping[str, Json]]:
    """Yield the seals of a trading day, newest first."""
    for each in api.items("ledger.seals"):
        if str(each["date"]) < day:
            return
        if each["date"] == day:
            yield each


@runs("compare", "ledger.compare:restored")
def _compare(api: Api, said: Said, restored: str) -> Answer:
    """Compare the postings with a restored table; exit code 1 if one is lost or changed."""
    parts = api.pages("ledger.compare", restored=restored)
    is_drawn = said.form is Form.TEXT and sys.stderr.isatty()
    findings: list[Mapping[str, Json]] = []
    postings = 0
    for part in _drawn(parts) if is_drawn else parts:
        findings += objects(part["items"])
        postings += int(str(part["postings"]))
    told = [f"finding: {finding['text']}" for finding in findings]
    return Answer({"postings": postings, "findings": findings}, sheets.COMPARED, told)


@runs("report", "report.day:date as_csv")
def _report(api: Api, said: Said, date: str) -> Answer:
    """Report a trading day by merchant and trader; exit code 1 if an account does not close.

    Orders count on the day on which they were completed.
    """
    day = {**api.call("report.day", date=date)}
    day.pop("next", None)
    told = [
        "difference: {account}: opening {opening} and postings {postings} do not make closing "
        "{closing} (difference {difference})".format_map(account)
        for account in objects(day["differences"])
    ]
    if said.form is Form.CSV:
        return Answer([*rows_of_day(day)], sheets.ROWS, told)
    return Answer(day, sheets.REPORT, told)


def rows_of_day(day: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield every account of both modes as one row."""
    for mode in MODES:
        of_mode = day[mode]
        assert isinstance(of_mode, Mapping)
        for kind in ("merchant", "trader"):
            for row in objects(of_mode[f"{kind}s"]):
                yield {**row, "mode": mode, "kind": kind, "id": row[f"{kind}_id"]}
        for row in objects(of_mode["accounts"]):
            kind, owner, _ = str(row["account"]).split(":")
            yield {**row, "mode": mode, "kind": kind, "id": owner}


def _drawn(parts: Iterator[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    """Draw the `progress` of each part as a bar on stderr."""
    with click.progressbar(length=1, label="Reading", file=sys.stderr) as bar:
        for part in parts:
            done, total = value_at(part, "progress.done"), value_at(part, "progress.of")
            if isinstance(done, int) and isinstance(total, int):
                bar.label = printable(str(value_at(part, "progress.text") or "Reading"))
                bar.length = total
                bar.update(done - bar.pos)
            yield part


COMMANDS = {
    "": [
        _report,
        calls("audit.list", ENTRIES, name="audit", newest_first=True),
        calls("rights.list", RIGHTS, name="rights"),
    ],
    "ledger": [
        _check,
        _compare,
        _verify,
        calls("ledger.seals", sheets.SEALS),
        calls("ledger.acknowledge", sheets.ACCEPTED),
        calls("ledger.balances", sheets.BALANCES),
        calls("ledger.statement", sheets.STATEMENT),
    ],
}
