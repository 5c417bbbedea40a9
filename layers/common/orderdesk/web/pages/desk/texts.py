"""The texts that the desk needs in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from orderdesk.domain.orders.order import ByStatus
from orderdesk.domain.pricing import ByType
from orderdesk.domain.traders.own_limits import ByLimit
from orderdesk.web.pages.texts import Notice, QuestionTexts, SharedTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTexts:
    """The texts of one order.

    `todo` says what to do, by side and status; None if a trader never has such an order.
    """

    todo: ByType[ByStatus[Notice | None]]
    lapsed: Notice
    receive: str
    pay: str
    usdt_out: str
    usdt_in: str
    rate: str
    own_account: str
    arrives_at: str
    payer: str
    payer_unknown: str
    reference: str
    pay_to: str
    open_code: str
    code_site: str
    code_text: str
    proofs: ByType[str]
    none_proved: str
    proof: Notice
    more_proof: Notice
    proof_first: str
    proof_missing: Notice
    picture: str
    document: str
    page: str
    history: str
    steps: ByStatus[str]
    by_payer: str
    by_merchant: str
    by_trader: str
    by_operator: str
    by_clock: str
    actions: str
    deadlines: ByStatus[str | None]
    overdue: str
    overtaken: Notice
    suspended: Notice
    suspended_move: Notice
    confirm: ByType[QuestionTexts]
    report: QuestionTexts
    decline: QuestionTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginTexts:
    """The texts of logging in and out, and of the return from an upload."""

    notice: Notice
    access_code: str
    access_code_hint: str
    show_code: str
    wrong_code: str
    log_in: str
    log_out: str
    safety: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyTexts:
    """The texts of duty: on, off, suspended."""

    on: Notice
    off: Notice
    suspended: Notice
    go_on: str
    go_off: str
    refused: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTexts:
    """The texts of the open orders, the history and the balance."""

    orders: str
    none_open: Notice
    crowd: str
    further: str
    most_urgent: str
    amount: str
    account: str
    state: str
    todo: str
    all: str
    filter: str
    none_filtered: str
    sorted_by: str
    alike: str
    history: str
    history_advice: str
    none_over: Notice
    balance: str
    available: str
    held: str
    held_advice: str
    postings: str
    none_posted: Notice
    funding: str
    settlement: str
    withdrawal: str
    order: str
    times: str
    older: str
    newest: str
    not_live: str
    reload: str
    changed: str
    show_changes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTexts:
    """The texts of the history's search: its fields, its totals, its file."""

    number: str
    number_rule: str
    amount: str
    amount_rule: str
    day: str
    day_rule: str
    until: str
    until_rule: str
    search: str
    clear: str
    none_found: Notice
    cut: str
    totals: str
    totals_advice: str
    received: str
    paid: str
    unpaid: str
    csv: str
    side: str
    created: str
    changed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsTexts:
    """The texts of a trader's own settings: its receiving accounts and its limits."""

    settings: str
    methods: str
    methods_advice: str
    none: str
    add: str
    change: str
    remove: str
    set_title: str
    set_advice: str
    remove_title: str
    remove_advice: str
    now: str
    real_name: str
    qr_code: str
    text_rule: str
    card_rule: str
    code_rule: str
    code_why: str
    code_wrong: str
    save: str
    keep: str
    limits: str
    limits_advice: str
    limits_of: ByLimit[str]
    within: str
    at_most: str
    no_cap: str
    limit_rule: str
    none_fits: Notice
    saved: Notice
    changed: Notice
    stale: str
    account_changed: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTexts:
    """The texts of what calls the trader to an order: the switches, and the call itself."""

    headline: str
    advice: str
    sound: str
    notification: str
    silent: str
    refused: str
    closed: str
    closed_advice: str
    unreached: str
    waiting: str
    pushed: str
    open: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTexts:
    """All texts of the desk in one language."""

    shared: SharedTexts
    sides: ByType[str]
    statuses: ByStatus[str]
    test: str
    problems: Mapping[str, Notice]
    back_to_orders: str
    navigation: str
    login: LoginTexts
    duty: DutyTexts
    lists: ListTexts
    search: SearchTexts
    calls: CallTexts
    settings: SettingsTexts
    order: OrderTexts
