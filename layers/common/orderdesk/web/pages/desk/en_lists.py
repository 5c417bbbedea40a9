"""The texts of the desk's login, its lists and its calls in English."""

from orderdesk.web.pages.desk.texts import CallTexts, DutyTexts, ListTexts, LoginTexts, SearchTexts
from orderdesk.web.pages.texts import Notice

LOGIN_EN = LoginTexts(
    notice=Notice("Trader desk", "Log in with the access code you were given."),
    access_code="Access code",
    access_code_hint="Seven groups of four characters. Capitals and hyphens do not matter.",
    show_code="Show what I type",
    wrong_code="This access code is not known. Check it, or ask your operator for a new one.",
    log_in="Log in",
    log_out="Log out",
    safety="Never give your access code to anybody. Staff will not ask you for it.",
)

DUTY_EN = DutyTexts(
    on=Notice("On duty", "New orders may come to you."),
    off=Notice("Off duty", "No new orders come to you. Open orders still need an answer."),
    suspended=Notice(
        "Suspended",
        "No orders come to you, and operators settle the open ones. Please ask your operator.",
    ),
    go_on="Go on duty",
    go_off="Go off duty",
    refused=Notice("You were not put on duty", "You are suspended. Please ask your operator."),
)

LISTS_EN = ListTexts(
    orders="Orders",
    none_open=Notice("No open orders", "What comes to you shows here, the most urgent first."),
    crowd="{total} open orders, the most urgent first. This page shows {shown}.",
    further="Further open orders",
    most_urgent="Back to the most urgent",
    amount="Amount",
    account="Account",
    state="State",
    todo="To do",
    all="All",
    filter="Show by state",
    none_filtered="No open order is in this state.",
    sorted_by="Sort by",
    alike="Another open order has the same amount on this account. Compare payer and remark.",
    history="History",
    history_advice="Orders that are over, the newest first.",
    none_over=Notice("Nothing here yet", "Orders move here once they are over."),
    balance="Balance",
    available="Available",
    held="Held",
    held_advice="Held USDT is paid out or given back when its order or withdrawal ends.",
    postings="Statement",
    none_posted=Notice("Nothing here yet", "Every change of your balance will show here."),
    funding="Funding",
    settlement="Order settled",
    withdrawal="Withdrawal",
    order="Order",
    times="Times are Beijing time.",
    older="Older",
    newest="Back to the newest",
    not_live="This page does not update by itself in your browser.",
    reload="Reload",
    changed="Your orders have changed.",
    show_changes="Reload this page",
)

SEARCH_EN = SearchTexts(
    number="Order number or its end",
    number_rule="A whole order number, or at least its last three digits, such as a remark.",
    amount="Amount in CNY",
    amount_rule="An amount such as 1000.37.",
    day="Day",
    day_rule="A day such as 2026-06-01.",
    until="To day",
    until_rule="A day after the first one, within 31 days.",
    search="Search",
    clear="Show all",
    none_found=Notice(
        "Nothing found",
        "Only orders that are over are searched, unless you enter a whole order number.",
    ),
    cut="Only {most} orders are read at once, so orders and totals may be missing here. “Older” "
    "goes on from there.",
    totals="Totals by day",
    totals_advice="Completed orders, by the day on which they were created.",
    received="Received (buys)",
    paid="Paid (sells)",
    unpaid="Not completed",
    csv="Save as CSV (at most 2,000 orders)",
    side="Side",
    created="Created",
    changed="Ended",
)

CALLS_EN = CallTexts(
    headline="Alerts",
    advice="While this desk is open, also behind other tabs, it tells you within 20 seconds of an "
    "order that comes to you or is reported as paid. These switches are for this browser only.",
    sound="Sound",
    notification="Notification",
    silent="Your browser keeps this page silent until you click anywhere on it.",
    closed="Also when the desk is closed",
    closed_advice="Your browser’s maker passes this notification on. It names no order, no amount "
    "and nobody. It ends when you log out.",
    unreached="This did not work. Your browser may not reach the service that wakes it. Try again.",
    refused="Your browser does not allow notifications of this site. Its settings can change that.",
    waiting="An order is waiting",
    pushed="Open the desk to see it.",
    open="Open orders: {count}",
)
