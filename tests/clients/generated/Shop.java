import org.openapitools.client.ApiClient;
import org.openapitools.client.api.MerchantApi;
import org.openapitools.client.api.TestApi;
import org.openapitools.client.model.AnyNumber;
import org.openapitools.client.model.OrderListing;
import org.openapitools.client.model.TestCreateOrderRequest;

final class Shop {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(args[0]);
        var mapper = client.getObjectMapper();
        var orders = new MerchantApi(client);
        new TestApi(client).testCreateOrder(mapper.readValue(args[1], TestCreateOrderRequest.class));
        var order = orders.queryOrder(mapper.readValue(args[2], AnyNumber.class)).getData().getBuyOrder();
        var page = orders.listOrders(mapper.readValue(args[3], OrderListing.class)).getData();
        System.out.println(order.getOrderNo() + " " + order.getOrderId() + " " + page.getOrders().size());
    }
}
