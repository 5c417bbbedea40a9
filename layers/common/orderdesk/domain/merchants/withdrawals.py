"""A merchant's address book, and its withdrawal requests and their states (contract section 12).

    requested ─→ approved ─→ sent
        ├──────→ rejected
        └──────→ cancelled

Each address is checked for its network. A new one rests for 24 h before its first use, so that the
merchant's people can see and remove one that they do not know.

The amount is held while the request is `requested`. An operator takes the request up as a proposal,
and the request stays `requested` until another operator decides. If the proposal expires, the
request can be taken up again.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.errors import CommitLost, Refusal
from orderdesk.domain.ids import id_of, is_numbered, numbered, numbered_at, seconds_of
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Sum

REST_SECONDS = 24 * 3600
ADDRESSES_MAX = 20
LABEL_LENGTH_MAX = 64

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_TRON = re.compile(rf"T[{_BASE58}]{{33}}\Z")
_TRON_PREFIX = b"\x41"
_TRON_BYTES, _CHECKSUM_BYTES = 25, 4
_EVM = re.compile(r"0x[0-9a-fA-F]{40}\Z")
_HIGH_DIGIT = 8


class WithdrawalProblem(StrEnum):
    """What is wrong; the portal has a text for each."""

    BAD_ADDRESS = "bad_address"
    BAD_LABEL = "bad_label"
    ADDRESS_KNOWN = "address_known"
    BOOK_FULL = "book_full"
    UNKNOWN_ADDRESS = "unknown_address"
    ADDRESS_RESTS = "address_rests"
    BAD_AMOUNT = "bad_amount"
    BAD_MEMO = "bad_memo"
    BALANCE_TOO_LOW = "balance_too_low"
    TOO_MANY_OPEN = "too_many_open"
    STALE_FORM = "stale_form"
    UNKNOWN_REQUEST = "unknown_request"
    TAKEN_UP = "taken_up"


class WithdrawalRefused(Refusal, reason="withdrawal_refused"):
    """The request or change is not possible; nothing was changed."""

    def __init__(self, problem: WithdrawalProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class RequestNoTaken(CommitLost):
    """A request with this number exists."""


class Network(StrEnum):
    """A network that USDT is sent over."""

    TRC20 = "TRC20"
    ERC20 = "ERC20"
    BEP20 = "BEP20"


def canonical_address(network: Network, text: str) -> str:
    """Return an address in its one spelling, with its checksum.

    Raises: WithdrawalRefused for a malformed address or a wrong checksum.
    """
    match network:
        case Network.TRC20:
            found = text if _is_tron(text) else None
        case Network.ERC20 | Network.BEP20:
            found = _evm_address(text)
    if found is None:
        raise WithdrawalRefused(WithdrawalProblem.BAD_ADDRESS)
    return found


def _is_tron(text: str) -> bool:
    """Return whether a text is Base58Check of the prefix 0x41 and 20 bytes."""
    if _TRON.match(text) is None:
        return False
    number = 0
    for letter in text:
        number = number * len(_BASE58) + _BASE58.index(letter)
    if number >= 1 << 8 * _TRON_BYTES:
        return False
    content = number.to_bytes(_TRON_BYTES)
    body, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    digest = hashlib.sha256(hashlib.sha256(body).digest()).digest()
    return body.startswith(_TRON_PREFIX) and digest[:_CHECKSUM_BYTES] == checksum


def _evm_address(text: str) -> str | None:
    """Return an address with its EIP-55 checksum; None if it is malformed or mixes case wrongly."""
    if _EVM.match(text) is None:
        return None
    digits = text[2:]
    lower = digits.lower()
    digest = keccak_256(lower.encode()).hex()
    checked = "".join(
        letter.upper() if int(mark, 16) >= _HIGH_DIGIT else letter
        for letter, mark in zip(lower, digest, strict=False)
    )
    return f"0x{checked}" if digits in {checked, lower, digits.upper()} else None


_RATE_BYTES, _LANE_BYTES, _LANES, _ROUNDS = 136, 8, 25, 24
_LANE_MASK = (1 << 64) - 1


def keccak_256(message: bytes) -> bytes:
    """Return the Keccak-256 of a message; SHA3-256 of hashlib pads it in another way."""
    padding = bytearray(_RATE_BYTES - len(message) % _RATE_BYTES)
    padding[0] |= 0x01
    padding[-1] |= 0x80
    padded, lanes = message + padding, [0] * _LANES
    for start in range(0, len(padded), _RATE_BYTES):
        for number in range(_RATE_BYTES // _LANE_BYTES):
            place = start + number * _LANE_BYTES
            lanes[number] ^= int.from_bytes(padded[place : place + _LANE_BYTES], "little")
        _permute(lanes)
    return b"".join(lane.to_bytes(_LANE_BYTES, "little") for lane in lanes[:4])


def _permute(lanes: list[int]) -> None:
    """Apply Keccak-f[1600] of FIPS 202; lane (x, y) has the index x + 5y."""
    register = 1
    for _ in range(_ROUNDS):
        parity = [
            lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]
            for x in range(5)
        ]
        for number in range(_LANES):
            lanes[number] ^= parity[(number - 1) % 5] ^ _rotated(parity[(number + 1) % 5], 1)
        x, y, moved = 1, 0, lanes[1]
        for step in range(1, _LANES):
            x, y = y, (2 * x + 3 * y) % 5
            place = x + 5 * y
            moved, lanes[place] = lanes[place], _rotated(moved, step * (step + 1) // 2 % 64)
        for start in range(0, _LANES, 5):
            row = lanes[start : start + 5]
            for x in range(5):
                lanes[start + x] = row[x] ^ (~row[(x + 1) % 5] & _LANE_MASK & row[(x + 2) % 5])
        for bit in range(7):
            register = (register << 1 ^ (register >> 7) * 0x71) % 256
            if register & 2:
                lanes[0] ^= 1 << (1 << bit) - 1


def _rotated(lane: int, bits: int) -> int:
    return (lane << bits | lane >> 64 - bits) & _LANE_MASK


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the book, in its canonical spelling; `added_at` is in Unix seconds."""

    network: Network
    address: str
    label: str
    added_by: str
    added_at: int

    @property
    def usable_at(self) -> int:
        """When it can first be used, in Unix seconds."""
        return self.added_at + REST_SECONDS


@dataclass(frozen=True, slots=True)
class AddressBook:
    """A merchant's addresses, the newest last; `version` 0 has never been stored."""

    merchant_id: str
    addresses: tuple[Address, ...] = ()
    version: int = 0

    def find(self, network: Network, address: str) -> Address | None:
        """Return an address; None if it is not in the book."""
        wanted = network, address
        return next((a for a in self.addresses if (a.network, a.address) == wanted), None)

    def plus(self, new: Address) -> "AddressBook":
        """Return the book with one more address.

        Raises: WithdrawalRefused if the label is unfit, the book has the address, or it is full.
        """
        if not new.label.strip() or text_problems("label", new.label, LABEL_LENGTH_MAX):
            raise WithdrawalRefused(WithdrawalProblem.BAD_LABEL)
        if self.find(new.network, new.address) is not None:
            raise WithdrawalRefused(WithdrawalProblem.ADDRESS_KNOWN)
        if len(self.addresses) >= ADDRESSES_MAX:
            raise WithdrawalRefused(WithdrawalProblem.BOOK_FULL)
        return replace(self, addresses=(*self.addresses, new), version=self.version + 1)

    def minus(self, old: Address) -> "AddressBook":
        """Return the book without an address."""
        left = tuple(each for each in self.addresses if each != old)
        return replace(self, addresses=left, version=self.version + 1)


_LETTER = "W"

FORM_LIFE_SECONDS = 24 * 3600
"""How long a number can be used after it was drawn for a form."""
OPEN_REQUESTS_MAX = 20
REQUEST_ACTION = "withdrawal.request"
"""The action of a request's entry in the merchant's audit trail."""


class RequestStatus(StrEnum):
    """The state of a request."""

    REQUESTED = "requested"
    APPROVED = "approved"
    SENT = "sent"
    REJECTED = "rejected"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether an operator has something to do."""
        return self in {RequestStatus.REQUESTED, RequestStatus.APPROVED}


@dataclass(frozen=True, slots=True)
class WithdrawalRequest:
    """A request as stored; times ending in `_us` are Unix microseconds, others Unix seconds.

    - `proposal_no` is the open proposal that took it up, or the one that decided it.
    - `transfer_id` is that of the payout: the `proposal_no`, or the audit entry's id if one person
      acted alone.
    - `agreed_at_us` is when its payout was approved; it is paid once a seal proves the books.
    - `reason` is why it was rejected.
    - `sealed` is the encrypted `digest` that the portal made when the person asked; no other
      function's role can make one.
    """

    request_no: str
    merchant_id: str
    network: Network
    address: str
    label: str
    address_added_at: int
    amount_micro: int
    memo: str
    requested_by: str
    requested_at_us: int
    status: RequestStatus = RequestStatus.REQUESTED
    proposal_no: str = ""
    decided_at_us: int | None = None
    transfer_id: str = ""
    reason: str = ""
    txid: str = ""
    sent_at_us: int | None = None
    sealed: str = field(default="", repr=False)
    agreed_at_us: int | None = None

    @property
    def shown_status(self) -> RequestStatus:
        """The status that people see: approved from the approval on."""
        is_agreed = self.is_held and self.agreed_at_us is not None
        return RequestStatus.APPROVED if is_agreed else self.status

    @property
    def digest(self) -> str:
        """The SHA-256 in hex of who asked for what, to which entry of the address book."""
        asked = [
            *(self.request_no, self.merchant_id, self.network.value, self.address),
            *(self.address_added_at, self.amount_micro, self.requested_by),
        ]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    @property
    def money(self) -> Sum:
        """The amount on the merchant's live account."""
        return Sum(Account(AccountKind.MERCHANT, self.merchant_id, Mode.LIVE), self.amount_micro)

    @property
    def is_held(self) -> bool:
        """Whether the amount is held."""
        return self.status is RequestStatus.REQUESTED

    @property
    def is_paid(self) -> bool:
        """Whether it was paid out of the books."""
        return self.status in {RequestStatus.APPROVED, RequestStatus.SENT}

    @property
    def ref(self) -> str:
        """The open proposal that took it up, or the proposal or audit entry that decided it."""
        return self.transfer_id or self.proposal_no

    @property
    def is_taken_up(self) -> bool:
        """Whether a proposal about it is open."""
        return self.is_held and bool(self.proposal_no)


def request_number(at_us: int, chance: int) -> str:
    """Return a request_no, which grows with time; `chance` is a random int below 2^13."""
    return numbered_at(_LETTER, at_us, chance)


def is_request_no(text: str) -> bool:
    """Return whether a text has the format of a request_no."""
    return is_numbered(_LETTER, text)


def is_fresh(request_no: str, now: int) -> bool:
    """Return whether a number was drawn within 24 h before a time (Unix seconds)."""
    if not is_request_no(request_no):
        return False
    identifier = id_of(request_no)
    drawn = seconds_of(identifier)
    is_recent = now - FORM_LIFE_SECONDS <= drawn <= now + 1
    return is_recent and numbered(_LETTER, identifier, drawn) == request_no
