import java.math.BigDecimal;
import orderdesk.Api;
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
        var filters = new Api.StatementFilters().isTest(1).limit(100);
        Api.StatementPage page;
        do {
            page = client.statement(filters);
            for (Api.Posting posting : page.postings()) {
                if (posting.account().equals("available")) {
                    last = new BigDecimal(posting.balance());
                }
            }
            filters.cursor(page.cursor());
        } while (page.cursor() != null);
        Api.Balance balance = client.balance().test();
        var held = new BigDecimal(balance.held()); // a hold has no posting
        var total = new BigDecimal(balance.available()).add(held);
        System.out.println("statement " + last + " balance " + total);
        System.exit(last.compareTo(total) == 0 ? 0 : 1);
    }
}
