<?php
// --8<-- [start:call]
const BASE_URL = 'http://localhost:4566/…'; // the base URL you were given
const API_KEY = 'mk_…', API_SECRET = 'sk_…';
const AS_IS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR;

// Keys sorted, no spaces, nothing but strings inside. Send amounts as strings: 100.50 would become 100.5.
function signed_text(mixed $value): string
{
    if (is_array($value)) {
        if (!array_is_list($value)) {
            ksort($value, SORT_STRING);
        }
        return json_encode($value, AS_IS);
    }
    return is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
}

function sign(string $secret, string $path, array $params): string
{
    ksort($params, SORT_STRING);
    $lines = ["POST $path"];
    foreach ($params as $name => $value) {
        if ($name !== 'signature' && $value !== null && $value !== '') {
            $lines[] = "$name=" . signed_text($value);
        }
    }
    return hash_hmac('sha256', implode("\n", $lines), $secret);
}

function call(string $path, array $params): array
{
    $params += ['api_key' => API_KEY, 'timestamp' => time(), 'nonce' => bin2hex(random_bytes(12))];
    $params['signature'] = sign(API_SECRET, $path, $params);
    $http = ['method' => 'POST', 'header' => 'Content-Type: application/json',
        'content' => json_encode($params, AS_IS), 'ignore_errors' => true]; // a refusal is an answer too
    $answer = file_get_contents(BASE_URL . $path, false, stream_context_create(['http' => $http]));
    return json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
}
// --8<-- [end:call]

// --8<-- [start:order]
if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    print_r(call('/test/createOrder', ['order_type' => 1, 'cny_amount' => '1000.00', 'merchant_order_no' => 'first-1']));
}
// --8<-- [end:order]

// --8<-- [start:verify]
// Gives the event of a callback, or null. $headers have lower-case names, $body is the text as it came.
function verified(string $secret, array $headers, string $body): ?array
{
    $sent = $headers['webhook-timestamp'];
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $signed = "{$headers['webhook-id']}.$sent.$body";
    $own = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $fresh = abs(time() - (int) $sent) <= 300;
    foreach (explode(' ', $headers['webhook-signature']) as $given) { // two while a secret rotates
        if ($fresh && hash_equals($own, $given)) {
            return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    return null;
}
// --8<-- [end:verify]
