import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orderdesk.Orderdesk;

/** Does what standard input asks, with the file that a merchant copies: requests and answers as JSON. */
final class Driver {
    private Driver() {}

    public static void main(String[] args) throws Exception {
        String asked = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        List<Object> answers = new ArrayList<>();
        for (Object request : (List<?>) Orderdesk.Json.parse(asked)) {
            answers.add(answer(Orderdesk.Json.object(request)));
        }
        System.out.write(Orderdesk.canonicalJson(answers).getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static Map<String, ?> answer(Map<String, Object> request) throws Exception {
        try {
            return switch ((String) request.get("do")) {
                case "sign" -> sign(request);
                case "verify" -> verify(request);
                default -> call(request);
            };
        } catch (IllegalArgumentException error) {
            return Map.of("error", error.getMessage());
        }
    }

    private static Map<String, ?> sign(Map<String, Object> request) {
        String text = Orderdesk.stringToSign(text(request, "path"), object(text(request, "body")));
        return Map.of("string_to_sign", text, "signature", Orderdesk.sign(text(request, "api_secret"), text));
    }

    private static Map<String, ?> verify(Map<String, Object> request) {
        Map<String, Object> headers = Orderdesk.Json.object(request.get("headers"));
        byte[] body = text(request, "body").getBytes(StandardCharsets.UTF_8);
        try {
            return Map.of("event",
                Orderdesk.verifyCallback(text(request, "secret"), name -> (String) headers.get(name), body));
        } catch (Orderdesk.InvalidCallback error) {
            return Map.of("invalid", error.getMessage());
        }
    }

    private static Map<String, ?> call(Map<String, Object> request) throws Exception {
        double timeoutSeconds = Double.parseDouble(String.valueOf(request.get("timeout_seconds")));
        var client = new Orderdesk(text(request, "base_url"), text(request, "api_key"), text(request, "api_secret"),
            (Boolean) request.get("test"), Duration.ofMillis((long) (timeoutSeconds * 1000)));
        try {
            return Map.of("data", called(client, text(request, "method"), (List<?>) request.get("arguments")));
        } catch (Orderdesk.NoAnswer error) {
            return Map.of("no_answer", true);
        } catch (Orderdesk.Refused refused) {
            return Map.of("refused", Map.of(
                "code", refused.code,
                "error", refused.getMessage(),
                "text", refused.text,
                "data", refused.data,
                "http_status", refused.httpStatus,
                "request_id", refused.requestId,
                "retry_after_seconds", refused.retryAfterSeconds == null ? 0 : refused.retryAfterSeconds,
                "after_lost_attempt", refused.afterLostAttempt));
        }
    }

    private static Map<String, Object> called(Orderdesk client, String method, List<?> written) throws Exception {
        List<Object> given = new ArrayList<>();
        for (Object each : written) {
            given.add(Orderdesk.Json.parse((String) each));
        }
        return switch (method) {
            case "create_buy" -> client.createBuy((String) given.get(0), (String) given.get(1), members(given.get(2)));
            case "create_sell" -> client.createSell(
                (String) given.get(0), (String) given.get(1), texts(given.get(2)), members(given.get(3)));
            case "query_order" -> client.queryOrder(texts(given.get(0)));
            case "list_orders" -> client.listOrders(members(given.get(0)));
            case "cancel_order" -> client.cancelOrder(texts(given.get(0)));
            case "dispute_order" -> client.disputeOrder(texts(given.get(0)));
            case "list_callbacks" -> client.listCallbacks(members(given.get(0)));
            case "redeliver_callback" -> client.redeliverCallback((String) given.get(0));
            case "advance_order" -> client.advanceOrder((String) given.get(0), texts(given.get(1)));
            case "statement" -> client.statement(members(given.get(0)));
            case "balance" -> client.balance();
            default -> client.call((String) given.get(0), members(given.get(1)));
        };
    }

    private static String text(Map<String, Object> request, String name) {
        return (String) request.get(name);
    }

    private static Map<String, Object> object(String text) {
        return Orderdesk.Json.object(Orderdesk.Json.parse(text));
    }

    private static Map<String, Object> members(Object value) {
        return Orderdesk.Json.object(value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(Object value) {
        return (Map<String, String>) value;
    }
}
