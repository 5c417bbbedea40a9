// --8<-- [start:call]
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Client {
    static final String BASE_URL = "http://localhost:4566/…"; // the base URL you were given
    static final String API_KEY = "mk_…", API_SECRET = "sk_…";

    /** Writes JSON with sorted keys and no spaces; this is both what is sent and what is signed. */
    static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return new TreeMap<>(map).entrySet().stream()
                .map(e -> json(e.getKey()) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
        }
        if (!(value instanceof String text)) return String.valueOf(value);
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            int at = "\b\t\n\f\r\"\\".indexOf(c);
            if (at >= 0) quoted.append('\\').append("btnfr\"\\".charAt(at));
            else if (c < 0x20) quoted.append(String.format("\\u%04x", (int) c));
            else quoted.append(c);
        }
        return quoted.append('"').toString();
    }

    static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    static String sign(String secret, String path, Map<String, Object> params) throws GeneralSecurityException {
        String lines = new TreeMap<>(params).entrySet().stream()
            .filter(e -> !e.getKey().equals("signature") && e.getValue() != null && !e.getValue().equals(""))
            .map(e -> "\n" + e.getKey() + "=" + (e.getValue() instanceof String s ? s : json(e.getValue())))
            .collect(Collectors.joining());
        return HexFormat.of().formatHex(hmac(secret.getBytes(StandardCharsets.UTF_8), "POST " + path + lines));
    }

    static String call(String path, Map<String, Object> own) throws Exception {
        Map<String, Object> params = new HashMap<>(own);
        params.put("api_key", API_KEY);
        params.put("timestamp", System.currentTimeMillis() / 1000);
        params.put("nonce", UUID.randomUUID().toString());
        params.put("signature", sign(API_SECRET, path, params));
        HttpRequest request = HttpRequest.newBuilder(URI.create(BASE_URL + path))
            .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json(params))).build();
        // A refusal is an answer too.
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
    // --8<-- [end:call]

    // --8<-- [start:order]
    public static void main(String[] args) throws Exception {
        System.out.println(call("/test/createOrder",
            Map.of("order_type", 1, "cny_amount", "1000.00", "merchant_order_no", "first-1")));
    }
    // --8<-- [end:order]

    // --8<-- [start:verify]
    /** Tells whether a callback is ours. Headers have lower-case names, the body is the text as it came. */
    static boolean verified(String secret, Map<String, String> headers, String body) throws GeneralSecurityException {
        String sent = headers.get("webhook-timestamp");
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        String signed = headers.get("webhook-id") + "." + sent + "." + body;
        byte[] own = ("v1," + Base64.getEncoder().encodeToString(hmac(key, signed))).getBytes(StandardCharsets.UTF_8);
        boolean fresh = Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(sent)) <= 300;
        return fresh && Arrays.stream(headers.get("webhook-signature").split(" ")) // two while a secret rotates
            .anyMatch(given -> MessageDigest.isEqual(own, given.getBytes(StandardCharsets.UTF_8)));
    }
    // --8<-- [end:verify]
}
