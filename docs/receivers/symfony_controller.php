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
        try {
            $event = verifyCallback($this->secret, $request->headers->all(), $request->getContent());
        } catch (InvalidCallback) {
            return new Response(status: 400);
        }
        $this->shop->handle($request->headers->get('webhook-id'), $event);
        return new Response(status: 204);
    }
}
