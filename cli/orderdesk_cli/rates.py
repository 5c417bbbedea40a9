"""`orderdesk rate …`."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.money import format_rate
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.services.operator.rates import set_rate
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.output import Answer, Json, listing, time_text
from orderdesk_cli.values import Reason, Side, rate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orderdesk_cli.wiring import Office

group = new_group()


@command(group, "set")
def set_side(
    office: "Office",
    side: Annotated[Side, typer.Argument(metavar="buy|sell", show_default=False)],
    value: Annotated[
        int, typer.Argument(parser=rate, metavar="RATE", help="CNY per USDT.", show_default=False)
    ],
    reason: Reason = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Also if it changes by more than 5 %.")
    ] = False,
) -> Answer:
    """Set the base rate of a side as of now; a change of more than 5 % needs --yes."""
    order_type = OrderType[side.name]
    new = set_rate(office.merchants, office.operator, order_type, value, reason, is_confirmed=yes)
    return _shown({order_type: new})


@command(group, "show")
def show(office: "Office") -> Answer:
    """Show the base rates and since when they are set."""
    return _shown(office.merchants.rates())


def _shown(rates: "Mapping[OrderType, BaseRate]") -> Answer:
    data: dict[str, Json] = {
        side.name.lower(): {
            "rate": format_rate(rate.rate_e4),
            "source": rate.source,
            "set_at": rate.set_at,
        }
        for side, rate in rates.items()
    }
    rows = [
        [side.name.lower(), format_rate(rate.rate_e4), rate.source, time_text(rate.set_at)]
        for side, rate in rates.items()
    ]
    return Answer(data, listing(["side", "rate", "source", "set"], rows, "No rate is set."))
