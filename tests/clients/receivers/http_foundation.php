<?php

// The part of Symfony's HttpFoundation that the receivers use; Laravel's requests are made of it.

namespace Symfony\Component\HttpFoundation {
    class Request
    {
        public object $headers;

        public function __construct(array $headers, private string $body)
        {
            $this->headers = new class ($headers) {
                public function __construct(private array $headers)
                {
                }

                public function get(string $name): ?string
                {
                    return $this->headers[$name] ?? null;
                }

                public function all(): array
                {
                    return array_map(fn (string $value) => [$value], $this->headers);
                }
            };
        }

        public function getContent(): string
        {
            return $this->body;
        }
    }

    class Response
    {
        public function __construct(?string $content = '', public int $status = 200)
        {
        }
    }
}

namespace Illuminate\Http {
    class Request extends \Symfony\Component\HttpFoundation\Request
    {
    }
}

namespace App {
    class Shop
    {
        public static array $handled = [];

        public function handle(string $webhookId, array $event): void
        {
            self::$handled[] = [$webhookId, $event['type']];
        }
    }
}

namespace {
    require __DIR__ . '/Orderdesk.php'; // as composer's autoload does

    function drive(callable $receive): void
    {
        $statuses = [];
        foreach (json_decode(file_get_contents('php://stdin'), true) as [$headers, $body]) {
            $statuses[] = $receive($headers, $body)->status;
        }
        echo json_encode([$statuses, App\Shop::$handled]);
    }
}
