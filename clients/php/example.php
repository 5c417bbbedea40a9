<?php

// Create a buy and a sell in test mode: php example.php, with the keys in the environment.

declare(strict_types=1);

use Orderdesk\Client;
use Orderdesk\Code;
use Orderdesk\NoAnswer;
use Orderdesk\Refused;

require __DIR__ . '/vendor/autoload.php';

$client = new Client(
    getenv('ORDERDESK_BASE_URL'),
    getenv('ORDERDESK_API_KEY'),
    getenv('ORDERDESK_API_SECRET'),
    test: true, // without it, orders are live
);
// The URL of your receiver of callbacks, if you have one.
$callbacks = ['callback_url' => getenv('ORDERDESK_CALLBACK_URL') ?: ''];
$number = 'example-php-' . hrtime(true) . '-' . time(); // your own number of the order

$terms = $client->agreement();
echo "agreement {$terms['min_cny']} to {$terms['max_cny']} CNY\n";
$quote = $client->quote(1, '100.00', ['method_type' => 'bank']); // of a buy; stores nothing
echo "quote {$quote['merchant_actual_amount']} USDT, a trader fits: " . json_encode($quote['would_match']) . "\n";

try {
    $metadata = ['cart' => '77']; // comes back in answers and callbacks
    $more = ['method_type' => 'bank', 'metadata' => $metadata] + $callbacks;
    $buy = $client->createBuy("$number-1", '100.00', $more);
    echo $buy['result_status'] === 'success'
        ? "buy {$buy['order_no']} pay at {$buy['pay_url']}\n"
        : "draft {$buy['pending_no']} verify at {$buy['identity_url']}\n";
} catch (Refused $refused) {
    if ($refused->getCode() !== Code::NO_TRADER_AVAILABLE) {
        throw $refused;
    }
    exit("no trader is available: offer another way to pay\n");
} catch (NoAnswer) {
    exit("result unknown: query the order later by merchant_order_no\n");
}

try {
    $client->createBuy("$number-1", '100.00');
} catch (Refused $refused) {
    echo "again {$refused->getCode()} {$refused->data['order_no']}\n";
}

$order = $client->queryOrder(['merchant_order_no' => "$number-1"]);
echo "query {$order['order_no']} {$order['status']} {$order['merchant_actual_amount']} USDT\n";
$done = $client->advanceOrder('completed', ['order_no' => $order['order_no']]); // acts as the trader
echo "advance {$done['status']}\n";
$same = $client->createOrGet("$number-1", '100.00', ['method_type' => 'bank']);
echo "same {$same['order_no']} {$same['status']}\n"; // the first one, as it is now
echo "balance {$client->balance()['test']['available']}\n";

$customer = [
    'method_type' => 'bank',
    'real_name' => '张三',
    'bank' => '中国银行',
    'sub_bank' => '深圳分行',
    'card_number' => '6200000000000000017',
];
$refund = ['refund_of' => $order['order_no']]; // of a completed buy, up to what it may still refund
$sell = $client->createSell("$number-2", '50.00', $customer, $refund + $callbacks);
echo "sell {$sell['order_no']} {$sell['status']} {$sell['merchant_actual_amount']} USDT\n";
echo "cancel {$client->cancelOrder(['merchant_order_no' => "$number-2"])['status']}\n";

$page = $client->listOrders(['is_test' => 1, 'limit' => 2]);
echo 'list ' . implode(' ', array_column($page['orders'], 'merchant_order_no')) . "\n";
$sent = $client->listCallbacks(['order_no' => $order['order_no']])['callbacks'];
echo 'callbacks ' . implode(', ', array_map(fn (array $each) => "{$each['type']} {$each['status']}", $sent)) . "\n";
$events = $client->listEvents(['order_no' => $order['order_no']])['events']; // without an address, too
echo 'events ' . implode(', ', array_map(fn (array $each) => "{$each['type']} {$each['event_id']}", $events)) . "\n";
echo 'statement ' . count($client->statement(['is_test' => 1, 'limit' => 10])['postings']) . " postings\n";
