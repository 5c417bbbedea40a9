"""A merchant's people rotate the secrets of its keys (contract sections 2 and 12)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.credentials import new_api_key, new_api_secret
from orderdesk.domain.merchants.merchant import ApiSecrets, Merchant, MerchantSecrets
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.portal import Browser, PortalPorts, SignedIn
from orderdesk.services.retrying import change_until_committed


class KeyVault(Protocol):
    """Encrypts a merchant's secrets. Each method raises TryAgain."""

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        """Encrypt the live key's secrets and the link secret."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt the live key's secrets and the link secret."""

    def seal_test(self, merchant_id: str, secrets: ApiSecrets) -> bytes:
        """Encrypt the test key's secrets."""

    def unseal_test(self, merchant_id: str, sealed: bytes) -> ApiSecrets:
        """Decrypt the test key's secrets."""


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
        """Create a secret of a mode's key, and the test key where there is none yet.

        The newest of today stays valid until the next rotation. Live sells that are signed with a
        young secret wait, as after an operator's rotation. Raises: TryAgain.
        """
        below = self.portal.chance.below
        new = new_api_secret(below)

        def write(before: Merchant, after: Merchant) -> None:
            entry = self.portal.entry(
                who.member.name, "key.rotate", mode.value, browser, key=mode.value
            )
            self.merchants.change_merchant(before, after, entry, self.portal.chance.token())

        def changed(merchant: Merchant) -> Merchant:
            match mode:
                case Mode.LIVE:
                    return self._live(merchant, new, now)
                case Mode.TEST:
                    return self._test(merchant, new, now, below)

        after = change_until_committed(
            lambda: self.merchants.merchant(who.merchant_id),
            changed,
            write,
            self.portal.chance,
            self.portal.pause_ms,
        )
        return NewKeySecret(after.api_key if mode is Mode.LIVE else after.test_api_key, new)

    def _live(self, merchant: Merchant, new: str, now: int) -> Merchant:
        old = self.vault.unseal(merchant.merchant_id, merchant.sealed_secrets)
        sealed = self.vault.seal(merchant.merchant_id, old.rotated(new, now))
        return replace(merchant, sealed_secrets=sealed)

    def _test(
        self, merchant: Merchant, new: str, now: int, below: Callable[[int], int]
    ) -> Merchant:
        merchant_id = merchant.merchant_id
        if merchant.test_api_key:
            old = self.vault.unseal_test(merchant_id, merchant.sealed_test_secrets)
            sealed = self.vault.seal_test(merchant_id, old.rotated(new, now))
            return replace(merchant, sealed_test_secrets=sealed)
        return replace(
            merchant,
            test_api_key=new_api_key(merchant_id, Mode.TEST, below),
            sealed_test_secrets=self.vault.seal_test(merchant_id, ApiSecrets((new,))),
        )
