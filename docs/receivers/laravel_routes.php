<?php

// routes/api.php: routes of this file need no CSRF token. The address is /api/callbacks.

use App\Shop;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Orderdesk\InvalidCallback;

use function Orderdesk\verifyCallback;

require_once app_path('Orderdesk.php');

Route::post('/callbacks', function (Request $request, Shop $shop) {
    $headers = array_map(fn (array $values) => $values[0], $request->headers->all());
    $secret = config('services.orderdesk.callback_secret');
    try {
        $event = verifyCallback($secret, $headers, $request->getContent());
    } catch (InvalidCallback) {
        return response()->noContent(400);
    }
    $shop->handle($headers['webhook-id'], $event);
    return response()->noContent();
});
