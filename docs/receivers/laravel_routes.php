<?php

// routes/api.php: routes of this file need no CSRF token. The address is /api/callbacks.

use App\Shop;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Orderdesk\InvalidCallback;

use function Orderdesk\verifyCallback;

Route::post('/callbacks', function (Request $request, Shop $shop) {
    $secret = config('services.orderdesk.callback_secret');
    try {
        $event = verifyCallback($secret, $request->headers->all(), $request->getContent());
    } catch (InvalidCallback) {
        return response()->noContent(400);
    }
    $shop->handle($request->headers->get('webhook-id'), $event);
    return response()->noContent();
});
