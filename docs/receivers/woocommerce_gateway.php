<?php

// A payment method of WooCommerce. Each payment attempt of a shop order has a number of its own.

use Orderdesk\ClientInterface;
use Orderdesk\NoAnswer;
use Orderdesk\Refused;

final class OrderdeskGateway extends WC_Payment_Gateway
{
    public function __construct(private readonly ClientInterface $orderdesk)
    {
        $this->id = 'orderdesk';
        $this->method_title = 'orderdesk';
    }

    /** Return where the customer pays. WooCommerce calls it again when the customer comes back to pay. */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        $attempt = max(1, (int) $order->get_meta('_orderdesk_attempt'));
        try {
            $buy = $this->buy($order, $attempt);
            if (in_array($buy['status'] ?? '', ['expired', 'cancelled'], true)) {
                $buy = $this->buy($order, $attempt + 1);
            }
        } catch (NoAnswer | Refused) { // the same attempt again later, with the same number
            wc_add_notice('This payment method is not available now. Please try again.', 'error');
            return ['result' => 'failure'];
        }
        return ['result' => 'success', 'redirect' => $buy['pay_url'] ?? $buy['identity_url']];
    }

    /** Create the buy of an attempt, or return the one that it has. */
    private function buy(WC_Order $order, int $attempt): array
    {
        $order->update_meta_data('_orderdesk_attempt', $attempt); // stored before the request
        $order->save();
        $number = "wc-{$order->get_id()}-$attempt";
        return $this->orderdesk->createOrGet($number, wc_format_decimal($order->get_total(), 2), [
            'callback_url' => home_url('/wc-api/orderdesk'),
            'return_url' => $this->get_return_url($order),
            'metadata' => ['wc_order' => (string) $order->get_id()],
        ]);
    }
}

// In the plugin's file: $client is an Orderdesk\Client.
// add_filter('woocommerce_payment_gateways', fn (array $all) => [...$all, new OrderdeskGateway($client)]);
