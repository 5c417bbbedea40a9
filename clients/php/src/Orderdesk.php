<?php

// SPDX-License-Identifier: Apache-2.0

/**
 * orderdesk's merchant API: signed calls and verified callbacks. It needs PHP 8.1 or newer and no extension; it uses
 * cURL if that is loaded, else streams, which need allow_url_fopen.
 *
 *     $client = new Orderdesk\Client('https://api.example.com/v1', 'mk_…', 'sk_…');
 *     $order = $client->createBuy('A-1001', '1000.00');
 *     echo $order['pay_url'];
 *
 * Amounts are strings ('1000.00') in requests and responses. Calculate with bcmath, not with floats.
 */

declare(strict_types=1);

namespace Orderdesk;

use Generator;
use InvalidArgumentException;
use JsonException;
use RuntimeException;
use stdClass;

const ATTEMPTS_MAX = 4;
const WAIT_SECONDS_MAX = 10;
const CALLBACK_TOLERANCE_SECONDS = 300;
const CALLBACK_SECRET = '~^(whsec_)?([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$~D';
const BASE_URL = '~^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._\~%/-]*)?$~D';

/** The error codes of Refused::getCode(). */
final class Code
{
    public const INVALID_BODY = 1001;
    public const INVALID_PARAMETER = 1002;
    public const AMOUNT_OUT_OF_RANGE = 1003;
    public const UNKNOWN_API_KEY = 1101;
    public const BAD_SIGNATURE = 1102;
    public const TIMESTAMP_OUT_OF_WINDOW = 1103;
    public const NONCE_REUSED = 1104;
    public const IP_NOT_ALLOWED = 1105;
    public const MERCHANT_SUSPENDED = 1106;
    public const NOT_ALLOWED_BY_KEY = 1107;
    public const TOO_MANY_REQUESTS = 1201;
    public const MERCHANT_ORDER_NO_EXISTS = 2001;
    public const ORDER_NOT_FOUND = 2002;
    public const STATE_CONFLICT = 2003;
    public const NO_TRADER_AVAILABLE = 2101;
    public const INSUFFICIENT_BALANCE = 2102;
    public const RATE_UNAVAILABLE = 2103;
    public const OPEN_LIMIT_REACHED = 2104;
    public const OPEN_SELL_LIMIT_REACHED = 2105;
    public const REFUSED_BY_DESK = 2106;
    public const IDENTITY_VERIFICATION_FAILED = 2201;
    public const IDENTITY_PROVIDER_UNAVAILABLE = 2202;
    public const UNKNOWN_ROUTE = 4000;
    public const INTERNAL_ERROR = 5000;
    public const TRY_AGAIN = 5001;
}

// Retried. After the last two codes, the service may or may not have executed the call.
const RETRIED = [Code::TOO_MANY_REQUESTS, Code::INTERNAL_ERROR, Code::TRY_AGAIN];
const UNSURE = [Code::INTERNAL_ERROR, Code::TRY_AGAIN];
// The fields of $data that the text of Refused shows.
const SHOWN = ['status', 'min_cny', 'max_cny', 'limit'];

abstract class OrderdeskException extends RuntimeException
{
    /** Whether an earlier attempt of this call got no clear response; the service may have executed it. */
    public bool $afterLostAttempt = false;
}

/** No attempt got a response. The service may have executed the call: query the order. */
final class NoAnswer extends OrderdeskException
{
}

/** The service refused the call; $data has the details of getCode(). */
final class Refused extends OrderdeskException
{
    /** @param array<string, mixed> $data */
    public function __construct(
        int $code,
        public readonly string $text,
        public readonly array $data,
        public readonly int $httpStatus,
        public readonly string $requestId,
        public readonly ?int $retryAfterSeconds,
    ) {
        // This text is often logged, so it omits most of $data, which may have names and card numbers.
        $details = json_encode($data['fields'] ?? $data['reason'] ?? null);
        foreach (array_intersect_key($data, array_flip(SHOWN)) as $name => $value) {
            $details .= ", $name $value";
        }
        parent::__construct("$code $text: $details", $code);
    }
}

/** The callback is not signed with this secret, or its timestamp is too old or too new. */
final class InvalidCallback extends RuntimeException
{
}

/** The merchant API, to inject and to mock. A call returns the response's `data`, or throws Refused or NoAnswer. */
interface ClientInterface
{
    /** Create a buy; by `result_status`, the response has `pay_url` or `identity_url`. */
    public function createBuy(string $merchantOrderNo, string $cnyAmount, array $more = []): array;

    /** Create a buy, or return the first one of this number if it is the same, as it is now: see `status`. */
    public function createOrGet(string $merchantOrderNo, string $cnyAmount, array $more = []): array;

    /** Create a sell that is paid to the customer's payment method. */
    public function createSell(
        string $merchantOrderNo,
        string $cnyAmount,
        array $paymentMethod,
        array $more = [],
    ): array;

    /** Return an order or draft by one of merchant_order_no, order_no, pending_no. */
    public function queryOrder(array $number): array;

    /** Return a page of `orders`, newest first; pass its `cursor` for the next page. */
    public function listOrders(array $filters = []): array;

    /** Cancel a pending buy or a matching sell, by merchant_order_no or order_no. */
    public function cancelOrder(array $number): array;

    /** Dispute a paid buy that is not confirmed within 30 minutes, by merchant_order_no or order_no. */
    public function disputeOrder(array $number): array;

    /** Return available, held and deposit USDT for `live` and `test`. */
    public function balance(): array;

    /** Return a page of postings, oldest first; pass its `cursor` for the next page. */
    public function statement(array $filters = []): array;

    /** Return a page of `callbacks` with their attempts, newest first, of one order or all. */
    public function listCallbacks(array $filters = []): array;

    /** Return a page of `events`, the bodies of callbacks, newest first. */
    public function listEvents(array $filters = []): array;

    /** Yield the events of all pages, newest first. @return Generator<array<string, mixed>> */
    public function events(array $filters = []): Generator;

    /** Return a page of `withdrawals`, newest first. */
    public function listWithdrawals(array $filters = []): array;

    /** Return the amounts of an order (1 = buy, 2 = sell) that is not created. */
    public function quote(int $orderType, string $cnyAmount, array $more = []): array;

    /** Return the merchant's terms, and what is open of its limits. */
    public function agreement(): array;

    /** Send a callback again, with the same id; $endpointId is that of a further address. */
    public function redeliverCallback(string $webhookId, ?string $endpointId = null): array;

    /** Queue a test event for the endpoint in `callback_url`, or for the default address. */
    public function testCallback(array $parameters = []): array;

    /** Move a test order to a status, as its payer, its trader, an operator or the clock. */
    public function advanceOrder(string $to, array $number): array;

    /** Yield the orders of all pages, newest first. @return Generator<array<string, mixed>> */
    public function orders(array $filters = []): Generator;

    /** Yield the postings of all pages, oldest first. @return Generator<array<string, mixed>> */
    public function postings(array $filters = []): Generator;

    /** Yield the callbacks of all pages, newest first. @return Generator<array<string, mixed>> */
    public function callbacks(array $filters = []): Generator;

    /** Call any route. Each attempt is signed again, because a nonce is accepted only once. */
    public function call(string $path, array $parameters): array;
}

/** The client; it makes up to 4 attempts. */
final class Client implements ClientInterface
{
    /**
     * With $test, orders are test orders. $timeoutSeconds applies to each attempt.
     *
     * @throws InvalidArgumentException for a base URL that is not http or https
     */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $apiKey,
        private readonly string $apiSecret,
        private readonly bool $test = false,
        private readonly float $timeoutSeconds = 10,
    ) {
        if (!preg_match(BASE_URL, $baseUrl)) {
            throw new InvalidArgumentException("baseUrl: \"$baseUrl\" is not an http or https URL");
        }
    }

    public function createBuy(string $merchantOrderNo, string $cnyAmount, array $more = []): array
    {
        $created = $this->create(1, $merchantOrderNo, $cnyAmount, $more);
        // An order that an earlier attempt created is queryOrder's response.
        return $created + ['result_status' => isset($created['order_no']) ? 'success' : 'pending_identity'];
    }

    public function createOrGet(string $merchantOrderNo, string $cnyAmount, array $more = []): array
    {
        try {
            return $this->createBuy($merchantOrderNo, $cnyAmount, $more);
        } catch (Refused $refused) {
            if ($refused->getCode() !== Code::MERCHANT_ORDER_NO_EXISTS || !($refused->data['same'] ?? false)) {
                throw $refused;
            }
        }
        $first = $this->queryOrder(['merchant_order_no' => $merchantOrderNo]);
        return $first + ['result_status' => isset($first['order_no']) ? 'success' : 'pending_identity'];
    }

    public function createSell(
        string $merchantOrderNo,
        string $cnyAmount,
        array $paymentMethod,
        array $more = [],
    ): array {
        return $this->create(2, $merchantOrderNo, $cnyAmount, ['payment_method' => $paymentMethod] + $more);
    }

    public function queryOrder(array $number): array
    {
        return $this->call('/merchant/queryOrder', $number);
    }

    public function listOrders(array $filters = []): array
    {
        return $this->call('/merchant/listOrders', $filters);
    }

    public function cancelOrder(array $number): array
    {
        return $this->call('/merchant/cancelOrder', $number);
    }

    public function disputeOrder(array $number): array
    {
        return $this->call('/merchant/disputeOrder', $number);
    }

    public function balance(): array
    {
        return $this->call('/merchant/balance', []);
    }

    public function statement(array $filters = []): array
    {
        return $this->call('/merchant/statement', $filters);
    }

    public function listCallbacks(array $filters = []): array
    {
        return $this->call('/merchant/listCallbacks', $filters);
    }

    public function listEvents(array $filters = []): array
    {
        return $this->call('/merchant/listEvents', $filters);
    }

    public function events(array $filters = []): Generator
    {
        return $this->rows('/merchant/listEvents', 'events', $filters);
    }

    public function listWithdrawals(array $filters = []): array
    {
        return $this->call('/merchant/listWithdrawals', $filters);
    }

    public function quote(int $orderType, string $cnyAmount, array $more = []): array
    {
        return $this->call('/merchant/quote', ['order_type' => $orderType, 'cny_amount' => $cnyAmount] + $more);
    }

    public function agreement(): array
    {
        return $this->call('/merchant/agreement', []);
    }

    public function redeliverCallback(string $webhookId, ?string $endpointId = null): array
    {
        $asked = ['webhook_id' => $webhookId, 'endpoint_id' => $endpointId];
        return $this->call('/merchant/redeliverCallback', $asked);
    }

    public function testCallback(array $parameters = []): array
    {
        return $this->call('/merchant/testCallback', $parameters);
    }

    public function advanceOrder(string $to, array $number): array
    {
        return $this->call('/test/advanceOrder', ['to' => $to] + $number);
    }

    public function orders(array $filters = []): Generator
    {
        return $this->rows('/merchant/listOrders', 'orders', $filters);
    }

    public function postings(array $filters = []): Generator
    {
        return $this->rows('/merchant/statement', 'postings', $filters);
    }

    public function callbacks(array $filters = []): Generator
    {
        return $this->rows('/merchant/listCallbacks', 'callbacks', $filters);
    }

    public function call(string $path, array $parameters): array
    {
        $lost = false;
        for ($attempt = 1;; $attempt++) {
            try {
                return $this->attempt($path, $parameters);
            } catch (OrderdeskException $error) {
                $error->afterLostAttempt = $lost;
                $waitSeconds = secondsBeforeRetry($error, $attempt);
                if ($attempt === ATTEMPTS_MAX || $waitSeconds === null) {
                    throw $error;
                }
                $lost = $lost || $error instanceof NoAnswer || in_array($error->getCode(), UNSURE, true);
            }
            usleep((int) ($waitSeconds * 1_000_000));
        }
    }

    private function rows(string $path, string $name, array $filters): Generator
    {
        do {
            $page = $this->call($path, $filters);
            foreach ($page[$name] as $row) {
                yield $row;
            }
            $filters['cursor'] = $page['cursor'];
        } while ($page['cursor'] !== null);
    }

    private function create(int $orderType, string $merchantOrderNo, string $cnyAmount, array $more): array
    {
        if ($merchantOrderNo === '') {
            throw new InvalidArgumentException('without a merchantOrderNo a retry could create a second order');
        }
        $named = ['order_type' => $orderType, 'merchant_order_no' => $merchantOrderNo, 'cny_amount' => $cnyAmount];
        try {
            return $this->call($this->test ? '/test/createOrder' : '/merchant/createOrder', $named + $more);
        } catch (Refused $refused) {
            $isFirstOnes = $refused->afterLostAttempt && ($refused->data['same'] ?? null) !== false;
            if ($refused->getCode() !== Code::MERCHANT_ORDER_NO_EXISTS || !$isFirstOnes) {
                throw $refused;
            }
        }
        // The earlier attempt created the order.
        return $this->call('/merchant/queryOrder', ['merchant_order_no' => $merchantOrderNo]);
    }

    private function attempt(string $path, array $parameters): array
    {
        $common = ['api_key' => $this->apiKey, 'timestamp' => time(), 'nonce' => bin2hex(random_bytes(16))];
        $given = fn ($value, $name) => !in_array($value, [null, ''], true) && [$name, $value] !== ['metadata', []];
        $signed = $common + array_filter($parameters, $given, ARRAY_FILTER_USE_BOTH);
        $signed['signature'] = sign($this->apiSecret, stringToSign($path, $signed));
        $url = rtrim($this->baseUrl, '/') . $path;
        $send = extension_loaded('curl') ? sendByCurl(...) : sendByStream(...);
        [$status, $lines, $body] = $send($url, canonicalJson((object) $signed), $this->timeoutSeconds);
        $envelope = json_decode($body, true);
        if (!is_array($envelope) || !is_int($envelope['code'] ?? null)) {
            $text = "$path: the answer (HTTP $status) is not orderdesk's";
            if (intdiv($status, 100) === 4) { // a gateway refused it; the service never saw it
                throw new Refused(0, $text, [], $status, '', null);
            }
            throw new NoAnswer($text);
        }
        $data = $envelope['data'] ?? [];
        if ($envelope['code'] === 1) {
            return $data;
        }
        $after = headerOf($lines, 'retry-after');
        throw new Refused(
            $envelope['code'],
            $envelope['msg'] ?? '',
            $data,
            $status,
            headerOf($lines, 'x-request-id'),
            preg_match('/^\d{1,9}$/', $after) ? (int) $after : null,
        );
    }
}

/** Return the string to sign. $path begins at /merchant or /test, after the base URL. */
function stringToSign(string $path, array $parameters): string
{
    $lines = ["POST $path"];
    ksort($parameters, SORT_STRING);
    foreach ($parameters as $name => $value) {
        if ($name !== 'signature' && $value !== null && $value !== '') {
            $lines[] = "$name=" . (is_string($value) ? $value : canonicalJson($value));
        }
    }
    return implode("\n", $lines);
}

/** Return the signature of a string to sign. */
function sign(string $apiSecret, string $text): string
{
    return hash_hmac('sha256', $text, $apiSecret);
}

/**
 * Return canonical JSON (RFC 8785). A list or an empty array becomes []; send `new stdClass()` for {}.
 *
 * @throws InvalidArgumentException for a float, which would change amounts
 * @throws JsonException for text that is not UTF-8
 */
function canonicalJson(mixed $value): string
{
    if ($value instanceof stdClass || (is_array($value) && !array_is_list($value))) {
        $members = [];
        foreach ((array) $value as $name => $inner) {
            // The NUL keeps the key a string; PHP would convert "10" to an int.
            $members["$name\0"] = canonicalJson((string) $name) . ':' . canonicalJson($inner);
        }
        // RFC 8785 sorts by UTF-16 code units: like UTF-8 bytes, but U+E000 to U+FFFF come last.
        $units = fn (string $name) => strtr($name, "\xEE\xEF", "\xFE\xFF");
        uksort($members, fn (string $one, string $other) => strcmp($units($one), $units($other)));
        return '{' . implode(',', $members) . '}';
    }
    if (is_array($value)) {
        return '[' . implode(',', array_map(canonicalJson(...), $value)) . ']';
    }
    if ($value !== null && !is_string($value) && !is_int($value) && !is_bool($value)) {
        throw new InvalidArgumentException(get_debug_type($value) . " cannot be sent; write amounts as text: '100.50'");
    }
    $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_LINE_TERMINATORS;
    return json_encode($value, $flags | JSON_THROW_ON_ERROR);
}

/**
 * Return the event of an authentic, fresh callback.
 *
 * @param array<string, string|list<string>> $headers those of getallheaders(), or PSR-7's getHeaders()
 * @param string $body the raw request body, from php://input
 * @throws InvalidCallback Respond with 400.
 */
function verifyCallback(string $callbackSecret, array $headers, string $body): array
{
    $headers = array_map(
        fn (string|array $value) => is_array($value) ? (string) reset($value) : $value,
        array_change_key_case($headers),
    );
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!preg_match(CALLBACK_SECRET, $callbackSecret)) {
        throw new InvalidCallback('the secret is not whsec_ and base64');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $callbackSecret));
    $signed = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // During a rotation of the secret there are two signatures; one matches this secret.
    $signatures = explode(' ', $headers['webhook-signature'] ?? '');
    $matches = array_filter($signatures, fn (string $given) => hash_equals($wanted, $given));
    if ($matches === []) {
        throw new InvalidCallback('no signature matches this secret');
    }
    if (abs(time() - (int) $timestamp) > CALLBACK_TOLERANCE_SECONDS) {
        throw new InvalidCallback("the timestamp differs too much from this machine's clock");
    }
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}

/** Return the pause before the next attempt; null without a further attempt. */
function secondsBeforeRetry(OrderdeskException $error, int $attempt): ?float
{
    if ($error instanceof Refused) {
        if (!in_array($error->getCode(), RETRIED, true)) {
            return null;
        }
        if ($error->retryAfterSeconds !== null) {
            return $error->retryAfterSeconds <= WAIT_SECONDS_MAX ? $error->retryAfterSeconds : null;
        }
    }
    return 0.1 * 2 ** $attempt * (0.5 + mt_rand() / mt_getrandmax() / 2);
}

const REQUEST_HEADERS = ['Content-Type: application/json', 'User-Agent: orderdesk-php/1'];

/** @return array{int, list<string>, string} the status, the lines of the headers, and the body */
function sendByCurl(string $url, string $body, float $timeoutSeconds): array
{
    $lines = [];
    $handle = curl_init($url);
    curl_setopt_array($handle, [
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_HTTPHEADER => [...REQUEST_HEADERS, 'Expect:'],
        CURLOPT_TIMEOUT_MS => (int) ($timeoutSeconds * 1000),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$lines): int {
            $lines[] = $line;
            return strlen($line);
        },
    ]);
    $answer = curl_exec($handle);
    if ($answer === false) {
        throw new NoAnswer("$url: " . curl_error($handle));
    }
    return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $lines, $answer];
}

/** @return array{int, list<string>, string} the status, the lines of the headers, and the body */
function sendByStream(string $url, string $body, float $timeoutSeconds): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [...REQUEST_HEADERS, 'Connection: close'],
        'content' => $body,
        'timeout' => $timeoutSeconds,
        'protocol_version' => 1.1,
        'follow_location' => 0,
        'ignore_errors' => true, // returns the body of a 4xx or 5xx, too
    ]]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        throw new NoAnswer("$url: " . (error_get_last()['message'] ?? 'no answer'));
    }
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    $answer = (string) stream_get_contents($stream);
    fclose($stream);
    return [(int) (explode(' ', $lines[0])[1] ?? 0), $lines, $answer];
}

/** @param list<string> $lines */
function headerOf(array $lines, string $name): string
{
    $found = preg_grep("/^$name:/i", $lines);
    return trim(substr((string) reset($found), strlen($name) + 1));
}
