"""A merchant's people make and rotate its keys and secrets (contract sections 2 and 12)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.credentials import new_api_secret, new_callback_secret, new_key_text
from orderdesk.domain.merchants.merchant import (
    KEYS_MAX,
    MAX_ACTIVE_SECRETS,
    ApiSecrets,
    Merchant,
    MerchantKey,
    MerchantSecrets,
    Scope,
    make_api_key,
)
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.portal import Browser, PortalPorts, SignedIn
from orderdesk.services.retrying import change_until_committed


class KeyVault(Protocol):
    """Encrypts a merchant's secrets. Each method raises TryAgain."""

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        """Encrypt the live key's secrets and the link secret."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt the live key's secrets and the link secret."""

    def seal_key(self, merchant_id: str, mode: Mode, secrets: ApiSecrets) -> bytes:
        """Encrypt the secrets of a key of a mode."""

    def unseal_key(self, merchant_id: str, mode: Mode, sealed: bytes) -> ApiSecrets:
        """Decrypt the secrets of a key of a mode."""

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        """Encrypt the callback secrets, newest first."""

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        """Decrypt the callback secrets, newest first."""


class OwnMerchant(Protocol):
    """Reads and changes the member's own merchant. Reads raise TryAgain."""

    def merchant(self, merchant_id: str) -> Merchant:
        """Return the merchant's present state."""

    def change_merchant(
        self, before: Merchant, after: Merchant, entry: AuditEntry, token: str
    ) -> None:
        """Write the changed attributes and an entry of the team's audit trail.

        Raises: ChangedMeanwhile if `before` is outdated; Contended, Throttled, TryAgain.
        """


@dataclass(frozen=True, slots=True)
class NewKeySecret:
    """A key and its new secret, which is shown only once."""

    api_key: str
    api_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyPorts:
    portal: PortalPorts
    merchants: OwnMerchant
    vault: KeyVault

    def rotate(self, who: SignedIn, mode: Mode, browser: Browser, now: int) -> NewKeySecret:
        """Create a secret of a mode's key, and the key where there is none.

        The newest of today stays valid until the next rotation. Live sells that are signed with a
        young secret wait, also with the first one. Raises: TryAgain.
        """
        below = self.portal.chance.below
        new = new_api_secret(below)

        def changed(merchant: Merchant) -> Merchant:
            match mode:
                case Mode.LIVE:
                    return self._live(merchant, new, now, below)
                case Mode.TEST:
                    return self._test(merchant, new, now, below)

        after = self.change(who, mode.value, browser, changed)
        return NewKeySecret(after.api_key if mode is Mode.LIVE else after.test_api_key, new)

    def make(
        self, who: SignedIn, mode: Mode, scope: Scope, browser: Browser, now: int
    ) -> NewKeySecret | None:
        """Create a further key with a scope; None if the mode has KEYS_MAX. Raises: TryAgain."""
        own, below = who.merchant_id, self.portal.chance.below
        api_key, secret = make_api_key(own, mode, new_key_text(below)), new_api_secret(below)
        made = ApiSecrets((secret,), (now,))
        key = MerchantKey(api_key, mode, scope, self.vault.seal_key(own, mode, made), now)

        def changed(merchant: Merchant) -> Merchant:
            if sum(each.mode is mode for each in merchant.keys) >= KEYS_MAX:
                return merchant
            return replace(merchant, more_keys=(*merchant.more_keys, key))

        after = self.change(who, api_key, browser, changed, "key.make")
        return NewKeySecret(api_key, secret) if key in after.more_keys else None

    def remove(self, who: SignedIn, api_key: str, browser: Browser) -> None:
        """Remove a key that was made here; its calls are refused within CacheSeconds.

        Raises: TryAgain.
        """

        def changed(merchant: Merchant) -> Merchant:
            kept = tuple(key for key in merchant.more_keys if key.api_key != api_key)
            return replace(merchant, more_keys=kept)

        self.change(who, api_key, browser, changed, "key.remove")

    def rotate_callback(self, who: SignedIn, browser: Browser) -> str:
        """Create a callback secret; callbacks have signatures by both until the next rotation.

        Raises: TryAgain.
        """
        new = new_callback_secret(self.portal.chance.below)

        def changed(merchant: Merchant) -> Merchant:
            own = merchant.merchant_id
            old = self.vault.unseal_callback(own, merchant.sealed_callback_secrets)
            sealed = self.vault.seal_callback(own, (new, *old)[:MAX_ACTIVE_SECRETS])
            return replace(merchant, sealed_callback_secrets=sealed)

        self.change(who, "callback", browser, changed)
        return new

    def change(
        self,
        who: SignedIn,
        key: str,
        browser: Browser,
        changed: Callable[[Merchant], Merchant],
        action: str = "key.rotate",
    ) -> Merchant:
        """Change the merchant, with an entry of the team's audit trail. Raises: TryAgain."""

        def write(before: Merchant, after: Merchant) -> None:
            entry = self.portal.entry(who.member.name, action, key, browser, key=key)
            self.merchants.change_merchant(before, after, entry, self.portal.chance.token())

        return change_until_committed(
            lambda: self.merchants.merchant(who.merchant_id),
            changed,
            write,
            self.portal.chance,
            self.portal.pause_ms,
        )

    def _live(
        self, merchant: Merchant, new: str, now: int, below: Callable[[int], int]
    ) -> Merchant:
        merchant_id = merchant.merchant_id
        old = self.vault.unseal(merchant_id, merchant.sealed_secrets)
        sealed = self.vault.seal(merchant_id, old.rotated(new, now))
        api_key = merchant.api_key or make_api_key(merchant_id, Mode.LIVE, new_key_text(below))
        return replace(merchant, api_key=api_key, sealed_secrets=sealed)

    def _test(
        self, merchant: Merchant, new: str, now: int, below: Callable[[int], int]
    ) -> Merchant:
        merchant_id = merchant.merchant_id
        if merchant.test_api_key:
            old = self.vault.unseal_key(merchant_id, Mode.TEST, merchant.sealed_test_secrets)
            sealed = self.vault.seal_key(merchant_id, Mode.TEST, old.rotated(new, now))
            return replace(merchant, sealed_test_secrets=sealed)
        return replace(
            merchant,
            test_api_key=make_api_key(merchant_id, Mode.TEST, new_key_text(below)),
            sealed_test_secrets=self.vault.seal_key(merchant_id, Mode.TEST, ApiSecrets((new,))),
        )
