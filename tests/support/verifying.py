"""Ports of a verification without caps."""

from collections.abc import Callable

from orderdesk.domain.identity import IdentityVerifier
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck, VerifyPorts


class NoCaps:
    """Counts nothing."""

    def reserve(self, attempt: CustomerCheck) -> Cap | Callable[[], None]:  # noqa: ARG002 the port
        return lambda: None


def uncapped(provider: IdentityVerifier) -> VerifyPorts:
    """Give the ports of a verification that always asks the provider."""
    return VerifyPorts(provider, NoCaps(), lambda _, __: None)
