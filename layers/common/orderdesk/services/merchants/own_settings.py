"""What a merchant's people set: keys, secrets, callback addresses, terms; and the API explorer.

See sections 2 and 12 of the contract. The explorer signs a call with the merchant's own test key,
and sends it over HTTP to the public address, like the merchant's own calls. Only the test key's
secrets are decrypted for that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.audit import AuditEntry, differences
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.credentials import (
    ADDRESS_PREFIX,
    new_api_secret,
    new_callback_secret,
    new_id,
    new_key_text,
)
from orderdesk.domain.errors import FieldProblem, NameTaken, Refusal
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.merchant import (
    ADDRESSES_MAX,
    KEYS_MAX,
    MAX_ACTIVE_SECRETS,
    ApiSecrets,
    CallbackAddress,
    Merchant,
    MerchantKey,
    MerchantTerms,
    Scope,
    make_api_key,
)
from orderdesk.domain.merchants.own_terms import (
    OwnTermsChange,
    changed_own_terms,
    describe_own_terms,
    own_term_problems,
)
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue
from orderdesk.domain.pricing import Mode
from orderdesk.domain.receipts.files import ReceiptProblem, ReceiptType, UnfitReceipt
from orderdesk.domain.receipts.places import is_logo_upload_of, logo_upload_key
from orderdesk.services.merchants.portal import PortalPorts, SignedIn
from orderdesk.services.orders.receipts import Renderer, UploadForm, UploadForms
from orderdesk.services.ports import KeyVault, Sender


@dataclass(frozen=True, slots=True)
class NewKeySecret:
    """A key and its new secret, which is shown only once."""

    api_key: str
    api_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyPorts:
    portal: PortalPorts
    vault: KeyVault

    def rotate(self, who: SignedIn, mode: Mode, now: int) -> NewKeySecret:
        """Create a secret of a mode's key, and the key where there is none.

        The newest of today stays valid until the next rotation. Live sells that are signed with a
        young secret wait, also with the first one. Raises: TryAgain.
        """
        own, vault, below = who.merchant_id, self.vault, self.portal.chance.below
        new, new_key = new_api_secret(below), make_api_key(own, mode, new_key_text(below))

        def changed(merchant: Merchant) -> Merchant:
            match mode:
                case Mode.LIVE:
                    old = vault.unseal(own, merchant.sealed_secrets)
                    sealed = vault.seal(own, old.rotated(new, now))
                    key = merchant.api_key or new_key
                    return replace(merchant, api_key=key, sealed_secrets=sealed)
                case Mode.TEST:
                    secrets, key = ApiSecrets((new,)), merchant.test_api_key
                    if key:
                        stored = vault.unseal_key(own, mode, merchant.sealed_test_secrets)
                        secrets = stored.rotated(new, now)
                    sealed = vault.seal_key(own, mode, secrets)
                    return replace(
                        merchant, test_api_key=key or new_key, sealed_test_secrets=sealed
                    )

        after = self.change(who, mode.value, changed)
        return NewKeySecret(after.api_key if mode is Mode.LIVE else after.test_api_key, new)

    def make(self, who: SignedIn, mode: Mode, scope: Scope, now: int) -> NewKeySecret | None:
        """Create a further key with a scope; None if the mode has KEYS_MAX. Raises: TryAgain."""
        own, below = who.merchant_id, self.portal.chance.below
        api_key, secret = make_api_key(own, mode, new_key_text(below)), new_api_secret(below)
        made = ApiSecrets((secret,), (now,))
        key = MerchantKey(api_key, mode, scope, self.vault.seal_key(own, mode, made), now)

        def changed(merchant: Merchant) -> Merchant:
            if sum(each.mode is mode for each in merchant.keys) >= KEYS_MAX:
                return merchant
            return replace(merchant, more_keys=(*merchant.more_keys, key))

        after = self.change(who, api_key, changed, "key.make")
        return NewKeySecret(api_key, secret) if key in after.more_keys else None

    def remove(self, who: SignedIn, api_key: str) -> None:
        """Remove a key that was made here; its calls are refused within CacheSeconds.

        Raises: TryAgain.
        """

        def changed(merchant: Merchant) -> Merchant:
            kept = tuple(key for key in merchant.more_keys if key.api_key != api_key)
            return replace(merchant, more_keys=kept)

        self.change(who, api_key, changed, "key.remove")

    def rotate_callback(self, who: SignedIn) -> str:
        """Create a callback secret; callbacks have signatures by both until the next rotation.

        Raises: TryAgain.
        """
        new = new_callback_secret(self.portal.chance.below)

        def changed(merchant: Merchant) -> Merchant:
            sealed = self.with_secret(new, merchant, merchant.sealed_callback_secrets)
            return replace(merchant, sealed_callback_secrets=sealed)

        self.change(who, "callback", changed)
        return new

    def with_secret(self, new: str, merchant: Merchant, sealed: bytes) -> bytes:
        """Return sealed callback secrets with a new one; the oldest go. Raises: TryAgain."""
        old = self.vault.unseal_callback(merchant.merchant_id, sealed)
        return self.vault.seal_callback(merchant.merchant_id, (new, *old)[:MAX_ACTIVE_SECRETS])

    def change(
        self,
        who: SignedIn,
        key: str,
        changed: Callable[[Merchant], Merchant],
        action: str = "key.rotate",
    ) -> Merchant:
        """Change the merchant; the entry names the key. Raises: TryAgain."""
        return self.portal.change_merchant(
            who.merchant_id, changed, lambda *_: self.portal.entry(who.by, action, key, key=key)
        )


class AddressProblem(StrEnum):
    """Why an address was not added."""

    URL = "url"
    EVENTS = "events"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class NewAddress:
    """An address and its new secret, which is shown only once."""

    address: CallbackAddress
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddressPorts:
    """The ports of the addresses; `allow_loopback` is the deployment's AllowLocalTargets."""

    keys: KeyPorts
    allow_loopback: bool

    def add(
        self, who: SignedIn, url: str, events: tuple[str, ...] | None, now: int
    ) -> NewAddress | AddressProblem:
        """Add an address that takes these types of callbacks; None are all. Raises: TryAgain."""
        if callback_url_problem(url, allow_loopback=self.allow_loopback) is not None:
            return AddressProblem.URL
        if not set(events or ()) <= set(event_types()) or events == ():
            return AddressProblem.EVENTS
        below = self.keys.portal.chance.below
        secret, endpoint_id = new_callback_secret(below), new_id(ADDRESS_PREFIX, below)
        sealed = self.keys.vault.seal_callback(who.merchant_id, (secret,))
        new = CallbackAddress(endpoint_id, url, events, sealed, now)

        def added(merchant: Merchant) -> Merchant:
            if len(merchant.addresses) >= ADDRESSES_MAX:
                return merchant
            return replace(merchant, addresses=(*merchant.addresses, new))

        after = self.keys.change(who, endpoint_id, added, "endpoint.add")
        is_added = after.address(endpoint_id) is not None
        return NewAddress(new, secret) if is_added else AddressProblem.FULL

    def remove(self, who: SignedIn, endpoint_id: str) -> None:
        """Remove an address; what is not delivered to it yet is given up. Raises: TryAgain."""

        def removed(merchant: Merchant) -> Merchant:
            kept = tuple(each for each in merchant.addresses if each.endpoint_id != endpoint_id)
            return replace(merchant, addresses=kept)

        self.keys.change(who, endpoint_id, removed, "endpoint.remove")

    def rotate(self, who: SignedIn, endpoint_id: str) -> str | None:
        """Create a secret of an address; callbacks have signatures by the two newest.

        Return None for an unknown address. Raises: TryAgain.
        """
        secret = new_callback_secret(self.keys.portal.chance.below)

        def rotated(merchant: Merchant) -> Merchant:
            return replace(
                merchant,
                addresses=tuple(
                    replace(each, sealed=self.keys.with_secret(secret, merchant, each.sealed))
                    if each.endpoint_id == endpoint_id
                    else each
                    for each in merchant.addresses
                ),
            )

        after = self.keys.change(who, endpoint_id, rotated, "endpoint.rotate")
        return None if after.address(endpoint_id) is None else secret


def event_types() -> tuple[str, ...]:
    """Return the types of callbacks that an address can choose."""
    return tuple(kind.value for kind in CallbackType if not kind.is_of_account)


METHOD = "POST"


class NoTestKey(Refusal, reason="no_test_key"):
    """The merchant has no test key yet."""


@dataclass(frozen=True, slots=True)
class SignedBody:
    """A call's string to sign, its signature, and the whole body."""

    string_to_sign: str = field(repr=False)
    signature: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExplorerPorts:
    """`sender` is created on first use, because most requests need none."""

    vault: KeyVault
    new_nonce: Callable[[], str]
    sender: Callable[[], Sender]

    def sign(
        self, merchant: Merchant, path: str, params: Mapping[str, JsonValue], now: int
    ) -> SignedBody:
        """Add the common parameters, and sign with the newest secret of the test key.

        `params` must have no `signable_problems`. A timestamp and a nonce of their own are kept, so
        that a developer can try what is refused. Raises: NoTestKey, TryAgain.
        """
        if not merchant.test_api_key:
            raise NoTestKey
        sealed = merchant.sealed_test_secrets
        secret = self.vault.unseal_key(merchant.merchant_id, Mode.TEST, sealed).api_secrets[0]
        whole: dict[str, JsonValue] = {
            "timestamp": JsonNumber(str(now)),
            "nonce": self.new_nonce(),
            **params,
            "api_key": merchant.test_api_key,
        }
        text = signing.string_to_sign(METHOD, path, whole)
        signature = signing.sign(secret, text)
        return SignedBody(text, signature, signing.json_text({**whole, "signature": signature}))


LOGO_BYTES_MAX = 512 * 1024
_LOGO_TYPES = {ReceiptType.PNG, ReceiptType.JPEG}


@dataclass(frozen=True, slots=True)
class OwnTermsPorts:
    """`allow_loopback` is the deployment's AllowLocalTargets."""

    portal: PortalPorts
    uploads: UploadForms
    renderer: Renderer
    allow_loopback: bool

    def logo_form(self, who: SignedIn, return_url: str, now: int) -> UploadForm:
        """Return the form that uploads a logo, and then returns to our page."""
        target = logo_upload_key(who.merchant_id, now)
        return self.uploads.upload_form(target, LOGO_BYTES_MAX, return_url)

    def set_logo(self, who: SignedIn, upload: str, now: int) -> None:
        """Draw an uploaded file and make it the merchant's logo.

        Raises: UnfitReceipt, TryAgain.
        """
        if not is_logo_upload_of(upload, who.merchant_id, now):
            raise UnfitReceipt(ReceiptProblem.MISSING)
        drawn = self.renderer.render(upload, who.merchant_id)
        if drawn.size_bytes > LOGO_BYTES_MAX:
            raise UnfitReceipt(ReceiptProblem.TOO_LARGE)
        if drawn.content_type not in _LOGO_TYPES:
            raise UnfitReceipt(ReceiptProblem.WRONG_TYPE)
        self.change(who, OwnTermsChange(logo=drawn.key))

    def change(self, who: SignedIn, change: OwnTermsChange) -> Sequence[FieldProblem]:
        """Change terms, with an entry of the merchant's audit trail.

        Return what is wrong with the new values; if anything is, nothing was changed. Other values
        that were stored before are not checked again. Raises: TryAgain.
        """
        alone = changed_own_terms(MerchantTerms(), change)
        problems = [*own_term_problems(alone, allow_loopback=self.allow_loopback)]
        if problems:
            return problems

        def changed(merchant: Merchant) -> Merchant:
            return replace(merchant, terms=changed_own_terms(merchant.terms, change))

        def entry(before: Merchant, after: Merchant) -> AuditEntry:
            changes = differences(describe_own_terms(before.terms), describe_own_terms(after.terms))
            return self.portal.entry(who.by, "settings.change", who.merchant_id, **changes)

        try:
            self.portal.change_merchant(who.merchant_id, changed, entry)
        except NameTaken as taken:
            return [taken.problem]
        return ()
