<?php

use Symfony\Component\HttpFoundation\Request;

require __DIR__ . '/http_foundation.php';
require __DIR__ . '/Controller/receiver.php';

$controller = new App\Controller\CallbackController(getenv('ORDERDESK_CALLBACK_SECRET'), new App\Shop());
drive(fn (array $headers, string $body) => $controller(new Request($headers, $body)));
