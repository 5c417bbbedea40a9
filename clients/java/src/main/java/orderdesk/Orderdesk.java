// SPDX-License-Identifier: Apache-2.0
package orderdesk;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * orderdesk's merchant API: signed calls and verified callbacks. It needs only Java 17 or newer.
 *
 * <pre>
 * var client = new Orderdesk("https://api.example.com/v1", "mk_…", "sk_…");
 * var order = client.createBuy("A-1001", "1000.00");
 * System.out.println(order.payUrl());
 * </pre>
 *
 * Amounts are strings ("1000.00") in requests and responses. Calculate with BigDecimal. Objects are
 * thread-safe.
 */
public final class Orderdesk {
    private static final int ATTEMPTS_MAX = 4;
    private static final int WAIT_SECONDS_MAX = 10;
    private static final long CALLBACK_TOLERANCE_SECONDS = 300;
    private static final Pattern CALLBACK_SECRET = Pattern.compile(
        "(whsec_)?(([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)");
    private static final Pattern BASE_URL = Pattern.compile(
        "https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The error codes of {@link Refused#code}. */
    public static final class Code {
        public static final int INVALID_BODY = 1001;
        public static final int INVALID_PARAMETER = 1002;
        public static final int AMOUNT_OUT_OF_RANGE = 1003;
        public static final int UNKNOWN_API_KEY = 1101;
        public static final int BAD_SIGNATURE = 1102;
        public static final int TIMESTAMP_OUT_OF_WINDOW = 1103;
        public static final int NONCE_REUSED = 1104;
        public static final int IP_NOT_ALLOWED = 1105;
        public static final int MERCHANT_SUSPENDED = 1106;
        public static final int NOT_ALLOWED_BY_KEY = 1107;
        public static final int TOO_MANY_REQUESTS = 1201;
        public static final int MERCHANT_ORDER_NO_EXISTS = 2001;
        public static final int ORDER_NOT_FOUND = 2002;
        public static final int STATE_CONFLICT = 2003;
        public static final int NO_TRADER_AVAILABLE = 2101;
        public static final int INSUFFICIENT_BALANCE = 2102;
        public static final int RATE_UNAVAILABLE = 2103;
        public static final int OPEN_LIMIT_REACHED = 2104;
        public static final int OPEN_SELL_LIMIT_REACHED = 2105;
        public static final int REFUSED_BY_DESK = 2106;
        public static final int IDENTITY_VERIFICATION_FAILED = 2201;
        public static final int IDENTITY_PROVIDER_UNAVAILABLE = 2202;
        public static final int UNKNOWN_ROUTE = 4000;
        public static final int INTERNAL_ERROR = 5000;
        public static final int TRY_AGAIN = 5001;

        private Code() {}
    }

    /** A call failed. */
    public abstract static sealed class OrderdeskException extends Exception {
        private static final long serialVersionUID = 1;

        /** Whether an earlier attempt of this call got no clear response; the service may have executed it. */
        public boolean afterLostAttempt;

        OrderdeskException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** No attempt got a response. The service may have executed the call: query the order. */
    public static final class NoAnswer extends OrderdeskException {
        private static final long serialVersionUID = 1;

        NoAnswer(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The service refused the call; {@link #data} has the details of {@link #code}. */
    public static final class Refused extends OrderdeskException {
        private static final long serialVersionUID = 1;
        /** The fields of {@link #data} that the message shows. */
        private static final List<String> SHOWN = List.of("status", "min_cny", "max_cny", "limit");

        public final int code;
        public final String text;
        public final transient Map<String, Object> data;
        public final int httpStatus;
        public final String requestId;
        /** Null without a Retry-After header. */
        public final Integer retryAfterSeconds;

        Refused(int code, String text, Map<String, Object> data, HttpResponse<String> response) {
            // This text is often logged, so it omits most of data, which may have names and card numbers.
            super(code + " " + text + ": " + data.getOrDefault("fields", data.get("reason")) + SHOWN.stream()
                .filter(data::containsKey).map(name -> ", " + name + " " + data.get(name))
                .collect(Collectors.joining()), null);
            this.code = code;
            this.text = text;
            this.data = data;
            httpStatus = response.statusCode();
            requestId = response.headers().firstValue("x-request-id").orElse("");
            retryAfterSeconds = response.headers().firstValue("retry-after")
                .filter(after -> after.matches("\\d{1,9}")).map(Integer::valueOf).orElse(null);
        }
    }

    /** The callback is not signed with this secret, or its timestamp is too old or too new. */
    public static final class InvalidCallback extends Exception {
        private static final long serialVersionUID = 1;

        InvalidCallback(String message) {
            super(message);
        }
    }

    private final HttpClient http;
    private final String baseUrl;
    private final String apiKey;
    private final String apiSecret;
    private final boolean test;
    private final Duration timeout;

    /** Create a client of live orders, with the builder's defaults. */
    public Orderdesk(String baseUrl, String apiKey, String apiSecret) {
        this(builder(baseUrl, apiKey, apiSecret));
    }

    private Orderdesk(Builder builder) {
        if (!BASE_URL.matcher(builder.baseUrl).matches()) {
            throw new IllegalArgumentException(
                "baseUrl: \"" + builder.baseUrl + "\" is not an http or https URL");
        }
        http = builder.http;
        baseUrl = builder.baseUrl.replaceAll("/+$", "");
        apiKey = builder.apiKey;
        apiSecret = builder.apiSecret;
        test = builder.test;
        timeout = builder.timeout;
    }

    /** Return a builder, for a client with other settings. */
    public static Builder builder(String baseUrl, String apiKey, String apiSecret) {
        return new Builder(baseUrl, apiKey, apiSecret);
    }

    /** The settings of a client. */
    public static final class Builder {
        private final String baseUrl;
        private final String apiKey;
        private final String apiSecret;
        private boolean test;
        private Duration timeout = Duration.ofSeconds(10);
        private HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

        private Builder(String baseUrl, String apiKey, String apiSecret) {
            this.baseUrl = Objects.requireNonNull(baseUrl, "baseUrl");
            this.apiKey = Objects.requireNonNull(apiKey, "apiKey");
            this.apiSecret = Objects.requireNonNull(apiSecret, "apiSecret");
        }

        /** Create test orders. */
        public Builder test(boolean test) {
            this.test = test;
            return this;
        }

        /** The limit of each attempt, 10 s by default. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** What sends the requests. It must not follow redirects, as by default. */
        public Builder httpClient(HttpClient http) {
            this.http = http;
            return this;
        }

        /** Throws IllegalArgumentException for a base URL that is not http or https. */
        public Orderdesk build() {
            return new Orderdesk(this);
        }
    }

    /** Create a buy without optional parameters. */
    public Api.CreatedBuy createBuy(String merchantOrderNo, String cnyAmount)
            throws OrderdeskException, InterruptedException {
        return createBuy(merchantOrderNo, cnyAmount, new Api.BuyOptions());
    }

    /** Create a buy; by {@code resultStatus}, the response has {@code payUrl} or {@code identityUrl}. */
    public Api.CreatedBuy createBuy(String merchantOrderNo, String cnyAmount, Api.BuyOptions options)
            throws OrderdeskException, InterruptedException {
        Map<String, Object> created =
            create(merchantOrderNo, options, Map.of("order_type", 1, "cny_amount", cnyAmount));
        // An order that an earlier attempt created is queryOrder's response.
        created.putIfAbsent("result_status", created.containsKey("order_no") ? "success" : "pending_identity");
        return Json.record(Api.CreatedBuy.class, created);
    }

    /**
     * Create a buy, or return the first one of this number if it is the same, as it is now: see
     * {@code status}.
     */
    public Api.CreatedBuy createOrGet(String merchantOrderNo, String cnyAmount, Api.BuyOptions options)
            throws OrderdeskException, InterruptedException {
        try {
            return createBuy(merchantOrderNo, cnyAmount, options);
        } catch (Refused refused) {
            if (refused.code != Code.MERCHANT_ORDER_NO_EXISTS || !Boolean.TRUE.equals(refused.data.get("same"))) {
                throw refused;
            }
        }
        Map<String, Object> first = call("/merchant/queryOrder", Map.of("merchant_order_no", merchantOrderNo));
        first.putIfAbsent("result_status", first.containsKey("order_no") ? "success" : "pending_identity");
        return Json.record(Api.CreatedBuy.class, first);
    }

    /** Create a sell without optional parameters. */
    public Api.CreatedSell createSell(String merchantOrderNo, String cnyAmount, Api.PaymentMethod paymentMethod)
            throws OrderdeskException, InterruptedException {
        return createSell(merchantOrderNo, cnyAmount, paymentMethod, new Api.SellOptions());
    }

    /** Create a sell that is paid to the customer's payment method. */
    public Api.CreatedSell createSell(
            String merchantOrderNo, String cnyAmount, Api.PaymentMethod paymentMethod, Api.SellOptions options)
            throws OrderdeskException, InterruptedException {
        Map<String, ?> named =
            Map.of("order_type", 2, "cny_amount", cnyAmount, "payment_method", paymentMethod.members());
        return Json.record(Api.CreatedSell.class, create(merchantOrderNo, options, named));
    }

    /** Return an order or draft by one of its numbers. */
    public Api.Order queryOrder(Api.AnyNumber number) throws OrderdeskException, InterruptedException {
        return Json.record(Api.Order.class, call("/merchant/queryOrder", number.members()));
    }

    /** Return a page of orders, newest first; pass its {@code cursor} for the next page. */
    public Api.OrderPage listOrders(Api.OrderFilters filters) throws OrderdeskException, InterruptedException {
        return Json.record(Api.OrderPage.class, call("/merchant/listOrders", filters.members()));
    }

    /** Cancel a pending buy or a matching sell. */
    public Api.Order cancelOrder(Api.OrderNumber number) throws OrderdeskException, InterruptedException {
        return Json.record(Api.Order.class, call("/merchant/cancelOrder", number.members()));
    }

    /** Dispute a paid buy that is not confirmed within 30 minutes. */
    public Api.Order disputeOrder(Api.OrderNumber number) throws OrderdeskException, InterruptedException {
        return Json.record(Api.Order.class, call("/merchant/disputeOrder", number.members()));
    }

    /** Return available, held and deposit USDT for live and test. */
    public Api.Balances balance() throws OrderdeskException, InterruptedException {
        return Json.record(Api.Balances.class, call("/merchant/balance", Map.of()));
    }

    /** Return a page of postings, oldest first; pass its {@code cursor} for the next page. */
    public Api.StatementPage statement(Api.StatementFilters filters) throws OrderdeskException, InterruptedException {
        return Json.record(Api.StatementPage.class, call("/merchant/statement", filters.members()));
    }

    /** Return a page of callbacks with their attempts, newest first, of one order or all. */
    public Api.CallbackPage listCallbacks(Api.CallbackFilters filters) throws OrderdeskException, InterruptedException {
        return Json.record(Api.CallbackPage.class, call("/merchant/listCallbacks", filters.members()));
    }

    /** Return a page of events, the bodies of callbacks, newest first. */
    public Api.EventPage listEvents(Api.EventFilters filters) throws OrderdeskException, InterruptedException {
        return Json.record(Api.EventPage.class, call("/merchant/listEvents", filters.members()));
    }

    /** Return a page of withdrawals, newest first. */
    public Api.WithdrawalPage listWithdrawals(Api.WithdrawalFilters filters)
            throws OrderdeskException, InterruptedException {
        return Json.record(Api.WithdrawalPage.class, call("/merchant/listWithdrawals", filters.members()));
    }

    /** Return the amounts of an order (1 = buy, 2 = sell) that is not created. */
    public Api.Quote quote(int orderType, String cnyAmount, Api.QuoteOptions options)
            throws OrderdeskException, InterruptedException {
        Map<String, Object> parameters = new HashMap<>(options.members());
        parameters.putAll(Map.of("order_type", orderType, "cny_amount", cnyAmount));
        return Json.record(Api.Quote.class, call("/merchant/quote", parameters));
    }

    /** Return the merchant's terms, and what is open of its limits. */
    public Api.Agreement agreement() throws OrderdeskException, InterruptedException {
        return Json.record(Api.Agreement.class, call("/merchant/agreement", Map.of()));
    }

    /** Send a callback again to a further address, with the same id. */
    public Api.Delivery redeliverCallback(String webhookId, String endpointId)
            throws OrderdeskException, InterruptedException {
        return Json.record(Api.Delivery.class, call("/merchant/redeliverCallback",
            Map.of("webhook_id", webhookId, "endpoint_id", endpointId)));
    }

    /** Send a callback again, with the same id. */
    public Api.Delivery redeliverCallback(String webhookId) throws OrderdeskException, InterruptedException {
        return Json.record(Api.Delivery.class,
            call("/merchant/redeliverCallback", Map.of("webhook_id", webhookId)));
    }

    /** Queue a test event for the default address. */
    public Api.Delivery testCallback() throws OrderdeskException, InterruptedException {
        return testCallback("");
    }

    /** Queue a test event for an endpoint. */
    public Api.Delivery testCallback(String callbackUrl) throws OrderdeskException, InterruptedException {
        return Json.record(Api.Delivery.class,
            call("/merchant/testCallback", Map.of("callback_url", callbackUrl)));
    }

    /** Move a test order or draft to a status, as its payer, its trader, an operator or the clock. */
    public Api.Order advanceOrder(String to, Api.AnyNumber number)
            throws OrderdeskException, InterruptedException {
        Map<String, Object> parameters = new HashMap<>(number.members());
        parameters.put("to", to);
        return Json.record(Api.Order.class, call("/test/advanceOrder", parameters));
    }

    /** Call any route. Each attempt is signed again, because a nonce is accepted only once. */
    public Map<String, Object> call(String path, Map<String, ?> parameters)
            throws OrderdeskException, InterruptedException {
        boolean lost = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(path, parameters);
            } catch (OrderdeskException error) {
                error.afterLostAttempt = lost;
                Long waitMillis = millisBeforeRetry(error, attempt);
                if (attempt == ATTEMPTS_MAX || waitMillis == null) {
                    throw error;
                }
                lost = lost || !(error instanceof Refused refused) || refused.code != Code.TOO_MANY_REQUESTS;
                Thread.sleep(waitMillis);
            }
        }
    }

    private Map<String, Object> create(
            String merchantOrderNo, Parameters options, Map<String, ?> named)
            throws OrderdeskException, InterruptedException {
        if (merchantOrderNo.isEmpty()) {
            throw new IllegalArgumentException("without a merchantOrderNo a retry could create a second order");
        }
        Map<String, Object> parameters = new HashMap<>(options.members());
        parameters.putAll(named);
        parameters.put("merchant_order_no", merchantOrderNo);
        try {
            return call(test ? "/test/createOrder" : "/merchant/createOrder", parameters);
        } catch (Refused refused) {
            boolean isFirstOnes = refused.afterLostAttempt && !Boolean.FALSE.equals(refused.data.get("same"));
            if (refused.code != Code.MERCHANT_ORDER_NO_EXISTS || !isFirstOnes) {
                throw refused;
            }
        }
        // The earlier attempt created the order.
        return call("/merchant/queryOrder", Map.of("merchant_order_no", merchantOrderNo));
    }

    private Map<String, Object> attempt(String path, Map<String, ?> parameters)
            throws OrderdeskException, InterruptedException {
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        Map<String, Object> signed = new HashMap<>(parameters);
        signed.values().removeIf(value -> value == null || value.equals(""));
        signed.put("api_key", apiKey);
        signed.put("timestamp", Instant.now().getEpochSecond());
        signed.put("nonce", HexFormat.of().formatHex(nonce));
        signed.put("signature", sign(apiSecret, stringToSign(path, signed)));
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("User-Agent", "orderdesk-java/1")
            .POST(HttpRequest.BodyPublishers.ofString(canonicalJson(signed)))
            .build();
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException error) {
            throw new NoAnswer(path + ": " + error, error);
        }
        Map<String, Object> envelope;
        long code;
        try {
            envelope = Json.object(Json.parse(response.body()));
            code = (Long) envelope.get("code");
        } catch (RuntimeException error) {
            String text = path + ": the answer (HTTP " + response.statusCode() + ") is not orderdesk's";
            if (response.statusCode() / 100 == 4) { // a gateway refused it; the service never saw it
                throw new Refused(0, text, new LinkedHashMap<>(), response);
            }
            throw new NoAnswer(text, error);
        }
        Object data = envelope.get("data");
        Map<String, Object> read = data == null ? new LinkedHashMap<>() : Json.object(data);
        if (code != 1) {
            throw new Refused((int) code, String.valueOf(envelope.get("msg")), read, response);
        }
        return read;
    }

    /** Return the string to sign. The path begins at /merchant or /test, after the base URL. */
    public static String stringToSign(String path, Map<String, ?> parameters) {
        List<String> lines = new ArrayList<>(List.of("POST " + path));
        new TreeMap<>(parameters).forEach((name, value) -> {
            if (!name.equals("signature") && value != null && !value.equals("")) {
                lines.add(name + "=" + (value instanceof String text ? text : canonicalJson(value)));
            }
        });
        return String.join("\n", lines);
    }

    /** Return the signature of a string to sign. */
    public static String sign(String apiSecret, String text) {
        return HexFormat.of().formatHex(hmac(utf8(apiSecret), utf8(text)));
    }

    /** Return canonical JSON (RFC 8785). A float or BigDecimal is refused: amounts are strings. */
    public static String canonicalJson(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            return String.valueOf(value);
        }
        if (value instanceof String text) {
            return Json.quoted(text);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Orderdesk::canonicalJson).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            // Strings compare by their UTF-16 code units, as RFC 8785 requires.
            return new TreeMap<>(map).entrySet().stream()
                .map(entry -> Json.quoted((String) entry.getKey()) + ":" + canonicalJson(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        throw new IllegalArgumentException(
            "a " + value.getClass().getSimpleName() + " cannot be sent; write amounts as text: \"100.50\"");
    }

    /**
     * Return the event of an authentic, fresh callback; respond with 400 to any other.
     *
     * @param header returns a header by name, for example {@code exchange.getRequestHeaders()::getFirst}
     * @param body the raw request body
     */
    public static Api.Event verifyCallback(
            String callbackSecret, UnaryOperator<String> header, byte[] body) throws InvalidCallback {
        String timestamp = String.valueOf(header.apply("webhook-timestamp"));
        Matcher secret = CALLBACK_SECRET.matcher(callbackSecret);
        if (!secret.matches()) {
            throw new InvalidCallback("the secret is not whsec_ and base64");
        }
        byte[] key = Base64.getDecoder().decode(secret.group(2));
        byte[] start = utf8(header.apply("webhook-id") + "." + timestamp + ".");
        byte[] signed = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, signed, start.length, body.length);
        byte[] wanted = utf8("v1," + Base64.getEncoder().encodeToString(hmac(key, signed)));
        // During a rotation of the secret there are two signatures; one matches this secret.
        String[] given = String.valueOf(header.apply("webhook-signature")).split(" ");
        if (Arrays.stream(given).noneMatch(each -> MessageDigest.isEqual(utf8(each), wanted))) {
            throw new InvalidCallback("no signature matches this secret");
        }
        long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
        if (Math.abs(age) > CALLBACK_TOLERANCE_SECONDS) {
            throw new InvalidCallback("the timestamp differs too much from this machine's clock");
        }
        return Json.record(Api.Event.class, Json.object(Json.parse(new String(body, StandardCharsets.UTF_8))));
    }

    /** Return the pause before the next attempt; null without a further attempt. */
    private static Long millisBeforeRetry(OrderdeskException error, int attempt) {
        if (error instanceof Refused refused) {
            boolean isRetried = switch (refused.code) {
                case Code.TOO_MANY_REQUESTS, Code.INTERNAL_ERROR, Code.TRY_AGAIN -> true;
                default -> false;
            };
            if (!isRetried) {
                return null;
            }
            if (refused.retryAfterSeconds != null) {
                return refused.retryAfterSeconds <= WAIT_SECONDS_MAX ? refused.retryAfterSeconds * 1000L : null;
            }
        }
        return (long) (100 * (1 << attempt) * ThreadLocalRandom.current().nextDouble(0.5, 1));
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
