"""The options of `merchant add` and `merchant set`; None is an option that was not given."""

from typing import Annotated, TypedDict

import typer

from orderdesk_cli.options import cny, usdt

_BPS = 10_000


class MerchantOptions(TypedDict):
    """Every option that both commands have."""

    identity: Annotated[
        bool | None,
        typer.Option("--identity/--no-identity", help="Customers must prove their identity."),
    ]
    callback_url: Annotated[
        str | None, typer.Option(metavar="URL", help='Default callback target; "" for none.')
    ]
    service_bps: Annotated[int | None, typer.Option(min=0, max=_BPS, help="Service fee, 1/10000.")]
    service_fixed: Annotated[
        str | None, typer.Option(parser=usdt, metavar="USDT", help="Fixed service fee.")
    ]
    deposit_bps: Annotated[int | None, typer.Option(min=0, max=_BPS, help="Deposit, 1/10000.")]
    spread_bps: Annotated[
        int | None, typer.Option(min=0, max=_BPS - 1, help="Spread on the base rate, 1/10000.")
    ]
    min_cny: Annotated[
        str | None, typer.Option(parser=cny, metavar="CNY", help="Smallest order; 0.01 by default.")
    ]
    max_cny: Annotated[
        str | None,
        typer.Option(parser=cny, metavar="CNY", help="Largest order; 1000000.00 by default."),
    ]
    max_open_buys: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Most buys open at once, a mode; 100 by default."),
    ]
    max_open_cny: Annotated[
        str | None,
        typer.Option(
            parser=cny, metavar="CNY", help="Most CNY in open buys, a mode; 1000000.00 by default."
        ),
    ]
    require_receipt: Annotated[
        bool | None,
        typer.Option(
            "--require-receipt/--no-require-receipt",
            help="Payers report a payment by a receipt only.",
        ),
    ]
    allow_cidr: Annotated[
        list[str] | None,
        typer.Option(metavar="CIDR", help='Network that may call, repeatable; "" for any address.'),
    ]
    events: Annotated[
        str | None,
        typer.Option(
            metavar="TYPES", help="Callbacks it wants: all, none, or order.paid,… (commas)."
        ),
    ]
    max_rps: Annotated[int | None, typer.Option(min=1, help="Calls a second; 50 by default.")]
    balance_shards: Annotated[
        int | None,
        typer.Option(min=1, help="Items that each account is split over; 1 by default."),
    ]
    display_name: Annotated[
        str | None, typer.Option(metavar="TEXT", help='Its name on the pages; "" for none.')
    ]
    support: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='Whom payers ask, on the pages; "" for nobody.'),
    ]
