"""An operator sets whether a trader takes orders: online, offline, suspended."""

from dataclasses import replace
from enum import StrEnum

from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import TraderRegister
from orderdesk.services.operator.traders import change_trader


class Duty(StrEnum):
    """The operator's setting for a trader.

    ONLINE also lifts a suspension: the contract has no other command for that. OFFLINE does not.
    """

    ONLINE = "online"
    OFFLINE = "offline"
    SUSPENDED = "suspend"


def set_duty(
    register: TraderRegister, operator: Operator, trader_id: str, duty: Duty, reason: str = ""
) -> Trader:
    """Add a trader to the rotation or remove it; open orders are not affected.

    A trader without a method may go online; no order fits it until it has one.
    Raises: UnknownId, TryAgain.
    """
    return change_trader(
        register,
        operator,
        trader_id,
        action=f"trader.{duty.value}",
        reason=reason,
        changed=lambda trader: _on(trader, duty),
        details=lambda *_: {},
    )


def _on(trader: Trader, duty: Duty) -> Trader:
    match duty:
        case Duty.ONLINE:
            return replace(trader, online=True, suspended=False)
        case Duty.OFFLINE:
            return replace(trader, online=False)
        case Duty.SUSPENDED:
            return replace(trader, online=False, suspended=True)
