import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import orderdesk.Api;
import orderdesk.Orderdesk;

/** Receive callbacks, with PORT and ORDERDESK_CALLBACK_SECRET set. */
final class Receiver {
    private Receiver() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Receiver::receive);
        server.start();
        System.out.println("listening");
    }

    private static void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        int status = 204;
        try {
            Api.Event event = Orderdesk.verifyCallback(
                System.getenv("ORDERDESK_CALLBACK_SECRET"), exchange.getRequestHeaders()::getFirst, body);
            // Store the webhook-id: a callback may be delivered twice. Order events by `sequence`.
            Api.EventData data = event.data();
            String number = data.orderNo() == null ? data.pendingNo() : data.orderNo();
            System.out.println(event.type() + " " + number + " " + data.sequence());
        } catch (Orderdesk.InvalidCallback error) {
            System.out.println("refused: " + error.getMessage());
            status = 400;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
