"""The options of `merchant add` and `merchant set`; None is an option that was not given."""

from typing import TYPE_CHECKING, Annotated, TypedDict, cast

import typer

from orderdesk.domain.merchants.merchant import BALANCE_SHARDS_MAX
from orderdesk.domain.merchants.request_rate import HIGHEST_MAX_RPS
from orderdesk.domain.merchants.terms import TermsChange, wanted_events, written_name
from orderdesk.domain.pricing import BPS, FEE_TERMS
from orderdesk_cli.values import cny, usdt

if TYPE_CHECKING:
    from collections.abc import Mapping


class MerchantOptions(TypedDict):
    """Every option that both commands have."""

    identity: Annotated[
        bool | None,
        typer.Option("--identity/--no-identity", help="Customers must prove their identity."),
    ]
    callback_url: Annotated[
        str | None, typer.Option(metavar="URL", help='Default callback target; "" for none.')
    ]
    service_bps: Annotated[int | None, typer.Option(min=0, max=BPS, help="Service fee, 1/10000.")]
    service_fixed: Annotated[
        int | None, typer.Option(parser=usdt, metavar="USDT", help="Fixed service fee.")
    ]
    deposit_bps: Annotated[int | None, typer.Option(min=0, max=BPS, help="Deposit, 1/10000.")]
    spread_bps: Annotated[
        int | None, typer.Option(min=0, max=BPS - 1, help="Spread on the base rate, 1/10000.")
    ]
    min_cny: Annotated[
        int | None, typer.Option(parser=cny, metavar="CNY", help="Smallest order; at first 0.01.")
    ]
    max_cny: Annotated[
        int | None,
        typer.Option(parser=cny, metavar="CNY", help="Largest order; at first 1000000.00."),
    ]
    max_open_buys: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Most buys open at once, a mode; at first 100."),
    ]
    max_open_cny: Annotated[
        int | None,
        typer.Option(
            parser=cny, metavar="CNY", help="Most CNY in open buys, a mode; at first 1000000.00."
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

    max_rps: Annotated[
        int | None,
        typer.Option(min=1, max=HIGHEST_MAX_RPS, help="Calls a second; at first 50."),
    ]
    balance_shards: Annotated[
        int | None,
        typer.Option(
            min=1, max=BALANCE_SHARDS_MAX, help="Items that each account is split over; at first 1."
        ),
    ]
    display_name: Annotated[
        str | None, typer.Option(metavar="TEXT", help='Its name on the pages; "" for none.')
    ]
    support: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='Whom payers ask, on the pages; "" for nobody.'),
    ]


def given_terms(options: MerchantOptions) -> TermsChange:
    """Gather what was given; networks given replace those there were."""
    plain = {
        "identity_required": options["identity"],
        "callback_url": options["callback_url"],
        "min_cny_fen": options["min_cny"],
        "max_cny_fen": options["max_cny"],
        "max_open_buys": options["max_open_buys"],
        "max_open_cny_fen": options["max_open_cny"],
        "require_receipt": options["require_receipt"],
        "max_rps": options["max_rps"],
        "balance_shards": options["balance_shards"],
        "display_name": options["display_name"],
        "support": options["support"],
    }
    change = cast("TermsChange", {name: v for name, v in plain.items() if v is not None})
    by_name = cast("Mapping[str, int | None]", options)
    given = {term: by_name[written_name(term)] for term in FEE_TERMS}
    fees = {term: value for term, value in given.items() if value is not None}
    if fees:
        change["fees"] = fees
    if options["allow_cidr"]:
        change["allowed_cidrs"] = tuple(cidr for cidr in options["allow_cidr"] if cidr)
    if options["events"] is not None:
        change["events"] = wanted_events(options["events"])
    return change
