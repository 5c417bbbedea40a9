<?php

// Compare the test account's statement with its balance; exit 1 if they differ.

declare(strict_types=1);

require __DIR__ . '/vendor/autoload.php';

$names = ['ORDERDESK_BASE_URL', 'ORDERDESK_API_KEY', 'ORDERDESK_API_SECRET'];
$client = new Orderdesk\Client(...array_map(getenv(...), $names));
$micro = fn (string $usdt): int => (int) str_replace('.', '', $usdt); // USDT has 6 decimals
$last = 0;
foreach ($client->postings(['is_test' => 1, 'limit' => 100]) as $posting) {
    if ($posting['account'] === 'available') {
        $last = $micro($posting['balance']);
    }
}
$balance = $client->balance()['test'];
$total = $micro($balance['available']) + $micro($balance['held']); // a hold has no posting
echo "statement $last balance $total micro USDT\n";
exit($last === $total ? 0 : 1);
