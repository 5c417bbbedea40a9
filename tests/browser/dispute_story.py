"""A disputed order with notes of all kinds, for the pages' states."""

from dataclasses import replace

from orderdesk.adapters.dynamodb.orders.reads import note_write
from orderdesk.domain.orders.notes import AskedSide, Note
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.receipts.places import preview_key
from tests.browser.site import Site, payment_code_png
from tests.support.seed import with_changes

END = TimelineEntry(OrderStatus.COMPLETED, 2**31, Actor.OPERATOR.value)
TRADERS = "我查了两个账户，没有这个人的转账。\nNothing of 1,000.37 came between 12:00 and 13:00."
PAYERS = "已经转出，银行显示成功。It left my account at 12:04; the bank says it is done."
QUESTION = "Which bank and which account did you transfer from? 请提供付款银行和时间。"


def store_dispute(site: Site, order: Order) -> Order:
    """Store the notes of an order that its trader has disputed; return the order."""
    since = order.since
    picture = Receipt(f"rendered/{order.order_no}/dispute/payer/1/a", "image/png", 1, since)
    document = replace(picture, key=f"{picture.key}b", content_type="application/pdf", pages=3)
    site.bucket.files[preview_key(picture.key)] = payment_code_png()
    site.bucket.files[preview_key(document.key)] = payment_code_png()
    notes = (
        Note(Actor.TRADER, since, TRADERS),
        Note(Actor.TRADER, since + 5, picture=picture),
        Note(Actor.PAYER, since + 20, PAYERS),
        Note(Actor.PAYER, since + 30, picture=document),
        Note(Actor.OPERATOR, since + 40, QUESTION, AskedSide.BOTH),
    )
    for note in notes:
        write = note_write("Orders", order.order_no, note)
        site.world.client.update_item(**write.action["Update"])
    began = TimelineEntry(OrderStatus.DISPUTED, since, Actor.TRADER.value)
    return with_changes(order, timeline=(*order.timeline[:-1], began), notes=len(notes))
