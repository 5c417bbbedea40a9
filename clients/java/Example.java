import java.util.Map;
import orderdesk.Api;
import orderdesk.Orderdesk;

/** Create a buy and a sell in test mode, with the keys in the environment. */
final class Example {
    private Example() {}

    public static void main(String[] args) throws Exception {
        var client = Orderdesk.builder(
                System.getenv("ORDERDESK_BASE_URL"),
                System.getenv("ORDERDESK_API_KEY"),
                System.getenv("ORDERDESK_API_SECRET"))
            .test(true) // without it, orders are live
            .build();
        // The URL of your receiver of callbacks, if you have one.
        String callbackUrl = System.getenv().getOrDefault("ORDERDESK_CALLBACK_URL", "");
        // Your own number of the order.
        String number = "example-java-" + System.currentTimeMillis();

        var terms = client.agreement();
        System.out.println("agreement " + terms.minCny() + " to " + terms.maxCny() + " CNY");
        var quote = client.quote(1, "100.00", new Api.QuoteOptions().methodType("bank")); // of a buy; stores nothing
        System.out.println(
            "quote " + quote.merchantActualAmount() + " USDT, a trader fits: " + quote.wouldMatch());

        try {
            var options = new Api.BuyOptions()
                .methodType("bank")
                .metadata(Map.of("cart", "77")) // comes back in answers and callbacks
                .callbackUrl(callbackUrl);
            var buy = client.createBuy(number + "-1", "100.00", options);
            System.out.println(buy.resultStatus().equals("success")
                ? "buy " + buy.orderNo() + " pay at " + buy.payUrl()
                : "draft " + buy.pendingNo() + " verify at " + buy.identityUrl());
        } catch (Orderdesk.Refused refused) {
            if (refused.code != Orderdesk.Code.NO_TRADER_AVAILABLE) {
                throw refused;
            }
            System.out.println("no trader is available: offer another way to pay");
            System.exit(1);
        } catch (Orderdesk.NoAnswer error) {
            System.out.println("result unknown: query the order later by merchant_order_no");
            System.exit(1);
        }

        try {
            client.createBuy(number + "-1", "100.00");
        } catch (Orderdesk.Refused refused) {
            System.out.println("again " + refused.code + " " + refused.data.get("order_no"));
        }

        var order = client.queryOrder(new Api.AnyNumber().merchantOrderNo(number + "-1"));
        System.out.println(
            "query " + order.orderNo() + " " + order.status() + " " + order.merchantActualAmount() + " USDT");
        var bought = new Api.AnyNumber().orderNo(order.orderNo());
        var done = client.advanceOrder("completed", bought); // acts as the trader
        System.out.println("advance " + done.status());
        var same = client.createOrGet(number + "-1", "100.00", new Api.BuyOptions().methodType("bank"));
        System.out.println("same " + same.orderNo() + " " + same.status()); // the first one, as it is now
        System.out.println("balance " + client.balance().test().available());

        var customer = new Api.PaymentMethod()
            .methodType("bank")
            .realName("张三")
            .bank("中国银行")
            .subBank("深圳分行")
            .cardNumber("6200000000000000017");
        var selling = new Api.SellOptions()
            .refundOf(order.orderNo()) // of a completed buy, up to what it may still refund
            .callbackUrl(callbackUrl);
        var sell = client.createSell(number + "-2", "50.00", customer, selling);
        System.out.println(
            "sell " + sell.orderNo() + " " + sell.status() + " " + sell.merchantActualAmount() + " USDT");
        var cancelled = client.cancelOrder(new Api.OrderNumber().merchantOrderNo(number + "-2"));
        System.out.println("cancel " + cancelled.status());

        for (Api.Order each : client.listOrders(new Api.OrderFilters().isTest(1).limit(2)).orders()) {
            System.out.println("list " + each.merchantOrderNo());
        }
        var sent = client.listCallbacks(new Api.CallbackFilters().orderNo(order.orderNo()));
        System.out.println("callbacks " + sent.callbacks().size());
        var events = client.listEvents(new Api.EventFilters().orderNo(order.orderNo())).events();
        System.out.println("events " + events.size()); // without an address, too
        var statement = client.statement(new Api.StatementFilters().isTest(1).limit(10));
        System.out.println("statement " + statement.postings().size() + " postings");
    }
}
