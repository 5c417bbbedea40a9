import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orderdesk.Orderdesk;

/** Compare the test account's statement with its balance; exit 1 if they differ. */
final class Reconcile {
    private Reconcile() {}

    public static void main(String[] args) throws Exception {
        var client = new Orderdesk(
            System.getenv("ORDERDESK_BASE_URL"),
            System.getenv("ORDERDESK_API_KEY"),
            System.getenv("ORDERDESK_API_SECRET"));
        var last = BigDecimal.ZERO;
        Map<String, Object> filters = new HashMap<>(Map.of("is_test", 1, "limit", 100));
        do {
            var page = client.statement(filters);
            for (Object each : (List<?>) page.get("postings")) {
                var posting = (Map<?, ?>) each;
                if (posting.get("account").equals("available")) {
                    last = new BigDecimal((String) posting.get("balance"));
                }
            }
            filters.put("cursor", page.get("cursor"));
        } while (filters.get("cursor") != null);
        var balance = (Map<?, ?>) client.balance().get("test");
        var held = new BigDecimal((String) balance.get("held")); // a hold has no posting
        var total = new BigDecimal((String) balance.get("available")).add(held);
        System.out.println("statement " + last + " balance " + total);
        System.exit(last.compareTo(total) == 0 ? 0 : 1);
    }
}
