"""A merchant's people keep its callback addresses (contract section 12)."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.credentials import new_callback_secret, new_endpoint_id
from orderdesk.domain.merchants.merchant import (
    ADDRESSES_MAX,
    MAX_ACTIVE_SECRETS,
    CallbackAddress,
    Merchant,
)
from orderdesk.services.merchants.keys import KeyPorts
from orderdesk.services.merchants.portal import Browser, SignedIn


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
        self, who: SignedIn, url: str, events: tuple[str, ...] | None, browser: Browser, now: int
    ) -> NewAddress | AddressProblem:
        """Add an address that takes these types of callbacks; None are all. Raises: TryAgain."""
        if callback_url_problem(url, allow_loopback=self.allow_loopback) is not None:
            return AddressProblem.URL
        if not set(events or ()) <= set(event_types()) or events == ():
            return AddressProblem.EVENTS
        below = self.keys.portal.chance.below
        secret, endpoint_id = new_callback_secret(below), new_endpoint_id(below)
        sealed = self.keys.vault.seal_callback(who.merchant_id, (secret,))
        new = CallbackAddress(endpoint_id, url, events, sealed, now)

        def added(merchant: Merchant) -> Merchant:
            if len(merchant.addresses) >= ADDRESSES_MAX:
                return merchant
            return replace(merchant, addresses=(*merchant.addresses, new))

        after = self.keys.change(who, endpoint_id, browser, added, "endpoint.add")
        is_added = after.address(endpoint_id) is not None
        return NewAddress(new, secret) if is_added else AddressProblem.FULL

    def remove(self, who: SignedIn, endpoint_id: str, browser: Browser) -> None:
        """Remove an address; what is not delivered to it yet is given up. Raises: TryAgain."""

        def removed(merchant: Merchant) -> Merchant:
            kept = tuple(each for each in merchant.addresses if each.endpoint_id != endpoint_id)
            return replace(merchant, addresses=kept)

        self.keys.change(who, endpoint_id, browser, removed, "endpoint.remove")

    def rotate(self, who: SignedIn, endpoint_id: str, browser: Browser) -> str | None:
        """Create a secret of an address; callbacks have signatures by the two newest.

        Return None for an unknown address. Raises: TryAgain.
        """
        secret = new_callback_secret(self.keys.portal.chance.below)

        def rotated(merchant: Merchant) -> Merchant:
            return replace(
                merchant,
                addresses=tuple(
                    self._rotated(merchant.merchant_id, each, secret)
                    if each.endpoint_id == endpoint_id
                    else each
                    for each in merchant.addresses
                ),
            )

        after = self.keys.change(who, endpoint_id, browser, rotated, "endpoint.rotate")
        return None if after.address(endpoint_id) is None else secret

    def _rotated(self, merchant_id: str, address: CallbackAddress, secret: str) -> CallbackAddress:
        old = self.keys.vault.unseal_callback(merchant_id, address.sealed)
        sealed = self.keys.vault.seal_callback(merchant_id, (secret, *old)[:MAX_ACTIVE_SECRETS])
        return replace(address, sealed=sealed)


def event_types() -> tuple[str, ...]:
    """Return the types of callbacks that an address can choose."""
    return tuple(kind.value for kind in CallbackType if not kind.is_of_account)
