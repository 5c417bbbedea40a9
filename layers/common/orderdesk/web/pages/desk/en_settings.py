"""The texts of a trader's own settings in English."""

from orderdesk.domain.traders.own_limits import ByLimit
from orderdesk.web.pages.desk.texts import SettingsTexts
from orderdesk.web.pages.texts import Notice

SETTINGS_EN = SettingsTexts(
    settings="Settings",
    methods="Receiving accounts",
    methods_advice="Customers pay to these accounts. A change counts for new orders; open orders "
    "keep the account that they have.",
    none="None: no order is paid this way.",
    add="Add",
    change="Change",
    remove="Remove",
    set_title="Receiving account: {method}",
    set_advice="It counts for new orders. Open orders keep the account that they have.",
    remove_title="Remove this account? {method}",
    remove_advice="No new order is paid to it. Open orders keep it until they are over.",
    now="Until now",
    real_name="Account holder’s name",
    qr_code="Address of the payment code’s picture",
    text_rule="Please fill this in, with at most 255 characters.",
    card_rule="Please enter the card number: 4 to 32 digits.",
    code_rule="Please enter an address that begins with https:// or http://.",
    code_why="A change needs your access code again, so nobody who finds this page open can make "
    "one.",
    code_wrong="This is not your access code. Nothing was changed.",
    save="Save",
    keep="Back",
    limits="Limits",
    limits_advice="For new orders, within what your operator allows. Leave a field empty to take "
    "all that your operator allows.",
    limits_of=ByLimit(
        min_cny="Smallest order, CNY",
        max_cny="Largest order, CNY",
        max_open="Open orders at a time",
        daily_cny="CNY a day",
    ),
    within="Your operator allows {least} to {most}.",
    at_most="Your operator allows at most {most}.",
    no_cap="Your operator sets no limit.",
    limit_rule="This is no number, or not within what your operator and your other limits allow.",
    none_fits=Notice(
        "No order fits your limits",
        "Your own limits and your operator’s do not overlap. Change yours, or ask your operator.",
    ),
    saved=Notice("Saved", "It counts for new orders."),
    changed=Notice(
        "Nothing was saved",
        "Your settings were changed meanwhile: in another tab, on another phone, or by your "
        "operator. Look again: this is how they stand now.",
    ),
    stale="Your settings were changed elsewhere.",
    account_changed=Notice(
        "A receiving account was changed",
        "At this desk, {time}. If that was not you, ask your operator for a new access code at "
        "once.",
    ),
)
