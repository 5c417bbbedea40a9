"""The identity provider that a deployment is configured for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from orderdesk.domain.identity import IdentityVerifier

# A common parameter of Tencent Cloud; PhoneVerification gives the same answer in every region.
DEFAULT_TENCENT_REGION: Final = "ap-guangzhou"
# Leaves room for the order itself under API Gateway's 29 s.
DEFAULT_TIMEOUT_SECONDS: Final = 8.0


def make_verifier(
    provider: str,
    load_tencent_credentials: Callable[[], tuple[str, str]],
    *,
    tencent_region: str = DEFAULT_TENCENT_REGION,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
) -> "IdentityVerifier":
    """Make the verifier of a provider: "sandbox", "tencent" or "none" (always UNAVAILABLE).

    Each adapter is imported in its branch: Tencent's SDK costs about a quarter of a second, so
    make the verifier when the first customer is to be verified, not at cold start. The credentials
    (SecretId, SecretKey) are loaded for "tencent" only; what the loader raises is passed on.

    Raises ValueError for any other provider.
    """
    if provider == "sandbox":
        from orderdesk.adapters.identity.sandbox import SandboxVerifier  # noqa: PLC0415

        return SandboxVerifier()
    if provider == "tencent":
        from orderdesk.adapters.identity.tencent import TencentVerifier  # noqa: PLC0415

        secret_id, secret_key = load_tencent_credentials()
        return TencentVerifier(secret_id, secret_key, tencent_region, timeout_seconds)
    if provider == "none":
        from orderdesk.adapters.identity.unconfigured import UnconfiguredVerifier  # noqa: PLC0415

        return UnconfiguredVerifier()
    raise ValueError(f"unknown identity provider: {provider!r}")
