"""A transaction whose answer is lost is retried with its token and returns the first order."""

import pytest

from tests.support.events import sender
from tests.support.faults import answer_lost
from tests.support.merchant_client import MerchantClient, buy
from tests.support.stack_seed import StackSeed
from tests.support.world import ENVIRONMENT, load_function

PATH = "/merchant/createOrder"


@pytest.mark.parametrize("times", [1, 2])
def test_a_transaction_with_a_lost_answer_is_retried(
    stack_seed: StackSeed, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """The function runs in this process on the stack's tables, so that answers can be dropped."""
    tables = stack_seed.tables
    environment = {
        **ENVIRONMENT,
        "MERCHANTS_TABLE": tables.merchants,
        "TRADERS_TABLE": tables.traders,
        "ORDERS_TABLE": tables.orders,
        "LEDGER_TABLE": tables.ledger,
        "GUARDS_TABLE": tables.guards,
        "SECRETS_KEY_ARN": stack_seed.stack.outputs["SecretsKeyArn"],
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": stack_seed.stack.endpoint_url,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "POWERTOOLS_SERVICE_NAME": f"lost-answers-{times}",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    module = load_function("create_order")
    trader = stack_seed.only_trader()
    _, over_http = stack_seed.add_merchant()
    send = sender({PATH: module.handler})
    client = MerchantClient(send, over_http.api_key, over_http.api_secret)
    with answer_lost(module, "TransactWriteItems", times) as calls:
        reply = client.create(buy(merchant_order_no="LOST"))
    module.dynamodb.close()
    module.kms.close()
    assert reply.code == 1
    assert len(calls) == times + 1
    assert stack_seed.trader(trader.trader_id).open_orders == 1
