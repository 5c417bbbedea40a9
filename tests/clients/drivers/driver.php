<?php

// Runs the requests of standard input with the client and prints the answers, both as JSON.

declare(strict_types=1);

namespace Orderdesk;

use InvalidArgumentException;
use stdClass;

require __DIR__ . '/Orderdesk.php';

/** A program's arrays: its metadata is one too, also if it has no text. */
function arrays(stdClass $value): array
{
    $given = (array) $value;
    return isset($given['metadata']) ? ['metadata' => (array) $given['metadata']] + $given : $given;
}

function call(array $request): array
{
    $client = new Client(
        $request['base_url'],
        $request['api_key'],
        $request['api_secret'],
        $request['test'],
        $request['timeout_seconds'],
    );
    $read = fn (string $text) => is_object($value = json_decode($text)) ? arrays($value) : $value;
    $method = lcfirst(str_replace('_', '', ucwords($request['method'], '_')));
    try {
        return ['data' => (object) $client->$method(...array_map($read, $request['arguments']))];
    } catch (NoAnswer $error) {
        return ['no_answer' => true, 'after_lost_attempt' => $error->afterLostAttempt];
    } catch (Refused $refused) {
        return ['refused' => [
            'code' => $refused->getCode(),
            'error' => $refused->getMessage(),
            'text' => $refused->text,
            'data' => (object) $refused->data,
            'http_status' => $refused->httpStatus,
            'request_id' => $refused->requestId,
            'retry_after_seconds' => $refused->retryAfterSeconds ?? 0,
            'after_lost_attempt' => $refused->afterLostAttempt,
        ]];
    }
}

function signed(array $request): array
{
    $text = stringToSign($request['path'], (array) json_decode($request['body']));
    return ['string_to_sign' => $text, 'signature' => sign($request['api_secret'], $text)];
}

function verified(array $request): array
{
    $listed = fn (string $value) => [$value];
    $headers = isset($request['of_framework']) ? array_map($listed, $request['headers']) : $request['headers'];
    try {
        return ['event' => verifyCallback($request['secret'], $headers, $request['body'])];
    } catch (InvalidCallback $error) {
        return ['invalid' => $error->getMessage()];
    }
}

function answer(array $request): array
{
    try {
        return match ($request['do']) {
            'call' => call($request),
            'sign' => signed($request),
            'verify' => verified($request),
        };
    } catch (InvalidArgumentException $error) {
        return ['error' => $error->getMessage()];
    }
}

$requests = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
echo json_encode(array_map(answer(...), $requests), JSON_THROW_ON_ERROR);
