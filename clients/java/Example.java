import java.time.Duration;
import java.util.List;
import java.util.Map;
import orderdesk.Orderdesk;

/** Create a buy and a sell in test mode, with the keys in the environment: javac *.java, then java Example. */
final class Example {
    private Example() {}

    public static void main(String[] args) throws Exception {
        var client = new Orderdesk(
            System.getenv("ORDERDESK_BASE_URL"),
            System.getenv("ORDERDESK_API_KEY"),
            System.getenv("ORDERDESK_API_SECRET"),
            true, // false: orders are live
            Duration.ofSeconds(10));
        // The URL of your receiver of callbacks, if you have one.
        var callbacks = Map.of("callback_url", System.getenv().getOrDefault("ORDERDESK_CALLBACK_URL", ""));
        // Your own number of the order.
        String number = "example-java-" + System.currentTimeMillis();

        try {
            var buy = client.createBuy(number + "-1", "100.00", callbacks);
            System.out.println(buy.get("result_status").equals("success")
                ? "buy " + buy.get("order_no") + " pay at " + buy.get("pay_url")
                : "draft " + buy.get("pending_no") + " verify at " + buy.get("identity_url"));
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
            client.createBuy(number + "-1", "100.00", Map.of());
        } catch (Orderdesk.Refused refused) {
            System.out.println("again " + refused.code + " " + refused.data.get("order_no"));
        }

        var order = client.queryOrder(Map.of("merchant_order_no", number + "-1"));
        String orderNo = (String) order.get("order_no");
        System.out.println(
            "query " + orderNo + " " + order.get("status") + " " + order.get("merchant_actual_amount") + " USDT");
        var done = client.advanceOrder("completed", Map.of("order_no", orderNo)); // acts as the trader
        System.out.println("advance " + done.get("status"));
        System.out.println("balance " + ((Map<?, ?>) client.balance().get("test")).get("available"));

        Map<String, String> customer = Map.of(
            "method_type", "bank",
            "real_name", "张三",
            "bank", "中国银行",
            "sub_bank", "深圳分行",
            "card_number", "6200000000000000017");
        var sell = client.createSell(number + "-2", "50.00", customer, callbacks);
        System.out.println("sell " + sell.get("order_no") + " " + sell.get("status") + " "
            + sell.get("merchant_actual_amount") + " USDT");
        var cancelled = client.cancelOrder(Map.of("merchant_order_no", number + "-2"));
        System.out.println("cancel " + cancelled.get("status"));

        var page = client.listOrders(Map.of("is_test", 1, "limit", 2));
        for (Object each : (List<?>) page.get("orders")) {
            System.out.println("list " + ((Map<?, ?>) each).get("merchant_order_no"));
        }
        var sent = (List<?>) client.listCallbacks(Map.of("order_no", orderNo)).get("callbacks");
        System.out.println("callbacks " + sent.size());
        var postings = (List<?>) client.statement(Map.of("is_test", 1, "limit", 10)).get("postings");
        System.out.println("statement " + postings.size() + " postings");
    }
}
