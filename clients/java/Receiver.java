import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import orderdesk.Orderdesk;

/** Receive callbacks, with PORT and ORDERDESK_CALLBACK_SECRET set: javac *.java, then java Receiver. */
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
            Map<String, Object> event = Orderdesk.verifyCallback(
                System.getenv("ORDERDESK_CALLBACK_SECRET"), exchange.getRequestHeaders()::getFirst, body);
            // Store the webhook-id: a callback may be delivered twice. Order events by `sequence`.
            Map<?, ?> data = (Map<?, ?>) event.get("data");
            Object number = data.containsKey("order_no") ? data.get("order_no") : data.get("pending_no");
            System.out.println(event.get("type") + " " + number + " " + data.get("sequence"));
        } catch (Orderdesk.InvalidCallback error) {
            System.out.println("refused: " + error.getMessage());
            status = 400;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
