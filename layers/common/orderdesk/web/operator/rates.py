"""`rate.*`: the base rates of both sides."""

from collections.abc import Mapping

from orderdesk.domain.money import format_rate
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.services.operator.rates import SetRate
from orderdesk.web.operator.outcomes import requested
from orderdesk.web.operator.parameters import (
    Flag,
    FreeText,
    NoParameters,
    RateE4,
    Side,
    WriteParameters,
)
from orderdesk.web.operator.ports import OperatorPorts


class RateParameters(WriteParameters):
    """Parameters of `rate.set`; `yes` confirms a change of more than 5 %."""

    order_type: Side
    rate: RateE4
    reason: FreeText = ""
    yes: Flag = False


def list_rates(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Return the base rates that were set, by side."""
    return rates_data(ports.rates.rates())


def change_rate(ports: OperatorPorts, asked: RateParameters) -> Mapping[str, object]:
    """Set a side's base rate as of now, or propose it; return the rate or the proposal."""
    command = SetRate(asked.order_type, asked.rate, asked.reason, is_confirmed=asked.yes)
    return requested(ports, command, lambda rate: rates_data({asked.order_type: rate}))


def rates_data(rates: Mapping[OrderType, BaseRate]) -> dict[str, object]:
    """Return base rates as JSON data, by side."""
    return {
        side.name.lower(): {
            "rate": format_rate(rate.rate_e4),
            "source": rate.source,
            "set_at": rate.set_at,
        }
        for side, rate in rates.items()
    }
