<?php

// src/Controller/CallbackController.php

namespace App\Controller;

use App\Shop;
use Orderdesk\InvalidCallback;
use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Attribute\AsController;
use Symfony\Component\Routing\Attribute\Route;

use function Orderdesk\verifyCallback;

require_once __DIR__ . '/../Orderdesk.php';

#[AsController]
final class CallbackController
{
    public function __construct(
        #[Autowire(env: 'ORDERDESK_CALLBACK_SECRET')] private string $secret,
        private Shop $shop,
    ) {
    }

    #[Route('/callbacks', methods: ['POST'])]
    public function __invoke(Request $request): Response
    {
        $headers = array_map(fn (array $values) => $values[0], $request->headers->all());
        try {
            $event = verifyCallback($this->secret, $headers, $request->getContent());
        } catch (InvalidCallback) {
            return new Response(status: 400);
        }
        $this->shop->handle($headers['webhook-id'], $event);
        return new Response(status: 204);
    }
}
