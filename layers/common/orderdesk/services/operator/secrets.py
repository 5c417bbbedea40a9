"""Rotate a merchant's secrets: the newest signs from now on, the previous one stays valid.

A merchant has at most MAX_ACTIVE_SECRETS at a time, so it can change over without a refused call.
The next rotation drops the oldest.
"""

from dataclasses import replace

from orderdesk.domain import credentials
from orderdesk.domain.merchants.merchant import MAX_ACTIVE_SECRETS, Merchant, MerchantSecrets
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.merchants import change_merchant
from orderdesk.services.operator.ports import MerchantRegister, Vault


def rotate_api_secret(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    merchant_id: str,
    reason: str = "",
) -> str:
    """Create a new api_secret, which is shown only once. Raises: UnknownId, TryAgain."""
    new = credentials.new_api_secret(operator.chance.below)

    def changed(merchant: Merchant) -> Merchant:
        old = vault.unseal(merchant_id, merchant.sealed_secrets)
        secrets = MerchantSecrets(_newest_first(new, old.api_secrets), old.link_secret)
        return replace(merchant, sealed_secrets=vault.seal(merchant_id, secrets))

    action = "merchant.rotate-secret"
    change_merchant(register, operator, merchant_id, action=action, reason=reason, changed=changed)
    return new


def rotate_callback_secret(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    merchant_id: str,
    reason: str = "",
) -> str:
    """Create a new callback secret, which is shown only once.

    Until the next rotation callbacks have signatures by both secrets. Raises: UnknownId, TryAgain.
    """
    new = credentials.new_callback_secret(operator.chance.below)

    def changed(merchant: Merchant) -> Merchant:
        old = vault.unseal_callback(merchant_id, merchant.sealed_callback_secrets)
        sealed = vault.seal_callback(merchant_id, _newest_first(new, old))
        return replace(merchant, sealed_callback_secrets=sealed)

    action = "merchant.rotate-callback-secret"
    change_merchant(register, operator, merchant_id, action=action, reason=reason, changed=changed)
    return new


def _newest_first(new: str, old: tuple[str, ...]) -> tuple[str, ...]:
    return (new, *old)[:MAX_ACTIVE_SECRETS]
