"""`block.add`, `.list`, `.remove`: the desk's block list. `desk.set`: its limits of a day."""

from functools import partial
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.authority import Power
from orderdesk.domain.money import CNY_DECIMALS
from orderdesk.domain.orders.blocks import LIMITS, Block, BlockKind
from orderdesk.services.operator.desk_rules import (
    add_block,
    remove_block,
    set_day_limits,
    shown_limits,
)
from orderdesk.web.merchant.parameters import whole
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.parameters import WriteParameters, told
from orderdesk.web.operator.parties import PageParameters, page_of

DailyCny = Annotated[
    int, BeforeValidator(wire.or_word("", 0, wire.cny_fen)), wire.decimal_text(CNY_DECIMALS, "")
]
_count = partial(whole, "must be a whole number", 0, 1_000_000)
DailyCount = Annotated[int, BeforeValidator(wire.or_word("", 0, _count)), wire.count_text(0)]


class AddBlockParameters(WriteParameters):
    """Parameters of `block.add`; `until` in Unix seconds."""

    kind: BlockKind = told("What is blocked.")
    value: wire.FreeText = told("The card, account, id card, mobile or payee's name.")
    reason: wire.NeededReason = ""
    until: wire.Seconds | None = told("Until when; without it for good.", None)


class RemoveBlockParameters(WriteParameters):
    block_no: wire.Id = told("The block.")
    reason: wire.Reason = ""


@command("block.add", Role.SUPPORT, powers(Power.STOP, "kind value until"))
def add(ports: OperatorPorts, asked: AddBlockParameters) -> Json:
    """Refuse orders of a card, account, id card, mobile or payee from now on."""
    block = add_block(ports, asked.kind, asked.value, until=asked.until, reason=asked.reason)
    return block_data(block)


@command("block.list", Role.VIEWER)
def list_all(ports: OperatorPorts, asked: PageParameters) -> Json:
    """List the blocks, their values masked."""
    now = ports.operator.now()
    _, listed = ports.merchants.blocks()
    held = [each for each in listed if each.holds_at(now)]
    return page_of(asked, held, lambda each: (each.at, each.number), block_data)


@command("block.remove", Role.FINANCE, powers(Power.PRICE, "block_no"))
def remove(ports: OperatorPorts, asked: RemoveBlockParameters) -> Json:
    """Propose to remove a block, for another person to decide."""
    return block_data(remove_block(ports, asked.block_no, asked.reason))


def block_data(block: Block) -> Row:
    """Return a block as JSON data; its value is masked."""
    return row_of(block, "block_no=number kind value=masked reason by time=at until?")


class DeskParameters(WriteParameters):
    """Parameters of `desk.set`; an empty text, or 0, removes a limit."""

    id_card_daily_cny: DailyCny | None = told("CNY of an id card's buys; empty removes it.", None)
    id_card_daily_count: DailyCount | None = told("Buys of an id card; empty removes it.", None)
    payee_daily_cny: DailyCny | None = told(
        "CNY of a payee account's sells; empty removes it.", None
    )
    payee_daily_count: DailyCount | None = told("Sells of a payee account; empty removes it.", None)
    reason: wire.Reason = ""


@command("desk.set", Role.FINANCE, powers(Power.PRICE, " ".join(LIMITS)))
def set_desk(ports: OperatorPorts, asked: DeskParameters) -> Json:
    """Set the limits of a trading day for a customer's buys and a payee account's sells."""
    sent = {name: getattr(asked, name) for name in LIMITS}
    changes = {name: value for name, value in sent.items() if value is not None}
    limits = set_day_limits(ports, changes, asked.reason)
    return {
        name: text or None
        for name, text in shown_limits({**dict.fromkeys(LIMITS, 0), **limits}).items()
    }
