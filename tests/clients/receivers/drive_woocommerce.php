<?php

// Runs process_payment three times with the few functions of WooCommerce that the gateway uses.

abstract class WC_Payment_Gateway
{
    public string $id;
    public string $method_title;

    public function get_return_url(WC_Order $order): string
    {
        return "https://shop.example/received/{$order->get_id()}";
    }
}

final class WC_Order
{
    private array $meta = [];

    public function get_id(): int
    {
        return 7;
    }

    public function get_total(): string
    {
        return '100.5';
    }

    public function get_meta(string $name): mixed
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, mixed $value): void
    {
        $this->meta[$name] = $value;
    }

    public function save(): void
    {
    }
}

function wc_get_order(int $id): WC_Order
{
    static $order = null;
    $order ??= new WC_Order();
    return $order;
}

function wc_format_decimal(string $amount, int $decimals): string
{
    return number_format((float) $amount, $decimals, '.', '');
}

function wc_add_notice(string $text, string $kind): void
{
}

function home_url(string $path): string
{
    return "https://shop.example$path";
}

require __DIR__ . '/Orderdesk.php';
require __DIR__ . '/receiver.php';

$gateway = new OrderdeskGateway(new Orderdesk\Client(getenv('ORDERDESK_BASE_URL'), 'mk', 'sk'));
$answers = [];
for ($visit = 1; $visit <= (int) getenv('VISITS'); $visit++) {
    $answers[] = $gateway->process_payment(7);
}
echo json_encode($answers);
