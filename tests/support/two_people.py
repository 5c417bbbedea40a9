"""One of each command that needs two people, for proposals of a money world."""

from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode
from orderdesk.services.operator.traders import stop_account
from tests.support.commands import Ask, ask, moving
from tests.support.money_world import REASON, MoneyWorld

TAKEN = 30_000_000
CARD = PaymentMethod(
    MethodType.BANK, "赵六", bank="工商银行", sub_bank="上海", card_number="6222029876543210"
)
TWO_PEOPLE = (
    *("fund.merchant", "fund.trader", "withdraw.merchant", "withdraw.trader"),
    *("merchant.invite", "merchant.set"),
    *("trader.add-method", "trader.remove-method", "trader.reset-code", "rate.set"),
    "trader.resume-account",
)


def set_terms(merchant_id: str, **terms: object) -> Ask:
    return ask("merchant.set", merchant_id=merchant_id, **terms)


def add_method(trader_id: str, method: PaymentMethod) -> Ask:
    fields = {name: value for name, value in method.fields().items() if value}
    return ask("trader.add-method", trader_id=trader_id, **fields)


def reset_code(trader_id: str) -> Ask:
    return ask("trader.reset-code", trader_id=trader_id)


def set_rate(rate: str, *, yes: bool = True) -> Ask:
    return ask("rate.set", order_type="buy", rate=rate, yes=yes)


def of_two_people(money: MoneyWorld) -> dict[str, Ask]:
    """Return the commands of the first merchant and live trader, who has a stopped account."""
    kinds = (AccountKind.MERCHANT, AccountKind.TRADER)
    accounts = [money.withdrawn_account(kind, Mode.LIVE) for kind in kinds]
    merchant_id, trader_id = (account.owner for account in accounts)
    stop_account(money.command_ports, trader_id, "wechat", REASON)
    found: list[Ask] = [
        *(moving(verb, account, TAKEN) for verb in ("fund", "withdraw") for account in accounts),
        ask("merchant.invite", merchant_id=merchant_id, name="mei", role="admin"),
        set_terms(merchant_id, max_cny="0.01", events="all", allow_cidr=[]),
        add_method(trader_id, CARD),
        ask("trader.remove-method", trader_id=trader_id, method_type="bank"),
        ask("trader.resume-account", trader_id=trader_id, account="wechat"),
        reset_code(trader_id),
        set_rate("9.9999"),
    ]
    return {command.name: command for command in found}
