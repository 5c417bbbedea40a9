"""What the tests share: events, a merchant's client, a world on moto."""
