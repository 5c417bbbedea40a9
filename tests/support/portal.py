"""A member's browser at the merchants' portal, with an authenticator in software."""

import base64
import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from orderdesk.adapters.dynamodb.teams import TeamStore
from orderdesk.adapters.dynamodb.withdrawals import MerchantWithdrawals, book_item
from orderdesk.adapters.system import SystemChance, now_us
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import Member, MemberRole, Team
from orderdesk.domain.merchants.withdrawals import REST_SECONDS
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.merchants import invite_member
from tests.support.money_world import TESTER, operator_ports
from tests.support.seed import Seed
from tests.support.visitors import OWN_PAGE, Answer, Browser, hidden_fields, kept_query

ORIGIN = "https://pay.example.com"
_USER_PRESENT, _USER_VERIFIED, _HAS_CREDENTIAL = 1, 4, 64


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass(slots=True)
class Authenticator:
    """One passkey; `sign_count` grows with each use, unless it is 0 and does not count."""

    origin: str = ORIGIN
    verifies: bool = True
    sign_count: int = 1
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    user_handle: str = ""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def register(self, options: Mapping[str, Any]) -> str:
        """Return the answer to `navigator.credentials.create`."""
        self.user_handle = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        x, y = (each.to_bytes(32, "big") for each in (numbers.x, numbers.y))
        public_key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        length = len(self.credential_id).to_bytes(2, "big")
        data = self._data(options["rp"]["id"], _HAS_CREDENTIAL)
        data += bytes(16) + length + self.credential_id + public_key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._answer(
            {"clientDataJSON": base64url(client), "attestationObject": base64url(attestation)}
        )

    def use(self, options: Mapping[str, Any]) -> str:
        """Return the answer to `navigator.credentials.get`."""
        self.sign_count += bool(self.sign_count)
        data = self._data(options["rpId"])
        client = self._client("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(client).digest()
        return self._answer(
            {
                "clientDataJSON": base64url(client),
                "authenticatorData": base64url(data),
                "signature": base64url(self.key.sign(signed, ec.ECDSA(SHA256()))),
                "userHandle": self.user_handle,
            }
        )

    def _data(self, host: str, flags: int = 0) -> bytes:
        flags |= _USER_PRESENT | (_USER_VERIFIED if self.verifies else 0)
        hashed = hashlib.sha256(host.encode()).digest()
        return hashed + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, response: Mapping[str, str]) -> str:
        own = base64url(self.credential_id)
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": response})


def invite(seed: Seed, merchant: Merchant, role: MemberRole, name: str = "张三") -> str:
    """Invite a person as two operators do; return the token of the link."""
    operator = Operator(TESTER, SystemChance(), now_us, lambda _: None)
    ports = operator_ports(seed, operator)
    made = invite_member(ports, merchant.merchant_id, name=name, role=role)
    return made.invite_url.rpartition("/")[2]


def let_addresses_rest(seed: Seed, merchant: Merchant) -> None:
    """Store a merchant's addresses as if they had been added long enough ago to be used."""
    book = MerchantWithdrawals(seed.client, seed.tables).address_book(merchant.merchant_id)
    rested = [replace(each, added_at=each.added_at - REST_SECONDS) for each in book.addresses]
    seed.put(seed.tables.ledger, book_item(replace(book, addresses=tuple(rested))))


@dataclass(slots=True)
class PortalVisit(Browser):
    """A member's browser."""

    merchant: Merchant
    authenticator: Authenticator = field(default_factory=Authenticator)
    function: ClassVar[str] = "merchant_portal"
    cookie_name: ClassVar[str] = "__Host-portal"

    @classmethod
    def of_new_member(
        cls, seed: Seed, role: MemberRole = MemberRole.ADMIN, merchant: Merchant | None = None
    ) -> Self:
        """Invite a person, of a new merchant by default, and join."""
        visit = cls(seed, merchant or seed.add_merchant()[0])
        answer = visit.join(invite(seed, visit.merchant, role))
        assert answer["statusCode"] == 303, answer
        return visit

    def join(self, token: str, code: str = "") -> Answer:
        """Register the passkey with an invitation, and the code of one by two operators."""
        path = f"invite/{token}"
        asked = self.post(f"{path}/challenge")
        if asked["statusCode"] != 200:
            return asked
        credential = self.authenticator.register(json.loads(asked["body"]))
        form = {"credential": credential} | ({"code": code} if code else {})
        return self.post(path, OWN_PAGE, **form)

    def log_in(self, **query: str) -> Answer:
        options = json.loads(self.post("login/challenge")["body"])
        body = urlencode({"credential": self.authenticator.use(options)}).encode()
        return self.send("POST", "login", query=query, headers=OWN_PAGE, body=body)

    def confirmed(self, path: str, **form: str) -> Answer:
        """Send a form with a fresh answer of the passkey."""
        options = json.loads(self.post("challenge")["body"])
        credential = self.authenticator.use(options)
        return self.post(path, OWN_PAGE, credential=credential, **form)

    def is_in(self) -> bool:
        return bool(self.get()["statusCode"] == 200)

    def get(self, path: str = "", **query: str) -> Answer:
        return self.send("GET", path, query=query)

    def post(self, path: str, headers: Mapping[str, str] = OWN_PAGE, **form: str) -> Answer:
        return self.send("POST", path, headers=headers, body=urlencode(form).encode())

    def upload(self, order_no: str, content: bytes) -> Answer:
        """Send a picture of a dispute: upload it, come back from the bucket, press the button."""
        page = self.get(f"orders/{order_no}")
        return self.stored(page, content, lambda here: self.come_back(order_no, here))

    def come_back(self, order_no: str, here: Mapping[str, str]) -> Answer:
        """Open the address that the bucket redirects to, and press the button."""
        path = f"orders/{order_no}/picture"
        sent = hidden_fields(self.get(path, **here)["body"])
        body = urlencode(sent).encode()
        return self.send("POST", path, query=kept_query(here), headers=OWN_PAGE, body=body)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """Send a request as API Gateway passes it on."""
        route, names = ("/portal/{proxy+}", {"proxy": path}) if path else ("/portal", {})
        agent = {"User-Agent": "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0"}
        headers = {**(headers or {}), **agent}
        return self.sent(method, route, names, query=query, headers=headers, body=body)

    @property
    def team(self) -> Team:
        return self._teams.team(self.merchant.merchant_id)

    @property
    def trail(self) -> Sequence[AuditEntry]:
        """The merchant's audit trail, oldest first."""
        return self._teams.trail(self.merchant.merchant_id, now_us(), 100)[::-1]

    @property
    def _teams(self) -> TeamStore:
        return TeamStore(self.seed.client, self.seed.tables)

    @property
    def member(self) -> Member:
        """The member who has the passkey."""
        own = base64url(self.authenticator.credential_id)
        return next(member for member in self.team.members if member.passkey(own))
