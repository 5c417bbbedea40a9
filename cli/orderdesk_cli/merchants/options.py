"""The options of `merchant add` and `merchant set`; None is an option that was not given."""

from typing import Annotated, cast

import typer

from orderdesk.domain.merchants.terms import TermsChange, wanted_events
from orderdesk.domain.pricing import BPS
from orderdesk_cli.values import cny, usdt

Identity = Annotated[
    bool | None,
    typer.Option("--identity/--no-identity", help="Customers must prove their identity."),
]
CallbackUrl = Annotated[
    str | None, typer.Option(metavar="URL", help='Default callback target; "" for none.')
]
ServiceBps = Annotated[int | None, typer.Option(min=0, max=BPS, help="Service fee, 1/10000.")]
ServiceFixed = Annotated[
    int | None, typer.Option(parser=usdt, metavar="USDT", help="Fixed service fee.")
]
DepositBps = Annotated[int | None, typer.Option(min=0, max=BPS, help="Deposit, 1/10000.")]
SpreadBps = Annotated[
    int | None, typer.Option(min=0, max=BPS - 1, help="Spread on the base rate, 1/10000.")
]
MinCny = Annotated[
    int | None, typer.Option(parser=cny, metavar="CNY", help="Smallest order; at first 0.01.")
]
MaxCny = Annotated[
    int | None, typer.Option(parser=cny, metavar="CNY", help="Largest order; at first 1000000.00.")
]
AllowCidr = Annotated[
    list[str] | None,
    typer.Option(metavar="CIDR", help='Network that may call, repeatable; "" for any address.'),
]
Events = Annotated[
    str | None,
    typer.Option(metavar="TYPES", help="Callbacks it wants: all, none, or order.paid,… (commas)."),
]


def given_terms(
    *,
    identity: bool | None,
    callback_url: str | None,
    service_bps: int | None,
    service_fixed: int | None,
    deposit_bps: int | None,
    spread_bps: int | None,
    min_cny: int | None,
    max_cny: int | None,
    allow_cidr: list[str] | None,
    events: str | None,
) -> TermsChange:
    """Gather what was given; networks given replace those there were."""
    plain = {
        "identity_required": identity,
        "callback_url": callback_url,
        "service_bps": service_bps,
        "service_fixed_micro": service_fixed,
        "deposit_bps": deposit_bps,
        "spread_bps": spread_bps,
        "min_cny_fen": min_cny,
        "max_cny_fen": max_cny,
    }
    given = {name: value for name, value in plain.items() if value is not None}
    change = cast("TermsChange", given)
    if allow_cidr:
        change["allowed_cidrs"] = tuple(cidr for cidr in allow_cidr if cidr)
    if events is not None:
        change["events"] = wanted_events(events)
    return change
