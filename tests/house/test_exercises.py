"""Changes that will come, made on a copy of the tree: is every place named, and are they few?

Each adds a member or a row first, with its field in the table beside it, and asks which other
places the type checker or a test names. Then it changes these places, and no other is left.
"""

import json

from tests.support.copied_tree import PACKAGE, Tree
from tests.support.declared import (
    CONTRACT,
    MERCHANT_API,
    MERCHANT_OPTIONS,
    PRICING,
    SAMPLES,
    TEMPLATE,
    fee_terms_without_option,
    missing_routes,
)

ORDER = f"{PACKAGE}/domain/orders/order.py"
TRANSITIONS = f"{PACKAGE}/domain/orders/transitions.py"
EVENTS = f"{PACKAGE}/domain/callbacks/events.py"
METHODS = f"{PACKAGE}/domain/payment_methods.py"
METHOD_PARAMETERS = f"{PACKAGE}/web/merchant/payment_method.py"
DEMO_DATA = "local/demo/data.py"
PAGES = f"{PACKAGE}/web/pages"
NOTICE = 'Notice("On hold", "Please wait.")'
HOLD_A_PAID_ORDER = """
    Transition(
        _BUY,
        Move.LAPSE,
        frozenset({OrderStatus.PAID}),
        OrderStatus.ON_HOLD,
        _at_once(Actor.OPERATOR),
    ),
"""


def test_a_new_order_status(tree: Tree) -> None:
    tree.change(
        ORDER,
        (r'(    DISPUTED = "disputed"\n)', r'\1    ON_HOLD = "on_hold"\n'),
        (r"(        disputed: T,\n)", r"\1        on_hold: T,\n"),
        (
            r"( +)(case OrderStatus\.DISPUTED:\n +return disputed\n)",
            r"\1\2\1case OrderStatus.ON_HOLD:\n\1    return on_hold\n",
        ),
    )
    page, lists = f"{PAGES}/pay/page.py", f"{PACKAGE}/domain/orders/desk_lists.py"
    pay_texts = [f"{PAGES}/pay/{language}.py" for language in ("en", "zh")]
    desk_texts = [f"{PAGES}/desk/{language}.py" for language in ("en", "zh")]
    named = {ORDER, TRANSITIONS, EVENTS, page, lists, *pay_texts, *desk_texts}
    assert tree.errors().keys() == named

    like_a_dispute = (r"(\| |case )OrderStatus\.DISPUTED\b", r"\g<0> | OrderStatus.ON_HOLD")
    alone = (r"case OrderStatus\.DISPUTED \| OrderStatus\.ON_HOLD:\n( +)return disputed\n",)
    tree.change(ORDER, like_a_dispute)
    tree.change(ORDER, (alone[0], r"case OrderStatus.DISPUTED:\n\1return disputed\n"))
    tree.change(page, like_a_dispute)
    tree.change(lists, like_a_dispute)
    tree.change(
        TRANSITIONS,
        (r"(ByStatus\(\n)", r"\1    on_hold=None,\n"),
        (r"(TRANSITIONS: .*\(\n)", rf"\1{HOLD_A_PAID_ORDER}"),
    )
    tree.change(
        EVENTS,
        (r'(    ORDER_DISPUTED = "order.disputed"\n)', r'\1    ORDER_ON_HOLD = "order.on_hold"\n'),
        (r"(ByStatus\(\n)", r"\1    on_hold=CallbackType.ORDER_ON_HOLD,\n"),
    )
    for path in pay_texts:
        tree.change(path, (r"(ByStatus\(\n)", rf"\1on_hold={NOTICE},\n"))
    for path in desk_texts:
        tree.change(
            path,
            (r"(buy=ByStatus\(\n)", rf"\1on_hold={NOTICE},\n"),
            (r"((?:sell|deadlines)=ByStatus\(\n)", r"\1on_hold=None,\n"),
            (r"((?:steps|statuses)=ByStatus\(\n)", r'\1on_hold="On hold",\n'),
        )
    assert tree.errors() == {}
    assert tree.touched == named
    assert len(named) <= 9
    tree.run(
        "from tests.house.test_declared_once import *; test_a_status_that_is_shown_has_a_text()"
    )


def test_an_event_for_a_status(tree: Tree) -> None:
    tree.change(
        EVENTS,
        (r"(    ORDER_CREATED = .*\n)", r'\1    ORDER_MATCHING = "order.matching"\n'),
        (r"matching=None", "matching=CallbackType.ORDER_MATCHING"),
    )
    assert tree.errors() == {}
    assert len(tree.touched) == 1


def test_a_new_payment_method(tree: Tree) -> None:
    tree.change(
        METHODS,
        (r'(    ALIPAY = "alipay"\n)', r'\1    USDT_BANK = "usdt_bank"\n'),
        (r"alipay: T\)", r"alipay: T, usdt_bank: T)"),
        (
            r"( +)(case MethodType\.ALIPAY:\n +return alipay\n)",
            r"\1\2\1case MethodType.USDT_BANK:\n\1    return usdt_bank\n",
        ),
    )
    shown = f"{PAGES}/methods.py"
    texts = [f"{PAGES}/{language}.py" for language in ("en", "zh")]
    named = {METHODS, METHOD_PARAMETERS, shown, *texts, DEMO_DATA}
    assert tree.errors().keys() == named

    like_a_wallet = (r"\| MethodType\.ALIPAY\b", r"\g<0> | MethodType.USDT_BANK")
    for path in (METHODS, shown, DEMO_DATA):
        tree.change(path, like_a_wallet)
    tree.change(METHOD_PARAMETERS, (r"(ByMethod\(\n)", r"\1usdt_bank=WalletMethod,\n"))
    for path in texts:
        tree.change(
            path,
            (r"(    methods=ByMethod\(\n?)", r'\1usdt_bank="USDT account",'),
            (
                r"(    how_to_pay=ByMethod\(\n)",
                r'\1usdt_bank=("Transfer exactly this amount.",),\n',
            ),
        )
    assert tree.errors() == {}
    assert tree.touched == named
    assert len(named) <= 6
    method = {
        "method_type": "usdt_bank",
        "real_name": "A",
        "account": "a",
        "qr_code": "https://a.b",
    }
    told = tree.run(
        "from orderdesk.web.merchant.payment_method import read_payment_method\n"
        f"print(read_payment_method({method})[0].full_info)"
    )
    assert told == "usdt_bank A a"


def test_a_new_fee_term(tree: Tree) -> None:
    tree.change(PRICING, (r"(    spread_bps: int = 0\n)", r"\1    volume_fixed_micro: int = 0\n"))
    assert tree.errors() == {}
    assert fee_terms_without_option(tree.root) == {"volume_fixed"}

    tree.change(PRICING, (r"(\+ policy\.service_fixed_micro)", r"\1 + policy.volume_fixed_micro"))
    tree.change(
        MERCHANT_OPTIONS,
        (
            r"(    min_cny: Annotated)",
            r"    volume_fixed: Annotated[int | None, typer.Option(parser=usdt)]\n\1",
        ),
    )
    assert tree.errors() == {}
    assert fee_terms_without_option(tree.root) == set()
    assert len(tree.touched) <= 3
    kept, written, changed = json.loads(tree.run(USE_A_FEE_TERM))
    assert (kept, written, changed) == (7, "0.000007", {"volume_fixed_micro": 7})


# What is stored, what an operator reads, and what an option changes.
USE_A_FEE_TERM = """
import json
from orderdesk_cli.merchants.options import MerchantOptions, given_terms
from orderdesk.adapters.dynamodb.merchants import merchant_item, merchant_of
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus
from orderdesk.domain.merchants.terms import *

options = dict.fromkeys(MerchantOptions.__annotations__) | {"volume_fixed": 7}
change = given_terms(options)
terms = changed_terms(MerchantTerms(), change)
merchant = Merchant("m1", "A", "mk_m1_a", MerchantStatus.ACTIVE, 1, b"", b"")
kept = merchant_of(merchant_item(under_terms(merchant, terms)))
old = {n: v for n, v in merchant_item(merchant).items() if n != "volume_fixed_micro"}
assert merchant_of(old) == merchant
written = describe_terms(terms)["volume_fixed"]
print(json.dumps([kept.fees.volume_fixed_micro, written, change["fees"]]))
"""


TELL_VOLUME = """

def tell_volume(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    admit(request, params, [], now_us)
    return {"limit": LIMIT}
"""


def test_a_new_merchant_endpoint(tree: Tree) -> None:
    route, row = "/merchant/volume", '    "/merchant/volume": endpoint.Route(tell_volume),\n'
    tree.change(MERCHANT_API, (r"(ROUTES: .*\{\n)", rf"\1{row}"))
    assert tree.errors().keys() == {MERCHANT_API}
    assert missing_routes(tree.root) == {
        TEMPLATE: {route},
        SAMPLES: {route},
        CONTRACT: {route},
    }

    parameters = f"{PACKAGE}/web/merchant/volume.py"
    tree.add(parameters, '"""volume\'s parameters."""\n\nLIMIT = 100\n')
    tree.change(
        MERCHANT_API,
        (
            r"(\n\nROUTES: )",
            rf"{TELL_VOLUME}\1",
        ),
        (
            r"(from orderdesk\.wiring\.merchants )",
            r"from orderdesk.web.merchant.volume import LIMIT\n\1",
        ),
    )
    event = f"{{Type: Api, Properties: {{RestApiId: !Ref Api, Method: POST, Path: {route}}}}}"
    tree.change(
        TEMPLATE,
        (r"( +)(BalanceRoute: )", rf"\1VolumeRoute: {event}\n\1\2"),
    )
    assert tree.errors() == {}
    production = set(tree.touched)
    sample = f"{SAMPLES}/merchant_api/volume.json"
    tree.add(sample, json.dumps({"httpMethod": "POST", "resource": route}))
    tree.change(CONTRACT, (r"(`/merchant/balance`)", rf"`{route}`, \1"))
    assert missing_routes(tree.root) == {}
    assert len(production) <= 4
    # Its own test is the third.
    assert len(tree.touched - production) + 1 <= 3
