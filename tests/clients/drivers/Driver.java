package orderdesk;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Does what standard input asks, with the client: requests and answers as JSON. */
final class Driver {
    private Driver() {}

    public static void main(String[] args) throws Exception {
        String asked = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        List<Object> answers = new ArrayList<>();
        for (Object request : (List<?>) Json.parse(asked)) {
            answers.add(answer(Json.object(request)));
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

    private static Map<String, ?> verify(Map<String, Object> request) throws Exception {
        Map<String, Object> headers = Json.object(request.get("headers"));
        byte[] body = text(request, "body").getBytes(StandardCharsets.UTF_8);
        try {
            return Map.of("event", plain(
                Orderdesk.verifyCallback(text(request, "secret"), name -> (String) headers.get(name), body)));
        } catch (Orderdesk.InvalidCallback error) {
            return Map.of("invalid", error.getMessage());
        }
    }

    private static Map<String, ?> call(Map<String, Object> request) throws Exception {
        double timeoutSeconds = Double.parseDouble(String.valueOf(request.get("timeout_seconds")));
        var client = Orderdesk.builder(text(request, "base_url"), text(request, "api_key"), text(request, "api_secret"))
            .test((Boolean) request.get("test"))
            .timeout(Duration.ofMillis((long) (timeoutSeconds * 1000)))
            .build();
        try {
            List<Object> given = new ArrayList<>();
            for (Object each : (List<?>) request.get("arguments")) {
                given.add(Json.parse((String) each));
            }
            return Map.of("data", plain(called(client, text(request, "method"), given)));
        } catch (Orderdesk.NoAnswer error) {
            return Map.of("no_answer", true, "after_lost_attempt", error.afterLostAttempt);
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

    private static Object called(Orderdesk client, String method, List<Object> given) throws Exception {
        return switch (method) {
            case "create_buy" -> client.createBuy(
                (String) given.get(0), (String) given.get(1), filled(new Api.BuyOptions(), given.get(2)));
            case "create_sell" -> client.createSell(
                (String) given.get(0), (String) given.get(1),
                filled(new Api.PaymentMethod(), given.get(2)), filled(new Api.SellOptions(), given.get(3)));
            case "create_or_get" -> client.createOrGet(
                (String) given.get(0), (String) given.get(1), filled(new Api.BuyOptions(), given.get(2)));
            case "quote" -> client.quote(
                Math.toIntExact((Long) given.get(0)), (String) given.get(1),
                filled(new Api.QuoteOptions(), given.get(2)));
            case "agreement" -> client.agreement();
            case "list_events" -> client.listEvents(filled(new Api.EventFilters(), given.get(0)));
            case "list_withdrawals" ->
                client.listWithdrawals(filled(new Api.WithdrawalFilters(), given.get(0)));
            case "query_order" -> client.queryOrder(filled(new Api.AnyNumber(), given.get(0)));
            case "list_orders" -> client.listOrders(filled(new Api.OrderFilters(), given.get(0)));
            case "cancel_order" -> client.cancelOrder(filled(new Api.OrderNumber(), given.get(0)));
            case "dispute_order" -> client.disputeOrder(filled(new Api.OrderNumber(), given.get(0)));
            case "list_callbacks" -> client.listCallbacks(filled(new Api.CallbackFilters(), given.get(0)));
            case "redeliver_callback" -> client.redeliverCallback((String) given.get(0));
            case "advance_order" ->
                client.advanceOrder((String) given.get(0), filled(new Api.AnyNumber(), given.get(1)));
            case "statement" -> client.statement(filled(new Api.StatementFilters(), given.get(0)));
            case "balance" -> client.balance();
            default -> client.call((String) given.get(0), Json.object(given.get(1)));
        };
    }

    private static <P extends Parameters> P filled(P parameters, Object members) {
        Json.object(members).forEach(parameters::put);
        return parameters;
    }

    /** Return records as maps, without null. */
    private static Object plain(Object value) throws ReflectiveOperationException {
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            for (Object each : list) {
                items.add(plain(each));
            }
            return items;
        }
        if (!(value instanceof Record)) {
            return value;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent each : value.getClass().getRecordComponents()) {
            String name = each.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            Object member = each.getAccessor().invoke(value);
            if (member != null) {
                members.put(name, plain(member));
            }
        }
        return members;
    }

    private static String text(Map<String, Object> request, String name) {
        return (String) request.get(name);
    }

    private static Map<String, Object> object(String text) {
        return Json.object(Json.parse(text));
    }
}
