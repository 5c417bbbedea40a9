<?php

// Receive callbacks: php -S 127.0.0.1:8080 receiver.php, with ORDERDESK_CALLBACK_SECRET set.

declare(strict_types=1);

use Orderdesk\InvalidCallback;

use function Orderdesk\verifyCallback;

require __DIR__ . '/vendor/autoload.php';

try {
    $event = verifyCallback(getenv('ORDERDESK_CALLBACK_SECRET'), getallheaders(), file_get_contents('php://input'));
    // Store the webhook-id: a callback may be delivered twice. Order events by `sequence`.
    $number = $event['data']['order_no'] ?? $event['data']['pending_no'] ?? '';
    $sequence = $event['data']['sequence'] ?? '';
    $line = "{$event['type']} $number $sequence";
    http_response_code(204);
} catch (InvalidCallback $error) {
    $line = "refused: {$error->getMessage()}";
    http_response_code(400);
}
file_put_contents('php://stdout', "$line\n");
